import path from 'node:path'
import { copyRegistry } from '@openfountain/core'
import { milliseconds } from '../../measurement.ts'
import { clock } from '../../report.ts'
import type { Reading, Row, ServerBench } from '../../row.ts'

/** The goal for copying a million waypoints with their log. */
const atMost = { milliseconds: 180_000, waypoints: 1_000_000 }
/** A copy takes minutes, so that few rounds are enough. */
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
  const most = (atMost.milliseconds * size) / atMost.waypoints
  return [clock('copy of a file to a server', most, there), clock('copy of a server to a file', most, back)]
}

/** Copies with the log, verified row by row. */
export const copyOnServer: Row<ServerBench> = { name: 'copy', measure }
