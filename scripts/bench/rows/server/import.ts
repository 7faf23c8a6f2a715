import { rmSync } from 'node:fs'
import path from 'node:path'
import { openRegistry } from '@openfountain/core'
import { alternate, milliseconds } from '../../measurement.ts'
import { batches } from '../../registry-file.ts'
import { ratio } from '../../report.ts'
import type { Reading, Row, ServerBench } from '../../row.ts'

/** Rows of one import: this fraction of the registry's size. */
const share = 4

/** Rows per second of an import into an empty registry, from its first row to its end. */
async function imported(database: string, rows: number): Promise<number> {
  const registry = await openRegistry({ database, durability: 'relaxed' })
  try {
    const run = await registry.imports.start({ source: { name: 'First', license: 'CC0-1.0' } })
    let time = 0
    for (const batch of batches(rows)) time += await milliseconds(() => run.apply(batch))
    time += await milliseconds(() => run.finish({ counts: {}, missing: 'keep' }))
    return (rows / time) * 1000
  } finally {
    await registry.close()
  }
}

async function measure({
  size,
  rounds,
  folder,
  emptyDatabase,
  dropDatabase,
}: ServerBench): Promise<Reading[]> {
  const rows = size / share
  const value = await alternate(
    async () => {
      const url = await emptyDatabase()
      try {
        return await imported(url, rows)
      } finally {
        await dropDatabase(url)
      }
    },
    async () => {
      const file = path.join(folder, 'registry.db')
      try {
        return await imported(file, rows)
      } finally {
        for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
      }
    },
    rounds,
  )
  return [
    ratio(
      'import into an empty registry',
      { against: 'the same import into SQLite', value, atLeast: 0.5 },
      ' rows/s',
    ),
  ]
}

/** A first import on PostgreSQL, compared with the same on SQLite. */
export const importOnServer: Row<ServerBench> = { name: 'import', measure }
