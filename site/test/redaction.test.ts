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

const tags = await availableLanguages()
/** The words of each language, and where its pages are. */
const languages = (await loadLanguages(tags)).map(({ tag, messages }, index) => ({
  tag,
  ...messages,
  folder: index === 0 ? '' : `${tag}/`,
}))
/** A word in every text that is removed later. */
const secret = 'Grete Geheim, 0664 555 0199'
/** Where the fountain was whose position is removed. */
const secretPlace = { latitude: 55.123456, longitude: 13.654321 }

let out: string
let pages: BuiltPage[]
let leaver: string
let moderator: string

const read = (path: string): Promise<string> => readFile(join(out, path), 'utf8')
const page = (path: string): BuiltPage => {
  const found = pages.find((one) => one.path === path)
  if (!found) throw new Error(`There is no page ${path}`)
  return found
}
const ofClass = ({ elements }: BuiltPage, name: string): string[] =>
  elements
    .filter((element) => attribute(element, 'class')?.split(' ').includes(name))
    .map((element) => textOf(element).replaceAll(/\s+/gu, ' ').trim())
/** The entries of a list, each in one line, newest first. */
const entriesOf = (of: BuiltPage): string[] => ofClass(of, 'entry-what')
const partOf = ({ elements }: BuiltPage, id: string): string =>
  elements
    .filter((element) => attribute(element, 'id') === id)
    .map(textOf)
    .join('')
const feedOf = async (folder: string) =>
  (JSON.parse(await read(`${folder}changes.json`)) as { items: { title: string; content_text: string }[] })
    .items

beforeAll(async () => {
  const folder = await freshFolder()
  out = join(folder, 'site')
  let now = Date.parse('2026-01-05T08:00:00Z')
  const registry = await openRegistry({ database: ':memory:', clock: () => new Date((now += 60_000)) })
  const { waypoints, changes, users, reviews } = registry
  const position = { latitude: 55.7, longitude: 13.19 }
  const texts = { description: secret, maintainer: secret, region: secret, image: 'https://secret.example/g' }
  await waypoints.create({ name: secret, ...position, ...texts, amenities: [secret] }, token())
  await waypoints.create({ name: 'Mill', ...position }, token())
  const edited = { description: secret, maintainer: 'Grete Geheims Sohn', region: 'Lund' }
  await waypoints.update(2, edited, token())
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
  const { id: ada } = await users.create({ name: 'Ada', xp: 100 })
  await reviews.create({ bubblerId: 4, rating: 4, comment: 'Cold and clear.' }, user(ada))
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

  leaver = (await users.create({ name: secret, xp: 100 })).id
  await waypoints.create({ name: 'Spring', ...position, description: secret }, user(leaver))
  await reviews.create({ bubblerId: 9, rating: 4, comment: secret }, user(leaver))
  moderator = (await users.create({ name: 'Mo', xp: 100, isModerator: true })).id
  await waypoints.update(9, { approved: true }, user(moderator))
  await reviews.create({ bubblerId: 9, rating: 4 }, user(moderator))
  await registry.accounts.leave(leaver, { texts: 'erase' })
  const data = join(folder, 'export')
  await exportRegistry(registry, { out: data })
  await registry.close()
  await buildSite({ data, out, languages: tags, url: 'https://lindenau.example/' })
  pages = await pagesOf(out)
})

describe('a site of a registry whose log was redacted, and which somebody left', () => {
  it('shows the removed text and the removed position on no page and in no feed, and no page of the one who left', async () => {
    expect(pages.length).toBeGreaterThan(languages.length)
    for (const { path, html } of pages) {
      expect(path).not.toContain(leaver)
      expect(html, path).not.toMatch(/Geheim|secret\.example|55\.123/u)
    }
    for (const { folder } of languages)
      for (const file of ['changes.atom', 'changes.json'])
        expect(await read(`${folder}${file}`)).not.toContain('Geheim')
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

  it.each(languages)('says so in $tag among the changes and in the feeds', async ({ folder, waypoint }) => {
    const { redacted: text, positionRemoved: position } = waypoint
    const shown = entriesOf(page(`/${folder}changes/`))
    const summaries = (await feedOf(folder)).map((item) => item.content_text)
    const atom = await read(`${folder}changes.atom`)
    for (const entries of [shown, summaries]) {
      expect(entries.filter((entry) => entry.includes(` · ${text}`))).toHaveLength(4)
      const moved = entries.filter((entry) => entry.includes(` · ${position}`))
      expect(moved).toEqual([expect.stringContaining(` · ${text} · ${position}`)])
    }
    expect([text, position].map((words) => atom.split(words).length - 1)).toEqual([4, 1])
  })

  it.each(languages)(
    'calls in $tag a former member who left, programs what they are, and moderators so wherever their name is',
    async ({ folder, contributors: { former, system, moderator: badge } }) => {
      expect(former).not.toBe(system)
      const shown = page(`/${folder}changes/`).elements.map(textOf).join(' ')
      for (const text of [shown, await read(`${folder}changes.json`), await read(`${folder}changes.atom`)])
        for (const word of [former, system]) expect(text).toContain(word)
      const once = folder === '' ? ['waypoint/9', `contributor/${moderator}`] : []
      for (const path of [...once, 'changes', 'leaderboard', 'contributors'])
        expect(ofClass(page(`/${folder}${path}/`), 'moderator')[0], path).toBe(badge)
    },
  )

  it('calls them so on the page of what they added and reviewed', () => {
    const { former, system } = languages[0]?.contributors ?? {}
    const texts = tagged(page('/waypoint/9/'), 'span').map(textOf)
    // Who added it, who reviewed it, and who made the entries of its history.
    expect(texts.filter((text) => text === former).length).toBeGreaterThan(2)
    expect(texts).toContain(system)
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

  it.each(languages)('says so in $tag among the changes and in the feeds', async ({ folder, ...words }) => {
    const { restored, merged } = words.action
    const { reverts } = words.waypoint
    const shown = entriesOf(page(`/${folder}changes/`))
    expect(shown).toEqual(expect.arrayContaining([restored, `${merged} Copy of the mill`, `${merged} Mill`]))
    expect(shown.some((entry) => entry.endsWith(` · ${reverts}`))).toBe(true)
    const items = await feedOf(folder)
    expect(items.map(({ title }) => title)).toEqual(
      expect.arrayContaining([
        `${restored}: Away and back`,
        `${merged} Mill: Copy of the mill`,
        `${merged} Copy of the mill: Copy of the copy`,
      ]),
    )
    expect(items.some((item) => item.content_text.includes(` · ${reverts}, `))).toBe(true)
  })

  it('leads from the page of a merged fountain to the one that is left, whatever that was merged into', async () => {
    const refreshed = pages.flatMap((one) => {
      const meta = tagged(one, 'meta').find((tag) => attribute(tag, 'http-equiv') === 'refresh')
      return meta ? [[one.path, attribute(meta, 'content')]] : []
    })
    expect(refreshed.toSorted()).toEqual([
      ['/waypoint/4/', '0; url=/waypoint/2/'],
      ['/waypoint/5/', '0; url=/waypoint/2/'],
    ])
    for (const id of [4, 5]) {
      const one = page(`/waypoint/${id}/`)
      expect(partOf(one, 'content').replaceAll(/\s+/gu, ' ')).toMatch(
        /Copy of the [a-z]+\s?This fountain was merged into Mill/u,
      )
      const links = tagged(one, 'a').filter((link) => textOf(link) === 'Mill')
      expect(links.map((link) => attribute(link, 'href'))).toEqual(['/waypoint/2/'])
    }
    const sitemap = await read('sitemap-1.xml')
    expect(sitemap).toContain('/waypoint/6/')
    expect(sitemap).not.toContain('/waypoint/4/')
  })

  it('has the reviews of a merged fountain on the page of the one that is left, and no page for one that was merged into a deleted one', () => {
    expect(partOf(page('/waypoint/2/'), 'reviews')).toContain('Cold and clear.')
    const paths = pages.map(({ path }) => path)
    expect(paths.filter((path) => /\/waypoint\/[78]\/$/u.test(path))).toEqual([])
  })
})
