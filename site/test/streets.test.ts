import { chmod, mkdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createExpression, validateStyleMin } from '@maplibre/maplibre-gl-style-spec'
import { expect, it } from 'vitest'
import { readArchiveFile } from '../src/streets/archive.ts'
import { boundsMeet } from '../src/map/page/position.ts'
import { openStreets, writeStreets } from '../src/streets/files.ts'
import { streetLayers } from '../src/streets/layers.ts'
import { StreetNames } from '../src/streets/names.ts'
import { themes } from '../src/build/tokens.ts'
import { townBounds, writeStreetTiles } from './map/street-tiles.ts'
import { textIn, newFolder } from '@openfountain/testing/folder'
import { square } from '@openfountain/testing/site/town'

const folder = newFolder()
const town = join(folder, 'town.pmtiles')
await writeStreetTiles(town)

const changed = async (name: string, change: (bytes: Buffer) => unknown): Promise<string> => {
  const bytes = await readFile(town)
  change(bytes)
  return written(name, bytes)
}

const written = async (name: string, content: string | Buffer): Promise<string> => {
  await writeFile(join(folder, name), content)
  return join(folder, name)
}

const tiles = async (name: string, options: Parameters<typeof writeStreetTiles>[1]): Promise<string> => {
  await writeStreetTiles(join(folder, name), { maxZoom: 1, ...options })
  return join(folder, name)
}

const layersNamed = (names: readonly string[], fields: object = {}) => {
  return { vector_layers: names.map((id) => ({ id, fields })) }
}

const oldSchema = layersNamed(['earth', 'roads', 'places', 'water'], { 'pmap:kind': 'String' })

const idle = (_done: number, _total: number): void => undefined
const write = async (file: string, onProgress = idle, to?: string) => {
  const outDir = to ?? newFolder()
  const streets = await openStreets({ kind: 'file', path: file })
  if (!streets) throw new Error('no streets')
  const about = { base: '/w/', languages: ['en', 'de'], bounds: [13.19, 55.7, 13.2, 55.71] } as const
  const files = await writeStreets(streets, { outDir, ...about, onProgress })
  return { outDir, files, streets, archive: join(outDir, 'map/streets/streets.pmtiles') }
}

it('a file of street tiles is read at its beginning alone, and is the same file in the site, whatever its size', async () => {
  const huge = await tiles('huge.pmtiles', { maxZoom: 15, bytes: 6_000_000_000 })
  const { archive, files } = await write(huge)
  expect(await stat(archive)).toMatchObject({ ino: (await stat(huge)).ino, size: 6_000_000_000 })
  expect(files).not.toHaveProperty('host')
  expect(files.archive).toMatch(/^\/w\/map\/streets\/streets\.pmtiles\?v=\w{12}$/u)
  const found = await readArchiveFile(huge)
  expect(found).toMatchObject({ minZoom: 0, maxZoom: 15, bounds: [...townBounds] })
  const { version } = await readArchiveFile(town)
  expect(version).toBe(found.version)
  expect((await readArchiveFile(await tiles('other.pmtiles', {}))).version).not.toBe(version)
})

const byte = (at: number, value: number) => () => changed('byte', (bytes) => bytes.writeUInt8(value, at))
const described = (name: string, metadata: object) => () => tiles(name, { metadata })
const openMapTiles = layersNamed(['water', 'place'])
const other = () => written('a.geojson', '{"type":"FeatureCollection"}')

it.each<[string, () => string | Promise<string>, RegExp]>([
  ['that is not there', () => join(folder, 'none.pmtiles'), /does not exist; give a PMTiles file/u],
  ['that is a folder', () => folder, /is a folder; give a PMTiles file/u],
  ['that is empty', () => written('empty', ''), /is not a PMTiles file; give .*pmtiles extract/u],
  ['of another kind', other, /is not a PMTiles file/u],
  ['in MBTiles', () => written('a', 'SQLite format 3\0'), /an MBTiles file; convert it: pmtiles convert/u],
  ['of version 2', () => written('v2', `PM\u0002\0${' '.repeat(200)}`), /another version of PMTiles/u],
  ['of a later version', byte(7, 9), /another version of PMTiles/u],
  ['of pictures', byte(99, 2), /has PNG tiles; streets are drawn from/u],
  ['of newer tiles', byte(99, 6), /has MapLibre tiles/u],
  ['of tiles in Zstandard', byte(98, 4), /with gzip or not at all/u],
  ['with a damaged directory', () => changed('dir', (it) => it.fill(7, 130, 400)), /its directory cannot/u],
  ['whose metadata are endless', byte(36, 200), /is cut off/u],
  ['without a description', described('bare', {}), /no description of its layers.*extract version 4/u],
  ['of OpenMapTiles', described('omt', openMapTiles), /water, place; .*give a style/u],
  ['of an old schema', described('old', oldSchema), /an earlier version of Protomaps’ schema/u],
])('a file of street tiles %s is refused with what helps', async (_, file, message) => {
  const path = await file()
  await expect(readArchiveFile(path)).rejects.toThrow(message)
  await expect(readArchiveFile(path)).rejects.toMatchObject({ name: 'SiteOptionError', option: 'basemap' })
})

it('a file of street tiles that was cut off is refused with its sizes, and one that does not say what it covers covers the earth', async () => {
  const cut = await changed('cut.pmtiles', () => undefined)
  const { size } = await stat(town)
  for (const [kept, whole] of [[size - 10, size] as const, [60, 127] as const]) {
    await truncate(cut, kept)
    await expect(readArchiveFile(cut)).rejects.toThrow(`cut off: it has ${kept} of ${whole} bytes`)
  }
  const anywhere = await tiles('anywhere.pmtiles', { bounds: [0, 0, 0, 0] })
  expect((await readArchiveFile(anywhere)).bounds).toEqual([-180, -85.0511, 180, 85.0511])
})

it('in the site a file that only its owner may read is copied, with progress, for the web server to read', async () => {
  const own = await changed('own.pmtiles', () => undefined)
  await chmod(own, 0o600)
  const { size } = await stat(own)
  const seen: (readonly [number, number])[] = []
  const { archive } = await write(own, (done, total) => seen.push([done, total]))
  expect(seen.at(-1)).toEqual([size, size])
  expect((await stat(archive)).mode & 0o777).toBe(0o644)
  expect(await readFile(archive)).toEqual(await readFile(town))
})

it('in the site an archive that cannot be copied is named with what helps', async () => {
  const outDir = newFolder()
  await mkdir(join(outDir, 'map/streets/streets.pmtiles'), { recursive: true })
  const message = /basemap: .*town\.pmtiles cannot be copied to .*; make room there/u
  await expect(write(town, undefined, outDir)).rejects.toThrow(message)
})

it('in the site styles are the same every time, and begin where a tile is not much wider than the town', async () => {
  const [one, other] = [await write(town), await write(town)]
  const styles = [one, other].map(({ outDir }) => textIn(outDir, 'map/streets/de.json'))
  expect(styles[0]).toBe(styles[1])
  expect(one.files.style('de')).toBe(other.files.style('de'))
  const source = { minzoom: 9, maxzoom: 15, bounds: [...townBounds] }
  expect(JSON.parse(styles[0] ?? '')).toMatchObject({ source, isWhole: true })
})

it('a fountain without a name is at the nearest street with one, within fifty metres and on the map', async () => {
  const { streets } = await write(town)
  const found = await StreetNames.with(streets, async (names) => {
    const at = (east: number, north: number, name = '') => {
      const [longitude, latitude] = [square.longitude + east / 62_700, square.latitude + north / 111_300]
      return names?.at({ name, longitude, latitude })
    }
    return [await at(12, 60), await at(60, 9), await at(60, 75), await at(12, 60, 'Well'), await at(9000, 0)]
  })
  expect(found).toEqual(['Gata 10', 'Gata 10', undefined, undefined, undefined])
  const coarse = await openStreets({ kind: 'file', path: await tiles('coarse.pmtiles', { maxZoom: 13 }) })
  expect(await StreetNames.with(coarse, (names) => Promise.resolve(names))).toBeUndefined()
})

it('in the site streets of another place are noticed, also across the antimeridian', async () => {
  const { streets } = await write(town)
  const near = [
    [13, 55, 14, 56],
    [10, 55, -170, 56],
  ] as const
  expect(near.filter((bounds) => !boundsMeet(streets.archive.bounds, bounds))).toEqual([])
  const far = [[2, 48, 3, 49] as const, [13, 10, 14, 11] as const, [170, 55, -170, 56] as const]
  expect(far.filter((bounds) => boundsMeet(streets.archive.bounds, bounds))).toEqual([])
})

it.each(themes)('the layers are valid in %s, and need neither glyphs nor pictures of a server', (theme) => {
  for (const language of ['en', 'de', 'es', 'fr', 'it', 'el', 'ja', 'hi']) {
    const layers = streetLayers(theme, language)
    const style = { version: 8, sources: { streets: { type: 'vector' } }, layers }
    expect(validateStyleMin(style as never)).toEqual([])
    const foreign = /icon-|-pattern|"Noto Sans (?:Regular|Italic)"|Devanagari Regular|pgf:|https?:/u
    expect(JSON.stringify(layers)).not.toMatch(foreign)
  }
})

function label(language: string, properties: Readonly<Record<string, string>>, isDrawable = true): unknown {
  const layer = streetLayers('light', language).find(({ id }) => id === 'street-roads_labels_minor')
  const field: unknown = layer?.type === 'symbol' ? layer.layout?.['text-field'] : undefined
  const made = createExpression(field, 'layout')
  if (made.result === 'error') throw new Error(made.value.map(({ message }) => message).join())
  const feature = { type: 2 as const, properties } as never
  return String(made.value.evaluate({ zoom: 16, isSupportedScript: () => isDrawable } as never, feature))
}

it.each([
  ['de', { name: 'Lindgatan', 'name:de': 'Lindenstraße' }, 'Lindenstraße'],
  ['fr', { name: 'Lindgatan', 'name:de': 'Lindenstraße' }, 'Lindgatan'],
  ['en', { name: 'Λιμάνι', script: 'Greek', 'name:en': 'Harbour' }, 'Harbour\nΛιμάνι'],
  ['de', { name: 'Λιμάνι', script: 'Greek', 'name:en': 'Harbour' }, 'Harbour\nΛιμάνι'],
  ['it', { name: 'Λιμάνι', script: 'Greek' }, 'Λιμάνι'],
  ['el', { name: 'Λιμάνι', script: 'Greek', 'name:en': 'Harbour' }, 'Λιμάνι'],
  ['el', { name: 'Lindgatan', 'name:el': 'Λιντγκάταν' }, 'Λιντγκάταν\nLindgatan'],
  ['en', {}, ''],
])('names on the streets for readers of %s, %o is %j', (language, properties, expected) => {
  expect(label(language, properties)).toBe(expected)
})

it('names on the streets in letters that cannot be drawn are those of another language', () => {
  const name = { name: 'बाज़ार', script: 'Devanagari', 'name:en': 'Bazaar' }
  expect(label('de', name, false)).toBe('Bazaar')
})
