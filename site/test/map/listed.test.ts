/** @module-tag browser */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRegistry, token } from '@openfountain/core'
import { exportRegistry, importFile } from '@openfountain/exchange'
import { buildSite } from '../../src/index.ts'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { freshFolder } from '@openfountain/testing/site/sample'
import { hostFolder, type StaticHost } from '@openfountain/testing/site/static-host'
import { clickMiddle, heading, visit } from './visit.ts'

/** Where the visitor is: at the fountain that is out of order. */
const here = { latitude: 55.705, longitude: 13.19 }

const list = [
  'id,lat,lon,name,description,commune,dispo,motif_ind',
  'node/42,55.705,13.19,Dry Square,Under the clock.,Linden Quarter,NON,APP A REPARER',
  'L2,55.7055,13.19,Winter Yard,,Linden Quarter,NON,FERMETURE HIVERNALE',
  'L3,55.708,13.19,Running Lane,Two steps down.,Linden Quarter,OUI,',
].join('\n')

let out: string
let host: StaticHost
let browser: Browser

beforeAll(async () => {
  const folder = await freshFolder()
  let now = Date.parse('2026-01-05T08:00:00Z')
  const clock = () => new Date((now += 1000))
  const registry = await openRegistry({ database: ':memory:', name: 'Lindenau Fountains', clock })
  const file = join(folder, 'list.csv')
  await writeFile(file, list)
  const source = { name: 'City of Lindenau', license: 'CC0-1.0' }
  await importFile(registry, { file, source, approved: false })
  await registry.waypoints.create({ name: 'Own Corner', latitude: 55.71, longitude: 13.19 }, token())
  const { folder: data } = await exportRegistry(registry, { out: join(folder, 'export') })
  await registry.close()
  out = join(folder, 'site')
  await buildSite({ data, out, title: 'Lindenau' })
  host = await hostFolder(out)
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  await host?.close()
})

/** The text of a built page, without its markup and its scripts. */
async function textOf(path: string): Promise<string> {
  const html = await readFile(join(out, path, 'index.html'), 'utf8')
  const body = html.slice(html.indexOf('<main')).replaceAll(/<script[\s\S]*?<\/script>/gu, '')
  return body
    .replaceAll(/<[^>]*>/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(' ,', ',')
}

/** While what the source said still holds. */
const today = '2026-01-20'

const open = (search: string, options: Parameters<typeof visit>[2] = {}) =>
  visit(browser, `${host.url}${search}`, { today, ...options })

describe('a fountain that a source lists', () => {
  it('has a page that names the source and the day of the listing, where others wait', async () => {
    const running = await textOf('waypoint/3')
    expect(running).toMatch(/City of Lindenau, listed on (?:5 January|January 5,) 2026/u)
    expect(running).not.toContain('Not verified yet')
    expect(running).not.toContain('Waiting for approval')
    const own = await textOf('waypoint/4')
    expect(own).toContain('Not verified yet')
    expect(own).toContain('Waiting for approval')
  })

  it('has a page that says what its source says of its state', async () => {
    expect(await textOf('waypoint/1')).toContain('Out of order according to its source, on January 5, 2026')
    expect(await textOf('waypoint/2')).toContain('Off for the season according to its source')
    const [running = ''] = (await textOf('waypoint/3')).split('Nearby')
    expect(running).not.toContain('according to its source')
  })

  it('says so in the lists of every language', async () => {
    const words = {
      '': 'Out of order',
      'de/': 'Außer Betrieb',
      'es/': 'Fuera de servicio',
      'fr/': 'Hors service',
      'it/': 'Fuori servizio',
    }
    for (const [prefix, sentence] of Object.entries(words)) {
      expect(await textOf(`${prefix}regions/linden-quarter`)).toContain(sentence)
    }
  })

  it('comes last among the neighbours when it gives no water', async () => {
    const nearby = (await textOf('waypoint/4')).split('Nearby').at(-1) ?? ''
    const order = ['Running Lane', 'Winter Yard', 'Dry Square'].map((name) => nearby.indexOf(name))
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    const beside = (await textOf('waypoint/2')).split('Nearby').at(-1) ?? ''
    expect(beside.indexOf('Running Lane')).toBeLessThan(beside.indexOf('Dry Square'))
  })
})

describe('the map', () => {
  it('offers what gives water first to a visitor before a fountain that is out of order', async () => {
    const { page, context, complaints } = await open('', {
      geolocation: here,
      permissions: ['geolocation'],
    })
    await heading(page, 'in view')
    await page.locator('#near-me').click()
    await heading(page, 'Nearest fountains')
    const names = page.locator('#list .fountain-name')
    expect(await names.allTextContents()).toEqual(['Running Lane', 'Own Corner', 'Dry Square', 'Winter Yard'])
    const about = await page.locator('#list .fountain-about').allTextContents()
    expect(about[2]).toContain('Out of order')
    expect(about[3]).toContain('Off for the season')
    expect(await page.locator('#list-note').textContent()).toBe('2 are closer, but give no water.')
    expect(complaints).toEqual([])
    await context.close()
  })

  it.each(['', 'embed/'])(
    'has a card with description, state, source and day on the page “%s”',
    async (path) => {
      const { page, context } = await open(`${path}?at=${here.latitude},${here.longitude},17`)
      await clickMiddle(page)
      const card = page.locator('#card')
      await card.getByRole('link', { name: 'Directions' }).waitFor()
      const text = (await card.textContent()) ?? ''
      expect(text).toContain('Under the clock.')
      expect(text).toContain('Out of order when listed: App A Reparer.')
      expect(text).toContain('Out of order according to its source, 2 weeks ago')
      expect(text).toMatch(/City of Lindenau, listed on (?:5 January|January 5,) 2026/u)
      expect(text).not.toContain('Not verified yet')
      expect(text).not.toContain('Waiting for approval')
      const leadsTo = (name: string) => card.getByRole('link', { name, exact: true }).getAttribute('href')
      expect(await leadsTo('Edit in OpenStreetMap')).toBe('https://www.openstreetmap.org/edit?node=42')
      expect(await leadsTo('node/42')).toBe('https://www.openstreetmap.org/node/42')
      expect(await leadsTo('OpenStreetMap')).toBe('https://www.openstreetmap.org/node/42')
      await context.close()
    },
  )

  it('says what holds today on a page that was built long ago, and without a script the day', async () => {
    const { page, context } = await open('waypoint/1/', { today: '2026-06-01', javaScriptEnabled: false })
    const status = page.locator('.status')
    expect(await status.textContent()).toContain('on January 5, 2026')
    await context.close()
    const late = await browser.newContext({ locale: 'de-DE' })
    const old = await late.newPage()
    await old.clock.setFixedTime('2026-01-20T12:00:00Z')
    await old.goto(`${host.url}waypoint/1/`)
    await expect
      .poll(() => old.locator('.status').textContent())
      .toContain('Laut Quelle außer Betrieb, vor 2 Wochen')
    await old.clock.setFixedTime('2026-06-01T12:00:00Z')
    await old.reload()
    await expect.poll(() => old.locator('.status').isVisible()).toBe(false)
    await late.close()
  })
})
