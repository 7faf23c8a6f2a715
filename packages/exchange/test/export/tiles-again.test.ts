/** @module-tag long */
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PMTiles } from 'pmtiles'
import { expect, test } from 'vitest'
import { Chance } from '@openfountain/testing/chance'
import { editionOf, type Edition } from '../../src/export/edition.ts'
import { Pieces } from '../../src/export/folder/pieces.ts'
import { publishEdition, type ListedFile } from '../../src/export/folder/publish.ts'
import type { WaypointRecord } from '../../src/export/snapshot.ts'
import { pmtiles } from '../../src/export/tiles/tiles.ts'
import { publisher, snapshotOf, waypoint } from './sample-snapshot.ts'
import { temporaryFolder } from './written-edition.ts'

/** OPENFOUNTAIN_HISTORIES sets how many there are (default 4), OPENFOUNTAIN_HISTORY_SEED the first seed. */
const histories = Number(process.env['OPENFOUNTAIN_HISTORIES'] ?? 4)
const firstSeed = Number(process.env['OPENFOUNTAIN_HISTORY_SEED'] ?? 1)
const seeds = Array.from({ length: histories }, (_, index) => firstSeed + index)

const archive = pmtiles.file

/** The bytes of all tiles of an archive. */
async function tileBytes(path: string): Promise<number> {
  const bytes = readFileSync(path)
  const source = {
    getKey: () => path,
    getBytes: async (offset: number, length: number) => ({
      data: new Uint8Array(bytes.subarray(offset, offset + length)).buffer,
    }),
  }
  return (await new PMTiles(source).getHeader()).tileDataLength ?? 0
}

/** Exports of waypoints into one folder, each after another one. */
class Line {
  readonly folder = temporaryFolder()

  /** @returns the archive */
  async exported(
    name: string,
    waypoints: readonly WaypointRecord[],
    { after, basis = 'one', ...more }: Partial<Edition> & { after?: string; basis?: string } = {},
  ): Promise<ListedFile | undefined> {
    const out = join(this.folder, name)
    for (const path of [out, `${out}-kept`]) mkdirSync(path)
    const earlier = after === undefined ? undefined : join(this.folder, after)
    const pieces = new Pieces({ basis, from: earlier && `${earlier}-kept`, to: `${out}-kept`, earlier })
    const edition = editionOf({ snapshot: snapshotOf({ waypoints }), publisher })
    const { files } = await publishEdition(out, { ...edition, pieces, ...more }, [pmtiles])
    return files.find(({ file }) => file === archive)
  }

  bytes(name: string): Buffer {
    return readFileSync(join(this.folder, name, archive))
  }

  path(name: string): string {
    return join(this.folder, name, archive)
  }
}

/** A fountain in one of a few towns, often in the very place of another one; towns lie alike within their tiles. */
function somewhere(chance: Chance, id: number): WaypointRecord {
  const town = chance.below(8)
  const [step, steps] = [chance.below(40), chance.below(40)]
  return waypoint(id, {
    longitude: -180 + 45 * town + 0.01 + (step * (360 / 4096)) / 512,
    latitude: steps / 2000,
    name: chance.isIn(20) ? 'Drinking fountain at 55.7029, 13.1929' : `Fountain ${chance.below(50)}`,
    state: chance.pick(['unconfirmed', 'works', 'off']),
    verified: chance.isIn(30),
    amenities: chance.isIn(50) ? ['bottle-filler', 'odd "one"'] : [],
    ...(chance.isIn(30) && { rating: 1 + chance.below(8) / 2 }),
    ...(chance.isIn(30) && { region: 'Lund\nland' }),
  })
}

test.each(seeds)(
  'tiles that are taken over are those that would be made: random changes %d',
  async (seed) => {
    const chance = new Chance(seed)
    const line = new Line()
    let waypoints = Array.from({ length: 600 }, (_, index) => somewhere(chance, index + 1))
    await line.exported('0', waypoints)
    for (let round = 1; round <= 6; round += 1) {
      const percent = chance.pick([0, 1, 10, 60])
      const next = waypoints.flatMap((record) => {
        if (!chance.isIn(percent)) return [record]
        return chance.isIn(30) ? [] : [somewhere(chance, record.id)]
      })
      const last = waypoints.at(-1)?.id ?? 0
      const added = Array.from({ length: percent }, (_, index) => somewhere(chance, last + index + 1))
      waypoints = [...next, ...added]
      const again = await line.exported(`${round}`, waypoints, { after: `${round - 1}` })
      const anew = await line.exported(`${round} anew`, waypoints)
      expect({ ...again, takenOver: undefined }).toEqual({ ...anew, takenOver: undefined })
      expect(line.bytes(`${round}`).equals(line.bytes(`${round} anew`))).toBe(true)
      expect(anew?.takenOver).toBe(undefined)
      const all = await tileBytes(line.path(`${round}`))
      if (percent === 0) expect(again?.takenOver).toBe(all)
      else expect(again?.takenOver ?? 0).toBeLessThan(all)
      if (percent <= 1) expect(again?.takenOver).toBeGreaterThan(0)
    }
  },
)

test.each<{ what: string; change: Partial<WaypointRecord> }>([
  { what: 'its name', change: { name: 'Mill' } },
  { what: 'a name of its own', change: { name: 'Drinking fountain at 55.7029, 13.1929' } },
  { what: 'whether it is verified', change: { verified: true } },
  { what: 'whether it is approved', change: { approved: true } },
  { what: 'its state', change: { state: 'off' } },
  { what: 'its amenities', change: { amenities: ['wheelchair'] } },
  { what: 'its region', change: { region: 'Lund' } },
  { what: 'its rating', change: { rating: 4.5 } },
  { what: 'its place', change: { longitude: 13.5 } },
])('when $what changes, the tiles with a fountain are made anew, and no others', async ({ change }) => {
  const line = new Line()
  // The second is alone from the third zoom on.
  const far = waypoint(2, { longitude: -70, latitude: -40 })
  await line.exported('first', [waypoint(1), far])
  const second = await line.exported('second', [waypoint(1, change), far], { after: 'first' })
  await line.exported('anew', [waypoint(1, change), far])
  expect(line.bytes('second').equals(line.bytes('anew'))).toBe(true)
  const alone = await line.exported('alone', [waypoint(3), far])
  const ofFar = await line.exported('far', [waypoint(1), far], { after: 'alone' })
  expect(alone?.takenOver).toBe(undefined)
  expect(second?.takenOver).toBe(ofFar?.takenOver)
  expect(second?.takenOver).toBeGreaterThan(0)
})

const records = Array.from({ length: 300 }, (_, index) => somewhere(new Chance(index), index + 1))

interface Damage {
  readonly what: string
  readonly damage?: (archive: string, kept: string) => void
  readonly basis?: string
}

/** Changes one byte in the middle. */
function garble(path: string): void {
  const bytes = readFileSync(path)
  const middle = bytes.length >>> 1
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

test.each<Damage>([
  { what: 'the archive is gone', damage: (path) => rmSync(path) },
  { what: 'the archive is cut off', damage: (path) => truncateSync(path, readFileSync(path).length - 1) },
  { what: 'the archive is empty', damage: (path) => truncateSync(path) },
  { what: 'the archive is another one of its size', damage: garble },
  {
    what: 'a folder has the name of the archive',
    damage: (path) => {
      rmSync(path)
      mkdirSync(path)
    },
  },
  { what: 'nothing was kept', damage: (_path, kept) => rmSync(kept) },
  { what: 'what was kept is cut off', damage: (_path, kept) => truncateSync(kept, 100) },
  { what: 'what was kept is empty', damage: (_path, kept) => truncateSync(kept) },
  { what: 'what was kept is garbled', damage: (_path, kept) => garble(kept) },
  { what: 'options or program were others', basis: 'another' },
])('all tiles are made anew when $what', async ({ damage, basis }) => {
  const line = new Line()
  await line.exported('first', records)
  const whole = line.bytes('first')
  damage?.(line.path('first'), join(line.folder, 'first-kept', archive))
  const second = await line.exported('second', records, { after: 'first', ...(basis && { basis }) })
  expect(second).toMatchObject({ rows: records.length })
  expect(second?.takenOver).toBe(undefined)
  expect(line.bytes('second').equals(whole)).toBe(true)
  const third = await line.exported('third', records, { after: 'second', ...(basis && { basis }) })
  expect(third?.takenOver).toBe(await tileBytes(line.path('third')))
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
  expect(times).toBe(2)
  expect(second).toMatchObject({ rows: records.length })
  expect(second?.takenOver).toBe(undefined)
  expect(line.bytes('second').equals(first)).toBe(true)
})
