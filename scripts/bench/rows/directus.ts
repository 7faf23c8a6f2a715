import { alternate } from '../measurement.ts'
import { ratio } from '../report.ts'
import { Unmeasurable, type Bench, type Reading, type Row } from '../row.ts'
import { readById, Served } from '../served.ts'

const seconds = 2

async function measure({ size, rounds, file, directus }: Bench): Promise<Reading[]> {
  if (directus === undefined) {
    throw new Unmeasurable('it needs a Directus that listens: --directus http://127.0.0.1:8055')
  }
  const whole = await Served.start('whole', await file(size))
  const port = Number(directus.port || 80)
  try {
    const value = await alternate(
      async () => (await readById(whole.port, size, seconds)).perSecond,
      async () => (await readById(port, size, seconds, '/items/waypoints/')).perSecond,
      rounds,
    )
    return [ratio('read by id, whole server', { against: 'Directus on SQLite', value, atLeast: 30 }, '/s')]
  } finally {
    await whole.stop()
  }
}

/** The same read from a general-purpose server over SQLite. */
export const directus: Row = { name: 'directus', measure }
