import { execFile } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { alternate } from '../measurement.ts'
import { ratio } from '../report.ts'
import { Unmeasurable, type Bench, type Reading, type Row } from '../row.ts'

const child = path.join(import.meta.dirname, 'flush-child.ts')
const delay = path.join(import.meta.dirname, 'slow-flush.c')
const run = promisify(execFile)

const clients = 64
/** Enough for each side to take seconds. */
const creates = { together: clients * 50, alone: 300 }

async function measure({ rounds, file, folder }: Bench): Promise<Reading[]> {
  const library = path.join(folder, 'slow-flush.so')
  await run('cc', ['-shared', '-fPIC', '-o', library, delay, '-ldl']).catch(() => {
    throw new Unmeasurable('flush delays the flushes of a process, which needs Linux and a C compiler as cc')
  })
  const database = path.join(folder, 'registry.db')
  copyFileSync(await file(200_000), database)
  const env = { ...process.env, LD_PRELOAD: library, FLUSH_DELAY_US: '5000' }
  const perSecond = async (atOnce: number, count: number): Promise<number> => {
    const args = [...process.execArgv, child, database, String(atOnce), String(count)]
    const { stdout } = await run(process.execPath, args, { env })
    return (count / Number(stdout)) * 1000
  }
  const value = await alternate(
    () => perSecond(clients, creates.together),
    () => perSecond(1, creates.alone),
    rounds,
  )
  return [
    ratio(
      'creates by 64 clients at once, full durability, a flush takes 5 ms',
      { against: 'one flush for each write', value, atLeast: 8 },
      '/s',
    ),
  ]
}

/** Queued writes share a flush: the gain on a disk whose flush takes 5 ms, among 200,000 waypoints. */
export const flush: Row = { name: 'flush', measure }
