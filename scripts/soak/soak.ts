import { fork, type ChildProcess } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openRegistry } from '@openfountain/core'
import { seeded } from '../bench/fountains.ts'
import { median } from '../bench/measurement.ts'
import { registryFile } from '../bench/registry-file.ts'
import { hangUp, provoke, stall, trickle } from './hostility.ts'
import { createContributors, type Contributors } from './people.ts'
import type { Health, Memory } from './server-child.ts'
import { Tally } from './tally.ts'
import { burst, contribute, hoard, type SoakRun } from './traffic.ts'

/**
 * Mixed traffic against a server in another process: `npm run soak -- --minutes 10 --waypoints 200000`. Ends with
 * status 1 when a request failed, memory grew, a slow client was not disconnected, the log does not verify or XP is not exact.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    waypoints: { type: 'string', default: '200000' },
    people: { type: 'string', default: '12' },
  },
})
const minutes = Number(values.minutes)
const waypoints = Number(values.waypoints)
if (!(minutes > 0) || !Number.isInteger(waypoints) || waypoints < 1) {
  console.error('--minutes is a number above 0, --waypoints a whole number from 1')
  process.exit(2)
}

function message<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('The server ended'))
    child.once('exit', ended)
    child.once('message', (given) => {
      child.off('exit', ended)
      resolve(given as Message)
    })
  })
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
const folder = mkdtempSync(path.join(tmpdir(), 'openfountain-soak-'))
const database = path.join(folder, 'registry.db')
const tally = new Tally()

/** Samples memory until the traffic is over. */
async function watch(server: ChildProcess, over: AbortSignal): Promise<Memory[]> {
  const memory: Memory[] = []
  while (!over.aborted) {
    await pause(1000)
    server.send('health')
    const { memory: now } = await message<Health>(server)
    memory.push(now)
    if (memory.length % 30 === 0)
      console.error(
        `  ${memory.length} s, ${tally.total} requests, ${tally.failed} problems, ${memoryText(now)}`,
      )
  }
  return memory
}

const memoryText = ({ resident, heap, buffers }: Memory): string =>
  `${megabytes(resident)} (heap ${megabytes(heap)}, buffers ${megabytes(buffers)})`

const typical = (memory: readonly Memory[]): Memory => ({
  resident: median(memory.map(({ resident }) => resident)),
  heap: median(memory.map(({ heap }) => heap)),
  buffers: median(memory.map(({ buffers }) => buffers)),
})

function checkMemory(memory: readonly Memory[]): string {
  // Caches fill in the first half; after that memory has to stay where it is.
  const quarter = Math.floor(memory.length / 4)
  const before = typical(memory.slice(quarter * 2, quarter * 3))
  const after = typical(memory.slice(quarter * 3))
  if (after.resident > before.resident * 1.1 + 16e6)
    tally.problem(`memory grew from ${memoryText(before)} to ${memoryText(after)}`)
  const most = Math.max(...memory.map(({ resident }) => resident))
  return `${memoryText(before)} in the third quarter, ${memoryText(after)} in the last, ${megabytes(most)} at most`
}

async function checkRegistry(contributors: Contributors): Promise<string> {
  const registry = await openRegistry({ database })
  try {
    for (const { id, xp } of contributors.people) {
      const profile = await registry.users.get(id)
      if (profile.xp !== xp) tally.problem(`${id} has ${profile.xp} XP, their requests earned ${xp}`)
    }
    const { ok, entries, problems } = await registry.changes.verify()
    if (!ok) for (const problem of problems) tally.problem(`the log: ${problem}`)
    return `${entries} log entries ${ok ? 'verify' : 'DO NOT VERIFY'}`
  } finally {
    await registry.close()
  }
}

try {
  copyFileSync(await registryFile(waypoints, console.error), database)
  const contributors = await createContributors(database, Number(values.people))
  const server = fork(path.join(import.meta.dirname, 'server-child.ts'), [database], {
    execArgv: process.execArgv,
  })
  const { port } = await message<{ port: number }>(server)
  const run: SoakRun = {
    url: `http://127.0.0.1:${port}`,
    contributors,
    waypoints,
    random: seeded(23),
    tally,
    over: AbortSignal.timeout(minutes * 60_000),
  }
  const hostile = [provoke, hangUp, trickle, trickle, stall, stall].map((client) => client(run))
  const ordinary = [
    ...contributors.people.map((person) => contribute(run, person)),
    hoard(run),
    hoard(run),
    burst(run),
  ]
  const memory = await watch(server, run.over)
  await Promise.all([...ordinary, ...hostile])

  server.send('health')
  const { failures } = await message<Health>(server)
  for (const failure of failures) tally.problem(`the server failed: ${failure}`)
  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.send('end')
  await ended

  console.log(`${tally.total} requests in ${minutes} minutes at ${waypoints} waypoints`)
  for (const line of tally.lines()) console.log(line)
  console.log(`memory: ${checkMemory(memory)}`)
  console.log(await checkRegistry(contributors))
  console.log(tally.failed === 0 ? 'no problem' : `${tally.failed} PROBLEMS`)
  for (const problem of tally.problems) console.log(`  ${problem}`)
  process.exitCode = tally.failed === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
