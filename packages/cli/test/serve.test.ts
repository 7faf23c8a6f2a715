/** @module-tag process */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { token, user } from '@openfountain/core'
import { expect, onTestFinished, test } from 'vitest'
import { portOf } from '@openfountain/testing/listening'
import { workplace } from '@openfountain/testing/command/shell'

const json = async (url: string): Promise<unknown> => (await fetch(url)).json()

test('creates a registry, responds, and ends well on SIGTERM and on SIGINT, with the thread that makes lists', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const { codes, serving } = await workplace()
    const { url, stop } = await serving()
    expect((await fetch(`${url}/api/health`)).status).toBe(200)
    const list = await fetch(`${url}/api/waypoints`, { headers: { accept: 'application/geo+json' } })
    expect(await list.json()).toMatchObject({ features: [] })
    const ended = await stop(signal)
    expect(ended).toMatchObject({ code: 0, signal: null })
    expect(ended.stderr).toContain('Created a new registry in openfountain.db')
    expect(await codes('log verify')).toEqual([0])
  }
})

test('grants what observations of earlier days have earned', async () => {
  const { registry, serving } = await workplace()
  const yesterday = new Date(Date.now() - 86_400_000)
  await registry(
    async ({ observations, users, waypoints }) => {
      await users.create({ id: 'ada', name: 'Ada', xp: 100 })
      const { id } = await waypoints.create({ name: 'Well', latitude: 1, longitude: 2 }, token())
      await observations.create({ bubblerId: id, kind: 'works' }, user('ada'))
    },
    { clock: () => yesterday },
  )
  const { url } = await serving()
  await expect.poll(() => json(`${url}/api/users/ada`)).toMatchObject({ user: { xp: 102 } })
})

test('its caches notice what other processes write, and every command that reads works while it runs', async () => {
  const place = await workplace()
  const { url } = await place.serving()
  expect(await json(`${url}/api/stats`)).toMatchObject({ totalUsers: 0, totalWaypoints: 0 })
  const tag = (await fetch(`${url}/api/waypoints`)).headers.get('etag') ?? ''
  const again = () => fetch(`${url}/api/waypoints`, { headers: { 'if-none-match': tag } })
  expect((await again()).status).toBe(304)
  await place.json('user add --name Ada --id ada')
  expect(await json(`${url}/api/stats`)).toMatchObject({ totalUsers: 1 })
  await place.registry(({ waypoints }) =>
    waypoints.create({ name: 'From elsewhere', latitude: 1, longitude: 2 }, token()),
  )
  const changed = await again()
  expect([changed.status, await changed.text()]).toEqual([200, expect.stringContaining('From elsewhere')])
  const lines = [
    'user list',
    'token list',
    'log verify',
    'backup copy.db',
    'export --out exports --formats csv',
  ]
  const answers = await Promise.all(lines.map((line) => place.run(line)))
  expect(answers.map(({ code }) => code)).toEqual(lines.map(() => 0))
  expect((await fetch(`${url}/api/health`)).status).toBe(200)
})

test('a port that is taken is reported with the code of something busy', async () => {
  const blocker = createServer()
  onTestFinished(() => void blocker.close())
  const port = await portOf(blocker)
  const { cwd, run } = await workplace()
  const { code, stderr } = await run(`serve --port ${port}`)
  expect(code).toBe(10)
  expect(stderr).toContain(`port ${port} of 127.0.0.1 cannot be used`)
  expect(stderr).not.toContain('Created')
  expect(await readdir(cwd)).toEqual([])
})

test('serves a site beside the API under the policy of its pages, and writes a line of JSON for each request, without what was asked', async () => {
  const { at, refused, serving } = await workplace()
  await mkdir(at('site'))
  const policy = "default-src 'none'; script-src 'sha256-abc'"
  const text = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><title>Map</title>`
  await writeFile(at('site/index.html'), text)
  const { url, lines, stop } = await serving('--site site --trust-proxy 127.0.0.0/8')
  const page = await fetch(url)
  const sent = page.headers.get('content-security-policy')
  expect(sent).toMatch(/^default-src 'none'; script-src 'sha256-abc'/u)
  expect(await page.text()).toContain('<title>Map</title>')
  const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7:4711' }
  const found = await fetch(`${url}/api/waypoints/search?q=ada@example.org`, { headers })
  expect(found.headers.get('content-type')).toContain('application/json')
  await stop()
  expect(JSON.parse(lines.find((line) => line.includes('/api/waypoints/search')) ?? '')).toMatchObject({
    method: 'GET',
    route: '/api/waypoints/search',
    status: 200,
    client: '198.51.100.7',
  })
  expect(lines.join('\n')).not.toContain('example.org')
  await refused('serve --site nowhere --port 0', 3, 'nowhere contains no site')
})

test('takes its settings from options and the environment', async () => {
  const { codes, serving } = await workplace()
  const env = {
    OPENFOUNTAIN_LICENSE: 'CC0-1.0',
    OPENFOUNTAIN_AUTHOR: 'City of Lund',
    OPENFOUNTAIN_DB: 'lund.db',
    OPENFOUNTAIN_RATE_LIMIT: '2',
  }
  const { url } = await serving('--registry-author Lund', { env })
  expect(await json(`${url}/api`)).toMatchObject({ license: 'CC0-1.0', author: 'Lund' })
  expect((await fetch(`${url}/api/stats`)).status).toBe(200)
  expect((await fetch(`${url}/api/stats`)).status).toBe(429)
  expect(await codes('stats --db lund.db')).toEqual([0])
})

test.each([
  ['nothing', '', {}],
  ['that it works or is broken', '--passers-by', { passersBy: true }],
  ['also reports with a text', '--open-observations', { openObservations: true }],
])('takes %s without an account by %s', async (_what, option, switches) => {
  const { serving } = await workplace()
  const { url } = await serving(option)
  const { passersBy, openObservations } = (await json(`${url}/api/auth`)) as Record<string, unknown>
  expect({ passersBy, openObservations }).toEqual({
    passersBy: undefined,
    openObservations: undefined,
    ...switches,
  })
  const headers = { origin: url, 'content-type': 'application/json' }
  const body = JSON.stringify({ userId: 'nobody', reason: 'offensive', comment: 'Look' })
  const { status } = await fetch(`${url}/api/reports`, { method: 'POST', headers, body })
  expect(status).toBe('openObservations' in switches ? 400 : 401)
})
