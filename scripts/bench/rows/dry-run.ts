import { copyFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openRegistry } from '@openfountain/core'
import { importFile } from '@openfountain/exchange'
import { fountains } from '../fountains.ts'
import { alternate, median, milliseconds } from '../measurement.ts'
import { clock, ratio } from '../report.ts'
import type { Bench, Reading, Row } from '../row.ts'

const size = 100_000
const repeats = 20

async function measure({ rounds, file, folder }: Bench): Promise<Reading[]> {
  const database = path.join(folder, 'registry.db')
  copyFileSync(await file(size), database)
  const registry = await openRegistry({ database })
  const row = path.join(folder, 'row.csv')
  const { value: fountain } = fountains(size, 3).next()
  if (fountain === undefined) throw new Error('No fountain')
  const { name, latitude, longitude } = fountain
  writeFileSync(row, `ref,name,latitude,longitude\n1,${name},${latitude},${longitude}\n`)
  const source = { name: 'One row', license: 'CC0-1.0' }
  const typical = async (work: () => Promise<unknown>): Promise<number> => {
    const times: number[] = []
    for (let repeat = 0; repeat < repeats; repeat++) times.push(await milliseconds(work))
    return median(times)
  }
  try {
    const all = { name: 'Synthetic fountains', license: 'CC0-1.0' }
    const [whole, ofAll]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      whole.push(await typical(() => importFile(registry, { file: row, source, dryRun: true })))
      ofAll.push(await typical(() => importFile(registry, { file: row, source: all, dryRun: true })))
    }
    const value = await alternate(
      () =>
        typical(async () => {
          const run = await registry.imports.start({ source })
          await run.known(['1'])
          await run.near([{ latitude, longitude }])
        }),
      () => typical(() => registry.waypoints.nearDuplicates({ name, latitude, longitude })),
      rounds,
    )
    const against = '`nearDuplicates` of the same place'
    return [
      ratio('reads of a dry run of one row, 100,000 waypoints', { against, value, atMost: 3 }, ' ms'),
      clock('the whole dry run, with its file', 100, whole),
      clock('the same for the source that lists all 100,000', 100, ofAll),
    ]
  } finally {
    await registry.close()
  }
}

/** A dry run of one row: its cost must not grow with the registry. */
export const dryRun: Row = { name: 'dry-run', measure }
