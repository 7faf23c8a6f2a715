import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildSite } from '../src/index.ts'
import {
  attribute,
  filesOf,
  pagesOf,
  tagged,
  textOf,
  type BuiltPage,
} from '@openfountain/testing/site/built-site'
import { counted, seed } from '@openfountain/testing/effort'
import { linesIn, textIn } from '@openfountain/testing/folder'
import { hostileFields, writeFixture } from '@openfountain/testing/site/made-folder'
import { freshFolder } from '@openfountain/testing/site/sample'
import { parseXml } from './xml.ts'

/** What some program takes for the end of a line, of a text or of an element, cannot write, or draws elsewhere. */
const pieces = [
  ['\u2028', '\u2029', '\u0085', '\n', '\r', '\r\n', '\t', '\v', '\f'],
  ['\u202a', '\u202e', '\u2066', '\u2069', '\u200f', '\u061c', '\u200b', '\ufeff'],
  ['\u0000', '\u0001', '\u001b', '\u007f', '\u009b', '\ufffe', '\uffff', '\ud800', '\udc00', '\u{1f30a}'],
  ['<', '>', '&', '"', "'", '`', '\\', '/', '%', '{', '}', '${', '{{', ']]>', '-->', '</script>', '</style>'],
  ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '../', 'javascript:', 'é', 'e\u0301', '水'],
].flat()
const text = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 4 })), {
    minLength: 1,
    maxLength: 8,
  })
  .map((parts) => parts.join(''))
const texts = [...pieces, ...fc.sample(text, { seed, numRuns: 300 })]
const waypoints = counted({ quick: 100, all: 200, full: 400 })

/** A text as a parser of HTML reads it. */
const inHtml = (given: string): string =>
  given.toWellFormed().replaceAll(/\r\n?/gu, '\n').replaceAll('\u0000', '')

let out: string
let data: string
let pages: BuiltPage[]

beforeAll(async () => {
  const folder = await freshFolder()
  data = join(folder, 'export')
  out = join(folder, 'site')
  await writeFixture(data, { waypoints, hostile: true, texts })
  await buildSite({ data, out, languages: ['en'], url: 'https://lindenau.example/' })
  pages = await pagesOf(out)
})

describe('a site of generated texts with characters that programs stumble over', () => {
  it('shows every name completely, whatever characters are in it', async () => {
    const rows = linesIn(data, 'waypoints.ndjson.gz') as { id: number; name: string }[]
    expect(rows).toHaveLength(waypoints)
    for (const { id, name } of rows) {
      const page = pages.find(({ path }) => path === `/waypoint/${id}/`)
      const [heading] = page ? tagged(page, 'h1').map(textOf) : []
      expect(heading, JSON.stringify(name)).toBe(inHtml(name))
    }
  })

  it('has feeds and sitemaps that are XML, and JSON that is JSON', async () => {
    const own = (await filesOf(out)).filter((file) => !file.startsWith('data/'))
    const parsed = (ending: RegExp, parse: (text: string) => unknown) =>
      own.filter((file) => ending.test(file)).map((file) => parse(textIn(out, file)))
    expect(parsed(/\.(?:atom|xml)$/u, parseXml).length).toBeGreaterThan(2)
    expect(parsed(/\.(?:json|webmanifest)$/u, JSON.parse).length).toBeGreaterThan(3)
  })

  it('has no element, attribute or script that a text made', () => {
    const known = new Set(pages.flatMap((page) => page.elements.map(({ nodeName }) => nodeName)))
    expect([...known].filter((name) => !/^[a-zA-Z][a-zA-Z0-9]*$/u.test(name))).toEqual([])
    for (const page of pages) {
      for (const script of tagged(page, 'script')) {
        const type = attribute(script, 'type')
        if (type !== 'application/json' && type !== 'application/ld+json') continue
        expect(() => JSON.parse(textOf(script)) as unknown, page.path).not.toThrow()
      }
    }
  })

  it('names the fields of an edit as they are, whatever they are called', () => {
    const changes = pages.filter(({ path }) => path === '/changes/').flatMap(({ elements }) => elements)
    const shown = changes.map(textOf).join('\n')
    for (const field of hostileFields) expect(shown).toContain(`Edited: description, ${field}`)
  })
})
