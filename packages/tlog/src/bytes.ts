export const bytesOfText = (text: string): Uint8Array => new TextEncoder().encode(text)

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

const digit = (code: number): number => (code < 58 ? code - 48 : code - 87)

/** Of digits in lower case. */
export function bytesOfHex(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length / 2)
  for (let at = 0; at < bytes.length; at++)
    bytes[at] = digit(hex.charCodeAt(2 * at)) * 16 + digit(hex.charCodeAt(2 * at + 1))
  return bytes
}

export function joinedBytes(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** Standard base 64 (RFC 4648, section 4), with padding. */
export const base64Of = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** Undefined for a text that is not standard base 64 in its only form. */
export function bytesOfBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/u.test(text) || text.length % 4 !== 0) return undefined
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  return base64Of(bytes) === text ? bytes : undefined
}
