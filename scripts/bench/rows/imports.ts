import path from 'node:path'
import { openRegistry } from '@openfountain/core'
import { BareTable } from '../bare-table.ts'
import { fountains } from '../fountains.ts'
import { alternate, milliseconds } from '../measurement.ts'
import { figures } from '../report.ts'
import type { Bench, Reading, Row } from '../row.ts'

/** Rows in one transaction, here and there: as many as `openfountain import` takes. */
const batchRows = 5000

async function measure({ rounds, folder }: Bench): Promise<Reading[]> {
  const registry = await openRegistry({ database: path.join(folder, 'registry.db'), durability: 'relaxed' })
  const bare = new BareTable(path.join(folder, 'bare.db'))
  // Each pair is one batch, so that whatever the machine does falls on both sides alike.
  const pairs = rounds * 8
  const rows = [...fountains(batchRows * (pairs + 1))]
  const batch = (round: number) => rows.slice(round * batchRows, (round + 1) * batchRows)
  const perSecond = (time: number) => (batchRows / time) * 1000
  try {
    const run = registry.imports.start({ source: { name: 'Bench', license: 'CC0-1.0' } })
    let row = 0
    const compared = await alternate(
      async (round) => {
        const given = batch(round).map(({ ref, ...input }) => ({ row: ++row, ref, input }))
        return perSecond(await milliseconds(() => run.apply(given)))
      },
      async (round) => perSecond(await milliseconds(() => bare.insertAll(batch(round)))),
      pairs,
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
