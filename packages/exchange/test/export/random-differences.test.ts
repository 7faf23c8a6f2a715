/** @module-tag long */
import { join } from 'node:path'
import type { Registry } from '@openfountain/core'
import { expect, test } from 'vitest'
import { RandomHistory } from '@openfountain/testing/histories/random-history'
import { exportSnapshot } from '../../src/export/export.ts'
import { openRandom, seedsOf } from './random-registry.ts'
import { temporaryFolder, textIn } from './written-edition.ts'

/** The rows of a file by id, each as it is written. */
type Rows = Map<number, string>

const rowsOf = (text: string, row: RegExp): Rows =>
  new Map(Array.from(text.matchAll(row), ([all, id]) => [Number(id), all]))

// A row of CSV goes on over line breaks within quotes.
const csvRow = /^(\d+),(?:[^"\r\n]|"(?:[^"]|"")*")*\r\n/gmu
const jsonRow = /^\{"id":(\d+),.*\}(?=,?$)/gmu

/** How the rows of each format that has differences are found in it. */
const formats = {
  ndjson: { file: 'waypoints.ndjson.gz', row: jsonRow, of: 'waypoint' },
  csv: { file: 'waypoints.csv', row: csvRow, of: 'waypoint' },
  geojson: {
    file: 'waypoints.geojson',
    row: /^\{"type":"Feature","id":(\d+),.*\}(?=,?$)/gmu,
    of: 'waypoint',
  },
  kml: {
    file: 'waypoints.kml',
    row: /^<Placemark id="waypoint-(\d+)">[\s\S]*?<\/Placemark>$/gmu,
    of: 'waypoint',
  },
  'reviews.json': { file: 'reviews.json', row: jsonRow, of: 'review' },
  'reviews.csv': { file: 'reviews.csv', row: csvRow, of: 'review' },
} as const

const names = Object.keys(formats)

async function exported(registry: Registry, since?: string): Promise<string> {
  const out = join(temporaryFolder(), 'out')
  const snapshot = await registry.snapshot({ asOf: await registry.observations.today() })
  const publisher = { name: 'Lund', author: 'Lund', license: 'ODbL-1.0' }
  const chosen = since === undefined ? names : [...names, 'difference']
  await exportSnapshot(snapshot, publisher, { out, since, formats: chosen })
  snapshot.close()
  return out
}

/** Ids of what was removed, as tombstones say it. */
function removedIn(out: string): Record<'waypoint' | 'review', Set<number>> {
  const removed = { waypoint: new Set<number>(), review: new Set<number>() }
  for (const line of textIn(out, 'difference.ndjson.gz').split('\n')) {
    if (line === '') continue
    const { change, id, review_id: reviewId } = JSON.parse(line)
    if (change !== 'removed') continue
    if (reviewId === undefined) removed.waypoint.add(id)
    else removed.review.add(reviewId)
  }
  return removed
}

test.each(seedsOf(12))(
  'an earlier export and the difference are the later export in every format: history %d',
  async (seed) => {
    const history = new RandomHistory(seed)
    const { chance } = history
    const random = await openRandom(history, 60_000)
    const { registry } = random
    try {
      for (let step = 0; step < 60; step++) await history.step(registry)
      let old = await exported(registry)
      for (let round = 0; round < 3; round++) {
        const { id, hash } = await registry.changes.head()
        // Long enough for words to age and seasons to turn, or not even to the next day.
        if (!chance.isIn(3)) random.passDays(1 + chance.below(200))
        if (chance.isIn(2)) await registry.observations.age()
        // In no entry of the log: boundaries were drawn anew.
        if (chance.isIn(2)) {
          const meridian = chance.below(360) - 180
          await registry.waypoints.assignPlaces(({ longitude }) =>
            longitude < meridian ? { country: 'SE', name: 'West' } : { country: 'SE' },
          )
        }
        for (let step = 1 + chance.below(15); step > 0; step--) await history.step(registry)
        const difference = await exported(registry, `${id}:${hash}`)
        const later = await exported(registry)
        const removed = removedIn(difference)
        for (const [name, { file, row, of }] of Object.entries(formats)) {
          const rows = rowsOf(textIn(old, file), row)
          for (const id of removed[of]) rows.delete(id)
          for (const [id, text] of rowsOf(textIn(difference, file), row)) rows.set(id, text)
          const all = [...rows].toSorted(([one], [other]) => one - other).map(([, text]) => text)
          expect(all, `${name}, round ${round}`).toEqual([...rowsOf(textIn(later, file), row).values()])
          if (name !== 'ndjson') continue
          // A file without anything around its rows is the same to the last byte.
          expect(all.map((text) => `${text}\n`).join('')).toBe(textIn(later, file))
        }
        old = later
      }
    } finally {
      await random.close()
    }
  },
)
