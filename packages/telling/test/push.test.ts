import { createECDH, randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { token, user } from '@openfountain/core'
import { delivering, following } from '@openfountain/core/rules'
import { listening } from '@openfountain/testing/listening'
import { emptyRegistry, placed } from '@openfountain/testing/registry'
import { expect, test } from 'vitest'
import { Deliveries, Sender } from '../src/index.ts'

/** The library of others that takes apart what a browser would (RFC 8188, 8291). */
const ece = createRequire(import.meta.resolve('web-push'))('http_ece') as {
  decrypt(body: Buffer, with_: object): Buffer
}
const sender = new Sender({
  key: () => 'k'.repeat(32),
  insecure: true,
  publicUrl: 'https://fountains.example',
})

type Shown = Readonly<Record<'title' | 'body' | 'tag', string>> & { readonly fountain?: number }

/** A push service with browsers behind it; its answers are as it is told, by device. */
async function service() {
  const answers: Record<string, number> = {}
  const waiting: ServerResponse[] = []
  const got: { readonly device: string; readonly headers: IncomingHttpHeaders; readonly shown: Shown }[] = []
  const browsers = new Map<string, { keys: ReturnType<typeof createECDH>; auth: string }>()
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const device = (request.url ?? '').slice(1)
      const known = browsers.get(device)
      const shown = ece.decrypt(Buffer.concat(parts), {
        version: 'aes128gcm',
        privateKey: known?.keys,
        authSecret: known?.auth,
      })
      got.push({ device, headers: request.headers, shown: JSON.parse(String(shown)) as Shown })
      if (answers[device] === 0) waiting.push(response)
      else response.writeHead(answers[device] ?? 201).end()
    })
  })
  const url = `http://127.0.0.1:${await listening(server)}`
  const browser = (device: string) => {
    const keys = createECDH('prime256v1')
    const p256dh = keys.generateKeys('base64url')
    const auth = randomBytes(16).toString('base64url')
    browsers.set(device, { keys, auth })
    return { endpoint: `${url}/${device}`, keys: { p256dh, auth } }
  }
  return { answers, waiting, got, browser }
}

async function stage() {
  let now = Date.parse('2026-06-01T08:00:00.000Z')
  const registry = await emptyRegistry({ clock: () => new Date(now) })
  const telling = () =>
    new Deliveries(registry, sender, { onFailure: (error) => expect(error).toBeUndefined() })
  const deliveries = telling()
  const round = async (worker = deliveries) => {
    await worker.tellFollowers()
    await worker.push()
    await worker.idle()
  }
  const person = async (name: string) => (await registry.users.create({ name, xp: 100 })).id
  const { id } = await placed(registry, { name: 'Well' })
  await round()
  const edited = async (name: string) => {
    await registry.waypoints.update(id, { name }, token())
    await round()
  }
  const follow = (userId: string) =>
    registry.follows.create(userId, { what: { bubblerId: id }, by: ['web', 'push'] })
  const devices = async (userId: string) => {
    let text = ''
    for await (const part of registry.accounts.export(userId)) text += part
    return (JSON.parse(text) as { devices: readonly object[] }).devices
  }
  const wait = (seconds: number) => (now += seconds * 1000)
  return { registry, deliveries, telling, round, person, id, edited, follow, devices, wait }
}

test('a device shows what is followed by push, in its language, encrypted for it and signed by the registry', async () => {
  const { got, browser } = await service()
  const { registry, person, id, edited, follow, round } = await stage()
  const [ada, ben] = [await person('Ada'), await person('Ben')]
  await follow(ada)
  await registry.follows.create(ben, { what: { bubblerId: id } })
  await registry.follows.addDevice(ada, browser('ada'), { language: 'de-AT' })
  await registry.follows.addDevice(ben, browser('ben'))
  await edited('Harbour')
  await registry.waypoints.update(id, { name: 'Own' }, user(ada))
  await round()
  const { notifications } = await registry.follows.notifications(ada)
  expect(got.map(({ device, shown }) => [device, shown])).toEqual([
    ['ada', { title: 'Bearbeitet: Harbour', body: 'ein Programm', tag: notifications[0]?.id, fountain: id }],
  ])
  const { authorization = '', ttl, topic, 'content-encoding': coding } = got[0]?.headers ?? {}
  expect([ttl, coding]).toEqual([String(following.push.hours * 3600), 'aes128gcm'])
  expect(notifications[0]?.id).toContain(topic)
  const [, jwt = '', key] = /^vapid t=([^,]+), k=(.+)$/u.exec(authorization) ?? []
  expect(key).toBe(sender.pushKey())
  const claims = JSON.parse(String(Buffer.from(jwt.split('.')[1] ?? '', 'base64url'))) as object
  expect(claims).toMatchObject({ sub: 'https://fountains.example' })
})

test('many events are one message, and what is removed leads to no fountain', async () => {
  const { got, browser } = await service()
  const { registry, person, id, follow, round } = await stage()
  const ada = await person('Ada')
  await follow(ada)
  await registry.follows.addDevice(ada, browser('ada'))
  const many = following.push.events + 1
  for (let index = 1; index <= many; index++)
    await registry.waypoints.update(id, { name: `Name ${index}` }, token())
  await round()
  await registry.waypoints.delete(id, token(), { reason: 'Gone' })
  await round()
  expect(got.map(({ shown }) => [shown.title, shown.body, shown.fountain])).toEqual([
    [expect.stringContaining('Edited'), `a program · + ${many - 1}`, undefined],
    [expect.stringContaining('Removed'), 'a program · Gone', undefined],
  ])
})

test('a device that is gone is forgotten; one that does not answer is tried again for days, delays no other, and is forgotten', async () => {
  const { got, answers, browser } = await service()
  const { registry, person, edited, follow, devices, wait, round } = await stage()
  const [ada, ben] = [await person('Ada'), await person('Ben')]
  await follow(ada)
  await follow(ben)
  await registry.follows.addDevice(ben, browser('live'))
  for (const device of ['404', '410', '500']) {
    answers[device] = Number(device)
    await registry.follows.addDevice(ada, browser(device))
  }
  await edited('First')
  expect([(await devices(ada)).length, got.length]).toEqual([1, 4])
  await edited('Second')
  expect(
    got
      .splice(0)
      .map(({ device }) => device)
      .toSorted(),
  ).toEqual(['404', '410', '500', 'live', 'live'])
  for (const seconds of delivering.retrySeconds) {
    expect(await devices(ada)).toHaveLength(1)
    wait(seconds)
    await round()
  }
  expect(await devices(ada)).toHaveLength(0)
  expect(new Set(got.map(({ shown }) => shown.tag)).size).toBe(1)
})

test('a hundred devices whose service never answers delay no other', async () => {
  const { got, answers, waiting, browser } = await service()
  const { registry, deliveries, person, id, follow } = await stage()
  for (let owner = 0; owner < 5; owner++) {
    const userId = await person(`Person ${owner}`)
    await follow(userId)
    for (let index = 0; index < following.push.devices; index++) {
      const device = `${owner}-${index}`
      answers[device] = 0
      await registry.follows.addDevice(userId, browser(device))
    }
  }
  const ada = await person('Ada')
  await follow(ada)
  await registry.follows.addDevice(ada, browser('live'))
  await registry.waypoints.update(id, { name: 'Harbour' }, token())
  await deliveries.tellFollowers()
  await deliveries.push()
  await expect.poll(() => got.some(({ device }) => device === 'live')).toBe(true)
  await expect.poll(() => waiting.length).toBe(100)
  for (const response of waiting) response.end()
  await deliveries.idle()
})

test('the oldest of too many devices is forgotten, a browser is one person’s, and leaving takes devices along', async () => {
  const { got, browser } = await service()
  const { registry, person, edited, follow, devices } = await stage()
  const [ada, ben] = [await person('Ada'), await person('Ben')]
  await follow(ada)
  await follow(ben)
  const shared = browser('shared')
  await registry.follows.addDevice(ada, shared)
  await registry.follows.addDevice(ben, shared)
  expect([await devices(ada), await devices(ben)]).toEqual([
    [],
    [{ createdAt: '2026-06-01T08:00:00.000Z', service: new URL(shared.endpoint).host }],
  ])
  await registry.follows.endDevice(ada, shared.endpoint)
  await edited('First')
  expect(got.map(({ device }) => device)).toEqual(['shared'])
  await registry.follows.endDevice(ben, shared.endpoint)
  for (let index = 0; index <= following.push.devices; index++)
    await registry.follows.addDevice(ada, browser(String(index)))
  expect(await devices(ada)).toHaveLength(following.push.devices)
  await registry.accounts.leave(ada, { confirm: 'Ada', texts: 'keep' })
  const pushes = []
  await edited('Second')
  for await (const push of registry.follows.pushes()) pushes.push(push)
  expect([got.length, pushes]).toEqual([1, []])
})

test('only known push services are told, and no device whose keys are none', async () => {
  const strict = new Sender({ key: () => 'k'.repeat(32) })
  for (const known of [
    'https://fcm.googleapis.com/fcm/send/a',
    'https://updates.push.services.mozilla.com/wpush/v2/a',
    'https://web.push.apple.com/a',
    'https://wns2-par02p.notify.windows.com/w/?token=a',
  ])
    expect(() => strict.checkDevice(known)).not.toThrow()
  for (const other of [
    'https://fcm.googleapis.com.example.org/a',
    'https://push.apple.com/a',
    'https://evil.example/?.push.apple.com',
    'http://fcm.googleapis.com/a',
    'https://fcm.googleapis.com:444/a',
    'https://ada:x@fcm.googleapis.com/a',
    'http://127.0.0.1/a',
  ])
    expect(() => strict.checkDevice(other), other).toThrow('known push service')
  const { got, browser } = await service()
  const { endpoint, keys } = browser('ada')
  const bent = { ...keys, p256dh: `B${'A'.repeat(86)}` }
  const answer = await sender.push({ endpoint, keys: bent }, { id: 'msg_1', body: '{}' })
  expect([answer, got]).toEqual([{ status: 410, error: 'KEYS' }, []])
})
