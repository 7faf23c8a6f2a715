/** @module-tag long */
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import path from 'node:path'
import { defaultRules, openRegistry, type Rules } from '@openfountain/core'
import { createApp, guard, nodeListener, type AppOptions, type ListenerLimits } from '@openfountain/server'
import { expect, test } from 'vitest'
import { afterwards } from '@openfountain/testing/afterwards'
import { ended, type Answer } from '@openfountain/testing/command/shell'
import { portOf } from '@openfountain/testing/listening'
import { fill, peopled, type Instance } from '../attack/instance.ts'
import { chosen, runAttacks, type Result } from '../attack/run.ts'
import { root } from '../packages/folders.ts'

const isLinux = process.platform === 'linux'
const program = path.join(root, 'scripts/attack/attack.ts')

const attack = (...args: readonly string[]): Promise<Answer> =>
  ended(spawn(process.execPath, ['--conditions=openfountain-source', program, ...args], { cwd: root }))

interface Weakened {
  readonly options?: AppOptions
  readonly limits?: ListenerLimits
  readonly waypoints?: number
  readonly before?: (request: Request, app: () => Promise<Response>) => Promise<Response>
}

/** The address of an instance that lacks a defence. It ends with the test. */
async function weakened({ options = {}, limits = {}, waypoints = 0, before }: Weakened): Promise<URL> {
  const registry = await openRegistry({ database: ':memory:' })
  afterwards(() => registry.close())
  if (waypoints > 0) await fill(registry, { waypoints, edits: 0 })
  const app = createApp(registry, options)
  const asked = async (request: Request) => app.fetch(request)
  const fetch = (request: Request) => (before ? before(request, () => asked(request)) : asked(request))
  const server = createServer(nodeListener({ fetch }))
  const { close } = guard(server, limits)
  afterwards(() => close(0))
  return new URL(`http://127.0.0.1:${await portOf(server)}`)
}

type Change = (request: Request, moderator: Readonly<Record<string, string>>) => Request

/** An instance with users, whose requests are changed on their way. It is closed with the test. */
async function inhabited(change: Change, rules: Partial<Rules>): Promise<Instance> {
  const registry = await openRegistry({ database: ':memory:', rules: { ...defaultRules, ...rules } })
  afterwards(() => registry.close())
  const cast = await peopled(registry)
  const edited = { id: await fill(registry, { waypoints: 200, edits: 5 }), edits: 5 }
  const app = createApp(registry)
  const { moderator } = cast.secrets
  const server = createServer(
    nodeListener({ fetch: async (request) => app.fetch(change(request, moderator)) }),
  )
  const url = new URL(`http://127.0.0.1:${await portOf(server)}`)
  const origins = { own: url.origin, allowed: url.origin }
  const emptyInstance = { database: ':memory:', lines: [], proxy: '', takenEmail: '', hidden: '' }
  return { ...cast, ...emptyInstance, url, origins, edited, stop: async () => void server.close() }
}

async function resultOf(name: string, on: URL | Instance, patience = 120_000): Promise<Result['result']> {
  const instance = on instanceof URL ? { url: on } : { own: on }
  const results = await runAttacks({
    seed: 1,
    full: false,
    waypoints: 1,
    only: [name],
    patience,
    ...instance,
  })
  expect(results.map((result) => result.name)).toEqual([name])
  return results[0]?.result ?? 'skipped'
}

test.skipIf(!isLinux)('the attacks are all held, in their short form', async () => {
  const { code, stdout, stderr } = await attack('--json')
  const { attacks, ...counts } = JSON.parse(stdout) as { attacks: Result[] }
  const names = chosen({ full: false }).map(({ name }) => name)
  expect(attacks.filter(({ result }) => result !== 'held')).toEqual([])
  expect(attacks.map(({ name }) => name)).toEqual(names)
  expect(counts).toEqual({ seed: 1, full: false, held: names.length, broken: 0, skipped: 0 })
  expect(stderr.trimEnd().split('\n')).toHaveLength(names.length)
  expect(code).toBe(0)
})

test('the attacks are each a row of a table, and end with status 1 when the software did not hold', async () => {
  const url = await weakened({ before: async () => new Response('anything') })
  const { code, stdout } = await attack('--url', url.href, '--only', 'missing-headers,foreign-origin')
  expect(stdout).toMatch(/^Result +Attack +What a stranger wants +What was done +What came out$/mu)
  expect(stdout).toMatch(/^BROKEN +missing-headers +that a browser/mu)
  expect(stdout).toMatch(/^skipped +foreign-origin .*it writes, or must know the registry:$/mu)
  expect(stdout).toContain('0 held, 1 broken, 1 skipped')
  expect(code).toBe(1)
})

const takingAll = { atOnce: 4, waiting: 16, waitMilliseconds: 600_000, perClient: 4, waitingPerClient: 16 }
const rateLimit = { perMinute: 20 }
const unlimited = { headersTimeout: 0, requestTimeout: 0, idleTimeout: 0, keepAliveTimeout: 600_000 }
const refusing = async () => new Response('no')
const failing: Weakened['before'] = async ({ method }, app) =>
  method === 'POST' || method === 'HEAD' ? new Response(null, { status: 500 }) : app()
const escaping: Weakened['before'] = async ({ url }, app) =>
  url.includes('%') ? new Response(null, { status: 400 }) : app()
const passwords: Weakened['before'] = async ({ url }) =>
  new Response(url.includes('passwd') ? 'root:x:0:0:root:/root:/bin/sh' : '')
let line: Promise<unknown> = Promise.resolve()
const oneByOne = async () => {
  line = line.then(() => new Promise((resolve) => setTimeout(resolve, 50)))
  await line
  return new Response('{}')
}

const without =
  (name: string): Change =>
  (request) => {
    request.headers.delete(name)
    return request
  }
const asSent: Change = (request) => request
const anywhere: Change = (request) => new Request(request.url.replace(/unlessNear=\d+/u, ''), request)
const restoring: Change = (request, { cookie = '' }) => {
  if (request.url.endsWith('/restore')) request.headers.set('cookie', cookie)
  return request
}

type PeopleCase = [where: string, name: string, Change, Partial<Rules>?]
const amongPeople: PeopleCase[] = [
  ['a request under a key counts twice', 'replayed-keys', without('idempotency-key')],
  ['an edit overwrites what it has not seen', 'overwritten-edits', without('if-match')],
  ['a fountain is added beside the same', 'same-fountain-twice', anywhere],
  ['a new account may do everything', 'first-day', asSent, { newcomers: false }],
  ['anybody may restore', 'moderators-only', restoring],
]

const stalling = { stallMilliseconds: 600_000, heavyWork: takingAll }
const crowded = { connectionsPerClient: 0, maxConnections: 250 }
const trusting = { rateLimit, trustProxy: true }

type Weakness = [where: string, name: string, Weakened, patience?: number]
const weaknesses: Weakness[] = [
  ['one client may take all turns', 'turns-held', { options: stalling, waypoints: 3000 }],
  ['one client may have all connections', 'idle-connections', { limits: crowded }],
  ['a head may be sent for ever', 'slow-headers', { limits: unlimited, before: refusing }, 2000],
  ['a body may be sent for ever', 'slow-body', { limits: unlimited, before: refusing }, 2000],
  ['one response is made after another', 'held-thread', { before: oneByOne }, 1000],
  ['paths escape the rate limit', 'malformed-paths', { options: { rateLimit }, before: escaping }],
  ['addresses escape the rate limit', 'forwarded-addresses', { options: trusting }],
  ['a host is an unexpected error', 'impossible-host', { before: failing }],
  ['a value is an unexpected error', 'hostile-values', { before: failing }],
  ['files of the machine are served', 'files-outside', { before: passwords }],
]

test.skipIf(!isLinux).each<Weakness>(weaknesses)(
  'an attack is reported as broken where %s',
  async (_where, name, defence, patience) => {
    expect(await resultOf(name, await weakened(defence), patience)).toBe('broken')
  },
)

test.skipIf(!isLinux).each<PeopleCase>(amongPeople)(
  'an attack is reported as broken where %s, and only there',
  async (_where, name, change, rules = {}) => {
    expect(await resultOf(name, await inhabited(asSent, {}))).toBe('held')
    expect(await resultOf(name, await inhabited(change, rules))).toBe('broken')
  },
)

test('an attack is reported as broken where it could not be carried out', async () => {
  expect(await resultOf('missing-headers', new URL('http://127.0.0.1:9'))).toBe('broken')
})
