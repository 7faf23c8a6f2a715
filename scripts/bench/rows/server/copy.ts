import path from 'node:path'
import { copyRegistry } from '@openfountain/core'
import { milliseconds, spreadOf } from '../../measurement.ts'
import { figures } from '../../report.ts'
import type { Reading, Row, ServerBench } from '../../row.ts'

/** What a copy of a million waypoints and their log may take. */
const atMost = { milliseconds: 180_000, waypoints: 1_000_000 }
/** A copy takes minutes, and its time says what it is to say after one. */
const mostRounds = 2

async function measure(bench: ServerBench): Promise<Reading[]> {
  const { size, rounds, folder, sqlite, emptyDatabase, dropDatabase } = bench
  const from = await sqlite(size)
  const [there, back]: [number[], number[]] = [[], []]
  for (let round = 0; round < Math.min(rounds, mostRounds); round++) {
    const server = await emptyDatabase()
    const file = path.join(folder, `${round}.db`)
    there.push(await milliseconds(() => copyRegistry({ from, to: server })))
    back.push(await milliseconds(() => copyRegistry({ from: server, to: file })))
    await dropDatabase(server)
  }
  const reading = (title: string, times: readonly number[]): Reading => {
    const value = spreadOf(times)
    return {
      id: title,
      title,
      against: 'the clock',
      goal: { atMost: (atMost.milliseconds * size) / atMost.waypoints, unit: 'ms' },
      value,
      subject: `${figures((size / value.median) * 1000)} waypoints/s`,
      yardstick: '',
    }
  }
  return [reading('copy of a file to a server', there), reading('copy of a server to a file', back)]
}

/** Copies with the log, verified row by row. */
export const copyOnServer: Row<ServerBench> = { name: 'copy', measure }
