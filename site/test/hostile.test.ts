/** @module-tag browser */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newPage } from '@openfountain/testing/browser/page'
import {
  attribute,
  filesOf,
  pagesOf,
  tagged,
  textOf,
  type BuiltPage,
} from '@openfountain/testing/site/built-site'
import { writeFixture } from '@openfountain/testing/site/made-folder'
import { freshFolder } from '@openfountain/testing/site/sample'
import { hostFolder } from '@openfountain/testing/site/static-host'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildSite } from '../src/index.ts'
import { parseXml } from './xml.ts'

const siteTitle = 'A <b>"bold"</b> & plain title'
let out: string
let pages: BuiltPage[]

beforeAll(async () => {
  const folder = await freshFolder()
  out = join(folder, 'site')
  const data = join(folder, 'export')
  await writeFixture(data, { hostile: true })
  await buildSite({ data, out, languages: ['en', 'de'], title: siteTitle })
  pages = await pagesOf(out)
})

type Element = BuiltPage['elements'][number]
const isData = (script: Element) => /^application\/(?:ld\+)?json$/u.test(attribute(script, 'type') ?? '')

describe('text that people wrote', () => {
  it('makes no element, no event attribute and no script', () => {
    expect(pages.length).toBeGreaterThan(90)
    for (const page of pages) {
      expect([...tagged(page, 'img'), ...tagged(page, 'b')], page.path).toEqual([])
      const names = page.elements.flatMap(({ attrs }) => attrs.map(({ name }) => name))
      expect(names.join(' '), page.path).not.toMatch(/(?:^| )on/u)
      for (const script of tagged(page, 'script'))
        if (!isData(script)) expect(textOf(script), page.path).not.toContain('owned')
    }
  })

  it('becomes no address other than http, https, geo or one of the site', () => {
    const names = ['href', 'src', 'action', 'xlink:href', 'formaction']
    for (const { path, elements } of pages)
      for (const address of elements.flatMap((one) => names.map((name) => attribute(one, name) ?? '')))
        expect(address, path).not.toMatch(/^\s*(?:javascript|data|vbscript):/iu)
  })

  it('cannot leave the data that is written into a script element', () => {
    const data = pages.flatMap((page) => tagged(page, 'script').filter(isData).map(textOf))
    expect(data.join('')).toContain('owned')
    for (const text of data) {
      expect(text).not.toContain('<')
      expect(() => JSON.parse(text)).not.toThrow()
    }
  })

  it('is shown as it was written', () => {
    const words = pages.flatMap((page) => tagged(page, 'h1').map(textOf)).join('\n')
    expect(words).toContain('<script>document.title="owned"</script>')
    expect(words).toContain('<svg onload=')
  })

  it('stays text in the feeds, and does not choose file names', async () => {
    for (const file of ['changes.atom', 'de/changes.atom']) {
      const { children } = parseXml(await readFile(join(out, file), 'utf8'))
      const names = new Set(
        children.flatMap((child) => [child.name, ...child.children.map(({ name }) => name)]),
      )
      const known = ['author', 'entry', 'id', 'link', 'name', 'rights', 'summary', 'title', 'updated']
      expect([...names].toSorted()).toEqual(known)
    }
    const feed = JSON.parse(await readFile(join(out, 'changes.json'), 'utf8'))
    expect(feed.items.some(({ title }: { title: string }) => title.includes('<script>'))).toBe(true)
    expect((await filesOf(out)).filter((file) => /[<>"' ]/u.test(file))).toEqual([])
  })

  it('does nothing in a browser, on any kind of page', async () => {
    const { url } = await hostFolder(out)
    const page = await newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) complaints.push(message.text())
    })
    page.on('dialog', (dialog) => complaints.push(dialog.message()))
    // One of each kind, and two fountains.
    const kinds = new Map(pages.map(({ path }) => [path.replace(/[^/]+\/$/u, ''), path]))
    const paths = pages.map(({ path }) => path).filter((path) => /^\/(?:de\/)?(?:[a-z-]+\/)?$/u.test(path))
    for (const path of new Set([...kinds.values(), '/waypoint/12/', '/waypoint/40/', ...paths])) {
      await page.goto(new URL(path, url).href, { waitUntil: 'load' })
      expect(await page.title(), path).not.toBe('owned')
      expect(await page.title(), path).toContain(siteTitle)
    }
    expect(complaints).toEqual([])
  })
})
