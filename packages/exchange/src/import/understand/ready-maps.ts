import path from 'node:path'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { openInput, recognise } from '../read/recognition.ts'
import { readMapFile, type MapFile } from './columns.ts'

const folder = fileURLToPath(new URL('../../../maps/', import.meta.url))

type ReadyMap = Readonly<Record<'name' | 'path', string>>

/** The maps that come with the package, for files that publishers offer, by name. */
export async function readyMaps(): Promise<ReadyMap[]> {
  const files = await readdir(folder)
  return files
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({ name: path.basename(file, '.json'), path: path.join(folder, file) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Rows that are examined: no single one has all the rare tags. */
const examined = 200

async function columnsOf(file: string): Promise<Set<string>> {
  const input = await openInput(file)
  try {
    const columns = new Set<string>()
    let rows = 0
    for await (const batch of (await recognise(input)).rows()) {
      for (const { fields } of batch) for (const column of Object.keys(fields)) columns.add(column)
      rows += batch.length
      if (rows >= examined) break
    }
    return columns
  } finally {
    await input.dispose()
  }
}

/**
 * The ready map whose headings a file has, with its contents; undefined when none or several of them fit.
 *
 * @throws ImportRefused for a file that cannot be read
 */
export async function readyMapFor(file: string): Promise<(ReadyMap & { readonly map: MapFile }) | undefined> {
  const columns = await columnsOf(file)
  const known = await Promise.all(
    (await readyMaps()).map(async (ready) => ({ ...ready, map: await readMapFile(ready.path) })),
  )
  const fitting = known.filter(({ map }) =>
    map.recognise?.some((headings) => headings.every((heading) => columns.has(heading))),
  )
  return fitting.length === 1 ? fitting[0] : undefined
}
