import path from 'node:path'
import type { Registry } from '@openfountain/core'
import { expect, test } from 'vitest'
import { counted, seed } from '@openfountain/testing/effort'
import { newFolder, textIn } from '@openfountain/testing/folder'
import { RandomHistory } from '@openfountain/testing/histories/random-history'
import { emptyRegistry } from '@openfountain/testing/registry'
import { exportRegistry } from '../../src/index.ts'

const first = seed + 1
const others = Array.from(
  { length: counted({ quick: 1, all: 4, full: 12 }) },
  (_, index) => first + 1 + index,
)

async function random(given: number) {
  const history = new RandomHistory(given, { hostile: given % 2 === 0 })
  const { chance } = history
  let now = Date.UTC(2026, 2, 1)
  const registry = await emptyRegistry({
    durability: 'relaxed',
    license: 'ODbL-1.0',
    clock: () => new Date((now += 60_000)),
    random: (bytes) => chance.bytes(bytes),
  })
  return { registry, history, chance, passDays: (days: number) => (now += days * 86_400_000) }
}

type Rows = Map<number, string>

const rowsOf = (text: string, row: RegExp): Rows =>
  new Map(Array.from(text.matchAll(row), ([all, id]) => [Number(id), all]))

// A CSV row continues over line breaks within quotes.
const csvRow = /^(\d+),(?:[^"\r\n]|"(?:[^"]|"")*")*\r\n/gmu
// Text may have U+2028 and U+2029, which end a line for `.`, `^` and `$`.
const jsonRow = /(?<![^\n])\{"id":(\d+),[^\n]*\}(?=,?\n)/gu
const featureRow = /(?<![^\n])\{"type":"Feature","id":(\d+),[^\n]*\}(?=,?\n)/gu
const placemark = /^<Placemark id="waypoint-(\d+)">[\s\S]*?<\/Placemark>$/gmu

const differing: Readonly<Record<string, readonly [file: string, row: RegExp, of: 'id' | 'review_id']>> = {
  ndjson: ['waypoints.ndjson.gz', jsonRow, 'id'],
  csv: ['waypoints.csv', csvRow, 'id'],
  geojson: ['waypoints.geojson', featureRow, 'id'],
  kml: ['waypoints.kml', placemark, 'id'],
  'reviews.json': ['reviews.json', jsonRow, 'review_id'],
  'reviews.csv': ['reviews.csv', csvRow, 'review_id'],
}

async function exported(registry: Registry, since?: string): Promise<string> {
  const out = path.join(newFolder(), 'out')
  const asOf = await registry.observations.today()
  const formats = [...Object.keys(differing), ...(since === undefined ? [] : ['difference'])]
  await exportRegistry(registry, { out, since, asOf, formats })
  return out
}

async function isUpdated(each: number): Promise<void> {
  const { registry, history, chance, passDays } = await random(each)
  for (let step = 0; step < 60; step++) await history.step(registry)
  let old = await exported(registry)
  for (let round = 0; round < 3; round++) {
    const { id, hash } = await registry.changes.head()
    // Long enough for statuses to age and seasons to change, or less than a day.
    if (!chance.isIn(3)) passDays(1 + chance.below(200))
    if (chance.isIn(2)) await registry.observations.age()
    // New boundaries, which are in no entry of the log.
    const meridian = chance.below(360) - 180
    if (chance.isIn(2))
      await registry.waypoints.assignPlaces(({ longitude }) => ({
        country: 'SE',
        ...(longitude < meridian && { name: 'West' }),
      }))
    for (let step = 1 + chance.below(15); step > 0; step--) await history.step(registry)
    const [difference, later] = [await exported(registry, `${id}:${hash}`), await exported(registry)]
    const tombstones = textIn(difference, 'difference.ndjson.gz').match(/^\{"change":"removed".*$/gmu) ?? []
    for (const [name, [file, row, of]] of Object.entries(differing)) {
      const rows = rowsOf(textIn(old, file), row)
      for (const removed of tombstones.map((line) => JSON.parse(line))) rows.delete(removed[of])
      for (const [changed, text] of rowsOf(textIn(difference, file), row)) rows.set(changed, text)
      const all = [...rows].toSorted(([one], [other]) => one - other).map(([, text]) => text)
      expect(all, `${name}, round ${round}`).toEqual([...rowsOf(textIn(later, file), row).values()])
    }
    old = later
  }
}
test.each([first])(
  'an earlier export and the difference are the later export in every format: history %d',
  isUpdated,
)
test.each(others)(
  'an earlier export and the difference are the later export in another history: %d',
  { tags: ['long'] },
  isUpdated,
)
