import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { openRegistry, type Registry } from '@openfountain/core'
import { milliseconds } from '../measurement.ts'
import { clock, figures } from '../report.ts'
import type { Bench, Reading, Row } from '../row.ts'

/** Proofs of each kind that one round makes. */
const proofs = 200

/** The goal for verifying a million entries. */
const minute = { entries: 1_000_000, milliseconds: 60_000 }

/** Numbers from 1 to `most`, the same in each run and evenly spread. */
function* spread(most: number, count: number): Generator<number> {
  for (let each = 0; each < count; each++) yield 1 + ((each * 7_368_787) % most)
}

async function each(registry: Registry, make: (id: number) => Promise<unknown>): Promise<number[]> {
  const { id: size } = await registry.changes.head()
  const times: number[] = []
  for (const id of spread(size, proofs)) times.push(await milliseconds(() => make(id)))
  return times
}

async function measure({ size, rounds, file, folder, report }: Bench): Promise<Reading[]> {
  const database = path.join(folder, 'registry.db')
  copyFileSync(await file(size), database)
  const registry = await openRegistry({ database })
  try {
    const { id: entries } = await registry.changes.head()
    const inclusion: number[] = []
    const consistency: number[] = []
    const verified: number[] = []
    let memory = 0
    for (let round = 0; round < rounds; round++) {
      inclusion.push(...(await each(registry, (id) => registry.changes.inclusion(id))))
      consistency.push(...(await each(registry, (id) => registry.changes.consistency(id))))
      verified.push(
        await milliseconds(async () => {
          const { ok, problems } = await registry.changes.verify()
          if (!ok) throw new Error(problems[0])
        }),
      )
      memory = Math.max(memory, process.memoryUsage.rss())
      report(`log: verified ${entries} entries in ${figures(verified.at(-1) ?? 0)} ms`)
    }
    const of = `of ${entries.toLocaleString('en')} entries`
    const most = Math.round((minute.milliseconds * entries) / minute.entries)
    return [
      clock(`proof that an entry is one ${of}`, 2, inclusion),
      clock(`proof that an older log is part ${of}`, 5, consistency),
      clock(`verifying everything ${of}`, most, verified, `, ${figures(memory / 2 ** 20)} MiB in memory`),
    ]
  } finally {
    await registry.close()
  }
}

/** Proofs over the log, and verification of all of it; the goals are for a million entries, in proportion for fewer. */
export const log: Row = { name: 'log', measure }
