import { inflateRawSync } from 'node:zlib'

/**
 * Which degrees of the globe hold land: a bit for each square of one degree, from the south pole's row eastwards from
 * 180° west, deflated. Made from Natural Earth's land at 1:50 million (public domain, https://www.naturalearthdata.com):
 * a square counts when a coast runs through it or its middle is on land. Antarctica is left out.
 */
const deflated =
  '7Zk/bxxFFMDfeC83lnC8J1FwkJC5AgkKpDgKxSFFnuv4GJxET5KKFCGzAkSocMp0jpQvkA4qZ5NYRDQ4FaJAeKNECoXFLaTw' +
  'WLfex83u7M6f3XWcKo2nsPZuf/fmzXtv3nszBjgZJ+NknIyT8ebG0ptWIAleA84YQEI6Xva8zzkBmDjfjLolY+TrMer+Icb0' +
  '+DojOept/1XwETNh413wOrA9hh7sCFqK3LfXX0dyBsvHh6UL52F32ACk7mpz1g0T8DyW8044JRC5orJuWBIADxad8B8EYN2F' +
  'u82BDUNn2GWOSPnruPA9Neequ4oONSik6k3fg+sVxpZh4hCkmtNxyihFrJ2AFoykRcEU6/BPrAiMkCGyFjioYWrBiMiPCcdd' +
  'MK0fw1fDYW0Y1g1PjoCTVsmJgbPjwKyGBYRGOxtermFewxiFr5JceaUBh20wNTCzYQorsAYDF9YScgUvW3AArLdk1ycf/shy' +
  'dwDnIeh5aui5ERH4qDY6IlkeTb9YwNFKA1bCCLeECIA1VZ8mEVgSDHyTW/4WAANVmwaf1ElG23NSwExYMAcYxk7RQhe+YRIB' +
  'Xwc4C0sBtAa5gq9ZSbCAfyDHgffYKrgJt4xbUcObF80bBReFcNAG54ibYMPTYc+pSYVbsYZZXVklId+F0z7AQufIgUmlhomz' +
  'TQo7bAygHBIRK8j1/rbhDDGZvcsh9vZrAY8MrNYTi8FWoqJ74ibRVskJDsg27pTfExdu6JwNJHmBu4ul3iEmOWbGGlEBl264' +
  'FB8AirEjtww67cHYRDbg4eF1ZMM2mNVW5FUQHH6N+Pic1y5I45PUwLHAOWK85LZUVBoiNY6PeT6Xar4PbJhIkwmem0kShvhp' +
  'FRUTxyka/ttYPGH41ZkmnNRAlVeKZfM5fa9CBk48B5bnwyKE08v/Bt+DZ7gSLr643s+1FUcA18KntNesjXG1qJxjZfIBjMOY' +
  'q/kmIx+m9S7XZhzDNxT21de9Ow68p1WOHPghgWe0B8twy20TtMqxhgXAiMPDq/CYdqtswcDgwVX4hU4aMNFwquHFpyiEB5Jk' +
  'tKXBym+b6ENECXArhEdZIINGa54SOXHgoA8xg2eoYb8hjokNM5Vd4BEGKbGLSWkwUm72YWYWGDPVTKTE7+H/XMCFGmMN7yKB' +
  'hMMekmt+wx/hZYCpevq4UgMpJAKyFjhBFg8uq6cVDc9Q6QAZwhVrh6g/axJZontRDb9ADimSXNArtWSdFjPGthFs+GUBUxTh' +
  'yHJcCYfrSWgnm8WeVgpTxP7UarjLGKZb8/cdWPm73AQD75AwzWkkVh01DhF1ZF/w3DdFCjpRVrBqDMqni34zjRT27N2KmCPX' +
  'wfpT0ALb/QUKxMo758F3NoUvHbiQrSNq6ManyhJVf/y7Zu5XP2Jr7iERkfVWrXpfRlK1c0c+jDtVXZjkHiz8YDZJ0faKhuMm' +
  'bBe++zbMk0aThkxXnJUMcYPFFuweq6SjmiyygIHZ880GbDX8CGupBWfYLK6m4ceetOFLzlE4t+AeJPt4Oretcem/bliGGVNM' +
  '9QMhnBWiqfERgYwPVDpnFfwhi/2+S8MDtYILcobIKzVmYdSE64Z/80JeBmll6BZY1Ia8pzzIzQqjtxqw6eHTfUzSTWOPm6wp' +
  '+UdSWX2ORO4YOBQNGLnp+PFZPrPckjdh63iA+yaeEflN2oQP3L1iVrh6rgmj97Eeq2tuy6rW0Qm/M/Xav0U03OhQA9nEC+e6' +
  'nYqbkk+rHrTU+8CF/2rCIVBIpEoW0aEL57wVvgtjZ9oS3mJNOGJAIDlTwy+r1JGHqQ+fisRZAOCkgudViyRpGnpOgUj0AXpZ' +
  'X1uO/Vz3i0H6ee7D6t1SEmrL0SdVQKc0Rc/UpLjhULc25QtI6uYyyLkHB0N1mZci/qojXy7WUPb/NBd+ckT5GcT1ujkkeBrK' +
  '1mKl6RU8UHXfBJwUq5AFxckEed7mxW2jlvqYK0uvQS5aYIQN8zyTIWAIqipLbBtpYsHIIlwYUqjUOMejx9OiShZwVDrUHy/M' +
  'I82FakdTbtpRb1iB/hgVHFaZ8n7THJbO+xjGVdFSh8f9hjWgoCrr1ecTiUiubHtwADly2EoQ5SEiSYoIW1EhTgHyB/aWfRJT' +
  'UHk6nuGGahn0+WRY3eZZC9ql1XkwVkY+xACkfe0RMdit8rNzB3V3VixA2hUO1uG3Yivv8tuhkxiDYrcWgXlKzVXkx3LHcQC5' +
  'Qb1qxeBbdAq+FDDNSti+nCtysUhNHRrX18YFnPTftsqx+Eeo+K4l3ygySAQwuo2NTvuGNKGjbFkdcNW+a7nWndfRQAtbAsTx' +
  '4qQWYcs1bGQikhfyxoW2ZyNsvYC1k0TZK6kb2ORc+w2srqniWP9HiNG5WDsZR4//AQ=='

let squares: Buffer | undefined

/** Whether there is land in the square degree of a place. */
export function isLand(latitude: number, longitude: number): boolean {
  squares ??= inflateRawSync(Buffer.from(deflated, 'base64'))
  const row = Math.min(179, Math.max(0, Math.floor(latitude + 90)))
  const column = Math.min(359, Math.max(0, Math.floor(longitude + 180)))
  const square = row * 360 + column
  return (((squares[square >> 3] ?? 0) >> (square & 7)) & 1) === 1
}
