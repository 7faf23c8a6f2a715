import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { openRegistry, type Registry } from '@openfountain/core'
import { milliseconds, spreadOf, type Spread } from '../measurement.ts'
import { figures } from '../report.ts'
import type { Bench, Reading, Row } from '../row.ts'

/** Proofs of each kind that one round makes. */
const proofs = 200

/** What verifying a million entries may take. */
const minute = { entries: 1_000_000, milliseconds: 60_000 }

/** Numbers from 1 to `most`, the same in each run and spread over all. */
function* spread(most: number, count: number): Generator<number> {
  for (let each = 0; each < count; each++) yield 1 + ((each * 7_368_787) % most)
}

async function each(registry: Registry, make: (id: number) => Promise<unknown>): Promise<number[]> {
  const { id: size } = await registry.changes.head()
  const times: number[] = []
  for (const id of spread(size, proofs)) times.push(await milliseconds(() => make(id)))
  return times
}

function reading(title: string, value: Spread, atMost: number, subject: string): Reading {
  return {
    id: title,
    title,
    against: 'the clock',
    goal: { atMost, unit: 'ms' },
    value,
    subject,
    yardstick: '',
  }
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
    const included = spreadOf(inclusion)
    const consistent = spreadOf(consistency)
    const all = spreadOf(verified)
    const of = `of ${entries.toLocaleString('en')} entries`
    const most = Math.round((minute.milliseconds * entries) / minute.entries)
    return [
      reading(`proof that an entry is one ${of}`, included, 2, `${figures(included.median)} ms`),
      reading(`proof that an older log is part ${of}`, consistent, 5, `${figures(consistent.median)} ms`),
      reading(
        `verifying everything ${of}`,
        all,
        most,
        `${figures(all.median)} ms, ${figures(memory / 2 ** 20)} MiB in memory`,
      ),
    ]
  } finally {
    await registry.close()
  }
}

/** Proofs over the log, and verifying all of it; the goals at a million entries, fewer in proportion. */
export const log: Row = { name: 'log', measure }
