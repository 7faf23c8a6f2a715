import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { milliseconds, spreadOf } from '../measurement.ts'
import { figures } from '../report.ts'
import type { Bench, Reading, Row } from '../row.ts'

const child = path.join(import.meta.dirname, 'opening-child.ts')

async function measure({ size, rounds, file, folder }: Bench): Promise<Reading[]> {
  const database = await file(size)
  // As the command does: what Node compiled is cached.
  const env = { ...process.env, NODE_COMPILE_CACHE: path.join(folder, 'compiled') }
  const times: number[] = []
  const inside: number[] = []
  for (let round = 0; round < rounds + 1; round++) {
    const started = await milliseconds(async () => {
      const args = [...process.execArgv, child, database]
      const { stdout } = await promisify(execFile)(process.execPath, args, { env })
      inside.push(Number(stdout))
    })
    if (round > 0) times.push(started)
  }
  const value = spreadOf(times)
  const opened = spreadOf(inside.slice(1))
  return [
    {
      id: 'start to first response',
      title: 'start to first response',
      against: 'the clock, a new process',
      goal: { atMost: 500, unit: 'ms' },
      value,
      subject: `${figures(value.median)} ms`,
      yardstick: `${figures(opened.median)} ms once loaded`,
    },
  ]
}

/** A process that opens the registry and serves it: nothing may be scanned on the way. */
export const opening: Row = { name: 'opening', measure }
