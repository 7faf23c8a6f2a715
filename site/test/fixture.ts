import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** A fictional town's fountains as an export folder, the same for the same options. */
export interface FixtureOptions {
  readonly waypoints?: number
  readonly contributors?: number
  /** Puts text into every free field that would do harm if it were not escaped. */
  readonly hostile?: boolean
  /** Spreads the fountains over this many regions all over the world instead of the town's five. */
  readonly regionsOfWorld?: number
}

export const dataTime = '2026-06-30T12:00:00.000Z'

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
export const hostileTexts = [
  '<script>document.title="owned"</script>',
  '"><img src=x onerror="document.title=\'owned\'">',
  '</script><script>document.title="owned"</script>',
  "javascript:document.title='owned'",
  '<svg onload="document.title=\'owned\'"><use href="#x"/></svg>',
  ']]><!--',
] as const

function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Regions a golden angle apart, so that they lie everywhere between the polar circles. */
function regionOfWorld(index: number): { name: string; longitude: number; latitude: number } {
  const longitude = ((index * 137.508) % 350) - 175
  const latitude = Math.asin(((index * 0.618_034) % 1) * 1.8 - 0.9) * (180 / Math.PI)
  return { name: `Waterside District ${index + 1}`, longitude, latitude }
}

/** Writes the folder, replacing what is there. */
export async function writeFixture(directory: string, options: FixtureOptions = {}): Promise<void> {
  const { waypoints: total = 60, contributors: crowd = 12, hostile = false, regionsOfWorld = 0 } = options
  const random = randomFrom(7)
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  const text = (plain: string): string => (hostile ? `${plain} ${pick(hostileTexts)}` : plain)
  const at = (share: number): string =>
    new Date(Date.parse('2024-01-10T08:00:00Z') + share * 894 * 86_400_000).toISOString()

  const contributors = Array.from({ length: total === 0 ? 0 : crowd }, (_, index) => {
    const xp = Math.floor(1300 / (index + 1))
    return {
      id: `user-${index + 1}`,
      name: text(index < people.length ? (people[index] ?? '') : `Walker ${index + 1}`),
      xp,
      level: xp >= 1200 ? 6 : xp >= 1000 ? 5 : xp >= 500 ? 4 : xp >= 250 ? 3 : xp >= 100 ? 2 : 1,
      createdAt: at(index / (crowd * 3)),
      stats: {
        waypointsCreated: Math.floor(xp / 60),
        waypointsEdited: Math.floor(xp / 90),
        reviewsPosted: index,
      },
    }
  })

  const changes: Record<string, unknown>[] = []
  const reviews: Record<string, unknown>[] = []
  let hash = '0'.repeat(64)
  const log = (entry: Record<string, unknown>): void => {
    const digest = createHash('sha256').update(JSON.stringify(entry)).digest('hex')
    hash = createHash('sha256').update(hash).update(digest).digest('hex')
    changes.push({ id: changes.length + 1, ...entry, digest, salt: '00', hash })
  }

  const waypoints = Array.from({ length: total }, (_, index) => {
    const id = index + 1
    const region = regionsOfWorld > 0 ? regionOfWorld(index % regionsOfWorld) : pick(regions)
    const createdAt = at(index / Math.max(1, total))
    const userId = pick(contributors).id
    const name = text(`${pick(places)} ${1 + (index % 9)}`)
    log({ bubblerId: id, userId, action: 'created', changes: { name }, timestamp: createdAt })
    let updatedAt = createdAt
    if (random() < 0.4) {
      updatedAt = at(Math.min(1, index / total + random() * 0.2))
      const edit = { description: 'Behind the kiosk' }
      log({
        bubblerId: id,
        userId: pick(contributors).id,
        action: 'edited',
        changes: edit,
        timestamp: updatedAt,
      })
    }
    const verified = random() < 0.5
    if (verified) {
      updatedAt = at(Math.min(1, index / total + 0.21))
      log({
        bubblerId: id,
        userId: 'user-1',
        action: 'verified',
        changes: { verified },
        timestamp: updatedAt,
      })
    }
    const own = Array.from({ length: random() < 0.4 ? Math.ceil(random() * 4) : 0 }, () => ({
      id: 0,
      bubblerId: id,
      userId: pick(contributors).id,
      rating: 2 + Math.floor(random() * 4),
      ...(random() < 0.7 && {
        comment: text(pick(['Cold and clear.', 'Weak jet, but works.', 'My dog loves it.'])),
      }),
      createdAt: at(random()),
      updatedAt: at(1),
    }))
    reviews.push(...own)
    const imported = random() < 0.3
    return {
      id,
      name,
      latitude: Number((region.latitude + (random() - 0.5) * 0.03).toFixed(6)),
      longitude: Number((region.longitude + (random() - 0.5) * 0.05).toFixed(6)),
      ...(random() < 0.6 && { description: text('Beside the path, in the shade of a lime tree.') }),
      amenities: [
        ...new Set([pick(kinds), pick(features), pick(features)]),
        ...(hostile ? [pick(hostileTexts)] : []),
      ],
      ...(random() < 0.3 && {
        image: hostile ? "javascript:document.title='owned'" : 'https://photos.example/fountain.jpg',
      }),
      ...(random() < 0.5 && { maintainer: text('Lindenau Waterworks') }),
      ...(region.name !== undefined && { region: text(region.name) }),
      approved: random() < 0.9,
      verified,
      added_by: imported ? 'api' : userId,
      created_at: createdAt,
      updated_at: updatedAt,
      last_confirmed: updatedAt,
      ...(own.length > 0 && {
        rating: Number((own.reduce((sum, one) => sum + one.rating, 0) / own.length).toFixed(2)),
      }),
      review_count: own.length,
      osm_tags: { amenity: 'drinking_water' },
      ...(imported && { source: text('City of Lindenau'), source_ref: `L-${id}` }),
      license: 'ODbL-1.0',
      attribution: imported ? text('City of Lindenau') : 'Lindenau Water Friends',
    }
  })
  for (const [index, review] of reviews.entries()) review['id'] = index + 1
  changes.sort((a, b) => Number(a['id']) - Number(b['id']))

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
    'changes.ndjson.gz': lines(changes),
    'reviews.json': json({ reviews }),
    'contributors.json': json({ contributors }),
    'stats.json': json({
      totalWaypoints: total,
      totalVerifiedWaypoints: waypoints.filter(({ verified }) => verified).length,
      totalUsers: contributors.length,
      totalReviews: reviews.length,
      totalContributions: changes.length + reviews.length,
    }),
    'sources.json': json({
      sources: [
        {
          id: 1,
          name: text('City of Lindenau'),
          url: hostile ? "javascript:document.title='owned'" : 'https://open.lindenau.example/fountains',
          license: 'CC0-1.0',
          attribution: text('City of Lindenau'),
          waypoints: waypoints.filter(({ source }) => source !== undefined).length,
          createdAt: at(0),
          updatedAt: at(1),
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
            coordinates: [
              [
                [13.14, 55.68],
                [13.17, 55.68],
                [13.17, 55.7],
                [13.14, 55.7],
                [13.14, 55.68],
              ],
            ],
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
      revision: changes.length,
      dataTime,
      ...(changes.length > 0 && { log: { id: changes.length, hash, timestamp: at(1) } }),
      fictional: true,
    },
  })
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content)
}
