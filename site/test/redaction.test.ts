/** @module-tag long */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openRegistry, token, user } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { beforeAll, describe, expect, it } from 'vitest'
import { availableLanguages, loadLanguages } from '../src/build/languages.ts'
import { buildSite } from '../src/index.ts'
import { attribute, pagesOf, tagged, textOf, type BuiltPage } from '@openfountain/testing/site/built-site'
import { freshFolder } from '@openfountain/testing/site/sample'

const languages = await availableLanguages()
const words = (await loadLanguages(languages)).map(({ messages }) => messages)
const removedText = words.map(({ waypoint }) => waypoint.redacted)
const removedPosition = words.map(({ waypoint }) => waypoint.positionRemoved)
const restored = words.map(({ action }) => action.restored)
const merged = words.map(({ action }) => action.merged)
const reverts = words.map(({ waypoint }) => waypoint.reverts)
/** What every text field of the first fountain holds before it is removed. */
const secret = 'Grete Geheim, 0664 555 0199'
/** Where the fountain was whose position is removed. */
const secretPlace = { latitude: 55.123456, longitude: 13.654321 }

let out: string
let pages: BuiltPage[]

const read = (path: string): Promise<string> => readFile(join(out, path), 'utf8')
const page = (path: string): BuiltPage => {
  const found = pages.find((one) => one.path === path)
  if (!found) throw new Error(`There is no page ${path}`)
  return found
}
const partOf = ({ elements }: BuiltPage, id: string): string =>
  elements
    .filter((element) => attribute(element, 'id') === id)
    .map(textOf)
    .join('')
/** The entries of a list, each in one line, newest first. */
const entriesOf = (of: BuiltPage): string[] =>
  of.elements
    .filter((element) => attribute(element, 'class')?.split(' ').includes('entry-what'))
    .map((element) => textOf(element).replaceAll(/\s+/gu, ' ').trim())
const refreshOf = (of: BuiltPage): string | undefined =>
  tagged(of, 'meta')
    .filter((one) => attribute(one, 'http-equiv') === 'refresh')
    .map((one) => attribute(one, 'content'))[0]

beforeAll(async () => {
  const folder = await freshFolder()
  out = join(folder, 'site')
  let now = Date.parse('2026-01-05T08:00:00Z')
  const registry = await openRegistry({ database: ':memory:', clock: () => new Date((now += 60_000)) })
  const { waypoints, changes } = registry
  const position = { latitude: 55.7, longitude: 13.19 }
  const texts = { description: secret, maintainer: secret, region: secret, image: 'https://secret.example/g' }
  await waypoints.create({ name: secret, ...position, ...texts, amenities: [secret] }, token())
  await waypoints.create({ name: 'Mill', ...position }, token())
  await waypoints.update(
    2,
    { description: secret, maintainer: 'Grete Geheims Sohn', region: 'Lund' },
    token(),
  )
  await waypoints.create({ name: secret, ...secretPlace }, token())
  await waypoints.delete(3, token())
  const newest = async (bubblerId: number, action: 'created' | 'edited' | 'deleted') =>
    (await changes.list({ bubblerId, action })).logs[0]?.id ?? 0
  const edit = await newest(2, 'edited')
  await changes.redact(await newest(1, 'created'), { reason: 'A private number' })
  await changes.redact(edit, { reason: 'A private number', fields: ['description'] })
  await changes.redact(edit, { reason: 'The son too', fields: ['maintainer'] })
  const creation = await newest(3, 'created')
  await changes.redact(creation, { reason: 'A private number', fields: ['name'] })
  await changes.redact(creation, { reason: 'A garden', fields: ['latitude', 'longitude'] })

  await waypoints.create({ name: 'Copy of the mill', ...position }, token())
  const ada = await registry.users.create({ name: 'Ada', xp: 100 })
  await registry.reviews.create({ bubblerId: 4, rating: 4, comment: 'Cold and clear.' }, user(ada.id))
  await waypoints.create({ name: 'Copy of the copy', ...position }, token())
  await waypoints.merge(5, { into: 4, reason: 'The same' }, token())
  await waypoints.merge(4, { into: 2, reason: 'The same' }, token())
  await waypoints.create({ name: 'Away and back', ...position }, token())
  await waypoints.merge(6, { into: 2, reason: 'A mistake' }, token())
  await waypoints.restore(6, { reason: 'It is another one' }, token())
  await waypoints.update(6, { name: 'Spam' }, token())
  await changes.revert(await newest(6, 'edited'), { reason: 'Spam' }, token())
  await waypoints.create({ name: 'Merged into a deleted one', ...position }, token())
  await waypoints.create({ name: 'Deleted later', ...position }, token())
  await waypoints.merge(7, { into: 8, reason: 'The same' }, token())
  await waypoints.delete(8, token())
  const data = join(folder, 'export')
  await exportRegistry(registry, { out: data })
  await registry.close()
  await buildSite({ data, out, languages, url: 'https://lindenau.example/' })
  pages = await pagesOf(out)
})

describe('a site of a registry whose log was redacted', () => {
  it('shows the removed text and the removed position on no page and in no feed', async () => {
    expect(pages.length).toBeGreaterThan(languages.length)
    for (const { path, html } of pages) {
      expect(html, path).not.toContain('Geheim')
      expect(html, path).not.toContain('secret.example')
      expect(html, path).not.toContain('55.123')
    }
    for (const language of ['', 'de/', 'es/', 'fr/', 'it/']) {
      for (const file of ['changes.atom', 'changes.json']) {
        expect(await read(`${language}${file}`)).not.toContain('Geheim')
      }
    }
  })

  it('says in the history of a fountain that text was removed, and from which fields of an edit', () => {
    expect(partOf(page('/waypoint/1/'), 'history')).toContain('Text removed')
    const history = partOf(page('/waypoint/2/'), 'history')
    expect(history).toContain('Edited: region, description, maintainer · Text removed')
    expect(history.match(/Text removed/gu)).toHaveLength(1)
    const switched = page('/waypoint/2/').elements.flatMap((element) => attribute(element, 'data-t') ?? [])
    expect(switched).toEqual(
      expect.arrayContaining(['action.edited', 'field.region', 'field.description', 'waypoint.redacted']),
    )
  })

  it('says so among the changes and in the feeds of each language', async () => {
    for (const [index, language] of languages.entries()) {
      const folder = index === 0 ? '' : `${language}/`
      const text = removedText[index] ?? ''
      const position = removedPosition[index] ?? ''
      const isMarked = (words: string) => (entry: string) => entry.includes(` · ${words}`)
      const shown = entriesOf(page(`/${folder}changes/`))
      expect(shown.filter(isMarked(text)), language).toHaveLength(3)
      expect(shown.filter(isMarked(position)), language).toEqual([
        expect.stringContaining(` · ${text} · ${position}`),
      ])
      const { items } = JSON.parse(await read(`${folder}changes.json`)) as {
        items: { content_text: string }[]
      }
      const summaries = items.map((item) => item.content_text)
      expect(summaries.filter(isMarked(text)), language).toHaveLength(3)
      expect(summaries.filter(isMarked(position)), language).toHaveLength(1)
      const atom = await read(`${folder}changes.atom`)
      expect(atom.split(text).length - 1, language).toBe(3)
      expect(atom.split(position).length - 1, language).toBe(1)
    }
  })
})

describe('a site of a registry in which things were undone', () => {
  it('tells in the history of a fountain that it was merged, restored, and that an edit was reverted', () => {
    expect(entriesOf(page('/waypoint/6/'))).toEqual([
      'Edited: name · Reverts an earlier change',
      'Edited: name',
      'Restored',
      'Merged into Mill',
      'Created',
    ])
    const link = tagged(page('/waypoint/6/'), 'a').find((one) => textOf(one) === 'Mill')
    expect(link && attribute(link, 'href')).toBe('/waypoint/2/')
  })

  it('says so among the changes and in the feeds of each language', async () => {
    for (const [index, language] of languages.entries()) {
      const folder = index === 0 ? '' : `${language}/`
      const shown = entriesOf(page(`/${folder}changes/`))
      expect(shown, language).toEqual(
        expect.arrayContaining([
          expect.stringMatching(new RegExp(` · ${reverts[index]}$`, 'u')),
          restored[index],
          `${merged[index]} Copy of the mill`,
          `${merged[index]} Mill`,
        ]),
      )
      const { items } = JSON.parse(await read(`${folder}changes.json`)) as {
        items: { title: string; content_text: string }[]
      }
      expect(
        items.map(({ title }) => title),
        language,
      ).toEqual(
        expect.arrayContaining([
          `${restored[index]}: Away and back`,
          `${merged[index]} Mill: Copy of the mill`,
          `${merged[index]} Copy of the mill: Copy of the copy`,
        ]),
      )
      expect(items.some((item) => item.content_text.includes(` · ${reverts[index]}, `))).toBe(true)
    }
  })

  it('leads from the page of a merged fountain to the one that is left, whatever that was merged into', () => {
    for (const id of [4, 5]) {
      const one = page(`/waypoint/${id}/`)
      expect(refreshOf(one)).toBe('0; url=/waypoint/2/')
      expect(partOf(one, 'content').replaceAll(/\s+/gu, ' ')).toMatch(
        /Copy of the [a-z]+\s?This fountain was merged into Mill/u,
      )
      const links = tagged(one, 'a').filter((link) => textOf(link) === 'Mill')
      expect(links.map((link) => attribute(link, 'href'))).toEqual(['/waypoint/2/'])
    }
    expect(refreshOf(page('/waypoint/2/'))).toBeUndefined()
    expect(refreshOf(page('/waypoint/6/'))).toBeUndefined()
  })

  it('has the reviews of a merged fountain on the page of the one that is left', () => {
    expect(partOf(page('/waypoint/2/'), 'reviews')).toContain('Cold and clear.')
  })

  it('has no page for a fountain that was merged into one which is deleted', () => {
    const paths = pages.map(({ path }) => path)
    expect(paths).not.toContain('/waypoint/7/')
    expect(paths).not.toContain('/waypoint/8/')
  })

  it('does not list the pages of merged fountains in the sitemap', async () => {
    const sitemap = await read('sitemap-1.xml')
    expect(sitemap).toContain('/waypoint/6/')
    expect(sitemap).not.toContain('/waypoint/4/')
  })
})
