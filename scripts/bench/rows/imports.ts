import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { openRegistry, type ImportRow } from '@openfountain/core'
import { BareTable } from '../bare-table.ts'
import { fountains, type Fountain } from '../fountains.ts'
import { comparison, milliseconds } from '../measurement.ts'
import { batchRows } from '../registry-file.ts'
import { ratio } from '../report.ts'
import type { Bench, Reading, Row } from '../row.ts'

/** Consecutive batches of one side, so that both sides have SQLite's checkpoints. */
const turn = 8

/** Batches of the same rows, made just before their import, as a file reader makes them. */
function reader(): () => Fountain[] {
  const source = fountains(Number.POSITIVE_INFINITY)
  return () => Array.from({ length: batchRows }, () => source.next().value as Fountain)
}

/** Rows per second of both sides, for a first import from its first row to its end, and for a later one. */
interface Pairs {
  readonly first: { readonly a: number; readonly b: number }
  readonly later: { readonly a: number; readonly b: number }
}

/** Imports into a new registry, alternating with the same rows into a new table; both are opened anew for the later one. */
async function round(folder: string, size: number): Promise<Pairs> {
  const [here, there] = [reader(), reader()]
  let row = 0

  async function importing(name: string, batches: number): Promise<{ a: number; b: number }> {
    await using registry = await openRegistry({
      database: path.join(folder, 'registry.db'),
      durability: 'relaxed',
    })
    using bare = new BareTable(path.join(folder, 'bare.db'))
    const run = await registry.imports.start({ source: { name, license: 'CC0-1.0' } })
    const time = { a: 0, b: 0 }
    for (let done = 0; done < batches; done += turn) {
      const left = Math.min(turn, batches - done)
      for (let batch = 0; batch < left; batch++) {
        const rows: ImportRow[] = here().map(({ ref, ...input }) => ({ row: ++row, ref, input }))
        time.a += await milliseconds(() => run.apply(rows))
      }
      for (let batch = 0; batch < left; batch++) {
        const rows = there()
        time.b += await milliseconds(() => bare.insertAll(rows))
      }
    }
    time.a += await milliseconds(() => run.finish({ counts: {}, missing: 'keep' }))
    const perSecond = (side: number) => ((batches * batchRows) / side) * 1000
    return { a: perSecond(time.a), b: perSecond(time.b) }
  }

  return { first: await importing('First', size / batchRows), later: await importing('Later', turn) }
}

async function measure({ size, rounds, folder }: Bench): Promise<Reading[]> {
  const pairs: Pairs[] = []
  for (let at = 0; at <= rounds; at++) {
    const own = path.join(folder, String(at))
    mkdirSync(own)
    const pair = await round(own, size)
    rmSync(own, { recursive: true })
    // The first pair warms both sides up.
    if (at > 0) pairs.push(pair)
  }
  const against = 'bare batch insert, better-sqlite3 alone'
  const [first, later] = [pairs.map((pair) => pair.first), pairs.map((pair) => pair.later)]
  return [
    ratio('import, whole domain work', { against, value: comparison(first), atLeast: 0.05 }, ' rows/s'),
    ratio(
      'import into a registry that is full',
      { against, value: comparison(later), atLeast: 0.035 },
      ' rows/s',
    ),
  ]
}

/** Validation, decisions, log, provenance and indexes of a large file, in batches. */
export const imports: Row = { name: 'import', measure }
