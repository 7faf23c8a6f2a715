import { alternate } from '../../measurement.ts'
import { figures } from '../../report.ts'
import type { Bench, Reading, Row } from '../../row.ts'
import { readById, Served } from '../../served.ts'

const seconds = 3

async function measure({ size, rounds, file }: Bench): Promise<Reading[]> {
  const database = await file(size)
  const whole = await Served.start('whole', database)
  const bare = await Served.start('statement-on-server', database)
  try {
    const compared = await alternate(
      async () => (await readById(whole.port, size, seconds)).perSecond,
      async () => (await readById(bare.port, size, seconds)).perSecond,
      rounds,
    )
    const title = 'read by id, whole server'
    return [
      {
        id: title,
        title,
        against: 'node:http with the same statement through the same driver',
        goal: { atLeast: 0.6, unit: 'ratio' },
        value: compared.ratio,
        subject: `${figures(compared.subject.median)}/s`,
        yardstick: `${figures(compared.yardstick.median)}/s`,
      },
    ]
  } finally {
    await whole.stop()
    await bare.stop()
  }
}

/** GET /api/waypoints/{id} of a registry on PostgreSQL. */
export const readingByIdOnServer: Row = { name: 'by-id', measure }
