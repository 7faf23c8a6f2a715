import { openRegistry, type Registry } from '@openfountain/core'
import { rareWord } from '../fountains.ts'
import { alternate, median, milliseconds, spreadOf } from '../measurement.ts'
import { figures } from '../report.ts'
import type { Bench, Reading, Row } from '../row.ts'

/** Kinds of queries by what makes each of them hard for an index. */
const classes: Readonly<Record<string, readonly string[]>> = {
  'common word': ['fountain', 'drinking', 'trinkbrunnen', 'fontaine'],
  'rare word': [rareWord, 'quellnymphe 17', '飲み水'],
  'two letters': ['fo', 'br', 'wa', 'ki'],
  'partial word': ['untai', 'inkbrunn', 'denbe', 'traße'],
  'no hit': ['zzyqx', 'fountainx', 'xqfountain', 'qqq www'],
  'several words': ['fountain linden', 'drinking kirch', 'closed trink', 'water tap 12'],
  'common words that never meet': ['fuente trinkbrunnen', 'fontaine drinking', 'fontanella bottle'],
}

const repeats = 12

/** Median of one query in milliseconds. */
async function typical(registry: Registry, queries: readonly string[]): Promise<number> {
  const times: number[] = []
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const q of queries) times.push(await milliseconds(() => registry.waypoints.search({ q })))
  }
  return median(times)
}

async function measure({ size, smaller, rounds, file }: Bench, atMost: number): Promise<Reading[]> {
  const here = await openRegistry({ database: await file(size) })
  const there = smaller === undefined ? undefined : await openRegistry({ database: await file(smaller) })
  const readings: Reading[] = []
  try {
    for (const [name, queries] of Object.entries(classes)) {
      const title = `search: ${name}`
      const goal = { atMost, unit: 'ms' } as const
      if (there === undefined) {
        const times: number[] = []
        for (let round = 0; round < rounds; round++) times.push(await typical(here, queries))
        const value = spreadOf(times)
        const subject = `${figures(value.median)} ms`
        readings.push({ id: title, title, against: 'the clock, p50', goal, value, subject, yardstick: '' })
        continue
      }
      const compared = await alternate(
        () => typical(here, queries),
        () => typical(there, queries),
        rounds,
      )
      const subject = `${figures(compared.subject.median)} ms`
      const yardstick = `${figures(compared.yardstick.median)} ms`
      const value = compared.subject
      readings.push({ id: title, title, against: 'the clock, p50', goal, value, subject, yardstick: '' })
      readings.push({
        id: `${title}, growth`,
        title: `${title}, growth`,
        against: 'the same at 200,000',
        goal: { atMost: 1.5, unit: 'ratio' },
        value: compared.ratio,
        subject,
        yardstick,
      })
    }
    return readings
  } finally {
    await here.close()
    await there?.close()
  }
}

/** Search, one line for each kind of query. @param atMost the goal for the median of each, in milliseconds */
export const searchWithin = (atMost: number): Row => ({
  name: 'search',
  measure: (bench) => measure(bench, atMost),
})
