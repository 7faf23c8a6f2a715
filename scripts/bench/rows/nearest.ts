import { openRegistry, type Registry } from '@openfountain/core'
import { places, seeded } from '../fountains.ts'
import { alternate, milliseconds, quantile } from '../measurement.ts'
import { ratio } from '../report.ts'
import type { Bench, Reading, Row } from '../row.ts'

interface Place {
  readonly latitude: number
  readonly longitude: number
}

const visits = 200
/**
 * Queries for each place, of which the fastest counts: the comparison is between places, not of the scheduler's delays.
 */
const asks = 4

async function times(registry: Registry, place: () => Place): Promise<number[]> {
  const measured: number[] = []
  for (let visit = 0; visit < visits; visit++) {
    const near = place()
    let best = Number.POSITIVE_INFINITY
    for (let ask = 0; ask < asks; ask++) {
      best = Math.min(best, await milliseconds(() => registry.waypoints.list({ near, limit: 10 })))
    }
    measured.push(best)
  }
  return measured
}

async function measure({ size, rounds, file }: Bench): Promise<Reading[]> {
  const registry = await openRegistry({ database: await file(size) })
  const towns = places()
  const random = seeded(13)
  const inTown = (): Place => {
    const { latitude, longitude } = towns[Math.floor(random() * towns.length)] ?? {
      latitude: 0,
      longitude: 0,
    }
    return { latitude: latitude + (random() - 0.5) * 0.05, longitude: longitude + (random() - 0.5) * 0.05 }
  }
  // Even on the sphere: mostly ocean, with the poles and the antimeridian in it.
  const anywhere = (): Place => ({
    latitude: (Math.asin(random() * 2 - 1) * 180) / Math.PI,
    longitude: random() * 360 - 180,
  })
  try {
    const value = await alternate(
      async () => quantile(await times(registry, anywhere), 0.99),
      async () => quantile(await times(registry, inTown), 0.99),
      rounds,
    )
    return [
      ratio(
        'nearest 10, anywhere on the globe, p99',
        { against: 'nearest 10 in a town, p99', value, atMost: 10 },
        ' ms',
      ),
    ]
  } finally {
    await registry.close()
  }
}

/** The nearest waypoints, from places in mid-ocean too. */
export const nearest: Row = { name: 'nearest', measure }
