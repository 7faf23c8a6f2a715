import { maxHeaderSize } from 'node:http'
import fc from 'fast-check'
import { hostileRequests } from '@openfountain/testing/server/hostile'
import { needsOwn, needsSeveralClients, outcome, within, type Attack } from './attempt.ts'
import type { Client } from './client.ts'

const json = { 'content-type': 'application/json' }

const hosts = [
  'x:99999',
  'x:0',
  'x:y',
  '[',
  '[::1',
  'a b',
  '%',
  '//',
  'evil.example/@x',
  '',
  'x'.repeat(5000),
  '\u00e9\u00ff',
  '[::ffff:1.2.3.4]:1',
]

const impossibleHost: Attack = {
  name: 'impossible-host',
  kind: 'requests',
  wants: 'an unexpected error of the server',
  async run({ client, own, patience }) {
    const attacker = client()
    const cookie = own?.secrets.author['cookie']
    const found: string[] = []
    for (const host of hosts) {
      for (const line of ['GET /api/stats', 'POST /api/waypoints']) {
        const head = [`${line} HTTP/1.1`, `Host: ${host}`, 'Origin: http://x:99999', 'Connection: close']
        if (cookie !== undefined) head.push(`Cookie: ${cookie}`)
        head.push('Content-Type: application/json', 'Content-Length: 2', '', '{}')
        const all = (await within(attacker.converse(head.join('\r\n')).heard, patience)) ?? ''
        const status = /^HTTP\/1\.1 (\d{3})/u.exec(all)?.[1] ?? 'no response'
        if (!/^[1-4]/u.test(status)) found.push(`${JSON.stringify(host.slice(0, 20))}: ${status}`)
      }
    }
    return outcome(
      `requests with ${hosts.length} hosts that cannot be, and an Origin`,
      found.length === 0 ? 'every one got a response below 500' : found.join('; '),
      found.length === 0,
    )
  },
}

const foreignOrigins = [
  'http://fountains.example',
  'https://fountains.example:8443',
  'https://fountains.example.evil.example',
  'https://evil.example',
  'http://map.example',
  'https://map.example:444',
  'https://map.example.evil.example',
  'null',
]

const foreignOrigin: Attack = {
  name: 'foreign-origin',
  kind: 'requests',
  wants: 'to write with the session of who visits their page',
  async run({ client, own }) {
    if (own === undefined) return needsOwn
    const attacker = client()
    const body = JSON.stringify({ name: 'Spring', latitude: 55.5, longitude: 13.5 })
    const written = (origin: string) =>
      attacker.statusOf('/api/waypoints', {
        method: 'POST',
        headers: { ...json, ...own.secrets.author, origin },
        body,
      })
    const allowed = await Promise.all([written(own.origins.own), written(own.origins.allowed)])
    const accepted: string[] = []
    for (const origin of foreignOrigins) {
      const status = await written(origin)
      if (status !== 403) accepted.push(`${origin}: ${status}`)
    }
    const isControlled = allowed.every((status) => status === 201)
    return outcome(
      `wrote from ${foreignOrigins.length} origins with another scheme, host or port than the two that may`,
      accepted.length > 0
        ? accepted.join('; ')
        : isControlled
          ? 'each a 403; from the two that may, 201'
          : `the two that may got ${allowed.join(', ')}`,
      accepted.length === 0 && isControlled,
    )
  },
}

const slowReads = [
  '/api/waypoints?near=0,0&limit=1&after=1',
  '/api/waypoints?near=0,0&limit=1&region=Nowhere',
  '/api/waypoints?bbox=-180,-90,180,90&limit=1&region=Nowhere',
  '/api/waypoints?bbox=-180,-90,180,90&limit=1&after=1&verified=true',
  '/api/waypoints?amenity=none&limit=1',
  '/api/logs?action=deleted&limit=1&offset=1',
  '/api/logs?userId=api&action=created&limit=1&offset=1000',
  '/api/sources',
]

const heldThread: Attack = {
  name: 'held-thread',
  kind: 'requests',
  wants: 'that nobody else gets a response',
  async run({ client, hasSeveralClients, patience }) {
    if (!hasSeveralClients) return needsSeveralClients
    const other = client()
    const over = new AbortController()
    let made = 0
    const flood = Array.from({ length: 64 }, async (_, index) => {
      const attacker = client()
      // Each waits for its response, so that 64 requests are in flight at any time.
      for (let round = 0; !over.signal.aborted; round++) {
        await attacker.statusOf(slowReads[(index + round) % slowReads.length] ?? '/api/sources')
        made += 1
      }
    })
    // Far above the time of one read, far below 64 sequential reads that each hold the thread for half a second.
    const deadline = Math.min(15_000, patience)
    const statuses: number[] = []
    for (let times = 0; times < 10; times++)
      statuses.push((await within(other.statusOf('/api/health'), deadline)) ?? 0)
    over.abort()
    await Promise.all(flood)
    const answered = statuses.filter((status) => status === 200).length
    return outcome(
      `64 clients asked for the lists that cost most, ${made} times`,
      `another client got ${answered} of 10 responses in time`,
      answered === statuses.length,
    )
  },
}

const takenAddress: Attack = {
  name: 'email-enumeration',
  kind: 'requests',
  wants: 'to learn who has an account',
  async run({ client, own }) {
    if (own === undefined) return needsOwn
    const attacker = client()
    const given = async (email: string) => {
      const { status, body } = await attacker.ask('/api/user', {
        method: 'PATCH',
        headers: { ...json, ...own.secrets.author },
        body: JSON.stringify({ email }),
      })
      return `${status} ${body
        .toString()
        .replaceAll(email, 'EMAIL')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, 'TIME')}`
    }
    const taken = await given(own.takenEmail)
    const free = await given('nobody-has-it@example.org')
    return outcome(
      'gave themselves an e-mail address that another user has, and one that nobody has',
      taken === free
        ? `the same response: ${free.slice(0, 3)}`
        : `${taken.slice(0, 60)} and ${free.slice(0, 60)}`,
      taken === free,
    )
  },
}

const manyEdits: Attack = {
  name: 'many-edits',
  kind: 'requests',
  wants: 'that reading one waypoint sends megabytes',
  async run({ client, own }) {
    if (own === undefined) return needsOwn
    const { id, edits } = own.edited
    const { status, body } = await client().ask(`/api/waypoints/${id}`)
    const { logs, logsTotal = 0 } = JSON.parse(body.toString()) as { logs: unknown[]; logsTotal?: number }
    return outcome(
      `edited a waypoint ${edits} times and read it`,
      `${status} with ${logs.length} of ${logsTotal} entries of its log, in ${body.length} bytes`,
      status === 200 && logs.length <= 100 && logsTotal > edits,
    )
  },
}

/** The operations declared by an instance. */
async function routesOf(client: Client): Promise<(readonly [method: string, route: string])[]> {
  const { body } = await client.ask('/api/openapi')
  const { paths } = JSON.parse(body.toString()) as { paths: Record<string, object> }
  return Object.entries(paths).flatMap(([route, operations]) =>
    Object.keys(operations).map((method) => [method.toUpperCase(), route] as const),
  )
}

const hostileValues: Attack = {
  name: 'hostile-values',
  kind: 'requests',
  wants: 'an unexpected error, or rights, by what no honest client sends',
  async run({ client, own, seed, full, patience }) {
    const routes = await routesOf(client())
    const all = fc
      .sample(hostileRequests(routes), { seed, numRuns: full ? 20_000 : 400 })
      .filter(({ method }) => own !== undefined || method === 'GET' || method === 'HEAD')
    const failures: string[] = []
    let attacker = client()
    for (const [number, { method, path, as, headers, body }] of all.entries()) {
      // Another client, before the rate limit refuses this one.
      if (number % 100 === 99) attacker = client()
      const { pathname, search } = new URL(path, 'http://fountains.test')
      const withSecrets = { ...headers, ...own?.secrets[as] }
      const sent = { method, headers: withSecrets, body }
      const asked = () => within(attacker.statusOf(pathname + search, sent), patience)
      // A connection that the server has just closed gives no response either, and is not reused.
      const status = (await asked()) || (await asked()) || 0
      // Node ends a connection with headers beyond its limit, and its 431 may be lost while the request is still being
      // sent.
      if (status === 0 && pathname.length + search.length > maxHeaderSize / 2) continue
      if (status === 0 || (status >= 500 && status !== 503))
        failures.push(`${method} ${path.slice(0, 80)}: ${status || 'no response'}`)
    }
    const health = await client().statusOf('/api/health')
    return outcome(
      `${all.length} requests with hostile paths, queries, headers and bodies (seed ${seed})`,
      failures[0] ?? `responses below 500; then the health is ${health}`,
      failures.length === 0 && health === 200,
    )
  },
}

/** The last attack changes data that the others read. */
export const requests: readonly Attack[] = [
  heldThread,
  impossibleHost,
  foreignOrigin,
  takenAddress,
  manyEdits,
  hostileValues,
]
