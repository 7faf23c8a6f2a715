import { alternate } from '../measurement.ts'
import { ratio } from '../report.ts'
import { city, type Bench, type Reading, type Row } from '../row.ts'
import { readById, Served, type ServerKind } from '../served.ts'

const seconds = 2

async function measure({ size, rounds, file }: Bench, kind: ServerKind, atLeast: number): Promise<Reading[]> {
  const readings: Reading[] = []
  for (const count of [city, size]) {
    const database = await file(count)
    const whole = await Served.start('whole', database)
    const bare = await Served.start(kind, database)
    try {
      const value = await alternate(
        async () => (await readById(whole.port, count, seconds)).perSecond,
        async () => (await readById(bare.port, count, seconds)).perSecond,
        rounds,
      )
      const against = 'plain h3 with the same statement'
      readings.push(
        ratio(`read by id, ${count.toLocaleString('en')} waypoints`, { against, value, atLeast }, '/s'),
      )
    } finally {
      await whole.stop()
      await bare.stop()
    }
  }
  return readings
}

/** GET /api/waypoints/{id} with its checks, entity tag and cross-origin headers. */
export const readingById: Row = { name: 'by-id', measure: (bench) => measure(bench, 'statement', 0.9) }

/** The same of a registry on PostgreSQL. */
export const readingByIdOnServer: Row = {
  name: 'by-id',
  measure: (bench) => measure(bench, 'statement-on-server', 0.85),
}
