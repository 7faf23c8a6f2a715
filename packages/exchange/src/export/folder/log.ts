import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { RegistryError, type Registry } from '@openfountain/core'
import { bytesOf, guardedFetch, linkOrCopy } from '@openfountain/core/internal'
import { checkpointOf, cosignature, parsedNote, tilePath, tilesOf, verifierKey } from '@openfountain/tlog'
import type { ExportSnapshot } from '../snapshot.ts'

const logFolder = 'log'

export interface EarlierLog {
  readonly folder: string
  readonly origin: string
  /** How far a log is signed that is followed; undefined for the whole log. */
  readonly size: number | undefined
}

export interface WrittenLog {
  readonly size: number
  readonly files: readonly string[]
  /** Whether it is not the log of the earlier export. */
  readonly isOther: boolean
  /** The witnesses that did not cosign it, and why. */
  readonly notCosigned?: readonly { readonly url: string; readonly problem: string }[]
}

/** Who is asked to cosign checkpoints: where, and the verifier key. */
export interface WitnessAddress {
  /** The prefix of `/add-checkpoint`. */
  readonly url: string
  readonly key: string
}

/** The size of the log of an earlier export; 0 without one. @throws RegistryError CHAIN_BROKEN */
async function knownSize(snapshot: ExportSnapshot, { folder, origin }: EarlierLog): Promise<number> {
  const text = await readFile(join(folder, logFolder, 'checkpoint'), 'utf8').catch(() => undefined)
  if (text === undefined) return 0
  const known = checkpointOf(parsedNote(text))
  if (known.origin !== origin) return 0
  if ((await snapshot.headAt(known.size))?.hash === known.root) return known.size
  throw new RegistryError(
    'CHAIN_BROKEN',
    `The log does not continue the checkpoint of ${origin} with ${known.size} entries in ${folder}, which was signed: fetch the missing entries from a mirror, or make a key with another name`,
    { id: known.size, hash: known.root },
  )
}

/** Writes the tiles of the log that an earlier export does not have, and takes over its others. */
export async function writeTiles(
  snapshot: ExportSnapshot,
  path: string,
  earlier: EarlierLog,
): Promise<WrittenLog> {
  const known = await knownSize(snapshot, earlier)
  const { size = snapshot.head.id } = earlier
  const added = new Set([...tilesOf(size, known)].map(tilePath))
  const files: string[] = []
  for (const tile of tilesOf(size)) {
    const file = join(logFolder, tilePath(tile))
    files.push(file)
    const [old, to] = [join(earlier.folder, file), join(path, file)]
    if (!added.has(tilePath(tile)) && existsSync(old)) {
      await linkOrCopy(old, to)
    } else {
      await mkdir(dirname(to), { recursive: true })
      await writeFile(to, await snapshot.tile(tile), { flag: 'wx' })
    }
  }
  return { files, size, isOther: known === 0 }
}

/** Adds the checkpoint with the signatures of the log and of witnesses, and the keys that verify them, a line each. */
export async function withCheckpoint<Written extends { log?: WrittenLog | undefined }>(
  { changes }: Pick<Registry, 'changes'>,
  folder: string,
  written: Written,
  witnesses: readonly WitnessAddress[] = [],
): Promise<Written> {
  const { log } = written
  if (log === undefined) return written
  const { note, keys } = await changes.checkpoint(log.size)
  await mkdir(join(folder, logFolder), { recursive: true })
  const logKeys = await Promise.all(keys.map(verifierKey))
  const linesOf = (kind: string) => lines(keys.filter((_, at) => logKeys[at]?.kind === kind))
  const notCosigned: { url: string; problem: string }[] = []
  const files = { keys: linesOf('note'), witnesses: linesOf('cosignature'), checkpoint: note }
  for (const { url, key } of witnesses)
    try {
      const known = { log: logKeys, witness: await verifierKey(key) }
      const proofFrom = async (from: number) => (await changes.consistency(from, log.size)).proof
      files.checkpoint += await cosignature(note, known, asking(url), proofFrom)
      files.witnesses += lines([key])
    } catch (error) {
      notCosigned.push({ url, problem: error instanceof Error ? error.message : String(error) })
    }
  for (const [name, text] of Object.entries(files))
    await writeFile(join(folder, logFolder, name), text, { flag: 'wx' })
  const added = Object.keys(files).map((name) => join(logFolder, name))
  return { ...written, log: { ...log, files: [...log.files, ...added], notCosigned } }
}

const lines = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('')

const mostBytes = 65_536

const asking = (url: string) => async (content: string) => {
  const address = `${url.replace(/\/$/u, '')}/add-checkpoint`
  const response = await guardedFetch(address, {
    method: 'POST',
    content,
    allowPrivate: true,
    follows: false,
  })
  return { status: response.status, body: new TextDecoder().decode(await bytesOf(response, mostBytes)) }
}
