import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { token, type RegistryOptions } from '@openfountain/core'
import type { WebhookInput } from '@openfountain/core/internal'
import { delivering } from '@openfountain/core/rules'
import { listening } from '@openfountain/testing/listening'
import { emptyRegistry, placed } from '@openfountain/testing/registry'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { Deliveries, Sender } from '../src/index.ts'

const key = () => 'k'.repeat(32)
const sender = new Sender({ key, insecure: true })

interface Got {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A server that answers as it is told, by path; undefined never answers. */
async function receiver(answers: Record<string, number | undefined> = {}) {
  const got: Got[] = []
  const waiting: ServerResponse[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      const path = request.url ?? ''
      got.push({ path, headers: request.headers, body })
      const status = path in answers ? answers[path] : 204
      if (status === undefined) waiting.push(response)
      else response.writeHead(status).end()
    })
  })
  return { url: `http://127.0.0.1:${await listening(server)}`, got, answers, waiting }
}

const idOf = ({ headers }: Got) => String(headers['webhook-id'])
const typesOf = (got: readonly Got[]) => got.map(({ body }) => (JSON.parse(body) as { type: string }).type)

async function stage(options: Partial<RegistryOptions> = {}) {
  let now = Date.now()
  const registry = await emptyRegistry({ clock: () => new Date(now), ...options })
  const offs: string[] = []
  const deliveries = new Deliveries(registry, sender, {
    onOff: ({ id }) => offs.push(id),
    onFailure: (error) => expect(error).toBeUndefined(),
  })
  const round = async () => {
    await deliveries.look()
    await deliveries.idle()
  }
  const wait = async (seconds: number) => {
    now += seconds * 1000
    await round()
  }
  const add = (input: WebhookInput) => registry.webhooks.create(input, token())
  const only = async () => {
    const [webhook] = (await registry.webhooks.state()).webhooks
    if (webhook === undefined) throw new Error('there is no webhook')
    return webhook
  }
  return { registry, deliveries, round, wait, add, only, offs, now: () => now }
}

test('a program is told in the order of the log, and the library of others verifies what it gets', async () => {
  const { url, got } = await receiver()
  const { registry, round, add } = await stage()
  await placed(registry, { name: 'Before' })
  const webhook = await add({ url })
  const { id } = await placed(registry)
  await registry.waypoints.update(id, { name: 'Harbour' }, token())
  await registry.waypoints.update(id, { latitude: 55.71 }, token())
  await round()
  expect(typesOf(got)).toEqual(['waypoint.created', 'waypoint.edited', 'waypoint.moved'])
  const library = new Webhook(sender.secretOf(webhook))
  for (const { body, headers } of got) library.verify(body, headers as Record<string, string>)
  expect(() => library.verify(`${got[0]?.body} `, got[0]?.headers as Record<string, string>)).toThrow(
    'signature',
  )
  expect(JSON.parse(got[1]?.body ?? '')).toMatchObject({
    data: {
      entry: { subject: 'waypoint', action: 'edited' },
      waypoint: { id, name: 'Harbour', latitude: 55.7029 },
    },
  })
  await round()
  expect(got).toHaveLength(3)
  expect(new Set(got.map(idOf)).size).toBe(3)
})

test('only what it asks for is told', async () => {
  const { url, got } = await receiver()
  const { registry, round, add, only } = await stage()
  await add({ url, what: { maintainer: 'Stadt' }, events: ['edited'] })
  const { id } = await placed(registry)
  await registry.waypoints.update(id, { name: 'One' }, token())
  const other = await placed(registry, { name: 'Two', latitude: 55.8 })
  await registry.waypoints.update(other.id, { maintainer: 'Stadt' }, token())
  await round()
  expect(typesOf(got)).toEqual(['waypoint.edited'])
  expect(got[0]?.body).toContain('"maintainer":"Stadt"')
  expect((await only()).attempts).toBe(0)
})

test('what fails is sent again later, the same, until the webhook is switched off', async () => {
  const { url, got } = await receiver({ '/': 500 })
  const { registry, wait, round, add, only, offs, now } = await stage()
  const { id } = await add({ url })
  const waypoint = await placed(registry)
  await round()
  for (const seconds of delivering.retrySeconds) {
    const tries = got.length
    expect(Date.parse((await only()).nextAt ?? '')).toBe(now() + seconds * 1000)
    await wait(seconds - 1)
    expect(got).toHaveLength(tries)
    await registry.waypoints.update(waypoint.id, { description: `After ${seconds}` }, token())
    await wait(1)
    expect(got).toHaveLength(tries + 1)
  }
  expect(new Set(got.map(({ headers, body }) => `${String(headers['webhook-id'])} ${body}`)).size).toBe(1)
  expect(offs).toEqual([id])
  expect(await only()).toMatchObject({ lastStatus: 500, disabledAt: new Date(now()).toISOString() })
  await wait(86_400)
  expect(got).toHaveLength(1 + delivering.retrySeconds.length)
})

test('410 ends it, and switched on again it is told what happened meanwhile', async () => {
  const { url, got, answers } = await receiver({ '/': 410 })
  const { registry, round, add, only, offs } = await stage()
  const { id } = await add({ url })
  await placed(registry)
  await round()
  await placed(registry, { latitude: 55.8 })
  await round()
  expect([got.length, offs]).toEqual([1, [id]])
  expect((await only()).disabledAt).toBeDefined()
  answers['/'] = 200
  await registry.webhooks.update(id, { active: true }, token())
  await round()
  expect(got).toHaveLength(3)
})

test.each([400, 404, 422])(
  '%d is tried three times, then kept, and the next event follows',
  async (status) => {
    const { url, got, answers } = await receiver({ '/': status })
    const { registry, round, wait, add, only } = await stage()
    const { id } = await add({ url })
    await placed(registry)
    await round()
    await wait(5)
    await placed(registry, { latitude: 55.8 })
    answers['/'] = status
    await wait(300)
    const refused = got.slice(0, 3)
    expect(new Set(refused.map(idOf)).size).toBe(1)
    expect(idOf(got[3] as Got)).not.toBe(idOf(got[0] as Got))
    const webhook = await only()
    const { kept } = webhook
    expect(kept).toHaveLength(1)
    const events = await registry.webhooks.keptFor(webhook)
    expect(events.map(({ id: entry }) => entry)).toEqual(kept)
    await registry.webhooks.sent(id, kept[0] ?? 0)
    expect((await only()).kept).toEqual([])
  },
)

test('a changed secret signs together with the one before for a day', async () => {
  const { url, got } = await receiver()
  const { registry, round, wait, add } = await stage()
  const before = await add({ url })
  const after = await registry.webhooks.rotate(before.id, token())
  await placed(registry)
  await round()
  for (const each of [before, after])
    new Webhook(sender.secretOf(each)).verify(got[0]?.body ?? '', got[0]?.headers as Record<string, string>)
  await wait(delivering.rotationHours * 3600)
  await placed(registry, { latitude: 55.8 })
  await round()
  expect(String(got[1]?.headers['webhook-signature']).split(' ')).toHaveLength(1)
})

test('a hundred that never answer do not delay another', async () => {
  const silent = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`/${index}`, undefined]))
  const { url, got, waiting } = await receiver(silent)
  const { registry, deliveries, add } = await stage()
  for (const path of Object.keys(silent)) await add({ url: `${url}${path}` })
  await add({ url: `${url}/live` })
  await placed(registry)
  await deliveries.look()
  await expect.poll(() => got.some(({ path }) => path === '/live')).toBe(true)
  // The live one waited for none of them.
  await expect
    .poll(async () => (await registry.webhooks.state()).webhooks.filter(({ place }) => place > 0).length)
    .toBe(1)
  expect((await registry.webhooks.state()).webhooks.every(({ attempts }) => attempts === 0)).toBe(true)
  await expect.poll(() => waiting.length).toBe(100)
  for (const response of waiting) response.end()
  await deliveries.idle()
})

test('one process delivers at a time, and another one goes on when it is gone', async () => {
  const { url, got } = await receiver()
  const { registry, round, wait, add } = await stage()
  await add({ url })
  await registry.webhooks.begin('another process')
  await placed(registry)
  await round()
  expect(got).toEqual([])
  await wait(delivering.leaseMinutes * 60)
  expect(got).toHaveLength(1)
})

test('an address to which nothing would be sent is not taken', () => {
  const strict = new Sender({ key })
  expect(() => strict.check('https://169.254.169.254/')).toThrow('not on the Internet')
  expect(() => strict.check('http://city.example/')).toThrow('not https:')
  expect(() => new Sender({ key, privateRanges: ['10.0.0.0'] })).toThrow('no range')
})

test('only administrators see and change webhooks', async () => {
  const { registry, add, only } = await stage()
  const { id } = await add({ url: 'https://city.example/' })
  const small = { kind: 'token', scope: 'moderate' } as const
  const refused = async (make: () => Promise<unknown>) =>
    (await make().catch((error: unknown) => error)) as { code?: string }
  for (const make of [
    () => registry.webhooks.list(small),
    () => registry.webhooks.create({ url: 'https://a.example/' }, small),
    () => registry.webhooks.update(id, { active: false }, small),
    () => registry.webhooks.rotate(id, small),
    () => registry.webhooks.delete(id, small),
  ])
    expect(await refused(make)).toMatchObject({ code: 'FORBIDDEN' })
  expect((await refused(() => add({ url: 'https://ada:x@city.example/' }))).code).toBe('INVALID_INPUT')
  expect((await refused(() => add({ url: 'https://city.example/?token=x' }))).code).toBe('INVALID_INPUT')
  expect((await only()).id).toBe(id)
  await registry.webhooks.delete(id, token())
  expect((await registry.webhooks.state()).webhooks).toEqual([])
  expect((await refused(() => registry.webhooks.delete(id, token()))).code).toBe('NOT_FOUND')
})
