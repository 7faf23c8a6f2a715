import { bytesOfHex, bytesOfText, hexOf, joinedBytes } from './bytes.ts'

// The same as hashing.ts by WebCrypto, for browsers.

export async function sha256(data: string | Uint8Array): Promise<string> {
  const bytes = Uint8Array.from(typeof data === 'string' ? bytesOfText(data) : data)
  return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

export const leafHash = (data: string | Uint8Array): Promise<string> =>
  sha256(joinedBytes(Uint8Array.of(0), typeof data === 'string' ? bytesOfText(data) : data))

export const nodeHash = (left: string, right: string): Promise<string> =>
  sha256(joinedBytes(Uint8Array.of(1), bytesOfHex(left), bytesOfHex(right)))
