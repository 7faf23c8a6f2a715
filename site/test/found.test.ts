import { join } from 'node:path'
import { token, type WaypointInput } from '@openfountain/core'
import { textIn } from '@openfountain/testing/folder'
import {
  attribute,
  pageAt,
  pagesOf,
  tagged,
  textOf,
  type BuiltPage,
} from '@openfountain/testing/site/built-site'
import { exported } from '@openfountain/testing/site/sample'
import { beforeAll, expect, it } from 'vitest'
import { localLanguage } from '../src/build/local-language.ts'
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

let data: string
let out: string
let pages: BuiltPage[]

beforeAll(async () => {
  data = await exported({}, {}, async ({ waypoints }) => {
    for (const fountain of fountains) await waypoints.create(fountain, token())
    await waypoints.assignPlaces(({ longitude }) => ({
      country: longitude > 16 ? 'AT' : longitude < 9 ? 'CH' : 'SE',
    }))
  })
  out = join(data, '../site')
  await buildSite({ data, out, url: origin, languages: ['en', 'de', 'fr'] })
  pages = await pagesOf(out)
})

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
