/** @module-tag browser */
import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildSite } from '../src/index.ts'
import { accountStage, visitor } from '@openfountain/testing/site/account-stage'
import { internalAddresses, pagesOf, tagged, textOf } from '@openfountain/testing/site/built-site'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { addButton, openMap, placing, sheet, takeIt, walker } from './contribute/walker.ts'
import { writeFixture } from '@openfountain/testing/site/made-folder'
import { addressFits, heading } from './map/visit.ts'
import { exportSample, freshFolder } from '@openfountain/testing/site/sample'
import { afterwards } from '@openfountain/testing/afterwards'

describe('an empty registry', () => {
  it('builds a site that explains how to start', async () => {
    const out = join(await freshFolder(), 'site')
    const report = await buildSite({
      data: await exportSample({ waypoints: 0 }),
      out,
      languages: ['en', 'fr'],
    })
    expect(report).toMatchObject({ waypoints: 0, waypointPages: 0 })
    const pages = await pagesOf(out)
    const home = pages.find(({ path }) => path === '/')
    const words = home?.elements
      .filter(({ tagName }) => tagName === 'main')
      .map(textOf)
      .join('')
    expect(words).toContain('No fountains yet')
    expect(words).toContain('openfountain import')
    expect(words).toContain('openfountain site build')
    const paths = new Set(pages.map(({ path }) => path))
    const lost = pages.flatMap((page) =>
      internalAddresses(page, 'https://nowhere.example')
        .map((address) => new URL(address, `https://site.example${page.path}`).pathname)
        .filter((path) => path.endsWith('/') && !paths.has(path)),
    )
    expect(lost).toEqual([])
    expect(pages.filter((page) => tagged(page, 'h1').length !== 1).map(({ path }) => path)).toEqual([])
  })
})

describe('an empty registry with an API', () => {
  it('has a map on which the first fountain is added, and is seen at once there, elsewhere and later', async () => {
    const out = join(await freshFolder(), 'site')
    await buildSite({ data: await exportSample({ waypoints: 0 }), out, api: '/api', languages: ['en', 'fr'] })
    const home = (await pagesOf(out)).find(({ path }) => path === '/')
    const words = home && tagged(home, 'main').map(textOf).join('')
    expect(words).toContain('openfountain import')
    expect(words).toContain('openfountain site build --data export --out site --api /api')
    const browser = await startChromium()
    afterwards(() => browser.close())
    const made = await accountStage(out)
    const watching = await visitor(browser)
    await openMap(watching.page, made.origin, '')
    await heading(watching.page, 'No fountains yet')
    await watching.page.locator('#directory').getByText('choose “Add a fountain”').waitFor()

    const { page, complaints } = await walker(browser, made, { xp: 20 })
    await openMap(page, made.origin, '')
    await addButton(page).tap()
    await placing(page).waitFor()
    const where = placing(page).locator('.contribute-coordinates')
    const middle = await where.textContent()
    const tell = (waypoint?: object) =>
      page.evaluate(
        (detail) => {
          document.dispatchEvent(new CustomEvent('openfountain:waypoint', { detail }))
        },
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
    await page.getByRole('button', { name: 'Publish' }).tap()
    await sheet(page).waitFor({ state: 'detached' })
    // A server that takes its time has the form closed before.
    await expect.poll(() => made.registry.waypoints.list(), { timeout: 30_000 }).toHaveLength(1)
    const [first] = await made.registry.waypoints.list()
    if (!first) throw new Error('Nothing was added')
    expect(first).toMatchObject({ name: 'Tap, 55.70130, 13.19870', latitude: 55.7013, longitude: 13.1987 })
    const later = await visitor(browser)
    await openMap(later.page, made.origin, '')
    for (const one of [page, watching.page, later.page]) {
      await one.locator('#list .fountain-name').getByText('Tap', { exact: true }).waitFor()
      expect(await one.locator('#directory').isVisible()).toBe(false)
      await addressFits(one, (query) => query.get('at')?.startsWith('55.70') === true)
    }
    await later.page.locator('#query').fill(first.name)
    await later.page.locator('#results .result-name').getByText('Tap', { exact: true }).waitFor()
    expect([...complaints, ...watching.complaints, ...later.complaints]).toEqual([])
  }, 300_000)
})

describe('a build that fails', () => {
  it('leaves the earlier site as it was and nothing else behind', async () => {
    const folder = await freshFolder()
    const [data, out] = [join(folder, 'export'), join(folder, 'site')]
    await writeFixture(data, { waypoints: 3 })
    await buildSite({ data, out, languages: ['en'] })
    const before = await readdir(out)
    await rm(join(data, 'sources.json'))
    await expect(buildSite({ data, out, languages: ['en'] })).rejects.toThrow(
      /incomplete: sources\.json is missing/u,
    )
    expect(await readdir(out)).toEqual(before)
    expect((await readdir(dirname(out))).toSorted()).toEqual(['export', 'site'])
  })
})

describe('a limit', () => {
  it('gives pages to the most recently changed fountains and says where the others are', async () => {
    const folder = await freshFolder()
    const [data, out] = [join(folder, 'export'), join(folder, 'site')]
    await writeFixture(data)
    const report = await buildSite({ data, out, languages: ['en'], pages: 20 })
    expect(report).toMatchObject({ waypoints: 60, waypointPages: 20 })
    const pages = await pagesOf(out)
    expect(pages.filter(({ path }) => path.startsWith('/waypoint/'))).toHaveLength(20)
    const region = pages.filter(({ path }) => /^\/regions\/.+/u.test(path))
    expect(
      region.some(({ html }) => html.includes('Only the most recently changed fountains have a page')),
    ).toBe(true)
    const known = new Set(pages.map(({ path }) => path))
    const links = pages.flatMap((page) => internalAddresses(page, 'https://nowhere.example'))
    const lost = links.filter((link) => /^\/(?:waypoint|contributor)\//u.test(link) && !known.has(link))
    expect(lost).toEqual([])
  })
})
