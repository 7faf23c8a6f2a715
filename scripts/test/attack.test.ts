/** @module-tag long */
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import path from 'node:path'
import { defaultRules, openRegistry, type Rules } from '@openfountain/core'
import { createApp, guard, nodeListener, type AppOptions, type ListenerLimits } from '@openfountain/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ended, type Answer } from '@openfountain/testing/command/shell'
import { portOf } from '@openfountain/testing/server/listening'
import { Client } from '../attack/client.ts'
import { fill, peopled } from '../attack/instance.ts'
import { allAttacks, chosen, runAttacks, type Result } from '../attack/run.ts'
import { root } from '../packages/folders.ts'

/** Runs `npm run attack` with options. */
const attack = (...args: readonly string[]): Promise<Answer> =>
  ended(
    spawn(
      process.execPath,
      ['--conditions=openfountain-source', path.join(root, 'scripts/attack/attack.ts'), ...args],
      { cwd: root },
    ),
  )

interface Weakened {
  readonly options?: AppOptions
  readonly limits?: ListenerLimits
  readonly waypoints?: number
  /** What is done in the place of the app. */
  readonly before?: (request: Request, app: () => Promise<Response>) => Promise<Response>
}

/** The address of an instance that lacks a defence. It ends with the test. */
async function weakened({ options = {}, limits = {}, waypoints = 0, before }: Weakened): Promise<URL> {
  const registry = await openRegistry({ database: ':memory:' })
  if (waypoints > 0) await fill(registry, { waypoints, edits: 0 })
  const app = createApp(registry, options)
  const asked = async (request: Request) => app.fetch(request)
  const server = createServer(
    nodeListener({
      fetch: (request) => (before === undefined ? asked(request) : before(request, () => asked(request))),
    }),
  )
  const { close } = guard(server, limits)
  const port = await portOf(server)
  onTestFinished(async () => {
    await close(0)
    await registry.close()
  })
  return new URL(`http://127.0.0.1:${port}`)
}

/** Another request without some of its headers and parameters. */
function without({ url, method, headers, body }: Request, ...names: readonly string[]): Request {
  const address = new URL(url)
  const kept = new Headers(headers)
  for (const name of names) {
    address.searchParams.delete(name)
    kept.delete(name)
  }
  return new Request(address, { method, headers: kept, body, ...(body !== null && { duplex: 'half' }) })
}

/** How a request is changed on its way. */
type Change = (request: Request, moderator: Readonly<Record<string, string>>) => Request

/** What an attack by people comes to where requests are changed on their way, or other rules hold. */
async function resultAmongPeople(
  name: string,
  change: Change,
  rules: Partial<Rules>,
): Promise<Result['result']> {
  const registry = await openRegistry({ database: ':memory:', rules: { ...defaultRules, ...rules } })
  const cast = await peopled(registry)
  const id = await fill(registry, { waypoints: 200, edits: 5 })
  const app = createApp(registry)
  const { moderator } = cast.secrets
  const server = createServer(
    nodeListener({ fetch: async (request) => app.fetch(change(request, moderator)) }),
  )
  const url = new URL(`http://127.0.0.1:${await portOf(server)}`)
  const clients: Client[] = []
  onTestFinished(async () => {
    for (const client of clients) client.close()
    server.close()
    await registry.close()
  })
  const found = await allAttacks()
    .find((attack) => attack.name === name)
    ?.run({
      url,
      own: {
        ...cast,
        url,
        database: ':memory:',
        lines: [],
        proxy: '',
        origins: { own: url.origin, allowed: url.origin },
        edited: { id, edits: 5 },
        takenEmail: '',
        hidden: '',
        stop: async () => undefined,
      },
      seed: 1,
      full: false,
      patience: 120_000,
      folder: '',
      hasSeveralClients: true,
      client() {
        const client = new Client(url, undefined)
        clients.push(client)
        return client
      },
    })
  return found?.result ?? 'skipped'
}

/** What an attack on an instance comes to, where nothing is waited for that does not come. */
async function resultOf(name: string, url: URL, patience = 120_000): Promise<Result['result']> {
  const results = await runAttacks({ seed: 1, full: false, waypoints: 1, only: [name], url, patience })
  expect(results.map((result) => result.name)).toEqual([name])
  return results[0]?.result ?? 'skipped'
}

describe('the attacks', () => {
  test.skipIf(process.platform !== 'linux')('are all held, in their short form', async () => {
    const { code, stdout, stderr } = await attack('--json')
    const { attacks, ...counts } = JSON.parse(stdout) as { attacks: Result[] }
    const names = chosen({ full: false }).map(({ name }) => name)
    expect(attacks.filter(({ result }) => result !== 'held')).toEqual([])
    expect(attacks.map(({ name }) => name)).toEqual(names)
    expect(counts).toEqual({ seed: 1, full: false, held: names.length, broken: 0, skipped: 0 })
    expect(stderr.trimEnd().split('\n')).toHaveLength(names.length)
    expect(code).toBe(0)
  })

  test('are each a row of a table, and end with status 1 when the software did not hold', async () => {
    const url = await weakened({ before: async () => new Response('anything') })
    const { code, stdout } = await attack('--url', url.href, '--only', 'missing-headers,foreign-origin')
    expect(stdout).toMatch(/^Result +Attack +What a stranger wants +What was done +What came out$/mu)
    expect(stdout).toMatch(/^BROKEN +missing-headers +that a browser/mu)
    expect(stdout).toMatch(/^skipped +foreign-origin .*it writes, or must know the registry:$/mu)
    expect(stdout).toContain('0 held, 1 broken, 1 skipped')
    expect(code).toBe(1)
  })

  test('are listed by --help, and what is no option, attack, number or address is refused', async () => {
    const { code, stdout } = await attack('--help')
    expect(code).toBe(0)
    for (const { name } of chosen({ full: true })) expect(stdout).toContain(name)
    for (const wrong of [['--ful'], ['--only', 'turns'], ['--seed', 'x'], ['--url', 'ftp://a']]) {
      const refused = await attack(...wrong)
      expect([refused.code, refused.stdout]).toEqual([2, ''])
      expect(refused.stderr).toContain('npm run attack -- --help lists the options')
    }
  })
})

describe('an attack is reported as broken', () => {
  test.skipIf(process.platform !== 'linux')(
    'where one client may take all turns, and not where its turns are limited',
    async () => {
      const open = { atOnce: 4, waiting: 16, waitMilliseconds: 600_000 }
      const options = {
        stallMilliseconds: 600_000,
        heavyWork: { ...open, perClient: 4, waitingPerClient: 16 },
      }
      expect(await resultOf('turns-held', await weakened({ options, waypoints: 3000 }))).toBe('broken')
      const limited = { options: { heavyWork: open }, waypoints: 3000 }
      expect(await resultOf('turns-held', await weakened(limited))).toBe('held')
    },
  )

  test.skipIf(process.platform !== 'linux')('where one client may have all connections', async () => {
    const limits = { connectionsPerClient: 0, maxConnections: 250 }
    expect(await resultOf('idle-connections', await weakened({ limits }))).toBe('broken')
  })

  test.each(['slow-headers', 'slow-body'])('where a connection may send for ever: %s', async (name) => {
    const limits = { headersTimeout: 0, requestTimeout: 0, idleTimeout: 0, keepAliveTimeout: 600_000 }
    const before = async () => new Response('no')
    expect(await resultOf(name, await weakened({ limits, before }), 2000)).toBe('broken')
  })

  test.skipIf(process.platform !== 'linux')('where one response is made after another', async () => {
    let line: Promise<unknown> = Promise.resolve()
    const before = async () => {
      line = line.then(() => new Promise((resolve) => setTimeout(resolve, 50)))
      await line
      return new Response('{}')
    }
    expect(await resultOf('held-thread', await weakened({ before }), 1000)).toBe('broken')
  })

  test('where the rate limit is passed', async () => {
    const options = { rateLimit: { perMinute: 20 } }
    const escaping = await weakened({
      options,
      before: async ({ url }, app) => (url.includes('%') ? new Response(null, { status: 400 }) : app()),
    })
    expect(await resultOf('malformed-paths', escaping)).toBe('broken')
    const believing = await weakened({ options: { ...options, trustProxy: true } })
    expect(await resultOf('forwarded-addresses', believing)).toBe('broken')
    expect(await resultOf('forwarded-addresses', await weakened({}))).toBe('skipped')
  })

  test('where a request is an unexpected error', async () => {
    const before = async ({ method }: Request, app: () => Promise<Response>) =>
      method === 'POST' || method === 'HEAD' ? new Response(null, { status: 500 }) : app()
    const url = await weakened({ before })
    expect(await resultOf('impossible-host', url)).toBe('broken')
    expect(await resultOf('hostile-values', url)).toBe('broken')
  })

  test('where files of the machine are served', async () => {
    const before = async ({ url }: Request) =>
      new Response(url.includes('passwd') ? 'root:x:0:0:root:/root:/bin/sh' : '')
    expect(await resultOf('files-outside', await weakened({ before }))).toBe('broken')
  })

  const asSent = (request: Request): Request => request
  const restoredByAnybody: Change = (request, { cookie = '' }) => {
    if (request.url.endsWith('/restore')) request.headers.set('cookie', cookie)
    return request
  }
  test.for<readonly [name: string, change: Change, rules: Partial<Rules>]>([
    ['replayed-keys', (request) => without(request, 'idempotency-key'), {}],
    ['overwritten-edits', (request) => without(request, 'if-match'), {}],
    ['same-fountain-twice', (request) => without(request, 'unlessNear'), {}],
    ['first-day', asSent, { newcomers: false }],
    ['moderators-only', restoredByAnybody, {}],
  ])('where people may do what they should not: %s', async ([name, change, rules]) => {
    expect(await resultAmongPeople(name, change, rules)).toBe('broken')
  })

  test('and not where they may not', async () => {
    expect(await resultAmongPeople('replayed-keys', asSent, {})).toBe('held')
  })

  test('where it could not be carried out', async () => {
    const url = await weakened({})
    url.port = '9'
    expect(await resultOf('missing-headers', url)).toBe('broken')
  })
})
