import { newPage } from '@openfountain/testing/browser/page'
import { linesIn, jsonIn } from '@openfountain/testing/folder'
import { pagesOf } from '@openfountain/testing/site/built-site'
import { builtSite, exportOf, hostedSite } from '@openfountain/testing/site/sites'
import { mapReady } from '@openfountain/testing/site/visit'
import { expect, it } from 'vitest'
import { availableLanguages, loadLanguages } from '../src/build/languages.ts'
import { knownTo, textsOfPage, type SaidText } from './language-texts.ts'

const languages = await loadLanguages(await availableLanguages())
const known = new Map(languages.map(({ tag, messages }) => [tag, knownTo(messages)]))
const isKnown = (tag: string, text: string): boolean => known.get(tag)?.(text) ?? false

/** Proper names, abbreviations, sizes and files, which are the same in every language. */
const names =
  /^(?:\p{Lu}{1,6}|[\w.]+\.[a-z]+|ODbL-1\.0|Lindenau(?: Fountains)?|SHA256SUMS|Old Harbour|Mill Hill|Linden Quarter|(?:Market|Chestnut|Lower|School|Rose) \w+ \d+(?:, (?:Old Harbour|Linden Quarter|Mill Hill))?|Ada Brook|GeoJSON|DuckDB|Python|OpenStreetMap|(?:Organic|Apple|Google) Maps|[\d., ]+ k?B)$/u

/** The texts in another language than they claim. @param inEnglish texts that English pages have */
function foreign(texts: readonly SaidText[], inEnglish: ReadonlySet<string>): string[] {
  const claims = new Set(
    texts.filter(({ lang }) => lang !== '' && lang !== 'en').map((one) => JSON.stringify(one)),
  )
  return [...claims]
    .map((one): SaidText => JSON.parse(one))
    .filter(({ lang, text }) => !isKnown(lang, text) && !names.test(text))
    .filter(({ text }) => inEnglish.has(text) || isKnown('en', text))
    .map(({ lang, text }) => `${lang}: ${text}`)
}

const titled = (title: string): SaidText[] => textsOfPage(`<html lang="de"><title>${title}</title>`)

const pages = await pagesOf(await builtSite('sample with API'))
const texts = pages.flatMap(({ html }) => textsOfPage(html))

it('languages: no page has a text of another language than it claims', () => {
  const claimed = (tag: string) => texts.filter(({ lang }) => lang === tag)
  const inEnglish = new Set(claimed('en').map(({ text }) => text))
  expect(inEnglish.size).toBeGreaterThan(500)
  for (const { tag } of languages) expect(claimed(tag).length, tag).toBeGreaterThan(1000)
  expect(foreign(texts, inEnglish)).toEqual([])
})

it('languages: what people wrote claims no language', async () => {
  const data = await exportOf('sample')
  const { reviews } = jsonIn(data, 'reviews.json') as { reviews: { comment?: string }[] }
  const written = new Set([
    ...reviews.flatMap(({ comment }) => comment ?? []),
    ...linesIn(data, 'waypoints.ndjson.gz').map(({ description }) => String(description)),
  ])
  // The description of a page for search engines has parts of both.
  const own = texts.filter(({ text, isInHead }) => !isInHead && written.has(text))
  expect(own.length).toBeGreaterThan(50)
  expect(own.filter(({ lang }) => lang !== '')).toEqual([])
})

it(
  'languages: a page that exists once, and a map, are all in the language of the reader',
  { tags: ['browser'] },
  async () => {
    const host = await hostedSite('sample')
    const page = await newPage({ locale: 'de-DE' })
    for (const path of [
      'waypoint/2/',
      'waypoint/5/',
      'contributor/person-1/',
      'offline/',
      'no-such-page/',
      'de/?fountain=2',
    ]) {
      const answer = await page.request.get(`${host.url}${path}`)
      const before = new Set(textsOfPage(await answer.text()).map(({ text }) => text))
      await page.goto(`${host.url}${path}`, { waitUntil: 'networkidle' })
      await page.waitForFunction(() => document.documentElement.lang === 'de')
      if (path === 'de/?fountain=2') {
        await mapReady(page)
        await page.waitForSelector('#card:not([hidden]) .tags')
      }
      const shown = textsOfPage(await page.content()).filter(({ isInHead }) => !isInHead)
      expect(shown.length).toBeGreaterThan(20)
      const told = [...shown, ...titled(await page.title())]
      expect(foreign(told, path === 'de/?fountain=2' ? new Set() : before), path).toEqual([])
    }
  },
)
