import { join } from 'node:path'
import { newPage } from '@openfountain/testing/browser/page'
import { counted, seed } from '@openfountain/testing/effort'
import { jsonIn, linesIn, textIn, newFolder } from '@openfountain/testing/folder'
import {
  attribute,
  filesOf,
  pagesOf,
  tagged,
  textOf,
  type BuiltPage,
} from '@openfountain/testing/site/built-site'
import { hostileFields, hostileTexts, writeFixture } from '@openfountain/testing/site/made-folder'
import { hostFolder } from '@openfountain/testing/site/static-host'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buildSite } from '../src/index.ts'
import { parseXml } from './xml.ts'

/** Line ends, control characters, directions of writing, broken characters and markup that programs misread. */
const pieces = [
  ['\u2028', '\u2029', '\u0085', '\n', '\r', '\r\n', '\t', '\v', '\f'],
  ['\u202a', '\u202e', '\u2066', '\u2069', '\u200f', '\u061c', '\u200b', '\ufeff'],
  ['\u0000', '\u0001', '\u001b', '\u007f', '\u009b', '\ufffe', '\uffff', '\ud800', '\udc00', '\u{1f30a}'],
  ['<', '>', '&', '"', "'", '`', '\\', '/', '%', '{', '}', '${', '{{', ']]>', '-->', '</script>', '</style>'],
  ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '../', 'javascript:', 'é', 'e\u0301', '水'],
].flat()
const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 4 }))
const text = fc.array(piece, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''))
/** Every second text is known to be harmful as markup. */
const generated = [...pieces, ...fc.sample(text, { seed, numRuns: 300 })]
const texts = generated.flatMap((one, index) => [one, hostileTexts[index % hostileTexts.length] ?? ''])
const siteTitle = 'A <b>"bold"</b> & plain title'

const folder = newFolder()
const data = join(folder, 'export')
const out = join(folder, 'site')
const waypoints = counted({ quick: 100, all: 200, full: 400 })
await writeFixture(data, { waypoints, hostile: true, texts })
await buildSite({ data, out, languages: ['en', 'de'], title: siteTitle, url: 'https://lindenau.example/' })
const pages = await pagesOf(out)

type Element = BuiltPage['elements'][number]
const isData = (script: Element) => /^application\/(?:ld\+)?json$/u.test(attribute(script, 'type') ?? '')

const inHtml = (given: string): string =>
  given.toWellFormed().replaceAll(/\r\n?/gu, '\n').replaceAll('\u0000', '')

it('text that people wrote makes no element, no event attribute and no script', () => {
  expect(pages.length).toBeGreaterThan(90)
  for (const page of pages) {
    const names = page.elements.map(({ nodeName }) => nodeName)
    expect(new Set(names), page.path).not.toContain('img')
    expect(names.filter((name) => name === 'b' || !/^[a-zA-Z][a-zA-Z0-9]*$/u.test(name))).toEqual([])
    const attributes = page.elements.flatMap(({ attrs }) => attrs.map(({ name }) => name))
    expect(attributes.join(' '), page.path).not.toMatch(/(?:^| )on/u)
    for (const script of tagged(page, 'script'))
      if (!isData(script)) expect(textOf(script), page.path).not.toContain('owned')
  }
})

it('text that people wrote becomes no address other than http, https, geo or one of the site', () => {
  const names = ['href', 'src', 'action', 'xlink:href', 'formaction']
  for (const { path, elements } of pages)
    for (const address of elements.flatMap((one) => names.map((name) => attribute(one, name) ?? '')))
      expect(address, path).not.toMatch(/^\s*(?:javascript|data|vbscript):/iu)
})

it('text that people wrote cannot leave the data that is written into a script element', () => {
  const scripts = pages.flatMap((page) => tagged(page, 'script').filter(isData).map(textOf))
  expect(scripts.join('')).toContain('owned')
  for (const script of scripts) {
    expect(script).not.toContain('<')
    expect(() => JSON.parse(script) as unknown).not.toThrow()
  }
})

it('text that people wrote is shown completely as it was written, the fields of an edit with their names', () => {
  for (const { id, name } of linesIn(data, 'waypoints.ndjson.gz') as { id: number; name: string }[]) {
    const page = pages.find(({ path }) => path === `/waypoint/${id}/`)
    expect(page && tagged(page, 'h1').map(textOf)[0], JSON.stringify(name)).toBe(inHtml(name))
  }
  const changes = pages.filter(({ path }) => path === '/changes/').flatMap(({ elements }) => elements)
  const shown = changes.map(textOf).join('\n')
  for (const field of hostileFields) expect(shown).toContain(`Edited: description, ${field}`)
})

it('text that people wrote stays text in the feeds, the sitemaps and what is JSON, and does not choose file names', async () => {
  const files = await filesOf(out)
  const own = files.filter((file) => !file.startsWith('data/'))
  for (const file of own.filter((name) => /\.(?:atom|xml)$/u.test(name))) parseXml(textIn(out, file))
  for (const file of own.filter((name) => /\.(?:json|webmanifest)$/u.test(name))) jsonIn(out, file)
  for (const file of ['changes.atom', 'de/changes.atom']) {
    const { children } = parseXml(textIn(out, file))
    const names = new Set(
      [...children, ...children.flatMap((child) => child.children)].map(({ name }) => name),
    )
    const known = ['author', 'entry', 'id', 'link', 'name', 'rights', 'summary', 'title', 'updated']
    expect([...names].toSorted()).toEqual(known)
  }
  const { items } = jsonIn(out, 'changes.json')
  expect(items.some(({ title }: { title: string }) => title.includes('<script>'))).toBe(true)
  expect(files.filter((file) => /[<>"' ]/u.test(file))).toEqual([])
})

it(
  'text that people wrote does nothing in a browser, on any kind of page',
  { tags: ['browser'] },
  async () => {
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
  },
)
