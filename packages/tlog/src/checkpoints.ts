import { base64Of, bytesOfBase64, bytesOfHex, hexOf } from './bytes.ts'
import { NoteError, parsedNote, signersOf, type Note, type Signer, type VerifierKey } from './notes.ts'

/** How far a log goes (C2SP tlog-checkpoint). */
export interface Checkpoint {
  /** The name of the log. */
  readonly origin: string
  readonly size: number
  /** In hexadecimal. */
  readonly root: string
}

/** The text of a checkpoint's note. */
export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${base64Of(bytesOfHex(root))}\n`

/** The unverified checkpoint in a note. @throws NoteError */
export function checkpointOf({ text }: Note): Checkpoint {
  const [origin = '', size = '', base64 = '', ...rest] = text.slice(0, -1).split('\n')
  const root = bytesOfBase64(base64)
  const isSize = /^(?:0|[1-9]\d{0,15})$/u.test(size) && Number.isSafeInteger(Number(size))
  if (origin === '' || !isSize || root?.length !== 32 || rest.includes(''))
    throw new NoteError('is not a checkpoint: lines with the name of a log, its size and its root')
  return { origin, size: Number(size), root: hexOf(root) }
}

export interface VerifiedCheckpoint extends Checkpoint {
  readonly note: Note
  /** The known signers of the log. */
  readonly signers: readonly Signer[]
  /** Those who watch it. */
  readonly cosigners: readonly Signer[]
}

/**
 * A checkpoint whose signatures hold.
 *
 * @param keys of the log, one of which must have signed, and of those who watch it
 * @throws NoteError when none of the log's keys has signed, or a signature of a key does not hold
 */
export async function verifiedCheckpoint(
  source: string,
  keys: readonly VerifierKey[],
): Promise<VerifiedCheckpoint> {
  const note = parsedNote(source)
  const checkpoint = checkpointOf(note)
  const all = await signersOf(note, keys)
  const signers = all.filter(({ key }) => key.kind === 'note' && key.name === checkpoint.origin)
  if (signers.length === 0) throw new NoteError('is not signed by a key of the log that is known')
  const cosigners = all.filter(({ key }) => key.kind === 'cosignature')
  return { ...checkpoint, note, signers, cosigners }
}
