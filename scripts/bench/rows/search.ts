import { openRegistry, type Registry } from '@openfountain/core'
import { rareWord } from '../fountains.ts'
import { median, milliseconds } from '../measurement.ts'
import { clock } from '../report.ts'
import type { Bench, Reading, Row } from '../row.ts'

/** Kinds of queries by their difficulty for an index. */
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

async function measure({ size, rounds, file }: Bench, atMost: number): Promise<Reading[]> {
  const registry = await openRegistry({ database: await file(size) })
  try {
    const readings: Reading[] = []
    for (const [name, queries] of Object.entries(classes)) {
      const times: number[] = []
      for (let round = 0; round < rounds; round++) times.push(await typical(registry, queries))
      readings.push(clock(`search: ${name}, p50`, atMost, times))
    }
    return readings
  } finally {
    await registry.close()
  }
}

/** Search, one line for each kind of query. @param goals the median of each, in milliseconds, up to 200,000 and beyond */
export const searchWithin = (goals: { readonly most: number; readonly million: number }): Row => ({
  name: 'search',
  measure: (bench) => measure(bench, bench.size > 200_000 ? goals.million : goals.most),
})
