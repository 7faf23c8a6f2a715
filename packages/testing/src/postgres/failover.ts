import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { openRegistry, type Registry } from '@openfountain/core'
import { asAdmin, Cluster, createDatabase } from './cluster.ts'
import { Proxy } from './proxy.ts'
import { served, type Serving } from '../command/shell.ts'

/** The primary is killed; or its network delays, drops connections and is then silent. */
export type Way = 'kill' | 'cut'

export interface FailoverOptions {
  readonly way: Way
  readonly servers: number
  readonly clients: number
  /** Acknowledged writes before the primary is lost, and after the standby took over. */
  readonly writes: number
  /** Time without a primary, in milliseconds. Servers themselves wait for one for ten seconds. */
  readonly outage: number
}

const standbyName = 'standby'
const xpAtFirst = 1000
const xpOfWaypoint = 50
/** People who are new may not add much. */
const longAgo = (): Date => new Date(Date.now() - 7 * 86_400_000)

async function followed(primary: Cluster): Promise<Cluster> {
  const standby = await primary.standby(standbyName)
  await asAdmin(primary, `alter system set synchronous_standby_names = '${standbyName}'`)
  await asAdmin(primary, 'select pg_reload_conf()')
  const isSynchronous = async (): Promise<boolean> =>
    (await asAdmin(primary, `select from pg_stat_replication where sync_state = 'sync'`)).length > 0
  while (!(await isSynchronous())) await wait(50)
  return standby
}

async function people(database: string, count: number): Promise<Writer[]> {
  const registry = await openRegistry({ database, clock: longAgo })
  try {
    return await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const { id } = await registry.users.create({ name: `Person ${index}`, xp: xpAtFirst })
        const { token } = await registry.personalTokens.create(id, { name: 'Program', days: 30 })
        return { userId: id, token }
      }),
    )
  } finally {
    await registry.close()
  }
}

async function disturbed(proxy: Proxy): Promise<void> {
  for (let round = 0; round < 5; round++) {
    proxy.delay = 20 * (round + 1)
    await wait(200)
    proxy.isSilent = true
    await wait(150)
    proxy.isSilent = false
    proxy.delay = 0
    proxy.cut()
  }
  proxy.isSilent = true
}

async function problemsOf(registry: Registry, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const problems: string[] = []
  const stored = await registry.waypoints.list({ limit: 100_000 })
  const byName = new Map<string, number[]>()
  for (const { id, name } of stored) byName.set(name, [...(byName.get(name) ?? []), id])
  for (const { id, name } of acknowledged)
    if (byName.get(name)?.join() !== String(id))
      problems.push(`${name} was acknowledged as ${id}, stored are ${byName.get(name)?.join() ?? 'none'}`)
  if (stored.length !== acknowledged.length)
    problems.push(`${stored.length} are stored, ${acknowledged.length} were acknowledged`)
  const gap = stored.findIndex(({ id }, index) => id !== index + 1)
  if (gap !== -1) problems.push(`there is no waypoint ${gap + 1}`)
  const earned = Map.groupBy(acknowledged, ({ userId }) => userId)
  for (const [userId, made] of earned) {
    const { xp } = (await registry.users.profile(userId)) ?? { xp: undefined }
    const expected = xpAtFirst + made.length * xpOfWaypoint
    if (xp !== expected) problems.push(`${userId} has ${xp} XP instead of ${expected}`)
  }
  const { totalWaypoints } = await registry.statistics()
  if (totalWaypoints !== stored.length) problems.push(`the counter says ${totalWaypoints}`)
  return [...problems, ...(await registry.changes.verify()).problems]
}

/** Loses the primary of a cluster while clients write through several servers, and promotes its synchronous standby. */
export async function failover({ way, servers, clients, writes, outage }: FailoverOptions) {
  const closing: (() => Promise<unknown>)[] = []
  try {
    const primary = await Cluster.start({ isDurable: true })
    closing.push(() => primary.stop())
    const url = await createDatabase(primary)
    const standby = await followed(primary)
    closing.push(() => standby.stop())
    const proxy = await Proxy.start(primary.port)
    closing.push(() => proxy.stop())
    const hosts = [proxy.port, standby.port].map((port) => `127.0.0.1:${port}`)
    const database = url.replace(`127.0.0.1:${primary.port}`, hosts.join(','))
    const writers = await people(database, clients)
    const instances: Serving[] = []
    const env = { OPENFOUNTAIN_DB: database }
    for (let number = 0; number < servers; number++)
      instances.push(await served([], { env }, (end) => closing.push(end)))
    const addresses = instances.map(({ url: address }) => address)
    const work = new Clients(addresses, writers)
    await work.acknowledge(writes)
    if (way === 'kill') await primary.kill()
    else await disturbed(proxy)
    await wait(outage)
    await standby.promote()
    await work.acknowledge(writes)
    await work.end()
    const dead = instances.filter(({ child }) => child.exitCode !== null || child.signalCode !== null)
    const answers = await Promise.all(dead.map((each) => each.stop()))
    const ended = answers.map(({ stderr }) => `a server ended: ${stderr}`)
    const registry = await openRegistry({ database: url.replace(`:${primary.port}`, `:${standby.port}`) })
    try {
      return {
        acknowledged: work.acknowledged.length,
        errors: Object.fromEntries(work.errors),
        pause: work.longestPause / 1000,
        /** Problems: acknowledged writes that are missing or doubled, gaps, XP, the log. Empty when there are none. */
        problems: [...ended, ...(await problemsOf(registry, work.acknowledged))],
      }
    } finally {
      await registry.close()
    }
  } finally {
    for (const close of closing.toReversed()) await close()
  }
}

interface Writer {
  readonly userId: string
  readonly token: string
}

interface Acknowledged {
  readonly userId: string
  readonly id: number
  readonly name: string
}

/** A client's timeout in milliseconds, after which it sends the request again. */
const patience = 20_000
const pause = 50

/** Concurrent clients that add fountains, each with one request at a time, and retry it until it is acknowledged. */
class Clients {
  readonly acknowledged: Acknowledged[] = []
  /** Failed responses, by status, and requests without a response. */
  readonly errors = new Map<string, number>()
  /** The longest time without an acknowledged write, in milliseconds. */
  longestPause = 0
  #last: number | undefined
  readonly #servers: readonly string[]
  readonly #ends: Promise<void>[]
  #isOver = false
  #made = 0

  constructor(servers: readonly string[], writers: readonly Writer[]) {
    this.#servers = servers
    this.#ends = writers.map((writer, index) => this.#work(writer, index))
  }

  async #work(writer: Writer, index: number): Promise<void> {
    for (let turn = index; !this.#isOver; turn++) await this.#add(writer, turn)
  }

  async #add({ userId, token }: Writer, first: number): Promise<void> {
    const number = ++this.#made
    const name = `Fountain ${number}`
    const place = { latitude: -60 + (number % 1200) / 10, longitude: -170 + Math.floor(number / 1200) / 10 }
    const key = randomUUID()
    for (let turn = first; ; turn++) {
      const server = this.#servers[turn % this.#servers.length] ?? ''
      const answer = await fetch(`${server}/api/waypoints`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          'idempotency-key': key,
        },
        body: JSON.stringify({ name, ...place }),
        signal: AbortSignal.timeout(patience),
      })
        .then(async (response) => ({
          status: response.status,
          body: (await response.json()) as { id?: number },
        }))
        .catch(() => undefined)
      if (answer?.status === 201 || answer?.status === 200) {
        this.acknowledged.push({ userId, id: answer.body.id ?? 0, name })
        const now = performance.now()
        this.longestPause = Math.max(this.longestPause, now - (this.#last ?? now))
        this.#last = now
        return
      }
      const what = answer === undefined ? 'no response' : String(answer.status)
      this.errors.set(what, (this.errors.get(what) ?? 0) + 1)
      if (answer !== undefined && answer.status < 500 && answer.status !== 429)
        throw new Error(`A write was refused: ${what} ${JSON.stringify(answer.body)}`)
      await wait(pause)
    }
  }

  async acknowledge(more: number): Promise<void> {
    const goal = this.acknowledged.length + more
    const over = Promise.all(this.#ends)
    while (this.acknowledged.length < goal) await Promise.race([wait(20), over])
  }

  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#ends)
  }
}
