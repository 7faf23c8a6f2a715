/** @module-tag process */
import { spawn } from 'node:child_process'
import { createECDH } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openRegistry, token } from '@openfountain/core'
import { afterwards } from '@openfountain/testing/afterwards'
import { counted } from '@openfountain/testing/effort'
import { listening } from '@openfountain/testing/listening'
import { placed, temporaryFolder } from '@openfountain/testing/registry'
import { expect, test } from 'vitest'
import { Deliveries, Sender } from '../src/index.ts'

const deliverer = fileURLToPath(new URL('deliverer.ts', import.meta.url))
const ece = createRequire(import.meta.resolve('web-push'))('http_ece') as {
  decrypt(body: Buffer, with_: object): Buffer
}
const ways = ['/hook', '/push', '/mail'] as const
type Got = { readonly way: string; readonly id: string; readonly body: string }

test('what was sent when the process was killed is sent again, the same, and nothing is missed', async () => {
  const database = path.join(await temporaryFolder(), 'fountains.db')
  const rounds = counted({ quick: 4, all: 20, full: 20 })
  const privateKey = createECDH('prime256v1')
  const [p256dh, auth] = [privateKey.generateKeys('base64url'), 'A'.repeat(22)]
  const got: Got[] = []
  let child: ReturnType<typeof spawn> | undefined
  /** The way in which the process is killed when it begins to tell by it; others are answered. */
  let fatal: string | undefined
  afterwards(() => child?.kill('SIGKILL'))
  const server = createServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray())
    const way = request.url ?? ''
    const body = String(
      way === '/push' ? ece.decrypt(bytes, { version: 'aes128gcm', privateKey, authSecret: auth }) : bytes,
    )
    const { id, tag } = JSON.parse(body) as { id?: string; tag?: string }
    got.push({ way, id: String(request.headers['webhook-id'] ?? tag ?? id), body })
    if (way === fatal) child?.kill('SIGKILL')
    else response.writeHead(204).end()
  })
  const url = `http://127.0.0.1:${await listening(server)}`
  let aheadMinutes = 0
  const clock = () => new Date(Date.now() + aheadMinutes * 60_000)
  await using registry = await openRegistry({ database, clock })
  const key = 'ada@example.org'
  const { id: ada } = await registry.users.create({ name: 'Ada' })
  await registry.accounts.addIdentity(ada, { key, provider: 'email', label: key })
  await registry.webhooks.create({ url: `${url}/hook` }, token())
  await registry.follows.addDevice(ada, { endpoint: `${url}/push`, keys: { p256dh, auth } })
  await registry.follows.create(ada, {
    what: { bbox: [-180, -90, 180, 90] },
    by: ['web', 'mail', 'push'],
    rhythm: 'at-once',
  })
  // A new follow or webhook is told no earlier entry.
  const first = new Deliveries(registry, new Sender({ key: () => '' }))
  await first.tellFollowers()
  await first.stop()
  const begin = () =>
    (child = spawn(process.execPath, [
      '--conditions=openfountain-source',
      deliverer,
      database,
      `${url}/mail`,
      String(aheadMinutes),
    ]))
  const names: string[] = []
  const place = async () => {
    const name = `Fountain ${names.length}`
    names.push(name)
    await placed(registry, { name, latitude: names.length })
  }
  for (let round = 0; round < rounds; round++) {
    // The second time there is nothing new: the mail is the one before.
    fatal = [...ways, '/mail'][round % 4]
    if (round % 4 < 3) await place()
    aheadMinutes += 61
    const [, signal] = (await once(begin(), 'exit')) as [number | null, string | null]
    expect(signal).toBe('SIGKILL')
  }
  fatal = undefined
  aheadMinutes += 61
  await place()
  begin()
  const last = names.at(-1) ?? ''
  const toldBy = (way: string) => got.filter((each) => each.way === way)
  for (const way of ways)
    await expect.poll(() => toldBy(way).at(-1)?.body, { timeout: 60_000 }).toContain(last)
  for (const way of ways) {
    const bodies = Map.groupBy(toldBy(way), ({ id }) => id)
    expect([...bodies.values()].every((all) => new Set(all.map(({ body }) => body)).size === 1)).toBe(true)
    expect(toldBy(way).length).toBeGreaterThan(bodies.size)
    const said = [...bodies.values()].map(([one]) => one?.body ?? '')
    const missing = names.filter((name) => !said.some((body) => body.includes(`${name}"`)))
    const more = said.map((body) => Number(/\+ (\d+)"/u.exec(body)?.[1] ?? 0)).reduce((sum, n) => sum + n, 0)
    expect(missing.length, missing.join()).toBeLessThanOrEqual(more)
  }
})
