import { checkpointText, type Checkpoint } from './checkpoints.ts'
import { NoteError, noteText, signed, signingKey, type VerifierKey } from './notes.ts'

/** The keys of one log. While one follows another, both sign. */
export interface LogSigner {
  /** The name of the log. */
  readonly origin: string
  /** The line of history that they sign; undefined for any. */
  readonly history: string | undefined
  readonly keys: readonly VerifierKey[]
  /** The text of a checkpoint, signed with all keys. */
  checkpoint(tree: Omit<Checkpoint, 'origin'>): Promise<string>
}

const historyWord = 'history:'

/**
 * The keys of a text: private keys with one name, and `history:` with a line of history, separated by white space.
 *
 * @throws NoteError, without a key
 */
export async function logSigner(text: string): Promise<LogSigner> {
  const words = text.split(/\s+/u).filter((word) => word !== '')
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
