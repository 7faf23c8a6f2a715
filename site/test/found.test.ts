import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, inflateSync } from 'node:zlib'
import { token, type WaypointInput } from '@openfountain/core'
import { afterwards } from '@openfountain/testing/afterwards'
import { newPage, says } from '@openfountain/testing/browser/page'
import { newFolder, textIn } from '@openfountain/testing/folder'
import { attribute, pageAt, pagesOf, tagged, textOf } from '@openfountain/testing/site/built-site'
import { exported } from '@openfountain/testing/site/sample'
import { hostFolder } from '@openfountain/testing/site/static-host'
import { expect, it } from 'vitest'
import { BuildCache } from '../src/build/build-cache.ts'
import { localLanguage } from '../src/build/local-language.ts'
import { writePictures } from '../src/build/pictures.ts'
import { openExportFolder } from '../src/data/folder.ts'
import { loadRegistry } from '../src/data/registry.ts'
import { buildSite } from '../src/index.ts'

const origin = 'https://fountains.example'
const fountains: WaypointInput[] = [
  {
    latitude: 48.2082,
    longitude: 16.3738,
    access: 'private',
    amenities: ['tap'],
    name: '',
    nameIsMade: true,
  },
  { latitude: 47.3667, longitude: 8.5414, access: 'yes', amenities: ['bubbler'], name: 'Bürkliplatz' },
  { latitude: 55.705, longitude: 13.19, access: 'customers', amenities: ['tap'], name: 'Market Square' },
]

const data = await exported({}, {}, async ({ waypoints }) => {
  for (const fountain of fountains) await waypoints.create(fountain, token())
  await waypoints.assignPlaces(({ longitude }) => ({
    country: longitude > 16 ? 'AT' : longitude < 9 ? 'CH' : 'SE',
  }))
})
const out = join(data, '../site')
await buildSite({ data, out, url: origin, languages: ['en', 'de', 'fr'] })
const pages = await pagesOf(out)

const fountain = (id: number) => pageAt(pages, `/waypoint/${id}/`)
const jsonLd = /<script type="application\/ld\+json">(.*?)<\/script>/su

it('a fountain is found by its name, its place and its town, in the language of its region', () => {
  const told = [1, 2, 3].map((id) => {
    const page = fountain(id)
    return [
      tagged(page, 'html').map((one) => attribute(one, 'lang')),
      tagged(page, 'title').map(textOf),
    ].flat()
  })
  expect(told).toEqual([
    ['de', 'Wasserhahn, Wien · Lindenau Fountains'],
    ['de', 'Bürkliplatz, Zürich · Lindenau Fountains'],
    ['en', 'Market Square, Lund · Lindenau Fountains'],
  ])
  expect(
    tagged(fountain(1), 'nav').flatMap((nav) => textOf(nav).match(/Regionen|Regions/gu) ?? []),
  ).toContain('Regionen')
})

it('a reader of another language sees its heading in the title', { tags: ['browser'] }, async () => {
  const host = await hostFolder(out)
  afterwards(() => host.close())
  const page = await newPage({ locale: 'fr' })
  await page.goto(`${host.url}waypoint/1/`)
  await says(page.locator('h1'), 'Robinet, Vienne')
  await expect.poll(() => page.title()).toBe('Robinet, Vienne · Lindenau Fountains')
})

it('a sitemap for each language has the fountains of its regions', () => {
  const found = ['en', 'de', 'fr'].map(
    (tag) => textIn(out, `sitemap-${tag}.xml`).match(/waypoint\/\d+/gu) ?? [],
  )
  expect(found).toEqual([['waypoint/3'], expect.arrayContaining(['waypoint/1', 'waypoint/2']), []])
})

it('who may use a fountain is told only where it is known', () => {
  expect([1, 2, 3].map((id) => JSON.parse(jsonLd.exec(fountain(id).html)?.[1] ?? '').publicAccess)).toEqual([
    false,
    true,
    undefined,
  ])
})

function coloursOf(png: Buffer): Map<string, number> {
  const parts = new Map<string, Buffer>()
  for (let at = 8; at < png.length;) {
    const end = at + 8 + png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    expect(png.readUInt32BE(end), type).toBe(crc32(png.subarray(at + 4, end)))
    parts.set(type, png.subarray(at + 8, end))
    at = end + 4
  }
  const palette = parts.get('PLTE')?.toString('hex').match(/.{6}/gu) ?? []
  const counts = new Map<string, number>()
  for (const [place, index] of inflateSync(parts.get('IDAT') ?? '').entries()) {
    const colour = palette[index] ?? ''
    if (place % 601 > 0) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  return counts
}

it('links to pages are shown with a map of their place: its lakes and rivers, and a mark', () => {
  const [vienna, zurich, , region] = ['waypoint/1/', 'waypoint/2/', 'waypoint/3/', 'de/regions/at/'].map(
    (path) => {
      const { elements } = pageAt(pages, `/${path}`)
      const image = elements.find((one) => attribute(one, 'property') === 'og:image')
      const card = elements.find((one) => attribute(one, 'name') === 'twitter:card')
      expect(card && attribute(card, 'content')).toBe('summary_large_image')
      const address = (image && attribute(image, 'content')) ?? ''
      expect(address.slice(0, origin.length)).toBe(origin)
      return { address, colours: coloursOf(readFileSync(join(out, address.slice(origin.length)))) }
    },
  )
  expect([vienna?.address, region?.address]).toEqual(
    ['fountain-1', 'region-at'].map((name) => `${origin}/map/pictures/${name}.png`),
  )
  for (const { colours } of [vienna, zurich].flatMap((one) => one ?? [])) {
    expect(colours.values().reduce((sum, n) => sum + n, 0)).toBe(600 * 315)
    const shown = ['dcebf1', 'f6f4ee', '0a6a8a'].map((colour) => colours.get(colour) ?? 0)
    expect(Math.min(...shown), String(shown)).toBeGreaterThan(200)
  }
  const home = pageAt(pages, '/fr/').html
  expect(home).toContain(`content="${origin}/map/pictures/all.png"`)
})

it('only the picture of a place that has changed is drawn again', async () => {
  const registry = await loadRegistry(await openExportFolder(data), { limit: 10 })
  const [before, after] = [newFolder(), newFolder()]
  const cache = new BuildCache({ folder: before })
  await writePictures(registry, cache, before)
  const moved = registry.waypoints.map((one) => (one.id === 3 ? { ...one, latitude: 55.8 } : one))
  const again = new BuildCache({ folder: after, earlier: before, before: cache.digests })
  await writePictures({ ...registry, waypoints: moved }, again, after)
  const drawn = readdirSync(join(after, 'map/pictures')).filter(
    (name) =>
      statSync(join(after, 'map/pictures', name)).ino !== statSync(join(before, 'map/pictures', name)).ino,
  )
  expect(drawn).toEqual(['fountain-3.png'])
})

it.each([
  [{ country: 'AT' }, ['en', 'de'], 'de'],
  [{ country: 'AT' }, ['en', 'fr'], 'en'],
  [{ country: 'CH' }, ['fr', 'de'], 'fr'],
  [{ country: 'CH', subdivision: 'CH-TI' }, ['de', 'it'], 'it'],
  [{ country: 'CH', subdivision: 'CH-ZH' }, ['en', 'fr', 'de'], 'de'],
  [{ country: 'BE' }, ['en', 'fr', 'de'], 'fr'],
  [{ country: 'JP' }, ['en', 'de'], 'en'],
  [{}, ['es', 'en'], 'es'],
] as const)('the local language of %o among %o is %s', (place, [first, ...others], tag) => {
  expect(localLanguage(place, [first, ...others])).toBe(tag)
})
