import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '@openfountain/testing/folder'
import { editionOf, type Edition } from '../../src/export/edition.ts'
import { Pieces } from '../../src/export/folder/pieces.ts'
import { publishEdition, type ListedFile } from '../../src/export/folder/publish.ts'
import type { WaypointRecord } from '../../src/export/snapshot.ts'
import { pmtiles } from '../../src/export/tiles/tiles.ts'
import { archiveIn, publisher, snapshotOf, waypoint } from './sample-snapshot.ts'

/** Exports of waypoints into one folder, each after another one. */
class Line {
  readonly folder = newFolder()

  path(name: string): string {
    return path.join(this.folder, name, pmtiles.file)
  }

  bytes(name: string): Buffer {
    return readFileSync(this.path(name))
  }

  async exported(
    name: string,
    waypoints: readonly WaypointRecord[],
    { after, basis = 'one', ...more }: Partial<Edition> & { after?: string; basis?: string } = {},
  ): Promise<ListedFile | undefined> {
    const out = path.join(this.folder, name)
    for (const each of [out, `${out}-kept`]) mkdirSync(each)
    const earlier = after === undefined ? undefined : path.join(this.folder, after)
    const pieces = new Pieces({ basis, from: earlier && `${earlier}-kept`, to: `${out}-kept`, earlier })
    const edition = editionOf({ snapshot: snapshotOf({ waypoints }), publisher })
    const { files } = await publishEdition(out, { ...edition, pieces, ...more }, [pmtiles])
    return files.find(({ file }) => file === pmtiles.file)
  }
}

// It is alone from the third zoom on.
const far = waypoint(2, { longitude: -70, latitude: -40 })
let ofFar: Promise<number> | undefined

/** The bytes of the tiles that the far fountain has alone. */
async function takenOverOfFar(): Promise<number> {
  const line = new Line()
  await line.exported('alone', [waypoint(3), far])
  const taken = (await line.exported('far', [waypoint(1), far], { after: 'alone' }))?.takenOver ?? 0
  if (taken === 0) throw new Error('nothing was taken over')
  return taken
}

test.each<[string, Partial<WaypointRecord>]>([
  ['its name', { name: 'Mill' }],
  ['a name of its own', { name: 'Drinking fountain at 55.7029, 13.1929' }],
  ['whether it is verified', { verified: true }],
  ['whether it is approved', { approved: true }],
  ['its state', { state: 'off' }],
  ['its amenities', { amenities: ['wheelchair'] }],
  ['its region', { region: 'Lund' }],
  ['its rating', { rating: 4.5 }],
  ['its place', { longitude: 13.5 }],
])('when %s changes, the tiles with a fountain are made anew, and no others', async (_, change) => {
  const line = new Line()
  await line.exported('first', [waypoint(1), far])
  const second = await line.exported('second', [waypoint(1, change), far], { after: 'first' })
  await line.exported('anew', [waypoint(1, change), far])
  expect(line.bytes('second').equals(line.bytes('anew'))).toBe(true)
  expect(second?.takenOver).toBe(await (ofFar ??= takenOverOfFar()))
})

const records = Array.from({ length: 60 }, (_, index) =>
  waypoint(index + 1, {
    longitude: (index % 8) * 45 - 179,
    latitude: index / 200,
    name: `Fountain ${index % 7}`,
  }),
)

interface Damage {
  readonly what: string
  readonly damage?: (archive: string, kept: string) => void
  readonly more?: Partial<Edition> & { basis?: string }
}

/** Changes one byte in the middle. */
function garble(file: string): void {
  const bytes = readFileSync(file)
  const middle = bytes.length >>> 1
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

test.each<Damage>([
  { what: 'the archive is gone', damage: (archive) => rmSync(archive) },
  {
    what: 'the archive is cut off',
    damage: (archive) => truncateSync(archive, readFileSync(archive).length - 1),
  },
  { what: 'the archive is another one of its size', damage: garble },
  { what: 'nothing was kept', damage: (_archive, kept) => rmSync(kept) },
  { what: 'what was kept is cut off', damage: (_archive, kept) => truncateSync(kept, 100) },
  { what: 'what was kept is garbled', damage: (_archive, kept) => garble(kept) },
  { what: 'options or program were others', more: { basis: 'another' } },
])('all tiles are made anew when $what', async ({ damage, more }) => {
  const line = new Line()
  await line.exported('first', records)
  const whole = line.bytes('first')
  damage?.(line.path('first'), path.join(line.folder, 'first-kept', pmtiles.file))
  const second = await line.exported('second', records, { after: 'first', ...more })
  expect([second?.rows, second?.takenOver]).toEqual([records.length, undefined])
  expect(line.bytes('second').equals(whole)).toBe(true)
  const third = await line.exported('third', records, { after: 'second', ...more })
  const { tileDataLength } = await archiveIn(path.dirname(line.path('third'))).getHeader()
  expect(third?.takenOver).toBe(tileDataLength)
})

test('all tiles are made anew when the earlier archive is cut off while it is read', async () => {
  const line = new Line()
  await line.exported('first', records)
  const first = line.bytes('first')
  const whole = editionOf({ snapshot: snapshotOf({ waypoints: records }), publisher })
  let times = 0
  const second = await line.exported('second', records, {
    after: 'first',
    *pages(template) {
      times += 1
      yield* whole.pages(template)
      truncateSync(line.path('first'), first.length >>> 1)
    },
  })
  expect([times, second?.rows, second?.takenOver]).toEqual([2, records.length, undefined])
  expect(line.bytes('second').equals(first)).toBe(true)
})
