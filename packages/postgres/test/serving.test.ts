/** @module-tag postgres */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openRegistry, token } from '@openfountain/core'
import { openfountains, serving } from '@openfountain/testing/command/shell'
import { temporaryFolder } from '@openfountain/testing/registry'
import { asAdmin } from '@openfountain/testing/postgres/cluster'
import { emptyDatabase } from '@openfountain/testing/postgres/empty-database'
import { Proxy } from '@openfountain/testing/postgres/proxy'

const cluster = inject('postgres')
const secret = 'swordfish'

function commandLines(): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .map((id) => {
      try {
        return readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ')
      } catch {
        return ''
      }
    })
    .join('\n')
}

async function guarded(user: string): Promise<[string, string]> {
  await asAdmin(cluster, `create role ${user} login password '${secret}'`)
  const address = async (): Promise<string> => {
    const url = await emptyDatabase()
    await asAdmin(cluster, `alter database ${new URL(url).pathname.slice(1)} owner to ${user}`)
    return url.replace('//openfountain@', `//${user}:${secret}@`)
  }
  return [await address(), await address()]
}

test('a server outlives that its database is away, and nobody sees the password of that', async () => {
  const [database, copy] = await guarded('warden')
  const registry = await openRegistry({ database })
  await registry.waypoints.create({ name: 'Market square', latitude: 55.7, longitude: 13.2 }, token())
  const { token: bearer } = await registry.tokens.create({ name: 'Survey' })
  await registry.close()
  const proxy = await Proxy.start(cluster.port)
  onTestFinished(() => proxy.stop())
  const server = await serving([], {
    env: { OPENFOUNTAIN_DB: database.replace(`:${cluster.port}`, `:${proxy.port}`) },
  })
  const get = (route: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/api/${route}`, { headers })
  const create = () =>
    fetch(`${server.url}/api/waypoints`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${bearer}`,
        'content-type': 'application/json',
        'idempotency-key': 'a1',
      },
      body: JSON.stringify({ name: 'Park', latitude: 55, longitude: 13 }),
    })
  expect((await get('health')).status).toBe(200)

  // Child processes have the password in their environment, and a separate process reads the file.
  const cwd = await temporaryFolder()
  const lines = [
    ['mirror', server.url],
    ['export', '--out', 'exports', '--formats', 'gpkg'],
    ['import', 'exports/waypoints.gpkg', '--source', 'Lund', '--license', 'CC0-1.0', '--dry-run'],
  ]
  let seen = ''
  const watching = setInterval(() => (seen += commandLines()), 50)
  const answers = await openfountains(lines, { cwd, env: { OPENFOUNTAIN_DB: copy } })
  clearInterval(watching)
  for (const { code, stdout, stderr } of answers) {
    expect([code, stderr]).toEqual([0, expect.any(String)])
    expect(stdout + stderr).not.toContain(secret)
  }
  expect(seen).toContain('testing/src/command/session.ts')
  expect(seen).toContain('reading-child')
  expect(seen).toContain('serve')
  expect(seen).not.toContain(secret)

  proxy.isAway = true
  proxy.cut()
  const refused = await Promise.all([
    get('health'),
    create(),
    get('waypoints', { authorization: 'Bearer x' }),
  ])
  for (const response of refused) {
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await response.json()).toMatchObject({ code: 'UNAVAILABLE' })
  }
  proxy.isAway = false
  expect((await get('health')).status).toBe(200)
  expect((await create()).status).toBe(201)
  expect((await (await get('stats')).json()) as object).toMatchObject({ totalWaypoints: 2 })

  const ended = await server.stop()
  expect(ended.code).toBe(0)
  const written = ended.stdout + ended.stderr
  expect(ended.stderr).toMatch(/^request \S+ \(GET \/api\/health\) failed: STORAGE_UNAVAILABLE: .+ \(.+\)$/mu)
  expect(written).toContain(`postgres://warden@127.0.0.1:${proxy.port}/`)
  expect(written).not.toContain(secret)
  // The validity of the secret was unknown.
  expect(written).not.toContain('authentication.failed')
})
