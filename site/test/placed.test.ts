/** @module-tag browser */
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRegistry, token } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { availableLanguages, buildSite } from '../src/index.ts'
import { expectAccessibleInBoth } from '@openfountain/testing/browser/axe'
import { attribute, pagesOf, tagged, textOf, type BuiltPage } from '@openfountain/testing/site/built-site'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { freshFolder } from '@openfountain/testing/site/sample'
import { hostFolder, type StaticHost } from '@openfountain/testing/site/static-host'

/** Four fountains that name no region, in places that are known; the first two nobody gave a name. */
const fountains = [
  { name: 'Drinking fountain at 55.7050, 13.1900', latitude: 55.705, amenities: ['bubbler', 'wheelchair'] },
  { name: 'Tap, Mill Lane 3', latitude: 55.706, amenities: ['tap'] },
  { name: 'Old Well', latitude: 55.708, amenities: ['well'] },
  { name: 'Far Well', latitude: 55.72, amenities: ['well'] },
]
const languages = await availableLanguages()

let pages: BuiltPage[]
let host: StaticHost
let browser: Browser

beforeAll(async () => {
  const folder = await freshFolder()
  const registry = await openRegistry({ database: ':memory:', name: 'Lindenau Fountains' })
  for (const fountain of fountains)
    await registry.waypoints.create({ ...fountain, longitude: 13.19 }, token())
  await registry.waypoints.assignPlaces(({ latitude }) => ({
    country: 'SE',
    name: latitude > 55.71 ? 'Mill Hill' : 'Old Harbour',
  }))
  const { folder: data } = await exportRegistry(registry, { out: join(folder, 'export') })
  await registry.close()
  const out = join(folder, 'site')
  await buildSite({ data, out, title: 'Lindenau' })
  pages = await pagesOf(out)
  host = await hostFolder(out)
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  await host?.close()
})

const words = (path: string, tag: string): string => {
  const [found] = pages.filter((one) => one.path === path).flatMap((one) => tagged(one, tag))
  return (found ? textOf(found) : '').replaceAll(/\s+/gu, ' ').trim()
}

describe('fountains that name no region, where the places around them are known', () => {
  it('leave a page at the address of those without a region, which leads to all of them', async () => {
    for (const [index, tag] of languages.entries()) {
      const prefix = index === 0 ? '/' : `/${tag}/`
      const page = pages.find(({ path }) => path === `${prefix}regions/elsewhere/`)
      if (!page) throw new Error(`There is no page in ${tag}`)
      expect(page.html).not.toContain('http-equiv="refresh"')
      const links = tagged(page, 'a').map((link) => attribute(link, 'href'))
      expect(links).toContain(`${prefix}regions/se/`)
    }
    const page = await browser.newPage()
    await page.goto(`${host.url}regions/elsewhere/`)
    await expectAccessibleInBoth(page, 'elsewhere')
    await page.close()
  })

  it('are in lists without what their names say already', () => {
    const page = pages.find(({ path }) => path === '/regions/old-harbour/')
    const rows = page ? tagged(page, 'tr').slice(1) : []
    const icons = rows.map((row) => {
      const cells = (tag: string) => row.childNodes.find((node) => 'tagName' in node && node.tagName === tag)
      const [head, offers] = [cells('th'), cells('td')]
      return [head && textOf(head).trim(), ...(offers ? titlesIn(offers) : [])]
    })
    expect(icons).toEqual([
      ['Bubbler, Old Harbour', 'Wheelchair accessible'],
      ['Old Well', 'Well'],
      ['Tap, Mill Lane 3'],
    ])
  })

  it('are listed beside the map with their distance from its middle', async () => {
    const page = await browser.newPage({ viewport: { width: 1200, height: 800 }, locale: 'en-GB' })
    await page.goto(`${host.url}?at=55.705,13.19,15`)
    await page.locator('#list .fountain-distance').first().waitFor()
    const rows = page.locator('#list .fountain')
    expect(await rows.locator('.fountain-name').allTextContents()).toEqual([
      'Bubbler, Old Harbour',
      'Tap, Mill Lane 3',
      'Old Well',
    ])
    expect(await rows.locator('.fountain-about').allTextContents()).toEqual([
      'Wheelchair accessible',
      'Old Harbour',
      'Well · Old Harbour',
    ])
    expect(await rows.locator('.fountain-distance').allTextContents()).toEqual(['10 m', '110 m', '330 m'])
    expect(await page.locator('#list-note').textContent()).toBe('Distances are from the middle of the map.')
    await page.close()
  })
})

it('says in every language of when the data is, apart from the licence', () => {
  for (const [index, tag] of languages.entries()) {
    const prefix = index === 0 ? '/' : `/${tag}/`
    expect(words(`${prefix}data/`, 'footer')).toMatch(/ \S*[\w)]\. \p{Lu}[^.]*\b2\d{3}/u)
    expect(words(`${prefix}data/`, 'footer')).not.toMatch(/\.\p{Lu}/u)
  }
})

/** The titles of the amenities in a cell. */
function titlesIn(node: Parameters<typeof textOf>[0]): string[] {
  const own =
    'attrs' in node ? node.attrs.filter(({ name }) => name === 'title').map(({ value }) => value) : []
  return [...own, ...('childNodes' in node ? node.childNodes.flatMap(titlesIn) : [])]
}
