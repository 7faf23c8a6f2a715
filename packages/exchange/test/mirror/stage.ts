import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import path from 'node:path'
import Database from 'better-sqlite3'
import { token, user, type LoggedEntry, type Registry } from '@openfountain/core'
import { createApp, nodeListener } from '@openfountain/server'
import { afterwards } from '@openfountain/testing/afterwards'
import { newFolder } from '@openfountain/testing/folder'
import { portOf } from '@openfountain/testing/listening'
import type { LogSigner } from '@openfountain/tlog'
import { emptyRegistry } from '@openfountain/testing/registry'

let minutes = 0
const clock = () => new Date(Date.UTC(2026, 5, 1) + ++minutes * 60_000)

export async function opened(file?: string, signer?: LogSigner | (() => LogSigner)): Promise<Registry> {
  const signing = signer && { signer: async () => (typeof signer === 'function' ? signer() : signer) }
  return emptyRegistry({ database: file, clock, durability: 'relaxed', ...signing })
}

export async function copyInFile(): Promise<{ registry: Registry; file: string }> {
  const file = path.join(newFolder(), 'copy.db')
  return { registry: await opened(file), file }
}

export async function original(empty?: Registry): Promise<Registry> {
  const registry = empty ?? (await opened())
  await registry.users.create({ id: 'ada', name: 'Ada <b>', email: 'ada@example.org', xp: 100 })
  await registry.users.create({ id: 'bo', name: 'Bo', isModerator: true })
  const [ada, bo] = [user('ada'), user('bo')]
  const place = { latitude: 55.7, longitude: 13.2 }
  await registry.waypoints.create({ ...place, name: '=Fountain 💧', amenities: ['tap'] }, ada)
  await registry.waypoints.update(1, { description: 'In the\u2028park' }, ada)
  await registry.waypoints.create({ name: 'Gone', latitude: 1, longitude: 2 }, token())
  const run = await registry.imports.start({ source: { name: 'City of Lund', license: 'CC0-1.0' } })
  await run.apply([
    { row: 1, ref: 'A-1', input: { name: 'Imported', latitude: 3, longitude: 4 }, state: 'broken' },
    { row: 2, ref: 'A-2', input: { name: 'Missing later', latitude: 5, longitude: 6 } },
  ])
  await run.finish({ counts: { rows: 2 }, missing: 'mark' })
  await registry.reviews.create({ bubblerId: 1, rating: 4, comment: 'Cold' }, ada)
  await registry.reviews.create({ bubblerId: 2, rating: 2, comment: 'Warm' }, bo)
  await registry.waypoints.merge(2, { into: 1, reason: 'The same' }, bo)
  const ring = [13, 55, 14, 55, 14, 56, 13, 55]
  const corners = [0, 2, 4, 6].map((at) => ring.slice(at, at + 2))
  const area = await registry.areas.create({ name: 'Lund', coordinates: [corners], properties: {} }, token())
  await registry.areas.delete(area.id, token())
  await registry.areas.restore(area.id, token())
  await registry.users.block('ada', { reason: 'Spam' }, bo)
  return registry
}

export const logOf = (registry: Registry): Promise<LoggedEntry[]> =>
  Array.fromAsync(registry.changes.since(0))

export async function contentOf(registry: Registry): Promise<object> {
  const snapshot = await registry.snapshot()
  try {
    return {
      head: snapshot.head,
      // What a source said of each field is the importer's, and not in the log.
      waypoints: Array.from(snapshot.records(), ({ sourceValues: _values, ...record }) => record),
      reviews: [...snapshot.reviews()],
      people: Array.from(snapshot.contributors()),
      sources: snapshot.sources(),
      areas: snapshot.areas(),
      statistics: snapshot.statistics(),
      entries: [...snapshot.entries()],
    }
  } finally {
    snapshot.close()
  }
}

export function tablesOf(file: string): Record<string, unknown> {
  const database = new Database(file, { readonly: true })
  try {
    const tables = "select name from sqlite_schema where type = 'table' order by name"
    const names = database.prepare<[], string>(tables).pluck().all()
    return Object.fromEntries(
      names.map((name) => [name, database.prepare(`select * from "${name}"`).raw().all()]),
    )
  } finally {
    database.close()
  }
}

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

export async function listening(listener: Listener): Promise<string> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    try {
      await listener(request, response)
    } catch {
      if (!response.headersSent) response.writeHead(500)
      response.end()
    }
  }
  const server = createServer((request, response) => void answer(request, response))
  const port = await portOf(server)
  afterwards(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${port}`
}

export const served = (registry: Registry): Promise<string> => listening(nodeListener(createApp(registry)))

export const urlOf = (request: IncomingMessage): URL => new URL(request.url ?? '/', 'http://127.0.0.1')

interface Answer {
  changes?: LoggedEntry[]
  head?: { id: number; hash: string }
  proof?: string[]
  user?: { name: string }
}

/** A man in the middle between an instance and its copies. Each member may change a response. */
export interface Lies {
  readonly changes?: (entries: LoggedEntry[], url: URL) => unknown[]
  readonly head?: (head: { id: number; hash: string }, url: URL) => unknown
  readonly proof?: (proof: string[]) => unknown
  readonly name?: (name: string) => unknown
}

export async function lying(registry: Registry, lies: Lies = {}): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const app = createApp(registry)
  const url = await listening(async (request, response) => {
    const at = urlOf(request)
    asked.push(`${at.pathname}${at.search}`)
    const said = await app.fetch(new Request(at))
    const answer = (await said.json()) as Answer
    const { changes, head, proof, user: person } = answer
    const summary = {
      ...answer,
      ...(changes && lies.changes && { changes: lies.changes(changes, at) }),
      ...(head && !changes && lies.head && { head: lies.head(head, at) }),
      ...(proof && lies.proof && { proof: lies.proof(proof) }),
      ...(person && lies.name && { user: { ...person, name: lies.name(person.name) } }),
    }
    return response
      .writeHead(said.status, { 'content-type': 'application/json' })
      .end(JSON.stringify(summary))
  })
  return { url, asked }
}
