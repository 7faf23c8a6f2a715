/** @module-tag long */
import { join } from 'node:path'
import { openRegistry, token, user } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { expect, it } from 'vitest'
import { jsonIn, textIn, newFolder } from '@openfountain/testing/folder'
import { availableLanguages, loadLanguages } from '../src/build/languages.ts'
import { buildSite } from '../src/index.ts'
import { attribute, pageAt, pagesOf, tagged, textOf } from '@openfountain/testing/site/built-site'
import type { BuiltPage } from '@openfountain/testing/site/built-site'

const tags = await availableLanguages()
/** The words of each language, and where its pages are. */
const languages = (await loadLanguages(tags)).map(({ tag, messages }, index) => {
  return { tag, ...messages, folder: index === 0 ? '' : `${tag}/` }
})
const secret = 'Grete Geheim, 0664 555 0199'
const secretPlace = { latitude: 55.123456, longitude: 13.654321 }

const read = (path: string): string => textIn(out, path)
const page = (path: string) => pageAt(pages, path)
const ofClass = ({ elements }: BuiltPage, name: string): string[] =>
  elements
    .filter((element) => attribute(element, 'class')?.split(' ').includes(name))
    .map((element) => textOf(element).replaceAll(/\s+/gu, ' ').trim())
const entriesOf = (of: BuiltPage): string[] => ofClass(of, 'entry-what')
const partOf = ({ elements }: BuiltPage, id: string): string =>
  elements.flatMap((one) => (attribute(one, 'id') === id ? [textOf(one)] : [])).join('')
const feedOf = (folder: string): { title: string; content_text: string }[] =>
  jsonIn(out, `${folder}changes.json`).items

const folder = newFolder()
const out = join(folder, 'site')
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

const leaver = (await users.create({ name: secret, xp: 100 })).id
await waypoints.create({ name: 'Spring', ...position, description: secret }, user(leaver))
await reviews.create({ bubblerId: 9, rating: 4, comment: secret }, user(leaver))
const moderator = (await users.create({ name: 'Mo', xp: 100, isModerator: true })).id
await waypoints.update(9, { approved: true }, user(moderator))
await reviews.create({ bubblerId: 9, rating: 4 }, user(moderator))
await registry.accounts.leave(leaver, { texts: 'erase' })
const data = join(folder, 'export')
await exportRegistry(registry, { out: data })
await registry.close()
await buildSite({ data, out, languages: tags, url: 'https://lindenau.example/' })
const pages = await pagesOf(out)

it('a site of a redacted log that somebody left shows the removed text and the removed position on no page and in no feed, and no page of the one who left', () => {
  expect(pages.length).toBeGreaterThan(languages.length)
  for (const { path, html } of pages) {
    expect(path).not.toContain(leaver)
    expect(html, path).not.toMatch(/Geheim|secret\.example|55\.123/u)
  }
  for (const { folder } of languages)
    for (const file of ['changes.atom', 'changes.json'])
      expect(read(`${folder}${file}`)).not.toContain('Geheim')
})

it('a site of a redacted log that somebody left says in the history of a fountain that text was removed, and from which fields of an edit', () => {
  expect(partOf(page('/waypoint/1/'), 'history')).toContain('Text removed')
  const history = partOf(page('/waypoint/2/'), 'history')
  expect(history).toContain('Edited: region, description, maintainer · Text removed')
  expect(history.match(/Text removed/gu)).toHaveLength(1)
  const switched = page('/waypoint/2/').elements.flatMap((element) => attribute(element, 'data-t') ?? [])
  const labels = ['action.edited', 'field.region', 'field.description', 'waypoint.redacted']
  expect(switched).toEqual(expect.arrayContaining(labels))
})

it.each(languages)(
  'a site of a redacted log that somebody left says in $tag among the changes and in the feeds what was removed, merged, restored and reverted',
  ({ folder, waypoint, action: { restored, merged } }) => {
    const { redacted: text, positionRemoved: position, reverts } = waypoint
    const shown = entriesOf(page(`/${folder}changes/`))
    const items = feedOf(folder)
    for (const entries of [shown, items.map((item) => item.content_text)]) {
      expect(entries.filter((entry) => entry.includes(` · ${text}`))).toHaveLength(4)
      const moved = entries.filter((entry) => entry.includes(` · ${position}`))
      expect(moved).toEqual([expect.stringContaining(` · ${text} · ${position}`)])
      expect(entries.some((entry) => entry.includes(` · ${reverts}`))).toBe(true)
    }
    const atom = read(`${folder}changes.atom`)
    expect([text, position].map((words) => atom.split(words).length - 1)).toEqual([4, 1])
    const undone = [restored, `${merged} Copy of the mill`, `${merged} Mill`]
    expect(shown).toEqual(expect.arrayContaining(undone))
    const titles = [`${restored}: Away and back`, `${merged} Mill: Copy of the mill`]
    expect(items.map(({ title }) => title)).toEqual(expect.arrayContaining(titles))
  },
)

it.each(languages)(
  'a site of a redacted log that somebody left calls in $tag a former member who left, programs what they are, and moderators so wherever their name is',
  ({ folder, contributors: { former, system, moderator: badge } }) => {
    expect(former).not.toBe(system)
    const shown = page(`/${folder}changes/`).elements.map(textOf).join(' ')
    for (const text of [shown, read(`${folder}changes.json`), read(`${folder}changes.atom`)])
      for (const word of [former, system]) expect(text).toContain(word)
    const once = folder === '' ? ['waypoint/9', `contributor/${moderator}`] : []
    for (const path of [...once, 'changes', 'leaderboard', 'contributors'])
      expect(ofClass(page(`/${folder}${path}/`), 'moderator')[0], path).toBe(badge)
    const texts = tagged(page('/waypoint/9/'), 'span').map(textOf)
    if (folder === '') expect(texts.filter((text) => text === former).length).toBeGreaterThan(2)
  },
)

it('a site in whose registry things were undone tells in the history of a fountain that it was merged, restored, and that an edit was reverted', () => {
  const edits = ['Edited: name · Reverts an earlier change', 'Edited: name']
  const history = [...edits, 'Restored', 'Merged into Mill', 'Created']
  expect(entriesOf(page('/waypoint/6/'))).toEqual(history)
})

it('a site in whose registry things were undone leads from the page of a merged fountain to the one that is left, whatever that was merged into, which has its reviews', () => {
  const refreshed = pages.flatMap((one) => {
    const meta = tagged(one, 'meta').find((tag) => attribute(tag, 'http-equiv') === 'refresh')
    return meta ? [[one.path, attribute(meta, 'content')]] : []
  })
  expect(refreshed.toSorted()).toEqual([4, 5].map((id) => [`/waypoint/${id}/`, '0; url=/waypoint/2/']))
  for (const id of [4, 5]) {
    const words = partOf(page(`/waypoint/${id}/`), 'content').replaceAll(/\s+/gu, ' ')
    expect(words).toMatch(/Copy of the [a-z]+\s?This fountain was merged into Mill/u)
  }
  for (const id of [4, 5, 6]) {
    const links = tagged(page(`/waypoint/${id}/`), 'a').filter((link) => textOf(link) === 'Mill')
    expect(links.map((link) => attribute(link, 'href'))).toContain('/waypoint/2/')
  }
  expect(partOf(page('/waypoint/2/'), 'reviews')).toContain('Cold and clear.')
  const inSitemap = [4, 6].map((id) => read('sitemap-en.xml').includes(`/waypoint/${id}/`))
  expect(inSitemap).toEqual([false, true])
  expect(pages.filter(({ path }) => /\/waypoint\/[78]\/$/u.test(path))).toEqual([])
})
