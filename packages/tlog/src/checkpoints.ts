import { base64Of, bytesOfBase64, bytesOfHex, hexOf } from './bytes.ts'
import {
  NoteError,
  parsedNote,
  signersOf,
  type Note,
  type Signer,
  type VerifierKey,
  noteText,
  signed,
  signingKey,
  verifierKey,
} from './notes.ts'

/** How far a log goes (C2SP tlog-checkpoint). */
export interface Checkpoint {
  /** The name of the log. */
  readonly origin: string
  readonly size: number
  /** In hexadecimal. */
  readonly root: string
}

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

export interface LogSigner {
  /** The name of the log. */
  readonly origin: string
  readonly history: string | undefined
  /** Of the log, and of who cosigned it. */
  readonly keys: readonly VerifierKey[]
  /** The only size that has a checkpoint; undefined for any. */
  readonly size?: number | undefined
  checkpoint(tree: Omit<Checkpoint, 'origin'>): Promise<string | undefined>
}

const historyWord = 'history:'

const wordsOf = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '')

/**
 * The signer of a log whose last checkpoint is known, in place of its private keys.
 *
 * @param keys verifier keys of the log, and of who cosigned it, separated by white space
 * @throws NoteError
 */
export async function followedSigner(note: string, keys: string): Promise<LogSigner> {
  const known = await Promise.all(wordsOf(keys).map(verifierKey))
  const { origin, size, root } = await verifiedCheckpoint(note, known)
  const checkpoint: LogSigner['checkpoint'] = async (tree) =>
    tree.size === size && tree.root === root ? note : undefined
  return { origin, history: undefined, keys: known, size, checkpoint }
}

/**
 * The keys of a text, which all sign: private keys with one name, and `history:` with a line of history, separated by white space.
 *
 * @throws NoteError, without a key
 */
export async function logSigner(text: string): Promise<LogSigner> {
  const words = wordsOf(text)
  const history = words.find((word) => word.startsWith(historyWord))?.slice(historyWord.length)
  const texts = words.filter((word) => !word.startsWith(historyWord))
  const signing = await Promise.all(texts.map(signingKey))
  const keys = signing.map(({ verifier }) => verifier)
  const [origin] = keys.map(({ name }) => name)
  if (origin === undefined) throw new NoteError('has no key')
  if (keys.some(({ name, kind }) => name !== origin || kind !== 'note'))
    throw new NoteError('has keys of several logs, or one that cosigns')
  return {
    origin,
    history,
    keys,
    async checkpoint(tree) {
      const note = checkpointText({ origin, ...tree })
      return noteText({ text: note, signatures: await Promise.all(signing.map((key) => signed(note, key))) })
    },
  }
}
