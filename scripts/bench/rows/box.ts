import { openRegistry } from '@openfountain/core'
import Database from 'better-sqlite3'
import { places, seeded } from '../fountains.ts'
import { alternate, median, milliseconds } from '../measurement.ts'
import { ratio } from '../report.ts'
import type { Bench, Reading, Row } from '../row.ts'

const boxes = 60

async function measure({ size, rounds, file }: Bench): Promise<Reading[]> {
  const database = await file(size)
  const registry = await openRegistry({ database })
  const bare = new Database(database, { readonly: true })
  const scan = bare.prepare(`select count(*) from waypoints
    where deletedAt is null and longitude between ? and ? and latitude between ? and ?`)
  const towns = places()
  const random = seeded(11)
  try {
    const value = await alternate(
      async () => {
        const times: number[] = []
        for (let index = 0; index < boxes; index++) {
          const { latitude, longitude } = towns[Math.floor(random() * towns.length)] ?? {
            latitude: 0,
            longitude: 0,
          }
          const bbox: [number, number, number, number] = [
            longitude - 0.05,
            latitude - 0.05,
            longitude + 0.05,
            latitude + 0.05,
          ]
          times.push(await milliseconds(() => registry.waypoints.list({ bbox, limit: 100_000 })))
        }
        return median(times)
      },
      () => milliseconds(() => scan.get(8.5, 8.6, 47.3, 47.4)),
      rounds,
    )
    return [
      ratio('box of 0.1° around a town', { against: 'scanning the table', value, atMost: 1 / 500 }, ' ms'),
    ]
  } finally {
    bare.close()
    await registry.close()
  }
}

/** All fountains in a small box, the query of a map. */
export const box: Row = { name: 'box', measure }
