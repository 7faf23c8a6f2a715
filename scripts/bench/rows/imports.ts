import path from 'node:path'
import { openRegistry } from '@openfountain/core'
import { BareTable } from '../bare-table.ts'
import { fountains, type Fountain } from '../fountains.ts'
import { alternate, milliseconds } from '../measurement.ts'
import { batchRows } from '../registry-file.ts'
import { figures } from '../report.ts'
import type { Bench, Reading, Row } from '../row.ts'

/** Batches in one measurement, so that copying the log of SQLite into the file falls on both sides. */
const batches = 8

/** Batches of the same rows, made just before they are imported, as a reader of files makes them. */
function reader(): () => Fountain[] {
  const source = fountains(Number.POSITIVE_INFINITY)
  return () => Array.from({ length: batchRows }, () => source.next().value as Fountain)
}

/** Rows a second over several batches. */
async function speed<Given>(work: (rows: readonly Given[]) => unknown, next: () => Given[]): Promise<number> {
  let time = 0
  for (let batch = 0; batch < batches; batch++) {
    const rows = next()
    time += await milliseconds(() => work(rows))
  }
  return ((batches * batchRows) / time) * 1000
}

async function measure({ rounds, folder }: Bench): Promise<Reading[]> {
  const registry = await openRegistry({ database: path.join(folder, 'registry.db'), durability: 'relaxed' })
  const bare = new BareTable(path.join(folder, 'bare.db'))
  try {
    const run = registry.imports.start({ source: { name: 'Bench', license: 'CC0-1.0' } })
    let row = 0
    const [here, there] = [reader(), reader()]
    const importRows = () => here().map(({ ref, ...input }) => ({ row: ++row, ref, input }))
    const compared = await alternate(
      () => speed((rows) => run.apply(rows), importRows),
      () => speed((rows) => bare.insertAll(rows), there),
      rounds,
    )
    const title = 'import, whole domain work'
    return [
      {
        id: title,
        title,
        against: 'bare batch insert, better-sqlite3 alone',
        goal: { atLeast: 0.1, unit: 'ratio' },
        value: compared.ratio,
        subject: `${figures(compared.subject.median)} rows/s`,
        yardstick: `${figures(compared.yardstick.median)} rows/s`,
      },
    ]
  } finally {
    bare.close()
    await registry.close()
  }
}

/** Checking, deciding, log, provenance and indexes of a large file, in batches. */
export const imports: Row = { name: 'import', measure }
