/** @module-tag browser */
import { join } from 'node:path'
import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSite } from '../src/index.ts'
import {
  attribute,
  filesOf,
  pagesOf,
  tagged,
  textOf,
  type BuiltPage,
} from '@openfountain/testing/site/built-site'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { writeFixture } from '@openfountain/testing/site/made-folder'
import { freshFolder } from '@openfountain/testing/site/sample'
import { hostFolder, type StaticHost } from '@openfountain/testing/site/static-host'
import { parseXml } from './xml.ts'

let out: string
let pages: BuiltPage[]
let host: StaticHost
let browser: Browser

beforeAll(async () => {
  const folder = await freshFolder()
  out = join(folder, 'site')
  await writeFixture(join(folder, 'export'), { hostile: true })
  await buildSite({
    data: join(folder, 'export'),
    out,
    languages: ['en', 'de'],
    title: 'A <b>"bold"</b> & plain title',
  })
  pages = await pagesOf(out)
  host = await hostFolder(out)
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  await host?.close()
})

describe('text that people wrote', () => {
  it('makes no element, no event attribute and no script', () => {
    expect(pages.length).toBeGreaterThan(90)
    for (const page of pages) {
      expect(tagged(page, 'img'), page.path).toEqual([])
      expect(tagged(page, 'b'), page.path).toEqual([])
      const names = page.elements.flatMap(({ attrs }) => attrs.map(({ name }) => name))
      expect(
        names.filter((name) => name.startsWith('on')),
        page.path,
      ).toEqual([])
      for (const script of tagged(page, 'script')) {
        const type = attribute(script, 'type')
        if (type !== 'application/json' && type !== 'application/ld+json') {
          expect(textOf(script), page.path).not.toContain('owned')
        }
      }
    }
  })

  it('becomes no address other than http, https, geo or one of the site', () => {
    for (const page of pages) {
      for (const element of page.elements) {
        for (const name of ['href', 'src', 'action', 'xlink:href', 'formaction']) {
          const address = attribute(element, name)
          if (address !== undefined)
            expect(address, page.path).not.toMatch(/^\s*(?:javascript|data|vbscript):/iu)
        }
      }
    }
  })

  it('cannot leave the data that is written into a script element', () => {
    const isData = (type: string | undefined) => type === 'application/json' || type === 'application/ld+json'
    const data = pages.flatMap((page) =>
      tagged(page, 'script').filter((one) => isData(attribute(one, 'type'))),
    )
    expect(data.map(textOf).join('')).toContain('owned')
    for (const page of pages) {
      for (const script of tagged(page, 'script')) {
        if (!isData(attribute(script, 'type'))) continue
        expect(textOf(script), page.path).not.toContain('<')
        expect(() => JSON.parse(textOf(script)), page.path).not.toThrow()
      }
    }
  })

  it('is shown as it was written', () => {
    const words = pages.flatMap((page) => tagged(page, 'h1').map(textOf)).join('\n')
    expect(words).toContain('<script>document.title="owned"</script>')
    expect(words).toContain('<svg onload=')
  })

  it('stays text in the feeds', async () => {
    for (const file of ['changes.atom', 'de/changes.atom']) {
      const feed = parseXml(await readFile(join(out, file), 'utf8'))
      const names = new Set(
        feed.children.flatMap((child) => [child.name, ...child.children.map(({ name }) => name)]),
      )
      expect([...names].toSorted()).toEqual(
        ['author', 'entry', 'id', 'link', 'name', 'rights', 'summary', 'title', 'updated'].toSorted(),
      )
    }
    const feed = JSON.parse(await readFile(join(out, 'changes.json'), 'utf8'))
    expect(feed.items.some(({ title }: { title: string }) => title.includes('<script>'))).toBe(true)
  })

  it('does not choose file names', async () => {
    const files = await filesOf(out)
    expect(files.filter((file) => /[<>"' ]/u.test(file))).toEqual([])
  })

  it('does nothing in a browser, on any kind of page', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) complaints.push(message.text())
    })
    page.on('dialog', (dialog) => complaints.push(dialog.message()))
    const regions = pages.find(({ path }) => /^\/regions\/.+/u.test(path))?.path ?? ''
    for (const path of [
      '/',
      '/waypoint/60/',
      '/waypoint/12/',
      '/regions/',
      regions,
      '/leaderboard/',
      '/contributors/',
      '/contributor/user-1/',
      '/changes/',
      '/statistics/',
      '/data/',
      '/about/',
      '/embedding/',
      '/de/changes/',
    ]) {
      await page.goto(new URL(path, host.url).href, { waitUntil: 'load' })
      expect(await page.title(), path).not.toBe('owned')
      expect(await page.title(), path).toContain('A <b>"bold"</b> & plain title')
    }
    expect(complaints).toEqual([])
    await context.close()
  })
})
