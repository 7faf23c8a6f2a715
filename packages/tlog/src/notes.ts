import { base64Of, bytesOfBase64, bytesOfHex, bytesOfText, hexOf, joinedBytes } from './bytes.ts'
import { sha256 } from './tree.ts'

/** A malformed or unverified note, key or checkpoint. */
export class NoteError extends Error {
  override readonly name = 'NoteError'
}

/** The kind of signatures of a key: of notes, and of checkpoints by those who watch a log (C2SP tlog-cosignature). */
type Kind = 'note' | 'cosignature'
const bytesOfKinds: Readonly<Record<Kind, number>> = { note: 1, cosignature: 4 }

/** The public key of a signer (C2SP signed-note): Ed25519. */
export interface VerifierKey {
  readonly name: string
  /** Eight digits in hexadecimal. */
  readonly id: string
  readonly kind: Kind
  /** 32 bytes. */
  readonly publicKey: Uint8Array
}

/** A signature line of a note. */
export interface Signature {
  readonly name: string
  /** Of the key, eight digits in hexadecimal. */
  readonly id: string
  readonly bytes: Uint8Array
}

export interface Note {
  /** With the newline at its end. */
  readonly text: string
  readonly signatures: readonly Signature[]
}

/** A signature that holds. */
export interface Signer {
  readonly key: VerifierKey
  /** When it was made, in seconds since 1970; only of cosignatures. */
  readonly time?: number
}

/** Bytes of a note at most, and signatures in it. */
const mostBytes = 1_000_000
const mostSignatures = 100

const isName = (name: string): boolean =>
  name !== '' && name.isWellFormed() && !/[\p{White_Space}\p{Cc}+]/u.test(name)

function keyId(name: string, kind: Kind, publicKey: Uint8Array): string {
  const kindByte = Uint8Array.of(bytesOfKinds[kind])
  return sha256(joinedBytes(bytesOfText(`${name}\n`), kindByte, publicKey)).slice(0, 8)
}

function material(text: string): { readonly kind: Kind; readonly bytes: Uint8Array } | undefined {
  const bytes = bytesOfBase64(text)
  const kind = (['note', 'cosignature'] as const).find((each) => bytesOfKinds[each] === bytes?.[0])
  return kind && bytes?.length === 33 ? { kind, bytes: bytes.subarray(1) } : undefined
}

/** A verifier key from its text, `name+id+base64`. @throws NoteError */
export async function verifierKey(text: string): Promise<VerifierKey> {
  const [, name = '', id = '', rest = ''] = /^([^+]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(text.trim()) ?? []
  const found = material(rest)
  if (!isName(name) || found === undefined)
    throw new NoteError('is not a verifier key: NAME+ID+KEY, of Ed25519')
  if (keyId(name, found.kind, found.bytes) !== id)
    throw new NoteError('has an id that is not that of its name and key: it was copied incompletely')
  return { name, id, kind: found.kind, publicKey: found.bytes }
}

export const verifierText = ({ name, id, kind, publicKey }: VerifierKey): string =>
  `${name}+${id}+${base64Of(joinedBytes(Uint8Array.of(bytesOfKinds[kind]), publicKey))}`

export interface SigningKey {
  readonly verifier: VerifierKey
  sign(data: Uint8Array): Promise<Uint8Array>
}

/** The PKCS #8 prefix of an Ed25519 private key of 32 bytes (RFC 8410). */
const pkcs8 = bytesOfHex('302e020100300506032b657004220420')

/** A new private key, as golang.org/x/mod/sumdb/note writes it: `PRIVATE+KEY+name+id+base64`. @throws NoteError for a name */
export async function newSigningKey(name: string, kind: Kind = 'note'): Promise<string> {
  if (!isName(name)) throw new NoteError('must have a name without spaces and plus signs')
  const seed = crypto.getRandomValues(new Uint8Array(32))
  const id = keyId(name, kind, await publicKeyOf(seed))
  return `PRIVATE+KEY+${name}+${id}+${base64Of(joinedBytes(Uint8Array.of(bytesOfKinds[kind]), seed))}`
}

const ofSeed = (seed: Uint8Array) =>
  crypto.subtle.importKey('pkcs8', joinedBytes(pkcs8, seed), 'Ed25519', true, ['sign'])

async function publicKeyOf(seed: Uint8Array): Promise<Uint8Array> {
  const { x = '' } = await crypto.subtle.exportKey('jwk', await ofSeed(seed))
  return bytesOfBase64(`${x.replaceAll('-', '+').replaceAll('_', '/')}=`) ?? new Uint8Array()
}

/** A private key from its text. @throws NoteError, without the key */
export async function signingKey(text: string): Promise<SigningKey> {
  const [, name = '', id = '', rest = ''] =
    /^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(text.trim()) ?? []
  const found = material(rest)
  if (!isName(name) || found === undefined)
    throw new NoteError('is not a private key: PRIVATE+KEY+NAME+ID+KEY, of Ed25519')
  const { kind, bytes: seed } = found
  const publicKey = await publicKeyOf(seed)
  if (keyId(name, kind, publicKey) !== id)
    throw new NoteError('has an id that is not that of its name and key: it was copied incompletely')
  const key = await ofSeed(seed)
  return {
    verifier: { name, id, kind, publicKey },
    sign: async (data) => new Uint8Array(await crypto.subtle.sign('Ed25519', key, Uint8Array.from(data))),
  }
}

const cosigned = (text: string, seconds: number): Uint8Array =>
  bytesOfText(`cosignature/v1\ntime ${seconds}\n${text}`)

export const signatureLine = ({ name, id, bytes }: Signature): string =>
  `— ${name} ${base64Of(joinedBytes(bytesOfHex(id), bytes))}\n`

/** Signs a text that ends with a newline. @param seconds since 1970, for a cosignature */
export async function signed(text: string, key: SigningKey, seconds = 0): Promise<Signature> {
  const { name, id, kind } = key.verifier
  if (kind === 'note') return { name, id, bytes: await key.sign(bytesOfText(text)) }
  const time = bytesOfHex(seconds.toString(16).padStart(16, '0'))
  return { name, id, bytes: joinedBytes(time, await key.sign(cosigned(text, seconds))) }
}

export const noteText = ({ text, signatures }: Note): string =>
  `${text}\n${signatures.map(signatureLine).join('')}`

/** A note from its text form; nothing is verified. @throws NoteError */
export function parsedNote(source: string): Note {
  const split = source.lastIndexOf('\n\n')
  if (split < 0 || !source.endsWith('\n') || source.length > mostBytes)
    throw new NoteError('is not a signed note: a text, an empty line, and lines of signatures')
  if (!source.isWellFormed() || /[^\n\P{Cc}]/u.test(source.replaceAll(/[\u007f-\u009f]/gu, '')))
    throw new NoteError('has a control character')
  const lines = source.slice(split + 2, -1).split('\n')
  if (lines.length > mostSignatures) throw new NoteError(`has more than ${mostSignatures} signatures`)
  const signatures = lines.map((line) => {
    const [, name = '', base64 = ''] = /^— (\S+) (\S+)$/u.exec(line) ?? []
    const bytes = bytesOfBase64(base64)
    if (!isName(name) || bytes === undefined || bytes.length < 5)
      throw new NoteError('has a line among its signatures that is none')
    return { name, id: hexOf(bytes.subarray(0, 4)), bytes: bytes.subarray(4) }
  })
  return { text: source.slice(0, split + 1), signatures }
}

async function holds(
  text: string,
  { publicKey, kind }: VerifierKey,
  bytes: Uint8Array,
): Promise<Omit<Signer, 'key'> | undefined> {
  const isNote = kind === 'note'
  if (bytes.length !== (isNote ? 64 : 72)) return undefined
  const time = isNote ? 0 : Number.parseInt(hexOf(bytes.subarray(0, 8)), 16)
  if (!Number.isSafeInteger(time)) return undefined
  const data = isNote ? bytesOfText(text) : cosigned(text, time)
  const key = await crypto.subtle.importKey('raw', Uint8Array.from(publicKey), 'Ed25519', false, ['verify'])
  const signature = Uint8Array.from(bytes.subarray(-64))
  const isGenuine = await crypto.subtle.verify('Ed25519', key, signature, Uint8Array.from(data))
  if (!isGenuine) return undefined
  return isNote ? {} : { time }
}

/**
 * The known signers of a note, in the order of the keys; signatures of others are ignored.
 *
 * @throws NoteError for a signature of a known key that does not hold
 */
export async function signersOf({ text, signatures }: Note, keys: readonly VerifierKey[]): Promise<Signer[]> {
  const found: Signer[] = []
  for (const key of keys) {
    const own = signatures.find(({ name, id }) => name === key.name && id === key.id)
    if (own === undefined) continue
    const held = await holds(text, key, own.bytes)
    if (held === undefined) throw new NoteError(`has a signature of ${key.name} that does not hold`)
    found.push({ key, ...held })
  }
  return found
}
