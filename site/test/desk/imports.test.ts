/** @module-tag browser */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { token } from '@openfountain/core'
import { importFile, type ImportReport } from '@openfountain/exchange'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildSite } from '../../src/index.ts'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { exportSample, freshFolder } from '@openfountain/testing/site/sample'
import { deskStage, expectTextAlone, focused, inspectDesk, problem, rows, said, title } from './desk-stage.ts'

let site: string
let browser: Browser

beforeAll(async () => {
  site = join(await freshFolder(), 'site')
  await buildSite({
    data: await exportSample({ waypoints: 0 }),
    out: site,
    api: '/api',
    languages: ['en'],
  })
  browser = await startChromium()
})

afterAll(() => browser?.close())

const names = ['Marktplatz am Rathaus', 'Löwenbrunnen "der große"', '=Bärenbrunnen, alt'] as const
/** Degrees of latitude for so many metres to the north. */
const north = (metres: number): number => metres / 111_195

it('rows of a doubtful import are decided by keys in the page, and the saved file does what was decided', async () => {
  const made = await deskStage(site)
  const { registry } = made
  const folder = await freshFolder()
  for (const [index, name] of names.entries())
    await registry.waypoints.create({ name, latitude: 47 + index / 10, longitude: 8 }, token())
  const file = join(folder, 'list.geojson')
  const features = names.map((name, index) => ({
    type: 'Feature',
    properties: { id: `r${index}`, name },
    geometry: { type: 'Point', coordinates: [8, 47 + index / 10 + north(60)] },
  }))
  await writeFile(file, JSON.stringify({ type: 'FeatureCollection', features }))
  const run = (review?: string): Promise<ImportReport> =>
    importFile(registry, {
      file,
      source: { name: 'City', license: 'CC0-1.0' },
      ...(review !== undefined && { review }),
    })
  const { reviewFile = '' } = await run()

  const { page, complaints } = await made.as(browser, made.mo, '/moderation/#imports')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(request.url())
  })
  const chooser = page.getByLabel('Open a review file')
  await chooser.setInputFiles(file)
  await expect.poll(() => problem(page).textContent()).toContain('This is not a review file')
  await chooser.setInputFiles(reviewFile)
  await expect.poll(() => rows(page).allTextContents()).toEqual([...names])
  await expect.poll(() => focused(page)).toBe(names[0])
  expect(await page.locator('.desk-compare thead th').allTextContents()).toEqual(['In the file', 'Here'])
  expect(await page.locator('.desk-compare').textContent()).toContain('60 m')
  await inspectDesk(page, 'imports')
  await page.keyboard.press('m')
  await expect.poll(() => title(page).textContent()).toBe(names[1])
  await page.keyboard.press('a')
  await expect.poll(() => title(page).textContent()).toBe(names[2])
  await page.keyboard.press('a')
  await expect.poll(() => page.locator('#desk-progress').textContent()).toBe('3 of 3 decided')
  await page.keyboard.press('u')
  await expect.poll(() => page.locator('#desk-progress').textContent()).toBe('2 of 3 decided')
  expect(await page.locator('#desk-unsaved').isVisible()).toBe(true)
  await expect.poll(() => title(page).textContent()).toBe(names[2])
  await page.keyboard.press('r')
  await expect
    .poll(() => page.locator('.desk-row .badge').allTextContents())
    .toEqual(['The same fountain', 'A new fountain', 'Leave out'])
  await expect
    .poll(() => page.locator('.desk-acts [aria-keyshortcuts=r]').getAttribute('aria-pressed'))
    .toBe('true')
  await expectTextAlone(page)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save the file' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('list.geojson.review.csv')
  const saved = join(folder, 'saved.csv')
  await download.saveAs(saved)
  await expect.poll(() => said(page).textContent()).toContain('Saved.')
  expect(await page.locator('#desk-unsaved').isVisible()).toBe(false)
  expect(sent).toEqual([])
  expect(complaints).toEqual([])

  const untouched = (await readFile(reviewFile, 'utf8')).split('\r\n')
  expect((await readFile(saved, 'utf8')).split('\r\n')).toEqual(
    untouched.map((line, index) => `${['', 'same', 'new', 'skip', ''][index] ?? ''}${line}`),
  )
  expect((await run(saved)).counts).toMatchObject({ matched: 1, created: 1, leftOut: 1, doubtful: 0 })
})
