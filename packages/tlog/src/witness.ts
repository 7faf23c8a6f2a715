import { bytesOfBase64, hexOf } from './bytes.ts'
import { checkpointOf, type VerifiedCheckpoint, verifiedCheckpoint } from './checkpoints.ts'
import {
  NoteError,
  noteText,
  parsedNote,
  signatureLine,
  signed,
  type SigningKey,
  type VerifierKey,
} from './notes.ts'
import { emptyRoot, isConsistent } from './tree.ts'

/** Where a witness keeps the last checkpoint of each log. */
export interface WitnessStore {
  /** The last checkpoint of a log that was cosigned, as a note. */
  last(origin: string): Promise<string | undefined>
  /** Keeps a checkpoint durably before it is answered. */
  keep(origin: string, note: string): Promise<void>
  /** Keeps two notes of a log with one size and different roots, both signed by the log. */
  split(origin: string, notes: readonly [string, string]): Promise<void>
}

export interface WitnessOptions {
  /** A key that cosigns. */
  readonly key: SigningKey
  /** Keys of the logs that are watched. */
  readonly logs: readonly VerifierKey[]
  readonly store: WitnessStore
  /** The time in milliseconds since 1970. Default the system's. */
  readonly now?: () => number
}

export interface WitnessAnswer {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422
  readonly body: string
  readonly mediaType: string
}

/** Lines of a proof at most. */
const mostLines = 63

const answer = (status: WitnessAnswer['status'], body: string, mediaType = 'text/plain; charset=utf-8') => ({
  status,
  body: body.endsWith('\n') ? body : `${body}\n`,
  mediaType,
})

/** A request to add a checkpoint; undefined for a malformed one. */
function parsedRequest(body: string) {
  const end = body.indexOf('\n\n')
  const [first = '', ...lines] = body.slice(0, Math.max(end, 0)).split('\n')
  const [, old = ''] = /^old (0|[1-9]\d{0,15})$/u.exec(first) ?? []
  const hashes = lines.flatMap((line) => bytesOfBase64(line) ?? [])
  const isProof = hashes.length === lines.length && hashes.every(({ length }) => length === 32)
  if (end < 0 || old === '' || !isProof || lines.length > mostLines) return undefined
  return { old: Number(old), proof: hashes.map(hexOf), source: body.slice(end + 2) }
}

/** Watches logs: cosigns checkpoints that continue the last one (C2SP tlog-witness), and keeps evidence of split ones. */
export class Witness {
  readonly #options: WitnessOptions
  #queue: Promise<unknown> = Promise.resolve()

  constructor(options: WitnessOptions) {
    this.#options = options
  }

  /** The answer to `POST /add-checkpoint`. Requests are answered one after the other. */
  add(body: string): Promise<WitnessAnswer> {
    const next = this.#queue.then(() => this.#add(body))
    this.#queue = next.catch(() => {})
    return next
  }

  async #add(body: string): Promise<WitnessAnswer> {
    const { logs, store } = this.#options
    const request = parsedRequest(body)
    if (request === undefined)
      return answer(400, 'must be an old size, a proof, an empty line and a checkpoint')
    const { old, proof, source } = request
    let given: VerifiedCheckpoint
    try {
      const { origin } = checkpointOf(parsedNote(source))
      if (!logs.some(({ name }) => name === origin)) return answer(404, 'this log is not watched here')
      given = await verifiedCheckpoint(source, logs)
    } catch (error) {
      if (!(error instanceof NoteError)) throw error
      return answer(error.message.startsWith('is not a') ? 400 : 403, `the checkpoint ${error.message}`)
    }
    const { origin, size, root } = given
    if (old > size) return answer(400, 'the old size is larger than the checkpoint')
    const kept = await store.last(origin)
    const last = kept === undefined ? { size: 0, root: emptyRoot } : checkpointOf(parsedNote(kept))
    if (kept !== undefined && last.size === size && last.root !== root) {
      await store.split(origin, [kept, source])
      return answer(422, 'the log signed another checkpoint of this size: both are kept as evidence')
    }
    if (old !== last.size) return answer(409, String(last.size), 'text/x.tlog.size')
    if (!isConsistent(last, given, proof))
      return answer(422, 'the checkpoint does not continue the last one, as far as the proof shows')
    return this.#cosigned(given, kept)
  }

  async #cosigned(
    { origin, note, signers }: VerifiedCheckpoint,
    kept: string | undefined,
  ): Promise<WitnessAnswer> {
    const { key, store, now = Date.now } = this.#options
    const earlier =
      kept === undefined ? undefined : await verifiedCheckpoint(kept, [...this.#options.logs, key.verifier])
    // A clock that went back does not.
    const seconds = Math.max(Math.floor(now() / 1000), earlier?.cosigners[0]?.time ?? 1)
    const cosignature = await signed(note.text, key, seconds)
    const own = note.signatures.filter((each) =>
      signers.some((signer) => signer.key.name === each.name && signer.key.id === each.id),
    )
    await store.keep(origin, noteText({ text: note.text, signatures: [...own, cosignature] }))
    return answer(200, signatureLine(cosignature))
  }
}
