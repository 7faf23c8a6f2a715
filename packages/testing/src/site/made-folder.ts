import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { LoggedEntry } from '@openfountain/core'
import { Chance } from '../chance.ts'
import { digestOf, Frontier, leafData, leafHash } from '@openfountain/core/internal'

/** A fictional town's fountains as an export folder, the same for the same options. */
interface FixtureOptions {
  readonly waypoints?: number
  readonly contributors?: number
  /** Puts text into every free field that would do harm if it were not escaped. */
  readonly hostile?: boolean
  /** The texts that are put there instead of those that are known to do harm. */
  readonly texts?: readonly string[]
  /** Spreads the fountains over this many regions all over the world instead of the town's five. */
  readonly regionsOfWorld?: number
}

export const dataTime = '2026-06-30T12:00:00.000Z'

const outline = [
  [13.14, 55.68],
  [13.17, 55.68],
  [13.17, 55.7],
  [13.14, 55.7],
  [13.14, 55.68],
]
const regions = [
  { name: 'Linden Quarter', longitude: 13.19, latitude: 55.705 },
  { name: 'Old Harbour', longitude: 13.155, latitude: 55.69 },
  { name: 'Mill Hill', longitude: 13.22, latitude: 55.72 },
  { name: 'Åkerby', longitude: 13.26, latitude: 55.69 },
  { name: undefined, longitude: 13.2, latitude: 55.66 },
] as const
const places = [
  'Market Square',
  'Chestnut Walk',
  'Lower Bridge',
  'School Lane',
  'Station Forecourt',
  'Rose Garden',
]
const kinds = ['bubbler', 'bottle-filler', 'tap', 'spring', 'fountain', 'hand-pump']
const features = ['wheelchair', 'dog-bowl', 'seasonal', 'always-open', 'chilled', 'bench', 'singing stones']
const people = ['Ada Brook', 'Béla Quell', 'Chen Wells', 'Dora Rill', 'Emil Cascade', 'Fatima Spring']

/** Each of these in a name, a comment, a URL or an amenity must come out as text. */
const hostileTexts = [
  '<script>document.title="owned"</script>',
  '"><img src=x onerror="document.title=\'owned\'">',
  '</script><script>document.title="owned"</script>',
  "javascript:document.title='owned'",
  '<svg onload="document.title=\'owned\'"><use href="#x"/></svg>',
  ']]><!--',
] as const

/** Names of fields that no waypoint has, which another program may have written into a log. */
export const hostileFields = ['constructor', 'toString', '<b>field</b>', 'line\u2028separator'] as const

/** Regions a golden angle apart, so that they lie everywhere between the polar circles. */
function regionOfWorld(index: number) {
  const longitude = ((index * 137.508) % 350) - 175
  const latitude = Math.asin(((index * 0.618_034) % 1) * 1.8 - 0.9) * (180 / Math.PI)
  return { name: `Waterside District ${index + 1}`, longitude, latitude, country: ['IT', 'NZ'][index % 3] }
}

type Draft = Omit<LoggedEntry, 'id' | 'seed' | 'awards' | 'links'> & Partial<Pick<LoggedEntry, 'links'>>

/** A log as exports have it: each entry with its seed, under a tree. */
export function fixtureLog(): {
  entries: LoggedEntry[]
  log(draft: Draft): void
  head(): { id: number; hash: string }
} {
  const entries: LoggedEntry[] = []
  const tree = new Frontier()
  return {
    entries,
    log({ links = {}, ...draft }) {
      const id = entries.length + 1
      const seed = createHash('sha256').update(String(id)).digest('hex').slice(0, 32)
      const entry = { id, ...draft, awards: [], links }
      const action = draft.action as 'created'
      tree.append(leafHash(leafData({ ...entry, action }, digestOf({ fields: draft.fields, seed }))))
      entries.push({ ...entry, seed })
    },
    head: () => ({ id: entries.length, hash: Buffer.from(tree.root()).toString('hex') }),
  }
}

/** Writes the folder, replacing what is there. */
export async function writeFixture(directory: string, options: FixtureOptions = {}): Promise<void> {
  const { waypoints: total = 60, contributors: crowd = 12, hostile = false, regionsOfWorld = 0 } = options
  const { texts = hostileTexts } = options
  const chance = new Chance(7)
  const random = (): number => chance.below(1e6) / 1e6
  const pick = <Item>(items: readonly Item[]): Item => chance.pick(items)
  const text = (plain: string): string => (hostile ? `${plain} ${pick(texts)}` : plain)
  const at = (share: number): string =>
    new Date(Date.parse('2024-01-10T08:00:00Z') + share * 894 * 86_400_000).toISOString()

  const contributors = Array.from({ length: total === 0 ? 0 : crowd }, (_, index) => {
    const xp = Math.floor(1300 / (index + 1))
    return {
      id: `user-${index + 1}`,
      name: text(index < people.length ? (people[index] ?? '') : `Walker ${index + 1}`),
      xp,
      level: xp >= 1200 ? 6 : xp >= 1000 ? 5 : xp >= 500 ? 4 : xp >= 250 ? 3 : xp >= 100 ? 2 : 1,
      created_at: at(index / (crowd * 3)),
      waypoints_created: Math.floor(xp / 60),
      waypoints_edited: Math.floor(xp / 90),
      reviews_posted: index,
    }
  })

  const reviews: Record<string, unknown>[] = []
  const { entries, log, head } = fixtureLog()
  if (total > 0) {
    log({
      at: at(0),
      by: 'api',
      subject: 'source',
      subjectId: 1,
      action: 'created',
      fields: { name: text('City') },
    })
    for (const { id, created_at: at } of contributors)
      log({ at, by: 'api', subject: 'user', subjectId: id, action: 'created', fields: {} })
  }

  const waypoints = Array.from({ length: total }, (_, index) => {
    const id = index + 1
    const region = regionsOfWorld > 0 ? regionOfWorld(index % regionsOfWorld) : pick(regions)
    const createdAt = at(index / Math.max(1, total))
    const userId = pick(contributors).id
    const name = text(`${pick(places)} ${1 + (index % 9)}`)
    const about = { subject: 'waypoint', subjectId: id } as const
    log({ ...about, at: createdAt, by: userId, action: 'created', fields: { name } })
    let updatedAt = createdAt
    if (chance.isIn(40)) {
      updatedAt = at(Math.min(1, index / total + random() * 0.2))
      const fields = hostile
        ? { description: text('Behind the kiosk'), reason: pick(texts), [pick(hostileFields)]: pick(texts) }
        : { description: 'Behind the kiosk' }
      log({ ...about, at: updatedAt, by: pick(contributors).id, action: 'edited', fields })
    }
    const verified = chance.isIn(50)
    if (verified) {
      updatedAt = at(Math.min(1, index / total + 0.21))
      log({ ...about, at: updatedAt, by: 'user-1', action: 'verified', fields: { verified } })
    }
    const own = Array.from({ length: chance.isIn(40) ? Math.ceil(random() * 4) : 0 }, () => ({
      id: 0,
      waypoint_id: id,
      user_id: pick(contributors).id,
      rating: 2 + Math.floor(random() * 4),
      ...(chance.isIn(70) && {
        comment: text(pick(['Cold and clear.', 'Weak jet, but works.', 'My dog loves it.'])),
      }),
      created_at: at(random()),
      updated_at: at(1),
    }))
    reviews.push(...own)
    const imported = chance.isIn(30)
    return {
      id,
      name,
      latitude: Number((region.latitude + (random() - 0.5) * 0.03).toFixed(6)),
      longitude: Number((region.longitude + (random() - 0.5) * 0.05).toFixed(6)),
      ...(chance.isIn(60) && { description: text('Beside the path, in the shade of a lime tree.') }),
      amenities: [
        ...new Set([pick(kinds), pick(features), pick(features)]),
        ...(hostile ? [pick(texts)] : []),
      ],
      ...(chance.isIn(30) && {
        image: hostile ? "javascript:document.title='owned'" : 'https://photos.example/fountain.jpg',
      }),
      ...(chance.isIn(50) && { maintainer: text('Lindenau Waterworks') }),
      ...(region.name !== undefined && { region: text(region.name) }),
      ...('country' in region && region.country !== undefined && { country: region.country }),
      approved: chance.isIn(90),
      verified,
      added_by: imported ? 'api' : userId,
      created_at: createdAt,
      updated_at: updatedAt,
      state: 'unconfirmed',
      last_confirmed: updatedAt.slice(0, 10),
      ...(own.length > 0 && {
        rating: Number((own.reduce((sum, one) => sum + one.rating, 0) / own.length).toFixed(2)),
      }),
      review_count: own.length,
      derived_tags: { amenity: 'drinking_water' },
      ...(imported && { sources: [text('City of Lindenau')], source_refs: [`L-${id}`] }),
      license: 'ODbL-1.0',
      attribution: imported ? text('City of Lindenau') : 'Lindenau Water Friends',
    }
  })
  for (const [index, review] of reviews.entries()) review['id'] = index + 1

  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true })
  const json = (value: unknown): string => `${JSON.stringify(value, undefined, 1)}\n`
  const lines = (rows: readonly unknown[]): Buffer =>
    gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const files: Record<string, string | Buffer> = {
    'waypoints.ndjson.gz': lines(waypoints),
    'waypoints.geojson': json({
      type: 'FeatureCollection',
      features: waypoints.map(({ latitude, longitude, ...properties }) => ({
        type: 'Feature',
        id: properties.id,
        geometry: { type: 'Point', coordinates: [longitude, latitude] },
        properties,
      })),
    }),
    // Only the map's script reads it; the tests of the map export a real one.
    'waypoints.pmtiles': Buffer.alloc(127),
    'changes.ndjson.gz': lines(entries),
    'reviews.json': json({ reviews }),
    'contributors.json': json({ contributors }),
    'stats.json': json({
      total_waypoints: total,
      total_verified_waypoints: waypoints.filter(({ verified }) => verified).length,
      total_users: contributors.length,
      total_reviews: reviews.length,
      total_contributions: entries.filter(({ subject }) => subject === 'waypoint').length + reviews.length,
    }),
    'sources.json': json({
      sources: [
        {
          id: 1,
          name: text('City of Lindenau'),
          url: hostile ? "javascript:document.title='owned'" : 'https://open.lindenau.example/fountains',
          license: 'CC0-1.0',
          attribution: text('City of Lindenau'),
          waypoints: waypoints.filter(({ sources }) => sources !== undefined).length,
          created_at: at(0),
          updated_at: at(1),
        },
      ],
    }),
    'areas.geojson': json({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          geometry: {
            type: 'Polygon',
            coordinates: [outline],
          },
          properties: {
            id: 1,
            name: text('Harbour works'),
            description: text('Closed until autumn.'),
            color: '#ff8c00',
            active: true,
          },
        },
      ],
    }),
    'LICENSE.txt': 'Open Database License (ODbL) v1.0\n',
  }
  const resources = Object.entries(files).map(([path, content]) => ({
    name: path.replaceAll('.', '-'),
    path,
    bytes: Buffer.byteLength(content),
    hash: `sha256:${createHash('sha256').update(content).digest('hex')}`,
  }))
  files['datapackage.json'] = json({
    name: 'lindenau',
    resources,
    openfountain: {
      registry: {
        name: text('Lindenau Fountains'),
        author: text('Lindenau Water Friends'),
        license: 'ODbL-1.0',
      },
      revision: entries.length,
      data_time: dataTime,
      ...(entries.length > 0 && { log: { ...head(), timestamp: at(1) } }),
      fictional: true,
    },
  })
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content)
}
