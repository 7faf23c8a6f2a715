/** @module-tag long */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openRegistry, token, user } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { beforeAll, describe, expect, it } from 'vitest'
import { availableLanguages, loadLanguages } from '../src/build/languages.ts'
import { buildSite } from '../src/index.ts'
import { attribute, pagesOf, textOf, type BuiltPage } from '@openfountain/testing/site/built-site'
import { freshFolder } from '@openfountain/testing/site/sample'

const languages = await availableLanguages()
const words = (await loadLanguages(languages)).map(({ messages }) => messages.contributors)
const secret = 'Grete Geheim'

let out: string
let pages: BuiltPage[]
let leaver: string
let mo: string

beforeAll(async () => {
  const folder = await freshFolder()
  out = join(folder, 'site')
  const registry = await openRegistry({ database: ':memory:', clock: () => new Date('2026-01-05T08:00:00Z') })
  const { id } = await registry.users.create({ name: secret, xp: 100 })
  leaver = id
  const position = { latitude: 55.7, longitude: 13.19 }
  await registry.waypoints.create({ name: 'Mill', ...position, description: secret }, user(id))
  await registry.waypoints.create({ name: 'Spring', latitude: 1, longitude: 2 }, token())
  await registry.reviews.create({ bubblerId: 1, rating: 4, comment: secret }, user(id))
  mo = (await registry.users.create({ name: 'Mo', xp: 100, isModerator: true })).id
  await registry.waypoints.update(2, { approved: true }, user(mo))
  await registry.reviews.create({ bubblerId: 2, rating: 4 }, user(mo))
  await registry.accounts.leave(id, { texts: 'erase' })
  const data = join(folder, 'export')
  await exportRegistry(registry, { out: data })
  await registry.close()
  await buildSite({ data, out, languages, url: 'https://lindenau.example/' })
  pages = await pagesOf(out)
}, 300_000)

describe('a site of a registry that somebody left', () => {
  it('has a page for nobody of that name, and no name or text of theirs', async () => {
    expect(pages.filter(({ path }) => path.includes(leaver))).toEqual([])
    for (const page of pages) expect(page.html).not.toContain(secret)
  })

  it('calls them a former member in every language, and programs what they are, on pages and in feeds', async () => {
    for (const [index, language] of languages.entries()) {
      const folder = index === 0 ? '' : `${language}/`
      const { former = '', system = '' } = words[index] ?? {}
      expect(former).not.toBe(system)
      const changes = pages.find(({ path }) => path === `/${folder}changes/`)
      const shown = changes?.elements.map(textOf).join(' ')
      for (const word of [former, system]) expect(shown, language).toContain(word)
      for (const feed of ['changes.json', 'changes.atom']) {
        const text = await readFile(join(out, folder, feed), 'utf8')
        for (const word of [former, system]) expect(text, language).toContain(word)
        expect(text).not.toContain(secret)
      }
    }
  })

  it('shows in every language who is a moderator, wherever their name is', () => {
    for (const [index, { moderator }] of words.entries()) {
      const folder = index === 0 ? '' : `${languages[index]}/`
      const ofAll = index === 0 ? ['/waypoint/2/', `/contributor/${mo}/`] : []
      for (const path of [
        ...ofAll,
        ...['changes', 'leaderboard', 'contributors'].map((one) => `/${folder}${one}/`),
      ]) {
        const page = pages.find((each) => each.path === path)
        const badges = page?.elements.filter((element) => attribute(element, 'class') === 'moderator')
        expect(badges?.map(textOf)[0], path).toBe(moderator)
      }
    }
  })

  it('calls them so on the page of what they added and reviewed', () => {
    const { former = '', system = '' } = words[0] ?? {}
    const texts = pages
      .find(({ path }) => path === '/waypoint/1/')
      ?.elements.flatMap((element) => (element.tagName === 'span' ? [textOf(element)] : []))
    // Who added it, who reviewed it, and who made the entries of its history.
    expect(texts?.filter((text) => text === former).length).toBeGreaterThan(2)
    expect(texts).toContain(system)
  })
})
