/** @module-tag browser */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openRegistry, token } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSite, siteFiles } from '../../src/index.ts'
import { expectAccessibleInBoth } from '@openfountain/testing/browser/axe'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { overflowing } from '../overflow.ts'
import { freshFolder } from '@openfountain/testing/site/sample'
import { hostFolder, type StaticHost } from '@openfountain/testing/site/static-host'

const hostileRegion = '<img src=x onerror="document.title=1">'
const hostileName = '=HYPERLINK("https://elsewhere.example")'
const count = 40

let folder: string
let browser: Browser
let host: StaticHost

/** Exports fountains of twenty regions, one of which has a name that would do harm as markup. */
async function exported(formats?: readonly string[]): Promise<string> {
  const registry = await openRegistry({ database: ':memory:', name: 'Lindenau', author: 'City of Lindenau' })
  for (let index = 0; index < count; index += 1)
    await registry.waypoints.create(
      {
        name: index === 0 ? hostileName : `Square ${index}`,
        latitude: 55 + index / 1000,
        longitude: 13,
        amenities: index % 2 === 0 ? ['tap'] : ['spring', 'tap'],
        region: index === 0 ? hostileRegion : `Quarter ${index % 20}`,
      },
      token(),
    )
  const { folder: out } = await exportRegistry(registry, {
    out: join(await freshFolder(), 'export'),
    ...(formats && { formats }),
  })
  await registry.close()
  return out
}

beforeAll(async () => {
  folder = join(await freshFolder(), 'site')
  await buildSite({ data: await exported(), out: folder, languages: ['en', 'de'], base: '/water' })
  browser = await startChromium()
  host = await hostFolder(folder, { base: '/water/' })
})

afterAll(async () => {
  await browser?.close()
  await host?.close()
})

const found = (page: Page) => page.locator('#explore-found')
const box = (page: Page, name: string) => page.getByRole('checkbox', { name })

/** Opens the page in its own window, and notes what is complained of and asked for elsewhere. */
async function visit(query = '', { at = host, language = '' } = {}) {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  const complaints: string[] = []
  const addresses: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', ({ message }) => complaints.push(message))
  context.on('request', (request) => addresses.push(request.url()))
  await page.goto(`${at.url}${language}explore/${query}`)
  return { page, complaints, addresses, close: () => context.close() }
}

/** Presses a button and reads the file that comes. */
async function download(page: Page, name: string): Promise<{ readonly file: string; readonly text: string }> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name }).click(),
  ])
  return { file: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

describe('the page on which data is explored', () => {
  it('filters, counts and downloads, and asks no other host for anything', async () => {
    const { page, complaints, addresses, close } = await visit()
    await expect.poll(() => found(page).textContent()).toBe('40 of 40 fountains')
    await box(page, 'Spring').check()
    await expect.poll(() => found(page).textContent()).toBe('20 of 40 fountains')
    await box(page, 'Quarter 3').check()
    await expect.poll(() => found(page).textContent()).toBe('2 of 40 fountains')
    expect(new URL(page.url()).search).toBe('?amenities=spring&region=Quarter+3')
    expect(await page.textContent('#explore-sql')).toContain(
      "where list_has_all(amenities, ['spring'])\n  and region in ('Quarter 3')\n",
    )
    expect(await page.textContent('#explore-terms')).toContain('City of Lindenau (ODbL-1.0)')
    const csv = await download(page, 'CSV')
    expect(csv.file).toBe('waypoints-selection.csv')
    const [head, ...rows] = csv.text.trimEnd().split('\r\n')
    expect(head).toMatch(/^id,name,/u)
    expect(rows.map((row) => row.split(',')[1])).toEqual(['Square 3', 'Square 23'])
    for (const row of rows) expect(row).toMatch(/ODbL-1\.0,City of Lindenau$/u)
    const { text } = await download(page, 'GeoJSON')
    expect(JSON.parse(text)).toMatchObject({ license: 'ODbL-1.0', features: [{ id: 4 }, { id: 24 }] })
    expect(complaints).toEqual([])
    expect(
      addresses.filter((address) => !address.startsWith(host.url) && !address.startsWith('blob:')),
    ).toEqual([])
    await close()
  })

  it('has its selection in its address, in each language', async () => {
    const { page, close } = await visit('?name=SQUARE+2&region=Quarter+1&region=Quarter+2', {
      language: 'de/',
    })
    await expect.poll(() => found(page).textContent()).toBe('3 von 40 Brunnen')
    expect(await box(page, 'Quarter 1').first().isChecked()).toBe(true)
    expect(await page.inputValue('input[name=name]')).toBe('SQUARE 2')
    expect(await page.textContent('#explore-link')).toBe(page.url())
    await page.getByRole('button', { name: 'Filter zurücksetzen' }).click()
    await expect.poll(() => found(page).textContent()).toBe('40 von 40 Brunnen')
    expect([new URL(page.url()).search, await page.inputValue('input[name=name]')]).toEqual(['', ''])
    await page.fill('input[name=name]', 'no such fountain')
    await expect.poll(() => found(page).textContent()).toBe('So einen Brunnen gibt es nicht.')
    expect(await page.getByRole('button', { name: 'CSV' }).isDisabled()).toBe(true)
    await close()
  })

  it('can be used with the keyboard alone: what has the focus keeps it, and more values begin with the first of them', async () => {
    const { page, close } = await visit()
    await expect.poll(() => found(page).textContent()).toBe('40 of 40 fountains')
    const regions = page.locator('[data-column=region]')
    expect(await regions.getByRole('checkbox').count()).toBe(12)
    await regions.getByRole('button', { name: '9 more' }).press('Enter')
    await expect.poll(() => regions.getByRole('checkbox').count()).toBe(21)
    expect(await page.evaluate(() => document.activeElement?.closest('li')?.matches(':nth-child(13)'))).toBe(
      true,
    )
    await page.keyboard.press('Space')
    await expect.poll(() => found(page).textContent()).toMatch(/^[12] of 40 fountains$/u)
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).checked)).toBe(true)
    await regions.getByRole('searchbox').fill('quarter 19')
    await expect.poll(() => regions.getByRole('checkbox').count()).toBe(1)
    await close()
  })

  it('shows texts by people as text, and writes them as such', async () => {
    const { page, complaints, close } = await visit(`?${new URLSearchParams({ region: hostileRegion })}`)
    await expect.poll(() => found(page).textContent()).toBe('1 of 40 fountains')
    expect(await page.locator('[data-column=region] li').first().textContent()).toContain(hostileRegion)
    const { text } = await download(page, 'CSV')
    expect(text).toContain(`,"'${hostileName.replaceAll('"', '""')}",`)
    expect(complaints).toEqual([])
    await close()
  })

  it('is accessible, and fits a phone', async () => {
    const { page, close } = await visit('?amenities=tap')
    await expect.poll(() => found(page).textContent()).toBe('40 of 40 fountains')
    await expectAccessibleInBoth(page, 'explore/')
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      expect([width, await overflowing(page)]).toEqual([width, []])
    }
    await close()
  })

  it('says that the host sends whole files, and that the data is not there', async () => {
    const plain = await hostFolder(folder, { base: '/water/', ranges: false })
    const whole = await visit('', { at: plain })
    await expect.poll(() => found(whole.page).textContent()).toBe('40 of 40 fountains')
    expect(await whole.page.textContent('#explore-whole')).toContain('all 1 MB were loaded')
    await whole.page.route('**/waypoints.parquet*', (route) => route.fulfill({ status: 503 }))
    await whole.page.reload()
    await expect.poll(() => whole.page.textContent('#explore-problem')).toContain('did not come (HTTP 503)')
    await whole.close()
    await plain.close()
  })
})

it('says how there is something to explore when the export has no Parquet', async () => {
  const out = join(await freshFolder(), 'site')
  await buildSite({ data: await exported(siteFiles), out, languages: ['en'] })
  const page = await readFile(join(out, 'explore/index.html'), 'utf8')
  expect(page).toContain('without waypoints.parquet')
  expect(page).not.toContain('exploring/explore-')
  expect(await readFile(join(out, 'data/index.html'), 'utf8')).not.toContain('href="/explore/"><svg')
})
