import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openRegistry, type Registry, type Waypoint } from '@openfountain/core'
import { createApp, guard, nodeListener } from '@openfountain/server'
import Database from 'better-sqlite3'
import { H3, toNodeHandler } from 'h3'
import { Statements } from '../../packages/core/src/store/sqlite/connection/connection.ts'
import { waypointReads } from '../../packages/core/src/store/nouns/waypoints.ts'
import { waypointFields } from '@openfountain/core/fields'
import { nounText } from '../../packages/core/src/store/nouns/noun-text.ts'
import { build, compiledForSqlite } from '../../packages/core/src/store/sql/query.ts'
import { statementOnServer } from './statement-on-server.ts'

/**
 * A measured server in a process of its own: the whole one, or a yardstick made of h3 or node:http and one statement.
 * Posts its port, and after the message `measure` its longest stall, memory and processor time since the last one.
 */

/** A server's report of its own measurements. */
export interface Measured {
  /** The longest delay of its event loop, in milliseconds. */
  readonly stall: number
  /** The peak memory since the last report, in bytes. */
  readonly peak: number
  /** The processor time of all its threads since the last report, in milliseconds. */
  readonly processor: number
}

// The file, or the URL, of a database.
const [kind = '', file = ''] = process.argv.slice(2)
const json = 'application/json; charset=utf-8'

/** The registry's own SQL for a waypoint with its log and sources. */
function dossierSql(database: Database.Database): string {
  let seen = ''
  const spy = new Proxy(database, {
    get: (target, name) => {
      if (name !== 'prepare') return Reflect.get(target, name)
      return (sql: string) => {
        seen = sql
        return target.prepare(sql)
      }
    },
  })
  new Statements(spy).read(waypointReads).dossier(1)
  return seen
}

const noDossier = { waypoint: '', logs: '', sources: '' }
type DossierRow = typeof noDossier

function yardstick(): RequestListener {
  const database = new Database(file, { readonly: true })
  // As in a registry.
  database.pragma('cache_size = -32768')
  const head = '{"license":"ODbL-1.0",'
  if (kind === 'statement') {
    const statement = database.prepare<[number], DossierRow>(dossierSql(database))
    const app = new H3().get('/api/waypoints/:id', ({ context, res }) => {
      res.headers.set('content-type', json)
      const { waypoint, logs, sources } = statement.get(Number(context.params?.['id'])) ?? noDossier
      return `${head}"waypoint":${waypoint},"logs":[${logs}],"sources":[${sources}]}`
    })
    return toNodeHandler(app)
  }
  if (kind === 'blob') {
    // They bring the functions of the texts.
    void new Statements(database)
    const { sql } = compiledForSqlite(
      build
        .selectFrom('waypoints')
        .select(nounText({ waypoints: waypointFields }).as('text'))
        .where('deletedAt', 'is', null)
        .orderBy('id'),
    )
    const all = database
      .prepare<[], Buffer>(
        `select cast('${head}"waypoints":[' || group_concat(text) || ']}' as blob) from (${sql})`,
      )
      .pluck()
    return (_request, response) => {
      const body = all.get() ?? Buffer.alloc(0)
      response.writeHead(200, { 'content-type': json, 'content-length': body.length })
      response.end(body)
    }
  }
  throw new Error(`Unknown kind of server: ${kind}`)
}

async function stringifying(): Promise<RequestListener> {
  const registry = await openRegistry({ database: file, readOnly: true })
  return async (_request, response) => {
    const { license } = registry
    const text = JSON.stringify({ license, author: registry.author, waypoints: await allWaypoints(registry) })
    response.writeHead(200, { 'content-type': json, 'content-length': Buffer.byteLength(text) })
    response.end(text)
  }
}

async function allWaypoints(registry: Registry): Promise<Waypoint[]> {
  const all: Waypoint[] = []
  for (;;) {
    const page = await registry.waypoints.list({ after: all.at(-1)?.id ?? 0, limit: 100_000 })
    if (page.length === 0) return all
    for (const waypoint of page) all.push(waypoint)
  }
}

async function whole(): Promise<RequestListener> {
  const registry = await openRegistry({ database: file })
  return nodeListener(createApp(registry, { allowedOrigins: ['https://map.example'] }))
}

async function listenerOf(): Promise<RequestListener> {
  if (kind === 'whole') return whole()
  if (kind === 'statement-on-server') return statementOnServer(file)
  return kind === 'stringify' ? stringifying() : yardstick()
}

async function started(): Promise<number> {
  const server = createServer(await listenerOf())
  if (kind === 'whole') guard(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const port = await started()
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
let peak = 0
let used = process.cpuUsage()
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss())
}, 5).unref()
process.on('message', () => {
  const { user, system } = process.cpuUsage(used)
  used = process.cpuUsage()
  const most = Math.max(peak, process.memoryUsage.rss())
  process.send?.({ stall: delay.max / 1e6, peak: most, processor: (user + system) / 1000 } satisfies Measured)
  delay.reset()
  peak = 0
})
process.on('disconnect', () => process.exit())
process.send?.({ port })
