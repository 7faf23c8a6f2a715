import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Edition } from '../edition.ts'
import type { SourceRecord } from '../snapshot.ts'
import type { DailyFiles, KeptFile } from './kept-file.ts'

/** How files that may be of earlier the same day are made once a day. */
export interface Daily {
  /** Another text for each day, and for other options, rules and programs. */
  readonly from: string
  /** The folder of an earlier export; default none. */
  readonly earlier?: string | undefined
}

const momentShape = z.looseObject({
  revision: z.number(),
  data_time: z.iso.datetime(),
  as_of: z.iso.datetime(),
  log: z.looseObject({ id: z.number(), hash: z.string() }),
})

const earlierPackage = z.object({
  resources: z.array(
    z.object({
      path: z.string(),
      bytes: z.number(),
      hash: z.string().regex(/^sha256:[0-9a-f]{64}$/u),
      rows: z.number(),
      openfountain: momentShape.optional(),
    }),
  ),
  openfountain: momentShape.extend({ basis: z.string() }),
})

/**
 * Looks which daily files of an edition may be taken over. None may once something was erased, somebody was renamed, or whom to
 * name or under which terms has changed.
 *
 * @param more what else the files follow from
 */
export async function dailyFiles(
  edition: Edition,
  { from, earlier }: Daily,
  more: readonly unknown[],
): Promise<DailyFiles> {
  const { snapshot, publisher, license, attributions, sources } = edition
  const terms = [publisher, license, attributions, sources.map(termsOf)]
  const about = [from, snapshot.origin, snapshot.erasures(), terms, more]
  const basis = createHash('sha256').update(JSON.stringify(about)).digest('base64url')
  const kept = earlier === undefined ? new Map<string, KeptFile>() : await keptFiles(earlier, basis)
  return { basis, folder: earlier ?? '', kept }
}

const termsOf = ({ id, name, license, url, attribution, consentsTo, waypoints }: SourceRecord) => [
  id,
  name,
  license,
  url,
  attribution,
  consentsTo,
  waypoints > 0,
]

/** The files of an earlier export that have the size which it says; none of what is no export of the same basis. */
async function keptFiles(folder: string, basis: string): Promise<Map<string, KeptFile>> {
  const kept = new Map<string, KeptFile>()
  const text = await readFile(join(folder, 'datapackage.json'), 'utf8').catch(() => '{}')
  const json = parsed(text)
  const { data } = earlierPackage.safeParse(json)
  if (data?.openfountain.basis !== basis) return kept
  const { revision, data_time, as_of, log } = data.openfountain
  // As they were written, with all members in their order.
  const { resources } = json as { readonly resources: readonly object[] }
  for (const [place, { path, bytes, hash, rows, openfountain }] of data.resources.entries()) {
    const described = resources[place]
    if (described === undefined) continue
    const size = await stat(join(folder, path)).then(
      (found) => found.size,
      () => undefined,
    )
    if (size !== bytes) continue
    const moment = openfountain ?? { revision, data_time, as_of, log }
    kept.set(path, { bytes, sha256: hash.slice('sha256:'.length), rows, moment, described })
  }
  return kept
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
