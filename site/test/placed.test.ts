/** @module-tag browser */
import { join } from 'node:path'
import { token } from '@openfountain/core'
import { newPage } from '@openfountain/testing/browser/page'
import { pageAt, pagesOf, tagged, textOf } from '@openfountain/testing/site/built-site'
import { exported } from '@openfountain/testing/site/sample'
import { hostFolder } from '@openfountain/testing/site/static-host'
import { expect, it } from 'vitest'
import { availableLanguages, buildSite } from '../src/index.ts'

const fountains = [
  { name: '', nameIsMade: true, latitude: 55.705, amenities: ['bubbler', 'wheelchair'] },
  { name: '', nameIsMade: true, latitude: 55.706, amenities: ['tap'] },
  { name: 'Old Well', latitude: 55.708, amenities: ['well'] },
  { name: 'Far Well', latitude: 55.72, amenities: ['well'] },
]
const prefixes = (await availableLanguages()).map((tag, index) => (index === 0 ? '/' : `/${tag}/`))

const data = await exported({}, {}, async ({ waypoints }) => {
  for (const fountain of fountains) await waypoints.create({ ...fountain, longitude: 13.19 }, token())
  const nameOf = (latitude: number) => (latitude > 55.71 ? 'Mill Hill' : 'Old Harbour')
  await waypoints.assignPlaces(({ latitude }) => ({ country: 'SE', name: nameOf(latitude) }))
})
const out = join(data, '../site')
await buildSite({ data, out, title: 'Lindenau' })
const pages = await pagesOf(out)
const url = (await hostFolder(out)).url

it('fountains without a region are in lists and beside the map without what their names say already, there with their distance', async () => {
  const page = await newPage({ viewport: { width: 1200, height: 800 } })
  const texts = (selector: string) => page.locator(selector).allTextContents()
  await page.goto(`${url}regions/old-harbour/`)
  expect(await texts('tbody .row-name')).toEqual([
    'Drinking fountain, Old Harbour',
    'Old Well',
    'Tap, Old Harbour',
  ])
  const icons = page.locator('tbody td [title]')
  const titles = await icons.evaluateAll((all) => all.map((icon) => icon.getAttribute('title')))
  expect(titles).toEqual(['Wheelchair accessible', 'Well'])
  await page.goto(`${url}?at=55.705,13.19,15`)
  await page.locator('#list .fountain-distance').first().waitFor()
  const names = ['Drinking fountain, Old Harbour', 'Tap, Old Harbour', 'Old Well']
  expect(await texts('#list .fountain-name')).toEqual(names)
  const about = ['Wheelchair accessible · Lund', 'Lund', 'Well · Old Harbour']
  expect(await texts('#list .fountain-about')).toEqual(about)
  expect(await texts('#list .fountain-distance')).toEqual(['10 m', '110 m', '330 m'])
  expect(await texts('#list-note')).toEqual(['Distances are from the middle of the map.'])
})

it.each(prefixes)('the footer below %s says of when the data is, apart from the licence', (prefix) => {
  const footers = tagged(pageAt(pages, `${prefix}data/`), 'footer')
  const words = footers.map(textOf).join(' ').replaceAll(/\s+/gu, ' ')
  expect(words).toMatch(/ \S*[\w)]\. \p{Lu}[^.]*\b2\d{3}/u)
  expect(words).not.toMatch(/\.\p{Lu}/u)
})
