import { checkpointText, type Checkpoint, verifiedCheckpoint } from './checkpoints.ts'
import { NoteError, noteText, signed, signingKey, type VerifierKey, verifierKey } from './notes.ts'

/** The signer of checkpoints of one log. */
export interface LogSigner {
  /** The name of the log. */
  readonly origin: string
  /** The line of history that they sign; undefined for any. */
  readonly history: string | undefined
  /** Of the log, and of who cosigned it. */
  readonly keys: readonly VerifierKey[]
  /** The only size that has a checkpoint; undefined for any. */
  readonly size?: number | undefined
  /** The text of a checkpoint, signed with all keys; undefined for one that it does not have. */
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
