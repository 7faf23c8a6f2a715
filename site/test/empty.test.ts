/** @module-tag browser */
import { join } from 'node:path'
import { accountStage, visitor } from '@openfountain/testing/site/account-stage'
import { internalAddresses, pageAt, pagesOf, tagged, textOf } from '@openfountain/testing/site/built-site'
import { exportSample } from '@openfountain/testing/site/sample'
import { addressFits, heading } from '@openfountain/testing/site/visit'
import { expect, it } from 'vitest'
import { buildSite } from '../src/index.ts'
import { addButton, openMap, placing, sheet, takeIt, walker } from './contribute/walker.ts'
import { newFolder } from '@openfountain/testing/folder'

it('an empty registry builds a site that explains how to start', async () => {
  const out = join(newFolder(), 'site')
  const data = await exportSample({ waypoints: 0 })
  const report = await buildSite({ data, out, languages: ['en', 'fr'] })
  expect(report).toMatchObject({ waypoints: 0, waypointPages: 0 })
  const pages = await pagesOf(out)
  const words = tagged(pageAt(pages, '/'), 'main').map(textOf).join('')
  for (const said of ['No fountains yet', 'openfountain import', 'openfountain site build'])
    expect(words).toContain(said)
  const paths = new Set(pages.map(({ path }) => path))
  for (const page of pages) {
    const addresses = internalAddresses(page, 'https://nowhere.example')
    const linked = addresses.map((address) => new URL(address, `https://site.example${page.path}`).pathname)
    expect(linked.filter((path) => path.endsWith('/') && !paths.has(path))).toEqual([])
    expect(tagged(page, 'h1'), page.path).toHaveLength(1)
  }
})

it('an empty registry with an API has a map on which the first fountain is added, and is seen at once there, elsewhere and later', async () => {
  const out = join(newFolder(), 'site')
  await buildSite({
    data: await exportSample({ waypoints: 0 }),
    out,
    api: '/api',
    registration: 'invite',
    languages: ['en', 'fr'],
  })
  const made = await accountStage(out)
  const watching = await visitor()
  await openMap(watching.page, made.origin, '')
  await heading(watching.page, 'No fountains yet')
  const directory = watching.page.locator('#directory')
  await directory.getByText('choose “Add by invitation”').waitFor()
  await watching.page.getByRole('button', { name: 'Add by invitation' }).click()
  await watching.page.getByText('New accounts need an invitation').waitFor()
  await watching.page.keyboard.press('Escape')
  const command = 'openfountain site build --data export --out site --api /api'
  expect(await watching.page.locator('main').textContent()).toContain(command)

  const { page, complaints } = await walker(made, { xp: 20, at: '' })
  await addButton(page).tap()
  const where = placing(page).locator('.contribute-coordinates')
  const middle = await where.textContent()
  const tell = (waypoint?: object) =>
    page.evaluate(
      (detail) => void document.dispatchEvent(new CustomEvent('openfountain:waypoint', { detail })),
      { id: 'of another', waypoint, isWaiting: waypoint !== undefined },
    )
  await tell({ name: 'Elsewhere', latitude: -33.9, longitude: 18.4, amenities: ['tap'] })
  await page.locator('#list .fountain-name').getByText('Elsewhere').waitFor({ state: 'attached' })
  expect(await where.textContent()).toBe(middle)
  await tell()
  await placing(page).locator('summary', { hasText: 'Coordinates' }).tap()
  await placing(page).getByLabel('Coordinates', { exact: true }).fill('55.7013, 13.1987')
  await placing(page).getByRole('button', { name: 'Go there' }).tap()
  await addressFits(page, (query) => query.get('at')?.endsWith(',18') === true)
  await takeIt(page).tap()
  await sheet(page).getByLabel('Tap', { exact: true }).check()
  const name = 'Mill tap'
  await sheet(page).getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('button', { name: 'Publish' }).tap()
  // A server that takes its time has the form closed before.
  await expect.poll(() => made.registry.waypoints.list()).toMatchObject([{ name, latitude: 55.7013 }])
  const later = await visitor()
  await openMap(later.page, made.origin, '')
  for (const one of [page, watching.page, later.page]) {
    await one.locator('#list .fountain-name').getByText(name, { exact: true }).waitFor()
    expect(await one.locator('#directory').isVisible()).toBe(false)
    await addressFits(one, (query) => query.get('at')?.startsWith('55.70') === true)
  }
  await later.page.locator('#query').fill(name)
  await later.page.locator('#results .result-name').getByText(name, { exact: true }).waitFor()
  expect([...complaints, ...watching.complaints, ...later.complaints]).toEqual([])
})
