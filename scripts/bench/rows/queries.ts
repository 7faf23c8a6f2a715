import { openRegistry, type LogQuery, type Registry, type WaypointFilterInput } from '@openfountain/core'
import { places } from '../fountains.ts'
import { median, milliseconds, spreadOf } from '../measurement.ts'
import { figures } from '../report.ts'
import type { Bench, Reading, Row } from '../row.ts'

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

const globe: [number, number, number, number] = [-180, -90, 180, 90]
const absent = ['nobody has it']
const ocean = { latitude: 0, longitude: -150 }

/** Kinds of requests by what no index has together; `middle` is an id in the middle of the log. */
function classes(middle: number): Readonly<Record<string, readonly Query[]>> {
  const [{ latitude, longitude } = ocean] = places()
  const near = { latitude, longitude }
  const region = 'Ieréiweg'
  return {
    sources: [(registry) => registry.sources.list()],
    'approved or verified': [
      waypoints({ approved: false }),
      waypoints({ verified: true }),
      waypoints({ approved: true, verified: true, region }),
    ],
    'amenities, absent or rare': [
      waypoints({ amenity: absent }),
      waypoints({
        amenity: ['drinking-fountain', 'bottle-filler', 'wheelchair', 'dog-bowl', 'indoor', 'seasonal'],
      }),
      waypoints({ updatedSince: '2000-01-01T00:00:00.000Z', amenity: absent }),
    ],
    'near, with filters or after': [
      waypoints({ near, after: 1, limit: 1 }),
      waypoints({ near, amenity: absent }),
      waypoints({ near, verified: true }),
      waypoints({ near, approved: true }),
      waypoints({ near, amenity: ['drinking-fountain'] }),
      waypoints({ near, region: 'Elsewhere' }),
      waypoints({ near: ocean, amenity: ['indoor', 'dog-bowl', 'wheelchair'] }),
    ],
    'world box, with filters or after': [
      waypoints({ bbox: globe }),
      waypoints({ bbox: globe, after: 10_000 }),
      waypoints({ bbox: globe, region }),
      waypoints({ bbox: globe, amenity: absent }),
      waypoints({ bbox: [0, 0, 180, 90], verified: true }),
    ],
    'logs by action or user': [
      logs({ action: 'created' }),
      logs({ action: 'created', after: middle }),
      logs({ action: 'created', offset: middle }),
      logs({ userId: 'api', action: 'created' }),
      logs({ userId: 'api', after: middle }),
      logs({ userId: 'api', offset: middle }),
    ],
  }
}

/** Questions before the measurement. */
const warmUp = 2
const repeats = 9

async function measure({ size, rounds, file }: Bench): Promise<Reading[]> {
  const registry = await openRegistry({ database: await file(size) })
  const readings: Reading[] = []
  const add = (title: string, goal: number, times: readonly number[]): void => {
    const value = spreadOf(times)
    const subject = `${figures(value.median)} ms`
    const against = 'the clock, p50'
    readings.push({
      id: title,
      title,
      against,
      goal: { atMost: goal, unit: 'ms' },
      value,
      subject,
      yardstick: '',
    })
  }
  try {
    const { id } = await registry.changes.head()
    for (const [name, queries] of Object.entries(classes(Math.floor(id / 2)))) {
      for (const ask of queries) for (let each = 0; each < warmUp; each++) await ask(registry)
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
      add(`GET with a limit: ${name}`, 20, slowest)
    }
    return readings
  } finally {
    await registry.close()
  }
}

/** Requests with a limit up to 100, whatever their filters: of each kind the slowest. */
export const queries: Row = { name: 'queries', measure }
