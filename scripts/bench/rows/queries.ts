import { openRegistry, type Registry, token, type WaypointFilterInput } from '@openfountain/core'
import type { LogQuery, QueueQuery } from '@openfountain/core/internal'
import { places } from '../fountains.ts'
import { median, milliseconds } from '../measurement.ts'
import { clock } from '../report.ts'
import { city, type Bench, type Reading, type Row } from '../row.ts'

/** One request with a limit up to 100. */
type Query = (registry: Registry) => Promise<unknown>

const waypoints =
  (filter: WaypointFilterInput): Query =>
  (registry) =>
    registry.waypoints.list({ limit: 100, ...filter })

const logs =
  (query: LogQuery): Query =>
  (registry) =>
    registry.changes.list({ limit: 100, ...query })

const queue =
  (kind: QueueQuery['kind']): Query =>
  (registry) =>
    registry.moderation.queue({ kind, limit: 100 }, token())

const globe: [number, number, number, number] = [-180, -90, 180, 90]
const absent = ['nobody has it']
const ocean = { latitude: 0, longitude: -150 }

interface Class {
  /** Whether the filter is alone, or with a box or a place, in the words of the documentation. */
  readonly simple: boolean
  readonly queries: readonly Query[]
}

/** Kinds of requests by filters that no single index covers; `middle` is an id in the middle of the log. */
function classes(middle: number): Readonly<Record<string, Class>> {
  const [{ latitude, longitude } = ocean] = places()
  const near = { latitude, longitude }
  const region = 'Ieréiweg'
  return {
    'one filter': {
      simple: true,
      queries: [
        waypoints({ approved: false }),
        waypoints({ verified: true }),
        waypoints({ amenity: absent }),
        waypoints({ amenity: ['drinking-fountain', 'wheelchair', 'dog-bowl', 'indoor', 'seasonal'] }),
        waypoints({ region }),
        waypoints({ updatedSince: '2000-01-01T00:00:00.000Z' }),
        (registry) => registry.sources.list(),
      ],
    },
    'near, with a filter': {
      simple: true,
      queries: [
        waypoints({ near, amenity: absent }),
        waypoints({ near, verified: true }),
        waypoints({ near, approved: true }),
        waypoints({ near, region: 'Elsewhere' }),
        waypoints({ near: ocean, amenity: ['indoor', 'dog-bowl', 'wheelchair'] }),
      ],
    },
    'world box, with a filter': {
      simple: true,
      queries: [
        waypoints({ bbox: globe }),
        waypoints({ bbox: globe, region }),
        waypoints({ bbox: globe, amenity: absent }),
        waypoints({ bbox: [0, 0, 180, 90], verified: true }),
      ],
    },
    'log by one filter': {
      simple: true,
      queries: [
        logs({ action: 'created' }),
        logs({ userId: 'api', after: middle }),
        logs({ userId: 'api', offset: middle }),
      ],
    },
    'queues of moderators': {
      simple: true,
      queries: [
        ...(['unapproved', 'unverified', 'reported', 'duplicates', 'bursts'] as const).map(queue),
        (registry) => registry.moderation.acts({ limit: 100 }),
      ],
    },
    'several filters': {
      simple: false,
      queries: [
        waypoints({ approved: true, verified: true, region }),
        waypoints({ updatedSince: '2000-01-01T00:00:00.000Z', amenity: absent }),
        waypoints({ near, after: 1, limit: 1 }),
        waypoints({ bbox: globe, after: 10_000, amenity: ['indoor', 'wheelchair'] }),
        logs({ userId: 'api', action: 'created', after: middle }),
        logs({ action: 'created', offset: middle }),
      ],
    },
  }
}

/** Milliseconds, for one filter and for several. */
const goals: Readonly<Record<number, { readonly simple: number; readonly several: number }>> = {
  [city]: { simple: 5, several: 10 },
  200_000: { simple: 20, several: 60 },
  1_000_000: { simple: 60, several: 250 },
}

const repeats = 9

async function of(size: number, { rounds, file }: Bench, goal = goals[size]): Promise<Reading[]> {
  if (goal === undefined) throw new Error(`No goal for ${size} waypoints`)
  const registry = await openRegistry({ database: await file(size) })
  try {
    const { id } = await registry.changes.head()
    const readings: Reading[] = []
    for (const [name, { simple, queries }] of Object.entries(classes(Math.floor(id / 2)))) {
      for (const ask of queries) await ask(registry)
      const slowest: number[] = []
      for (let round = 0; round < rounds; round++) {
        let longest = 0
        for (const ask of queries) {
          const times: number[] = []
          for (let repeat = 0; repeat < repeats; repeat++) times.push(await milliseconds(() => ask(registry)))
          longest = Math.max(longest, median(times))
        }
        slowest.push(longest)
      }
      const title = `GET with a limit, ${size.toLocaleString('en')}: ${name}, p50`
      readings.push(clock(title, simple ? goal.simple : goal.several, slowest))
    }
    return readings
  } finally {
    await registry.close()
  }
}

/** Requests with a limit up to 100: the slowest of each kind. */
export const queries: Row = {
  name: 'queries',
  measure: async (bench) => [...(await of(city, bench)), ...(await of(bench.size, bench))],
}

/** The same on PostgreSQL. */
export const queriesOnServer: Row = {
  name: 'queries',
  measure: (bench) => of(bench.size, bench, { simple: 20, several: 20 }),
}
