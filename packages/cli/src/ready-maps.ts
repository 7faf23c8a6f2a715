import { existsSync } from 'node:fs'
import type { HarvestOptions } from '@openfountain/exchange'
import { rethrown, usage } from './failure.ts'
import { importFailure } from './wording/import.ts'

/**
 * The path of a map: a file, else the ready map of that name.
 *
 * @throws CommandError usage
 */
async function mapPath(given: string): Promise<string> {
  if (existsSync(given)) return given
  const { readyMaps } = await import('@openfountain/exchange')
  const ready = await readyMaps()
  const found = ready.find(({ name }) => name === given)
  if (found !== undefined) return found.path
  const names = ready.map(({ name }) => name).join(', ')
  throw usage(
    `--map: file ${JSON.stringify(given)} not found, and no ready map has this name; the ready maps are ${names}`,
  )
}

/** The content of a map, or its name for a ready one, which may change with the program. @throws CommandError usage */
export async function readyMapOr(given: string): Promise<NonNullable<HarvestOptions['map']>> {
  const path = await mapPath(given)
  if (path !== given) return given
  const { readMapFile } = await import('@openfountain/exchange')
  return readMapFile(path).catch(rethrown(importFailure))
}

export async function sourceIn(map: HarvestOptions['map']) {
  if (typeof map !== 'string') return map?.source
  const { readMapFile } = await import('@openfountain/exchange')
  return (await readMapFile(await mapPath(map))).source
}

/** The ready map that fits the headings of a file. */
async function fitting(file: string) {
  const { readyMapFor } = await import('@openfountain/exchange')
  return file === '-' || !existsSync(file) ? undefined : readyMapFor(file)
}

/**
 * The map of an import: the given one, or, when source or licence is missing, the ready map that fits the file's
 * headings. A map that fits and is not taken is told.
 *
 * @throws CommandError usage when neither options nor map name source and licence
 */
export async function chooseMap(
  { map, source, license }: Readonly<Record<'map' | 'source' | 'license', string | undefined>>,
  file: string,
): Promise<{ readonly path?: string; readonly remark?: string }> {
  const isNamed = source !== undefined && license !== undefined
  const path = map === undefined ? undefined : await mapPath(map)
  if (isNamed) {
    if (path !== undefined) return { path }
    // The import itself says what is wrong with a file, and options say how it is read.
    const found = await fitting(file).catch(() => undefined)
    if (found === undefined) return {}
    const remark = `The ready map ${found.name} is for a file with such headings, and reads more of it: --map ${found.name}`
    return { remark }
  }
  const { readMapFile } = await import('@openfountain/exchange')
  const found = path === undefined ? await fitting(file) : undefined
  const said = path === undefined ? found?.map.source : (await readMapFile(path)).source
  const silent = map === undefined ? '' : `, and the map ${JSON.stringify(map)} does not name it`
  if (source === undefined && said?.name === undefined)
    throw usage(`--source is missing${silent}: say who the data comes from, such as --source "City of Lund"`)
  if (license === undefined && said?.license === undefined)
    throw usage(
      `--license is missing${silent}: say the licence of the data, such as --license CC0-1.0; where its publisher states none, ask`,
    )
  if (path !== undefined) return { path }
  if (found === undefined) return {}
  const from = `${source ?? said?.name ?? ''}, ${license ?? said?.license ?? ''}`
  const remark = `Its headings are those that the ready map ${found.name} is for (${from}); --source, --license and --map say otherwise`
  return { path: found.path, remark }
}
