import { join } from 'node:path'
import { openRegistry, token, user } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { expect, it } from 'vitest'
import { buildSite } from '../src/index.ts'
import { pagesOf, tagged, textOf } from '@openfountain/testing/site/built-site'
import { freshFolder } from '@openfountain/testing/site/sample'

/** What some program takes for the end of a line or of a text, or cannot write. */
const odd = [
  ['a line separator', '\u2028'],
  ['a paragraph separator', '\u2029'],
  ['a line feed', '\n'],
  ['a tab', '\t'],
  ['a byte order mark', '\ufeff'],
  ['a noncharacter', '\uffff'],
  ['a mark that turns the direction', '\u200f'],
  ['a character of four bytes', '🌊'],
  ['a quote and a backslash', '"\\'],
  ['a path', '/../'],
  ['a percent sign', '%2F%'],
] as const

it('a site shows every name completely, whatever characters are in it', async () => {
  const folder = await freshFolder()
  const data = join(folder, 'export')
  const out = join(folder, 'site')
  const registry = await openRegistry({ database: ':memory:', clock: () => new Date('2026-01-05T08:00:00Z') })
  for (const [index, [, text]] of odd.entries()) {
    const name = `Well${text}${index}`
    const { id: userId } = await registry.users.create({ name, xp: 100 })
    const position = { latitude: 55.7 + index / 100, longitude: 13.19 }
    const given = { name, description: name, region: name, maintainer: name, amenities: [name], ...position }
    const { id } = await registry.waypoints.create(given, token())
    await registry.reviews.create({ bubblerId: id, rating: 4, comment: name }, user(userId))
  }
  await exportRegistry(registry, { out: data })
  await registry.close()
  await buildSite({ data, out, languages: ['en'], url: 'https://lindenau.example/' })
  const pages = await pagesOf(out)
  for (const [index, [what, text]] of odd.entries()) {
    const page = pages.find(({ path }) => path === `/waypoint/${index + 1}/`)
    const [heading] = page ? tagged(page, 'h1').map(textOf) : []
    expect(heading, what).toBe(`Well${text}${index}`)
  }
})
