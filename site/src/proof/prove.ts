import { leafOf, type ProvableEntry } from '@openfountain/core/leaf'
import {
  checkpointOf,
  inclusionProof,
  isIncluded,
  NoteError,
  parsedNote,
  type Signer,
  signersOf,
  treeOfTiles,
  verifierKey,
} from '@openfountain/tlog'

const fountainsOfFile = 64

export const historyFile = (id: number): string => `log/history/${Math.floor(id / fountainsOfFile)}.json`

/** A history that does not agree with the signed log. */
export class NotProven extends Error {
  override readonly name = 'NotProven'
  /** The entry that is not in the log; undefined where the checkpoint is at fault. */
  readonly entry: number | undefined

  constructor(entry?: number) {
    super(entry === undefined ? 'the checkpoint is not signed' : `entry ${entry} is not in the log`)
    this.entry = entry
  }
}

/** A history that agrees with the log of a site. */
export interface Proven {
  readonly origin: string
  readonly size: number
  readonly entries: number
  /** Who signed the checkpoint; undefined where this browser cannot check it. */
  readonly signers: readonly Signer[] | void
  readonly file: string
}

/** Proves the history of a fountain from the files of a site, by their paths below its data. @throws NotProven */
export async function provenHistory(
  id: number,
  read: (file: string) => Promise<Uint8Array>,
): Promise<Proven> {
  const textOf = async (file: string): Promise<string> => new TextDecoder().decode(await read(file))
  const [checkpoint, keys, witnesses, histories] = await Promise.all(
    ['log/checkpoint', 'log/keys', 'log/witnesses', historyFile(id)].map(textOf),
  )
  const note = parsedNote(checkpoint ?? '')
  const { origin, size, root } = checkpointOf(note)
  const known = await Promise.all(`${keys}${witnesses}`.trim().split('\n').map(verifierKey))
  // Without https there is no WebCrypto, and older browsers do not know Ed25519.
  const signers = await signersOf(note, known).catch((error: unknown) => {
    if (error instanceof NoteError) throw new NotProven()
  })
  if (signers && !signers.some(({ key }) => key.name === origin)) throw new NotProven()
  const { [id]: history = [] } = JSON.parse(histories ?? '') as Readonly<Record<string, ProvableEntry[]>>
  if (history.length === 0) throw new Error(`${historyFile(id)} has no entries about ${id}`)
  const tree = treeOfTiles(size, (path) => read(`log/${path}`))
  const entries = await Promise.all(
    history.map(async (entry) => {
      const proof = entry.id > size ? [] : await inclusionProof(tree, entry.id - 1, size)
      const isProven = isIncluded({ index: entry.id - 1, hash: leafOf(entry) }, { size, root }, proof)
      if (!isProven) throw new NotProven(entry.id)
      return { ...entry, proof }
    }),
  )
  const proof = { format: 'openfountain-proof/1', checkpoint, entries }
  const file = `${JSON.stringify(proof, undefined, 1)}\n`
  return { origin, size, entries: entries.length, signers, file }
}
