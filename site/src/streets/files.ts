import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, mkdir, realpath, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { baseMapError } from '../build/option-error.ts'
import { explain } from '../data/problem.ts'
import type { Bounds } from '../data/region.ts'
import type { StreetStyle } from '../map/engine/streets.ts'
import { readArchiveAt, readArchiveFile, type StreetArchive } from './archive.ts'
import type { BaseMapChoice } from './choice.ts'
import { streetLayers } from './layers.ts'

export interface StreetFiles {
  readonly archive: string
  style(tag: string): string
  /** The host of the archive when it is not part of the site. */
  readonly host?: string
}

export interface Streets {
  readonly choice: Exclude<BaseMapChoice, { readonly kind: 'openfreemap' }>
  readonly archive: StreetArchive
}

export interface WriteStreetsOptions {
  readonly outDir: string
  readonly base: string
  readonly languages: readonly string[]
  readonly bounds?: Bounds | undefined
  /** Called while the archive is copied, with bytes. */
  onProgress(done: number, total: number): void
}

const folder = 'map/streets'

/** Streets are drawn from the zoom at which the extract is a quarter of a tile wide, and never before close zooms. */
const [firstZoom, lastFirstZoom] = [8, 13]

/** Opens the chosen base map, unless it is that of another map service. @throws {SiteOptionError} */
export async function openStreets(choice: BaseMapChoice | undefined): Promise<Streets | undefined> {
  if (choice?.kind === 'file') return { choice, archive: await readArchiveFile(choice.path) }
  if (choice?.kind === 'address') return { choice, archive: await readArchiveAt(choice.url) }
  return undefined
}

/** Writes `map/streets/`: the layers in each language, and the archive, unless it stays on its host. @throws {SiteOptionError} */
export async function writeStreets(
  { choice, archive }: Streets,
  { outDir, base, languages, bounds, onProgress }: WriteStreetsOptions,
): Promise<StreetFiles> {
  const into = join(outDir, folder)
  await mkdir(into, { recursive: true })
  const styles = new Map<string, string>()
  for (const tag of languages) {
    const style: StreetStyle = {
      notice: 'Layers: Protomaps, 3-Clause BSD: https://github.com/protomaps/basemaps/blob/main/LICENSE.md',
      source: { minzoom: beginning(archive), maxzoom: archive.maxZoom, bounds: [...archive.bounds] },
      isWhole: bounds !== undefined && holds(archive.bounds, bounds),
      light: streetLayers('light', tag),
      dark: streetLayers('dark', tag),
    }
    const text = JSON.stringify(style)
    const version = createHash('sha256').update(text).digest('hex').slice(0, 12)
    await writeFile(join(into, `${tag}.json`), text)
    styles.set(tag, `${base}${folder}/${tag}.json?v=${version}`)
  }
  const style = (tag: string) => styles.get(tag) ?? ''
  if (choice.kind === 'address') return { archive: choice.url, style, host: new URL(choice.url).host }
  await place(choice.path, join(into, 'streets.pmtiles'), onProgress)
  return { archive: `${base}${folder}/streets.pmtiles?v=${archive.version}`, style }
}

function beginning({ bounds: [west, , east], minZoom, maxZoom }: StreetArchive): number {
  const fits = Math.ceil(Math.log2(360 / (east - west)) - 2)
  return Math.min(maxZoom, Math.max(minZoom, firstZoom, Math.min(fits, lastFirstZoom)))
}

function holds([west, south, east, north]: Bounds, [left, bottom, right, top]: Bounds): boolean {
  return left <= right && west <= left && right <= east && south <= bottom && top <= north
}

const readableByAll = 0o004

/** Adds a file of any size to the site: as a hard link where the disk allows it, else as a copy. */
async function place(
  from: string,
  to: string,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  try {
    const file = await realpath(from)
    const { size, mode } = await stat(file)
    // The web server reads the site too.
    if ((mode & readableByAll) !== 0) {
      const isLinked = await link(file, to).then(
        () => true,
        () => false,
      )
      if (isLinked) return
    }
    let done = 0
    await pipeline(
      createReadStream(file, { highWaterMark: 1 << 20 }),
      async function* counted(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          done += chunk.length
          onProgress(done, size)
          yield chunk
        }
      },
      createWriteStream(to, { mode: 0o644 }),
    )
  } catch (error) {
    throw baseMapError('BASEMAP_NOT_COPIED', { basemap: from, to, reason: explain(error) })
  }
}
