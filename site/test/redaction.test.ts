import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openRegistry, token } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildSite } from '../src/index.ts'
import { attribute, pagesOf, textOf, type BuiltPage } from './built-site.ts'
import { freshFolder } from './sample.ts'

const languages = ['en', 'de', 'es', 'fr', 'it']
const removed = ['Text removed', 'Text entfernt', 'Texto retirado', 'Texte retiré', 'Testo rimosso']
/** What every text field of the first fountain holds before it is removed. */
const secret = 'Grete Geheim, 0664 555 0199'

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

beforeAll(async () => {
  const folder = await freshFolder()
  out = join(folder, 'site')
  let now = Date.parse('2026-01-05T08:00:00Z')
  const registry = await openRegistry({ database: ':memory:', clock: () => new Date((now += 60_000)) })
  const position = { latitude: 55.7, longitude: 13.19 }
  const texts = { description: secret, maintainer: secret, region: secret, image: 'https://secret.example/g' }
  await registry.waypoints.create({ name: secret, ...position, ...texts, amenities: [secret] }, token())
  await registry.waypoints.create({ name: 'Mill', ...position }, token())
  await registry.waypoints.update(2, { description: secret, maintainer: 'Town' }, token())
  await registry.waypoints.create({ name: secret, ...position }, token())
  await registry.waypoints.delete(3, token())
  await registry.changes.redact(1, { reason: 'A private number' })
  await registry.changes.redact(3, { reason: 'A private number', fields: ['description'] })
  await registry.changes.redact(4, { reason: 'A private number' })
  const data = join(folder, 'export')
  await exportRegistry(registry, { out: data })
  await registry.close()
  await buildSite({ data, out, languages, url: 'https://lindenau.example/' })
  pages = await pagesOf(out)
})

describe('a site of a registry whose log was redacted', () => {
  it('shows the removed text on no page and in no feed', async () => {
    expect(pages.length).toBeGreaterThan(languages.length)
    for (const { path, html } of pages) {
      expect(html, path).not.toContain('Geheim')
      expect(html, path).not.toContain('secret.example')
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
    expect(history).toMatch(/Edited: maintainer, description · Text removed/u)
    expect(history.match(/Text removed/gu)).toHaveLength(1)
  })

  it('says so among the changes and in the feeds of each language', async () => {
    for (const [index, language] of languages.entries()) {
      const folder = index === 0 ? '' : `${language}/`
      const words = removed[index] ?? ''
      const shown = page(`/${folder}changes/`).elements.map(textOf)[0] ?? ''
      expect(shown.split(words).length - 1, language).toBe(3)
      const { items } = JSON.parse(await read(`${folder}changes.json`))
      const marked = items.filter((item: { content_text: string }) => item.content_text.includes(words))
      expect(marked, language).toHaveLength(3)
      expect((await read(`${folder}changes.atom`)).split(words).length - 1, language).toBe(3)
    }
  })
})
