import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { openRegistry } from '@openfountain/core'
import { alternate } from '../../measurement.ts'
import { ratio } from '../../report.ts'
import type { Reading, Row, ServerBench } from '../../row.ts'
import { forkOn, message, Served, type Load } from '../../served.ts'

const clients = 64
const servers = 3
const seconds = 3
/** New users have a low limit of creates. */
const longAgo = (): Date => new Date(Date.now() - 7 * 86_400_000)

async function people(database: string): Promise<string[]> {
  const registry = await openRegistry({ database, clock: longAgo })
  try {
    const tokens: string[] = []
    for (let person = 0; person < clients; person++) {
      const { id } = await registry.users.create({ name: `Person ${person}`, xp: 1000 })
      tokens.push((await registry.personalTokens.create(id, { name: 'Program', days: 30 })).token)
    }
    return tokens
  } finally {
    await registry.close()
  }
}

async function measure({ rounds, folder, emptyDatabase, dropDatabase }: ServerBench): Promise<Reading[]> {
  const database = await emptyDatabase()
  const tokens = await people(database)
  const [all, one] = [path.join(folder, 'all.json'), path.join(folder, 'one.json')]
  writeFileSync(all, JSON.stringify(tokens))
  writeFileSync(one, JSON.stringify(tokens.slice(0, 1)))
  const running: Served[] = []
  let next = 0

  async function perSecond(ports: readonly number[], file: string): Promise<number> {
    const options = [ports.join(), file, String(seconds), String(next)]
    const load = await message<Load & { next: number }>(forkOn(1, 'create-child.ts', options))
    ;({ next } = load)
    return load.perSecond
  }

  try {
    for (let server = 0; server < servers; server++) running.push(await Served.start('whole', database, true))
    const ports = running.map(({ port }) => port)
    const readings: Reading[] = []
    for (const [serverCount, name] of [
      [1, 'one server'],
      [servers, 'three servers'],
    ] as const) {
      const value = await alternate(
        () => perSecond(ports.slice(0, serverCount), all),
        () => perSecond(ports.slice(0, 1), one),
        rounds,
      )
      const title = `creates by ${clients} clients through ${name}`
      const against = 'one create at a time; every commit is flushed'
      readings.push(ratio(title, { against, value, atLeast: 2 }, '/s'))
    }
    return readings
  } finally {
    for (const server of running) await server.stop()
    await dropDatabase(database)
  }
}

/** Concurrent creates over HTTP, with full durability. */
export const createsOnServer: Row<ServerBench> = { name: 'creates', measure }
