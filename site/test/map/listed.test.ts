/** @module-tag browser */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { token } from '@openfountain/core'
import { importFile } from '@openfountain/exchange'
import { newPage, says } from '@openfountain/testing/browser/page'
import { textIn, newFolder } from '@openfountain/testing/folder'
import { tickingClock } from '@openfountain/testing/registry'
import { exported } from '@openfountain/testing/site/sample'
import { hostFolder } from '@openfountain/testing/site/static-host'
import { clickMiddle, heading, query, visit } from '@openfountain/testing/site/visit'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { buildSite } from '../../src/index.ts'

/** Where the visitor is: at the fountain that is out of order. */
const here = { latitude: 55.705, longitude: 13.19 }

const list = [
  'id,lat,lon,name,description,commune,dispo,motif_ind,access',
  'node/42,55.705,13.19,Dry Square,Under the clock.,Linden Quarter,NON,APP A REPARER,',
  'L2,55.7055,13.19,Winter Yard,,Linden Quarter,NON,FERMETURE HIVERNALE,',
  'L3,55.708,13.19,Running Lane,Two steps down.,Linden Quarter,OUI,,',
  'L4,55.7051,13.19,Palace Court,,Linden Quarter,OUI,,private',
].join('\n')

const folder = newFolder()
const file = join(folder, 'list.csv')
await writeFile(file, list)
const source = { name: 'City of Lindenau', license: 'CC0-1.0' }
const data = await exported({ clock: tickingClock('2026-01-05T08:00:00Z') }, {}, async (registry) => {
  await importFile(registry, { file, source, published: '2026-01-05', approved: false })
  await registry.waypoints.create({ name: 'Own Corner', latitude: 55.71, longitude: 13.19 }, token())
})
const out = join(folder, 'site')
await buildSite({ data, out, title: 'Lindenau' })
const url = (await hostFolder(out)).url

function textOf(path: string): string {
  const html = textIn(out, join(path, 'index.html'))
  const body = html.slice(html.indexOf('<main')).replaceAll(/<script[\s\S]*?<\/script>|<[^>]*>/gu, ' ')
  return body.replaceAll(/\s+/gu, ' ').replaceAll(' ,', ',')
}

const answers = (page: Page, part: string): Promise<string[]> =>
  page
    .locator(`${part} :is(.status, .answers dt, .tags)`)
    .evaluateAll((all) => all.map(({ tagName, textContent }) => (tagName === 'UL' ? 'badges' : textContent)))

const today = '2026-01-20'
const listedOn = /City of Lindenau, listed on (?:5 January|January 5,) 2026/u
const waits = /Not verified yet|Waiting for approval/u

it('a fountain that a source lists has a page that names the source, the day and its state, where others wait, and its state in lists', () => {
  const [running = ''] = textOf('waypoint/3').split('Nearby')
  expect(running).toMatch(listedOn)
  expect(running).not.toMatch(waits)
  expect(running).not.toContain('according to its source')
  expect(textOf('waypoint/5')).toContain('Waiting for approval')
  expect(textOf('waypoint/1')).toContain('Out of order according to its source, on January 5, 2026')
  expect(textOf('waypoint/2')).toContain('Off for the season according to its source')
  expect(textOf('regions/linden-quarter')).toContain('Out of order')
  expect(textOf('de/regions/linden-quarter')).toContain('Außer Betrieb')
})

it('a private fountain is said to be private, and is last in lists without a script', () => {
  expect(textOf('regions/linden-quarter')).toMatch(/Running Lane.*Winter Yard.*Palace Court Private/u)
  expect(textOf('waypoint/4')).toMatch(/Palace Court.*Who may use it Private/u)
  expect(textOf('waypoint/1').split('Nearby')[1]).toMatch(
    /Running Lane.*Own Corner.*Winter Yard.*Palace Court/u,
  )
})

it('the map shows usable fountains alone, says how many more there are, and shows these when it is asked to, private ones last, but never as the nearest', async () => {
  const { page, complaints } = await visit(`${url}?at=${here.latitude},${here.longitude},14`, {
    today,
    geolocation: here,
    permissions: ['geolocation'],
  })
  const names = () => page.locator('#list .fountain-name').allTextContents()
  await heading(page, '2 fountains in view')
  expect(await names()).toEqual(['Running Lane', 'Own Corner'])
  expect(await page.locator('input[name=usable]').isChecked()).toBe(true)
  await says(page.locator('#list-note'), / 3 more are out of order, private or not for drinking\.$/u)
  await page.getByRole('button', { name: 'Without “Usable only”: 5 fountains' }).click()
  await heading(page, '5 fountains in view')
  expect(await names()).toEqual(['Running Lane', 'Own Corner', 'Dry Square', 'Winter Yard', 'Palace Court'])
  const about = await page.locator('#list .fountain-about').allTextContents()
  for (const [place, said] of [
    /^(?!.*Private)/u,
    /^/u,
    /Out of order/u,
    /Off for the season/u,
    /Private/u,
  ].entries())
    expect(about[place]).toMatch(said)
  expect(query(page).get('usable')).toBe('0')
  expect(await page.locator('input[name=usable]').isChecked()).toBe(false)
  await page.locator('#near-me').click()
  await heading(page, 'Nearest fountains')
  expect(await names()).toEqual(['Running Lane', 'Own Corner'])
  expect(complaints).toEqual([])
})

it('an empty map names the filters that empty it, and shows what is there without one of them', async () => {
  const at = `?at=${here.latitude},${here.longitude},14`
  const { page } = await visit(`${url}${at}&status=broken,off`, { today })
  await heading(page, 'No fountain in view is left by “Out of order, Off for the season, Usable only”.')
  const offers = page.locator('#list-offers button')
  expect(await offers.allTextContents()).toEqual([
    'Without “Out of order, Off for the season”: 2 fountains',
    'Without “Usable only”: 2 fountains',
  ])
  await offers.nth(1).click()
  await heading(page, '2 fountains in view')
  expect(await page.locator('#list .fountain-name').allTextContents()).toEqual(['Dry Square', 'Winter Yard'])
  const german = await visit(`${url}de/${at}&amenity=bench`, { today })
  await heading(german.page, '„Sitzbank“ lässt im Ausschnitt keinen Brunnen übrig.')
  await german.page.getByRole('button', { name: 'Ohne „Sitzbank“: 2 Brunnen' }).click()
  await heading(german.page, '2 Brunnen im Ausschnitt')
})

/** A walk northwards, 63 metres east of all fountains of the list. */
const walk = `<gpx><trk><trkseg>${[55.7, 55.7065, 55.72].map((latitude) => `<trkpt lat="${latitude}" lon="13.191"/>`).join('')}</trkseg></trk></gpx>`

it('a file with a route lists the usable fountains along it, in its order, and saves them for a device, also offline', async () => {
  const { page, context, complaints } = await visit(url, { today })
  const open = (name: string, text: string) =>
    page.locator('#route').setInputFiles({ name, mimeType: 'application/gpx+xml', buffer: Buffer.from(text) })
  await open('notes.gpx', '<gpx><wpt lat="55.7" lon="13.19"/></gpx>')
  await says(page.locator('.toast'), /notes\.gpx\W* cannot be read as a route/u)
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await page.reload({ waitUntil: 'networkidle' })
  await page.waitForSelector('html.map-ready')
  await context.setOffline(true)
  await open('walk.gpx', walk)
  await heading(page, /^Along \W*walk\.gpx/u)
  const rows = page.locator('#list .fountain')
  await expect
    .poll(() => rows.locator('.fountain-name, .fountain-way').allInnerTexts())
    .toEqual(['Running Lane', 'after 890 m\n60 m beside it', 'Own Corner', 'after 1.1 km\n60 m beside it'])
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as GPX' }).click(),
  ])
  const text = await readFile(await saved.path(), 'utf8')
  expect([...text.matchAll(/<name>(.*?)<\/name><desc>(.*?)<\/desc>/gu)].map(([, ...all]) => all)).toEqual([
    ['walk.gpx', expect.stringContaining('City of Lindenau')],
    ['Running Lane', '0.9 km, 63 m beside'],
    ['Own Corner', '1.1 km, 63 m beside'],
  ])
  await page.getByRole('button', { name: 'Close the route' }).click()
  await heading(page, /in view/u)
  await context.setOffline(false)
  expect(complaints).toEqual([])
})

it.each(['', 'embed/'])('the card of /%s has description, state, source and day', async (path) => {
  const { page } = await visit(`${url}${path}?at=${here.latitude},${here.longitude},17&usable=0`, { today })
  await clickMiddle(page)
  const card = page.locator('#card')
  await card.getByRole('link', { name: 'Directions' }).waitFor()
  await says(card, /Under the clock\./u)
  await says(card, /App A Reparer/u)
  await says(card, /Out of order according to its source, 2 weeks ago/u)
  await says(card, listedOn)
  const asked = ['Drinking water', 'Who may use it', 'Last known', 'badges']
  const state = 'Out of order according to its source, 2 weeks ago'
  expect(await answers(page, '#card')).toEqual([state, ...asked])
  const built = await visit(`${url}waypoint/1/`, { today, javaScriptEnabled: false })
  expect((await answers(built.page, '.waypoint-head')).slice(1)).toEqual(asked)
  expect(await card.textContent()).not.toMatch(waits)
  const leadsTo = (name: string) => card.getByRole('link', { name, exact: true }).getAttribute('href')
  expect(await leadsTo('Edit in OpenStreetMap')).toBe('https://www.openstreetmap.org/edit?node=42')
  for (const name of ['node/42', 'OpenStreetMap'])
    expect(await leadsTo(name)).toBe('https://www.openstreetmap.org/node/42')
})

it('a page that was built long ago says what holds today, and without a script the day', async () => {
  const still = await visit(`${url}waypoint/1/`, { today: '2026-06-01', javaScriptEnabled: false })
  await says(still.page.locator('.status'), /on January 5, 2026/u)
  const page = await newPage({ locale: 'de-DE' })
  const status = page.locator('.status')
  await page.clock.setFixedTime(`${today}T12:00:00Z`)
  await page.goto(`${url}waypoint/1/`)
  await says(status, /Laut Quelle außer Betrieb, vor 2 Wochen/u)
  await page.clock.setFixedTime('2026-06-01T12:00:00Z')
  await page.reload()
  await says(status, 'Nicht bekannt, ob er funktioniert')
})
