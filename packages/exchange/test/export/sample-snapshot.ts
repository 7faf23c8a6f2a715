import path from 'node:path'
import Database from 'better-sqlite3'
import { readFileSync } from 'node:fs'
import { parse as parseCsv } from 'csv-parse/sync'
import { strFromU8, unzipSync } from 'fflate'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { PMTiles } from 'pmtiles'
import { compressors, jsonIn, linesIn, newFolder, textIn } from '@openfountain/testing/folder'
import { sampleValues } from '@openfountain/testing/sample-values'
import { editionOf, type EditionOptions } from '../../src/export/edition.ts'
import { publishEdition } from '../../src/export/folder/publish.ts'
import type { Format } from '../../src/export/format.ts'
import { formats } from '../../src/export/formats.ts'
import type {
  ChangeRecord,
  ContributorRecord,
  ExportSnapshot,
  ReviewRecord,
  SourceRecord,
  WaypointRecord,
} from '../../src/export/snapshot.ts'

/** Names that a careless writer would execute, break a file with, or lose. */
export const hostileNames = [
  '=HYPERLINK("http://x")',
  '+1-800',
  '-2+3',
  '@SUM(A1)',
  "'=already quoted",
  "'s-Hertogenbosch, Markt",
  '</script><script>alert(1)</script>',
  ']]><![CDATA[',
  'two\nlines',
  'tab\there',
  '\ttab first',
  'quote " and ; and , and \\',
  '💧 Трёхгорка 噴水 é \u{20bb7}野家',
  '<b>&amp;</b> %00 $[name]',
  '＝1+1',
]

const day = (count: number) => new Date(Date.UTC(2026, 0, 1) + count * 86_400_000).toISOString()

export function waypoint(id: number, given: Partial<WaypointRecord> = {}): WaypointRecord {
  return {
    id,
    name: `Fountain ${id}`,
    latitude: (55_700 + id) / 1000,
    longitude: (13_190 + id) / 1000,
    amenities: [],
    approved: false,
    verified: false,
    addedByUserId: 'ada',
    createdAt: day(id),
    updatedAt: day(id),
    state: 'unconfirmed',
    reviewCount: 0,
    sources: [],
    ...given,
  }
}

export const lund: SourceRecord = {
  id: 1,
  name: 'City of Lund',
  url: 'https://example.org/lund',
  license: 'CC0-1.0',
  attribution: 'Lunds kommun',
  createdAt: day(0),
  updatedAt: day(0),
  waypoints: 2,
  lastImport: day(3),
}

const ada: ContributorRecord = {
  id: 'ada',
  name: 'Ada',
  xp: 120,
  level: 2,
  createdAt: day(0),
  stats: { waypointsCreated: 3, waypointsEdited: 1, reviewsPosted: 1 },
}

const review: ReviewRecord = {
  id: 1,
  bubblerId: 1,
  userId: 'ada',
  rating: 4,
  comment: '=cold\nand "clear"',
  createdAt: day(2),
  updatedAt: day(2),
}

export const sampleWaypoints: readonly WaypointRecord[] = [
  waypoint(1, {
    name: 'Stortorget',
    description: 'Beside the town hall; open in summer',
    amenities: ['bottle-filler', 'wheelchair', 'odd;one\\here'],
    image: 'https://example.org/a.jpg?x=1&y=2',
    maintainer: 'VA Syd',
    region: 'Lund',
    approved: true,
    verified: true,
    place: { country: 'SE', subdivision: 'SE-M', name: 'Lund; "by"' },
    rating: 4,
    reviewCount: 1,
    lastListed: '2025-12-03',
    sourceUpdated: '2024-02-29',
    state: 'off',
    stateSince: '2025-11-01',
    lastConfirmed: '2025-10-20',
    sources: [{ sourceId: 1, ref: 'A-17' }],
  }),
  waypoint(2, { lastListed: '2025-12-02', sources: [{ sourceId: 1 }] }),
  waypoint(3, {
    state: 'works',
    stateSince: '2026-02-01',
    lastConfirmed: '2026-02-03',
    latitude: -90,
    longitude: 180,
    name: 'South Pole',
  }),
  waypoint(4, { latitude: 0, longitude: -180, name: 'Antimeridian' }),
  waypoint(5, { name: 'Drinking fountain', nameIsMade: true }),
  ...hostileNames.map((name, index) =>
    waypoint(10 + index, { ...sampleValues(name, index), name, amenities: [name] }),
  ),
]

export const sampleEntry: ChangeRecord = {
  id: 1,
  at: day(1),
  by: 'ada',
  subject: 'waypoint',
  subjectId: 1,
  action: 'created',
  fields: { name: 'Stortorget' },
  seed: '0'.repeat(32),
  awards: [['ada', 'addWaypoint', 5]],
  links: {},
}

const ring: [number, number][] = [
  [13, 55],
  [14, 55],
  [14, 56],
  [13, 55],
]

export function snapshotOf(given: {
  waypoints?: readonly WaypointRecord[]
  sources?: readonly SourceRecord[]
}): ExportSnapshot {
  const { waypoints = sampleWaypoints, sources = [lund] } = given
  return {
    head: { id: 1, hash: 'a'.repeat(64), timestamp: day(40) },
    origin: '0'.repeat(32),
    revision: 7,
    dataTime: day(40),
    asOf: day(41),
    records: ({ region, bbox: [west, south, east, north] = [-180, -90, 180, 90], ids } = {}) =>
      waypoints
        .values()
        .filter(({ id }) => ids === undefined || ids.includes(id))
        .filter((record) => region === undefined || record.region === region)
        .filter(
          ({ longitude, latitude }) =>
            longitude >= west && longitude <= east && latitude >= south && latitude <= north,
        ),
    reviews: () => [review].values(),
    photos: () => [].values(),
    *reviewsAfter() {
      yield review
    },
    surroundingsChangedAfter: () => [review.bubblerId],
    *contributors() {
      yield ada
    },
    sources: () => [...sources],
    areas: () => [
      {
        id: 1,
        name: 'Centre',
        color: '#ff8c00',
        coordinates: [ring],
        properties: {},
        active: true,
        createdAt: day(0),
        updatedAt: day(0),
      },
    ],
    statistics: () => ({
      totalWaypoints: waypoints.length,
      totalVerifiedWaypoints: 1,
      totalUsers: 1,
      totalReviews: 1,
      totalContributions: 2,
    }),
    erasures: () => ({ redactions: 0, people: 0, latest: null }),
    headAt: async (id) => ({ id, hash: 'a'.repeat(64) }),
    headBefore: async () => undefined,
    headWith: async () => undefined,
    *entries() {
      yield sampleEntry
    },
    tile: () => Promise.reject(new Error('the sample has no tiles')),
  }
}

export const publisher = { name: 'Lund fountains', author: 'Friends of Lund', license: 'ODbL-1.0' }

export async function writtenEdition(
  given: Partial<EditionOptions> = {},
  chosen: readonly Format[] = formats.filter(({ subject }) => subject !== 'difference'),
): Promise<string> {
  const folder = newFolder()
  await publishEdition(folder, editionOf({ snapshot: snapshotOf({}), publisher, ...given }), chosen)
  return folder
}

let sample: Promise<string> | undefined

export const sampleEdition = (): Promise<string> => (sample ??= writtenEdition())

export function archiveIn(folder: string, file = 'waypoints.pmtiles'): PMTiles {
  const bytes = readFileSync(path.join(folder, file))
  return new PMTiles({
    getKey: () => folder,
    getBytes: async (offset, length) => ({
      data: new Uint8Array(bytes.subarray(offset, offset + length)).buffer,
    }),
  })
}

export const documentIn = (folder: string, file: string): string =>
  strFromU8(unzipSync(readFileSync(path.join(folder, file)))['doc.kml'] ?? new Uint8Array())

export async function rowsIn(folder: string): Promise<Readonly<Record<string, Record<string, unknown>[]>>> {
  const inDatabase = (file: string) => {
    const database = new Database(path.join(folder, file), { readonly: true })
    const rows = database.prepare<[], Record<string, unknown>>('select * from waypoints order by id').all()
    database.close()
    return rows
  }
  const file = await asyncBufferFromFile(path.join(folder, 'waypoints.parquet'))
  const parquet = await parquetReadObjects({ compressors, file })
  const features: { properties: Record<string, unknown> }[] = jsonIn(folder, 'waypoints.geojson').features
  return {
    csv: parseCsv(textIn(folder, 'waypoints.csv'), { columns: true }),
    ndjson: linesIn(folder, 'waypoints.ndjson.gz'),
    geojson: features.map(({ properties }) => properties),
    gpkg: inDatabase('waypoints.gpkg'),
    sqlite: inDatabase('registry.sqlite'),
    parquet: parquet.toSorted((one, other) => Number(one['id']) - Number(other['id'])),
  }
}
