import { alternate } from '../measurement.ts'
import { ratio } from '../report.ts'
import { city, type Bench, type Reading, type Row } from '../row.ts'
import { readById, Served, type ServerKind } from '../served.ts'

type Rate = (server: Served, ids: number) => Promise<number>

const seconds = 0.5
/** Pairs in a round: short ones, since other load of the machine comes and goes. */
const pairs = 6

/** Requests in a second of the server's processor time, the least disturbed by what else runs. */
const perProcessorSecond: Rate = async (server, ids) => {
  await server.measure()
  const { requests } = await readById(server.port, ids, seconds)
  return requests / ((await server.measure()).processor / 1000)
}

/** Requests in a second by the clock, in which another process does a part of the work. */
const perSecond: Rate = async (server, ids) => (await readById(server.port, ids, seconds)).perSecond

async function measure(
  { size, rounds, file }: Bench,
  kind: ServerKind,
  rate: Rate,
  atLeast: number,
): Promise<Reading[]> {
  const readings: Reading[] = []
  for (const count of [city, size]) {
    const database = await file(count)
    const whole = await Served.start('whole', database)
    const bare = await Served.start(kind, database)
    try {
      const value = await alternate(
        () => rate(whole, count),
        () => rate(bare, count),
        rounds * pairs,
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
export const readingById: Row = {
  name: 'by-id',
  measure: (bench) => measure(bench, 'statement', perProcessorSecond, 0.9),
}

/** The same of a registry on PostgreSQL. */
export const readingByIdOnServer: Row = {
  name: 'by-id',
  measure: (bench) => measure(bench, 'statement-on-server', perSecond, 0.85),
}
