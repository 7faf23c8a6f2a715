import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Attribution } from '@openfountain/core'
import type { Publisher, ExportSnapshot, SourceRecord } from '../snapshot.ts'

/** The circumstances of files that are made once a day. */
export interface Daily {
  /** Another text for each day, and for other options, rules and programs. */
  readonly from: string
  /** The folder of an earlier export; default none. */
  readonly earlier?: string | undefined
}

const Moment = z.looseObject({
  revision: z.number(),
  data_time: z.iso.datetime(),
  as_of: z.iso.datetime(),
  log: z.looseObject({ id: z.number(), hash: z.string() }),
})

/** A file of an earlier export, as its data package describes it. */
const EarlierFile = z.looseObject({
  path: z.string(),
  bytes: z.number(),
  hash: z.string().regex(/^sha256:[0-9a-f]{64}$/u),
  rows: z.number(),
  openfountain: Moment.optional(),
})

const EarlierPackage = z.object({
  resources: z.array(EarlierFile),
  openfountain: Moment.extend({ basis: z.string() }),
})

export interface ReusedFile {
  readonly described: z.output<typeof EarlierFile>
  readonly moment: z.output<typeof Moment>
}

/** The basis of an edition's daily files, and the files of an earlier export with the same basis. */
export interface DailyFiles {
  /** Digest of all inputs except the records: an export with the same digest can take the files over. */
  readonly basis: string
  /** The folder of the files to take over. */
  readonly folder: string
  readonly kept: ReadonlyMap<string, ReusedFile>
}

/** The inputs of an edition's files besides its records. */
interface Basis {
  readonly snapshot: Pick<ExportSnapshot, 'origin' | 'erasures'>
  readonly publisher: Publisher
  readonly license: string
  readonly attributions: readonly Attribution[]
  readonly sources: readonly SourceRecord[]
}

/**
 * Finds the daily files of an edition that can be taken over: none after an erasure, a renamed person, or a change of
 * credits or terms.
 *
 * @param more further inputs of the files
 */
export async function dailyFiles(
  { snapshot, publisher, license, attributions, sources }: Basis,
  { from, earlier }: Daily,
  more: readonly unknown[],
): Promise<DailyFiles> {
  const terms = [publisher, license, attributions, sources.map(termsOf)]
  const about = [from, snapshot.origin, snapshot.erasures(), terms, more]
  const basis = createHash('sha256').update(JSON.stringify(about)).digest('base64url')
  const kept = earlier === undefined ? new Map<string, ReusedFile>() : await keptFiles(earlier, basis)
  return { basis, folder: earlier ?? '', kept }
}

const termsOf = ({ id, name, license, url, ...source }: SourceRecord) =>
  [id, name, license, url, source.attribution, source.consentsTo, source.waypoints > 0] as const

/** The files of an earlier export with the stated size; none unless it is an export of the same basis. */
async function keptFiles(folder: string, basis: string): Promise<Map<string, ReusedFile>> {
  const kept = new Map<string, ReusedFile>()
  const json = await readFile(join(folder, 'datapackage.json'), 'utf8')
    .then(JSON.parse)
    .catch(() => undefined)
  if (EarlierPackage.safeParse(json).data?.openfountain.basis !== basis) return kept
  // As it was written, with all members in their order.
  const { resources, openfountain } = json as z.output<typeof EarlierPackage>
  const { revision, data_time, as_of, log } = openfountain
  for (const described of resources) {
    const found = await stat(join(folder, described.path)).catch(() => undefined)
    if (found?.size !== described.bytes) continue
    const moment = described.openfountain ?? { revision, data_time, as_of, log }
    kept.set(described.path, { described, moment })
  }
  return kept
}
