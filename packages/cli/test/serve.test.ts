/** @module-tag process */
import { once } from 'node:events'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import path from 'node:path'
import { openRegistry, token, user } from '@openfountain/core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { answered, folder, openfountain, serving } from '@openfountain/testing/command/shell'

const Stats = z.object({ totalWaypoints: z.int(), totalUsers: z.int() })

async function statsAt(url: string): Promise<z.infer<typeof Stats>> {
  return Stats.parse(await (await fetch(`${url}/api/stats`)).json())
}

const isListening = (url: string): Promise<boolean> =>
  fetch(`${url}/api/health`).then(
    () => true,
    () => false,
  )

describe('serve', () => {
  test('ends on SIGTERM although the thread that makes lists is kept for a while', async () => {
    const server = await serving([], { cwd: await folder() })
    const headers = { accept: 'application/geo+json' }
    const response = await fetch(`${server.url}/api/waypoints`, { headers })
    expect([response.status, await response.json()]).toMatchObject([200, { features: [] }])
    expect(await server.stop()).toMatchObject({ code: 0, signal: null })
  })

  test('creates a registry, responds, and ends well on SIGTERM and on SIGINT', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const cwd = await folder()
      const { url, stop } = await serving([], { cwd })
      expect((await fetch(`${url}/api/health`)).status).toBe(200)
      const { code, stderr } = await stop(signal)
      expect(code).toBe(0)
      expect(stderr).toContain('Created a new registry in openfountain.db')
      expect((await openfountain(['log', 'verify'], { cwd })).code).toBe(0)
    }
  })

  test('grants what observations of earlier days have earned', async () => {
    const cwd = await folder()
    const yesterday = Date.now() - 86_400_000
    const database = path.join(cwd, 'openfountain.db')
    const registry = await openRegistry({ database, clock: () => new Date(yesterday) })
    await registry.users.create({ id: 'ada', name: 'Ada', xp: 100 })
    const { id } = await registry.waypoints.create({ name: 'Well', latitude: 1, longitude: 2 }, token())
    await registry.observations.create({ bubblerId: id, kind: 'works' }, user('ada'))
    await registry.close()
    const { url } = await serving([], { cwd })
    const xp = async () => ((await (await fetch(`${url}/api/users/ada`)).json()) as { user?: unknown }).user
    await expect.poll(xp).toMatchObject({ xp: 102 })
  })

  test('finishes the request that is open when it is stopped', async () => {
    const cwd = await folder()
    const { token: secret } = await answered(
      z.object({ token: z.string() }),
      ['token', 'create', '--name', 'x'],
      { cwd },
    )
    const { url, stop } = await serving([], { cwd })
    const body = JSON.stringify({ name: 'Slowly told', latitude: 1, longitude: 2 })
    const sent = request(`${url}/api/waypoints`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        'content-length': body.length,
        expect: '100-continue',
      },
    })
    const status = new Promise<number | undefined>((resolve, reject) => {
      sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject)
    })
    // The server says "continue" when it has the head of the request.
    sent.flushHeaders()
    await once(sent, 'continue')
    sent.write(body.slice(0, 10))
    const end = stop()
    await expect.poll(() => isListening(url)).toBe(false)
    sent.end(body.slice(10))
    expect(await status).toBe(201)
    expect((await end).code).toBe(0)
    expect(await answered(Stats, ['stats'], { cwd })).toMatchObject({ totalWaypoints: 1 })
  })

  test('its caches notice what other processes write', async () => {
    const cwd = await folder()
    const { url } = await serving([], { cwd })
    expect(await statsAt(url)).toMatchObject({ totalUsers: 0, totalWaypoints: 0 })
    const list = await fetch(`${url}/api/waypoints`)
    const tag = list.headers.get('etag') ?? ''
    expect(tag).not.toBe('')
    const again = () => fetch(`${url}/api/waypoints`, { headers: { 'if-none-match': tag } })
    expect((await again()).status).toBe(304)
    await answered(z.unknown(), ['user', 'add', '--name', 'Ada', '--id', 'ada', '--xp', '40'], { cwd })
    expect(await statsAt(url)).toMatchObject({ totalUsers: 1 })
    const other = await openRegistry({ database: path.join(cwd, 'openfountain.db') })
    await other.waypoints.create({ name: 'From elsewhere', latitude: 1, longitude: 2 }, token())
    await other.close()
    const changed = await again()
    expect(changed.status).toBe(200)
    expect(await changed.text()).toContain('From elsewhere')
    const board = await fetch(`${url}/api/user/leaderboard`)
    expect(await board.json()).toMatchObject({ leaderboard: [{ id: 'ada', xp: 40 }], total: 1 })
    await answered(z.unknown(), ['user', 'grant', 'ada', '--xp', '2', '--reason', 'x'], { cwd })
    expect(await (await fetch(`${url}/api/user/ada`)).json()).toMatchObject({ user: { xp: 42 } })
  })

  test('every command that reads works while it runs', async () => {
    const cwd = await folder()
    const { url } = await serving([], { cwd })
    const lines = [
      'stats',
      'user list',
      'token list',
      'session list',
      'log verify',
      'log head',
      'log show',
      'backup copy.db',
      'export --out exports --formats geojson',
    ]
    const answers = await Promise.all(lines.map((line) => openfountain(line.split(' '), { cwd })))
    expect(answers.map(({ code }) => code)).toEqual(lines.map(() => 0))
    expect((await fetch(`${url}/api/health`)).status).toBe(200)
  })

  test('a port that is taken is reported with the code of something busy', async () => {
    const blocker = createServer()
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void blocker.close())
    const address = blocker.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const cwd = await folder()
    const { code, stderr } = await openfountain(['serve', '--port', String(port)], { cwd })
    expect(code).toBe(10)
    expect(stderr).toContain(`port ${port} of 127.0.0.1 cannot be used`)
    expect(stderr).not.toContain('Created')
    expect(await readdir(cwd)).toEqual([])
    const reserved = await openfountain(['serve', '--port', '6000', '--db', ':memory:'])
    expect(reserved.code).toBe(10)
    const foreign = await openfountain(['serve', '--port', '0', '--host', '192.0.2.1', '--db', ':memory:'])
    expect(foreign.code).toBe(10)
  })

  test.each([
    [['--port', '99999'], '--port must be a whole number from 0 to 65535'],
    [['--host', 'two words'], '--host must be an address'],
    [['--trust-proxy', 'loopback,10.0.0.0/40'], '--trust-proxy has "10.0.0.0/40"'],
    [['--origin', 'map.example'], '--origin has "map.example"'],
    [['--rate-limit=-1'], '--rate-limit must be a whole number'],
    [['--durability', 'none'], '--durability must be one of full, relaxed'],
  ])('%j is wrong usage, and creates no registry', async (option, message) => {
    const cwd = await folder()
    const people = await openfountain(['serve', '--port', '0', ...option], { cwd })
    expect({ code: people.code, stdout: people.stdout }).toEqual({ code: 2, stdout: '' })
    expect(people.stderr).toContain(message)
    expect(people.stderr.trim().split('\n')).toHaveLength(1)
    const script = await openfountain(['serve', '--port', '0', ...option, '--json'], { cwd })
    expect(JSON.parse(script.stderr)).toMatchObject({ code: 'USAGE' })
    expect(await readdir(cwd)).toEqual([])
  })

  test('believes the forwarded address of a proxy in a trusted range', async () => {
    const { url, lines, stop } = await serving(['--trust-proxy', '127.0.0.0/8'], { cwd: await folder() })
    await fetch(`${url}/api/stats`, { headers: { 'x-forwarded-for': '203.0.113.9, 198.51.100.7:4711' } })
    await stop()
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ client: '198.51.100.7' }])
  })

  test('serves a site beside the API under the policy of its pages', async () => {
    const cwd = await folder()
    await mkdir(path.join(cwd, 'site'))
    const policy = "default-src 'none'; script-src 'sha256-abc'"
    await writeFile(
      path.join(cwd, 'site/index.html'),
      `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><title>Map</title>`,
    )
    const { url } = await serving(['--site', 'site'], { cwd })
    const page = await fetch(url)
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'sha256-abc'/u,
    )
    expect(await page.text()).toContain('<title>Map</title>')
    expect((await fetch(`${url}/api`)).headers.get('content-type')).toContain('application/json')
    const missing = await openfountain(['serve', '--site', 'nowhere', '--port', '0'], { cwd })
    expect(missing.code).toBe(3)
    expect(missing.stderr).toContain('nowhere contains no site')
  })

  test('writes a line of JSON for each request, without what was asked', async () => {
    const cwd = await folder()
    const { url, lines, stop } = await serving([], { cwd })
    await fetch(`${url}/api/waypoints/search?q=ada@example.org`)
    await stop()
    const entry = JSON.parse(lines.find((line) => line.includes('/api/waypoints/search')) ?? '{}')
    expect(entry).toMatchObject({ method: 'GET', route: '/api/waypoints/search', status: 200 })
    expect(lines.join('\n')).not.toContain('example.org')
  })

  test('takes its settings from options and the environment', async () => {
    const cwd = await folder()
    const env = {
      OPENFOUNTAIN_LICENSE: 'CC0-1.0',
      OPENFOUNTAIN_AUTHOR: 'City of Lund',
      OPENFOUNTAIN_DB: 'lund.db',
      OPENFOUNTAIN_RATE_LIMIT: '2',
    }
    const { url } = await serving(['--registry-author', 'Lund'], { cwd, env })
    expect(await (await fetch(`${url}/api`)).json()).toMatchObject({ license: 'CC0-1.0', author: 'Lund' })
    expect((await fetch(`${url}/api/stats`)).status).toBe(200)
    expect((await fetch(`${url}/api/stats`)).status).toBe(429)
    expect((await openfountain(['stats', '--db', 'lund.db'], { cwd })).code).toBe(0)
  })
})
