import { base64Of, bytesOfBase64, bytesOfHex, hexOf } from './bytes.ts'
import { checkpointOf, checkpointText, type VerifiedCheckpoint, verifiedCheckpoint } from './checkpoints.ts'
import {
  NoteError,
  noteText,
  parsedNote,
  signatureLine,
  signed,
  signersOf,
  type SigningKey,
  type VerifierKey,
} from './notes.ts'
import { emptyRoot, isConsistent } from './tree.ts'

export interface WitnessStore {
  /** The last checkpoint of a log that was cosigned, as a note. */
  last(origin: string): Promise<string | undefined>
  /** Keeps a checkpoint durably before it is answered. */
  keep(origin: string, note: string): Promise<void>
  /** Keeps the evidence of two histories. @returns where it is */
  split(origin: string, evidence: Split): Promise<string>
}

export interface WitnessOptions {
  readonly key: SigningKey
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

/**
 * The line of a witness's cosignature of a checkpoint (C2SP tlog-witness), for the end of its note.
 *
 * @param keys of the log, and that of the witness
 * @param ask sends a request to `/add-checkpoint`
 * @param proofFrom the proof of consistency from an older size
 * @throws NoteError when the witness refuses, or its signature does not hold
 */
export async function cosignature(
  source: string,
  keys: { readonly log: readonly VerifierKey[]; readonly witness: VerifierKey },
  ask: (body: string) => Promise<{ readonly status: number; readonly body: string }>,
  proofFrom: (size: number) => Promise<readonly string[]>,
): Promise<string> {
  const { size } = checkpointOf(parsedNote(source))
  const asked = async (old: number) => {
    const proof = old === 0 ? [] : await proofFrom(old)
    return ask(`old ${old}\n${proof.map((hash) => `${base64Of(bytesOfHex(hash))}\n`).join('')}\n${source}`)
  }
  let answered = await asked(0)
  const known = answered.status === 409 ? Number(answered.body) : Number.NaN
  if (Number.isSafeInteger(known) && known > 0 && known <= size) answered = await asked(known)
  const { status, body } = answered
  if (status !== 200) throw new NoteError(`was refused with status ${status}: ${body.trim().slice(0, 200)}`)
  const { name, id } = keys.witness
  const line = parsedNote(`${checkpointText(checkpointOf(parsedNote(source)))}\n${body}`).signatures.find(
    (each) => each.name === name && each.id === id,
  )
  if (line === undefined) throw new NoteError('has no signature of the witness that is known')
  const cosigned = signatureLine(line)
  await verifiedCheckpoint(source + cosigned, [...keys.log, keys.witness])
  return cosigned
}

/** Evidence that a log signed two histories. */
export interface Split {
  readonly checkpoints: readonly [string, string]
  /** The root that the larger log has at the size of the smaller one. */
  readonly root: string
  /** The proof of that (RFC 9162, 2.1.4). */
  readonly proof: readonly string[]
}

/**
 * Verifies evidence of a split: both checkpoints are signed by the log, and the larger has another history than the smaller.
 *
 * @throws NoteError when it does not show that
 */
export async function verifiedSplit(
  { checkpoints: [smaller, larger], root, proof }: Split,
  keys: readonly VerifierKey[],
): Promise<readonly [VerifiedCheckpoint, VerifiedCheckpoint]> {
  const [one, other] = [await verifiedCheckpoint(smaller, keys), await verifiedCheckpoint(larger, keys)]
  const isOther = one.origin === other.origin && one.root !== root
  if (!isOther || !isConsistent({ size: one.size, root }, other, proof))
    throw new NoteError('does not show that the log signed two histories')
  return [one, other]
}

/** Watches logs: cosigns checkpoints that continue the last one (C2SP tlog-witness), and keeps evidence of split ones. */
export class Witness {
  readonly #options: WitnessOptions
  #queue: Promise<unknown> = Promise.resolve()

  constructor(options: WitnessOptions) {
    this.#options = options
  }

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
      await store.split(origin, { checkpoints: [kept, source], root, proof: [] })
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
    // The key of the log may be another one by now.
    const [earlier] = kept === undefined ? [] : await signersOf(parsedNote(kept), [key.verifier])
    // A clock that went back does not.
    const seconds = Math.max(Math.floor(now() / 1000), earlier?.time ?? 1)
    const cosignature = await signed(note.text, key, seconds)
    const own = note.signatures.filter((each) =>
      signers.some((signer) => signer.key.name === each.name && signer.key.id === each.id),
    )
    await store.keep(origin, noteText({ text: note.text, signatures: [...own, cosignature] }))
    return answer(200, signatureLine(cosignature))
  }
}
