/** @module-tag browser */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { token } from '@openfountain/core'
import { complaintsOf } from '@openfountain/testing/browser/complaints'
import { newProfile, says } from '@openfountain/testing/browser/page'
import { codeIn } from '@openfountain/testing/qr-code'
import { inspect } from '@openfountain/testing/site/account-stage'
import { exported } from '@openfountain/testing/site/sample'
import { hostFolder } from '@openfountain/testing/site/static-host'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { buildSite, plateFile, siteFiles } from '../../src/index.ts'
import { overflowing } from '../overflow.ts'
import { newFolder } from '@openfountain/testing/folder'

const hostileRegion = '<img src=x onerror="document.title=1">'
const hostileName = '=HYPERLINK("https://elsewhere.example")'

const exportedAs = (options: object = {}) =>
  exported({ name: 'Lindenau', author: 'City of Lindenau' }, options, async ({ waypoints }) => {
    for (let index = 0; index < 40; index += 1) {
      const name = index === 0 ? hostileName : `Square ${index}`
      const region = index === 0 ? hostileRegion : `Quarter ${index % 20}`
      const amenities = index % 2 === 0 ? ['tap'] : ['spring', 'tap']
      const place = { latitude: 55 + index / 1000, longitude: 13 }
      await waypoints.create({ name, nameIsMade: index === 38, ...place, amenities, region }, token())
    }
  })

const folder = join(newFolder(), 'site')
await buildSite({ data: await exportedAs(), out: folder, languages: ['en', 'de'], base: '/water' })
const url = (await hostFolder(folder, { base: '/water/' })).url

const found = (page: Page) => page.locator('#explore-found')
const box = (page: Page, name: string) => page.getByRole('checkbox', { name })

async function visit(path: string, said: string, at = url) {
  const context = await newProfile({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  const [complaints, addresses]: [string[], string[]] = [complaintsOf(page), []]
  context.on('request', (request) => addresses.push(request.url()))
  await page.goto(`${at}${path}`)
  await says(found(page), said)
  return { page, complaints, addresses }
}

async function download(page: Page, name: string): Promise<{ readonly file: string; readonly text: string }> {
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name }).click()
  const file = await coming
  return { file: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

it('the page on which data is explored filters, counts and downloads, and asks no other host for anything', async () => {
  const { page, complaints, addresses } = await visit('explore/', '40 of 40 fountains')
  await box(page, 'Spring').check()
  await says(found(page), '20 of 40 fountains')
  await box(page, 'Quarter 3').check()
  await says(found(page), '2 of 40 fountains')
  expect(new URL(page.url()).search).toBe('?amenities=spring&region=Quarter+3')
  expect(await page.textContent('#explore-terms')).toContain('City of Lindenau (ODbL-1.0)')
  const csv = await download(page, 'CSV')
  expect(csv.file).toBe('waypoints-selection.csv')
  const [head, ...rows] = csv.text.trimEnd().split('\r\n')
  expect(head).toMatch(/^id,name,/u)
  expect(rows.map((row) => row.split(',')[1])).toEqual(['Square 3', 'Square 23'])
  for (const row of rows) expect(row).toMatch(/ODbL-1\.0,City of Lindenau$/u)
  const { text } = await download(page, 'GeoJSON')
  expect(JSON.parse(text)).toMatchObject({ license: 'ODbL-1.0', features: [{ id: 4 }, { id: 24 }] })
  await box(page, 'Quarter 3').uncheck()
  await says(found(page), '20 of 40 fountains')
  expect(new URL(page.url()).search).toBe('?amenities=spring')
  expect(complaints).toEqual([])
  expect(addresses.filter((each) => !each.startsWith(url) && !each.startsWith('blob:'))).toEqual([])
})

const pagesIn = (printed: Buffer) => String(printed).match(/\/MediaBox \[0 0 298[.\d]* 4(?:19|20)[.\d]*\]/gu)

it('plates of a selection print one page each, with a code of the address of its fountain', async () => {
  const { page, complaints } = await visit('explore/?region=Quarter+3', '2 of 40 fountains')
  await page.getByRole('link', { name: 'Plates' }).click()
  await says(page.locator('#plates-found'), '2 fountains')
  expect(new URL(page.url()).search).toBe('?region=Quarter+3')
  const plates = page.locator('.plate')
  expect(await plates.locator('h2').allTextContents()).toEqual(['Square 3', 'Square 23'])
  const drawn = await plates.evaluateAll((all) => all.map(({ innerHTML }) => innerHTML))
  expect(drawn.map(codeIn)).toEqual([`${url}waypoint/4/`, `${url}waypoint/24/`])
  expect(pagesIn(await page.pdf({ preferCSSPageSize: true }))).toHaveLength(2)
  await inspect(page, 'plates/')
  await page.goto(`${url}waypoint/1/`)
  await page.getByRole('link', { name: 'Print a plate' }).click()
  await says(page.locator('#plates-found'), '1 fountain')
  await says(plates.locator('h2'), hostileName)
  const made = {
    site: url,
    registry: 'Lund',
    language: 'de',
    fountains: [1, 2].map((id) => ({ id, name: `${id}`, amenities: [] })),
  }
  const alone = await page.context().newPage()
  await alone.setContent(await plateFile(made))
  expect(pagesIn(await alone.pdf({ preferCSSPageSize: true }))).toHaveLength(2)
  await page.goto(`${url}de/plates/?id=39`)
  await says(plates.locator('h2'), 'Wasserhahn, Quarter 18')
  await page.goto(`${url}plates/?id=999`)
  await says(page.locator('#plates-found'), /No fountain/u)
  await expect.poll(() => page.locator('#plates-print').isDisabled()).toBe(true)
  expect(complaints).toEqual([])
})

it('the page on which data is explored can be used with the keyboard alone: what has the focus keeps it, and more values begin with the first of them', async () => {
  const { page } = await visit('explore/', '40 of 40 fountains')
  const regions = page.locator('[data-column=region]')
  const boxes = regions.getByRole('checkbox')
  expect(await boxes.count()).toBe(12)
  await regions.getByRole('button', { name: '9 more' }).press('Enter')
  await expect.poll(() => boxes.count()).toBe(21)
  const isFirst = page.evaluate(() => document.activeElement?.closest('li')?.matches(':nth-child(13)'))
  expect(await isFirst).toBe(true)
  await page.keyboard.press('Space')
  await says(found(page), /^[12] of 40 fountains$/u)
  expect(await page.locator(':focus').isChecked()).toBe(true)
  await regions.getByRole('searchbox').fill('quarter 19')
  await expect.poll(() => boxes.count()).toBe(1)
})

it('the page on which data is explored shows texts by people as text, writes them as such, is accessible, and fits a phone', async () => {
  const query = new URLSearchParams({ region: hostileRegion })
  const { page, complaints } = await visit(`explore/?${query}`, '1 of 40 fountains')
  await says(page.locator('[data-column=region] li').first(), /<img src=x onerror="document\.title=1">/u)
  const { text } = await download(page, 'CSV')
  expect(text).toContain(`,"'${hostileName.replaceAll('"', '""')}",`)
  expect(complaints).toEqual([])
  await inspect(page, 'explore/')
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    expect([width, await overflowing(page)]).toEqual([width, []])
  }
})

it('the page on which data is explored says that the data did not come', async () => {
  const { page } = await visit('explore/', '40 of 40 fountains')
  await page.route('**/waypoints.ndjson.gz*', (route) => route.fulfill({ status: 503 }))
  await page.reload()
  await says(page.locator('#explore-problem'), /did not come \(HTTP 503\)/u)
})

it('the page on which data is explored needs no more formats than a site', async () => {
  const out = join(newFolder(), 'site')
  await buildSite({ data: await exportedAs({ formats: siteFiles }), out, languages: ['en'], pages: 'none' })
  await visit('explore/', '40 of 40 fountains', (await hostFolder(out)).url)
})
