/** @module-tag browser */
import { readdir, readFile } from 'node:fs/promises'
import { expectAccessibleInBoth } from '@openfountain/testing/browser/axe'
import { complaintsOf } from '@openfountain/testing/browser/complaints'
import { focused, newPage } from '@openfountain/testing/browser/page'
import { builtSite } from '@openfountain/testing/site/sites'
import { expect, it, onTestFinished } from 'vitest'
import { serveKit } from '../kit/server.ts'

it('every part of the kit is accessible in light and in dark colours, a dialog, a question and a wrong field too', async () => {
  const kit = await serveKit()
  onTestFinished(kit.close)
  const page = await newPage({ viewport: { width: 360, height: 800 } })
  const complaints = complaintsOf(page)
  await page.goto(kit.url)
  await page.locator('h2').first().waitFor()
  await page.click('#menu > summary')
  await expectAccessibleInBoth(page, 'the kit')
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await page.click('#menu > summary')
  await page.click('#form [type="submit"]')
  await expect.poll(() => focused(page)).toBe('')
  expect(await page.innerText('[aria-invalid="true"] + #field-1-problem')).toBe('A fountain needs a name.')
  await page.getByLabel('4 of 5 stars').check()
  for (const id of ['#tell', '#toast']) await page.click(id)
  await expect.poll(() => page.locator('.toast:not([hidden])').count()).toBe(2)
  await expectAccessibleInBoth(page, 'a wrong field, a rating and toasts')
  for (const [id, title] of [
    ['#open-dialog', 'A dialog'],
    ['#open-question', 'Remove it?'],
  ] as const) {
    await page.click(id)
    await expect.poll(() => focused(page)).toBe(title)
    await expectAccessibleInBoth(page, title)
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
  }
  expect(complaints).toEqual([])
})

it('the page of the kit is neither in the package nor in a site', async () => {
  const { files } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
  expect(files).toContain('src')
  expect(files.filter((name: string) => /kit|\*\*|^\.$/u.test(name))).toEqual([])
  const built = await readdir(await builtSite('sample'), { recursive: true })
  expect(built).toContain('about/index.html')
  expect(built.filter((path) => /\bkit\b/u.test(path))).toEqual([])
})
