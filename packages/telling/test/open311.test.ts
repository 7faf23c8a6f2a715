import { createServer } from 'node:http'
import { token } from '@openfountain/core'
import type { CityInput } from '@openfountain/core/internal'
import { delivering, limits } from '@openfountain/core/rules'
import { listening } from '@openfountain/testing/listening'
import { emptyRegistry, placed } from '@openfountain/testing/registry'
import { expect, test } from 'vitest'
import { Deliveries, Sender } from '../src/index.ts'

const sender = new Sender({ key: () => 'k'.repeat(32), insecure: true })

interface Request {
  readonly form: Readonly<Record<string, string>>
  readonly id: string
  status: 'open' | 'closed'
  notes?: string
}

/** A server after the specification of GeoReport v2. With `tokens` it gives the ids of requests later. */
async function city({ tokens = false, status = 201 } = {}) {
  const requests: Request[] = []
  const asked: string[] = []
  const state = { status, tokens }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://city')
    asked.push(`${request.method} ${request.url}`)
    const answer = (code: number, body: unknown) =>
      response
        .writeHead(code, { 'content-type': 'application/json; charset=utf-8' })
        .end(JSON.stringify(body))
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      if (request.method === 'POST' && pathname === '/v2/requests.json') {
        const form = Object.fromEntries(new URLSearchParams(body))
        if (form['api_key'] !== 'the key of the city')
          return answer(403, [{ code: 403, description: 'api_key' }])
        if (state.status >= 300) return answer(state.status, [{ code: state.status, description: 'no' }])
        const made: Request = { form, id: String(requests.length + 100), status: 'open' }
        requests.push(made)
        return answer(201, [
          state.tokens ? { token: `t${made.id}` } : { service_request_id: made.id, service_notice: 'Soon' },
        ])
      }
      const found = /^\/v2\/tokens\/t(\d+)\.json$/u.exec(pathname)
      if (found) return answer(200, [{ service_request_id: found[1], token: `t${found[1]}` }])
      if (pathname !== '/v2/requests.json') return answer(404, [{ code: 404, description: 'Unknown' }])
      const ids = searchParams.get('service_request_id')?.split(',') ?? []
      return answer(
        200,
        requests.flatMap(({ id, status: now, notes, form }) =>
          ids.includes(id)
            ? [
                {
                  service_request_id: id,
                  status: now,
                  status_notes: notes,
                  agency_responsible: 'Water works',
                  ...form,
                },
              ]
            : [],
        ),
      )
    })
  })
  return { url: `http://127.0.0.1:${await listening(server)}/v2`, requests, asked, state }
}

async function stage(given: Awaited<ReturnType<typeof city>>, more: Partial<CityInput> = {}) {
  let now = Date.parse('2026-06-01T08:00:00Z')
  const registry = await emptyRegistry({ clock: () => new Date(now) })
  const { url } = given
  const failures: unknown[] = []
  const deliveries = new Deliveries(registry, sender, { onFailure: (error) => failures.push(error) })
  const at = { service: '7', apiKey: sender.seal(url, 'the key of the city'), ...more }
  const { id } = await registry.webhooks.create({ url, events: ['broken', 'gone'] }, token(), at)
  const round = async () => {
    await deliveries.look()
    await deliveries.idle()
  }
  const wait = (seconds: number) => void (now += seconds * 1000)
  const say = (bubblerId: number, kind: 'works' | 'broken' | 'gone') =>
    registry.observations.create({ bubblerId, kind }, token())
  const open = async () => (await registry.webhooks.city(id))?.requests
  const ask = async () => {
    await deliveries.askCities()
    await deliveries.idle()
  }
  return { registry, deliveries, id, round, ask, wait, say, open, failures }
}

test('a fault becomes one service request of a city, and its closing counts as works only where that was said', async () => {
  for (const closedMeansWorks of [true, undefined]) {
    const made = await city()
    const { registry, deliveries, round, ask, wait, say, open } = await stage(made, {
      jurisdiction: 'lund.example',
      closedMeansWorks,
    })
    const { id, latitude, longitude, name } = await placed(registry)
    await registry.users.create({ id: 'ada', name: 'Ada' })
    await registry.follows.create('ada', { what: { bubblerId: id } })
    await deliveries.tellFollowers()
    await round()
    expect(made.requests).toEqual([])
    await say(id, 'broken')
    wait(120)
    await say(id, 'broken')
    await round()
    expect(made.requests.map(({ form }) => form)).toMatchObject([
      {
        service_code: '7',
        jurisdiction_id: 'lund.example',
        lat: String(latitude),
        long: String(longitude),
        description: expect.stringContaining(name),
      },
    ])
    expect(await open()).toEqual([{ waypoint: id, id: '100' }])
    await ask()
    expect(await open()).toHaveLength(1)
    Object.assign(made.requests[0] ?? {}, { status: 'closed', notes: 'New\u0000 valve' })
    await ask()
    expect(await open()).toEqual([])
    const { state } = await registry.observations.status(id)
    expect(state).toBe(closedMeansWorks ? 'works' : 'broken')
    const last = (await registry.observations.list({ bubblerId: id })).at(-1)
    const kind = closedMeansWorks ? 'works' : 'closed'
    expect(last).toMatchObject({ kind, comment: 'Water works: New valve', authority: 'operator' })
    await deliveries.tellFollowers()
    const [told] = (await registry.follows.notifications('ada')).notifications
    expect(told).toMatchObject({ event: kind, bubblerId: id, reason: 'Water works: New valve' })
    await ask()
    expect(made.asked.filter((each) => each.includes('the+key'))).toEqual([])
    wait(86_400)
    await say(id, 'broken')
    await round()
    expect(made.requests).toHaveLength(2)
  }
})

test('a city that gives a token is asked for the id; a removed fountain is settled without a word', async () => {
  const made = await city({ tokens: true })
  const { registry, round, ask, say, open, failures } = await stage(made, { closedMeansWorks: true })
  const { id } = await placed(registry)
  await say(id, 'gone')
  await round()
  expect(await open()).toEqual([{ waypoint: id, token: 't100' }])
  await ask()
  expect(await open()).toEqual([{ waypoint: id, id: '100' }])
  await registry.waypoints.delete(id, token())
  Object.assign(made.requests[0] ?? {}, { status: 'closed' })
  await ask()
  expect([await open(), failures]).toEqual([[], []])
})

test('what a city refuses is tried again and kept, and the key is sent to the address alone that it was given for', async () => {
  const made = await city({ status: 422 })
  const { registry, id, round, wait, say, failures } = await stage(made)
  await say((await placed(registry)).id, 'broken')
  for (let tries = 0; tries < delivering.refusedTries; tries++) {
    await round()
    wait(delivering.retrySeconds[tries] ?? 0)
  }
  const [webhook] = (await registry.webhooks.state()).webhooks
  expect(webhook).toMatchObject({ lastStatus: 422, kept: [expect.any(Number)] })
  const stored = JSON.stringify(await registry.webhooks.city(id))
  expect(stored).not.toContain('the key')
  const asked = made.asked.length
  await registry.webhooks.update(id, { url: `${made.url}/` }, token())
  made.state.status = 201
  await say((await placed(registry, { latitude: 55.8 })).id, 'broken')
  await round()
  const [changed] = (await registry.webhooks.state()).webhooks
  expect(changed).toMatchObject({ attempts: 1, lastError: expect.stringContaining('another address') })
  expect([made.asked.length, failures]).toEqual([asked, []])
})

test('the endpoint and what it was told go with its webhook', async () => {
  const { registry, id } = await stage(await city())
  await registry.webhooks.delete(id, token())
  expect(await registry.webhooks.city(id)).toBeUndefined()
})

/** A server with a fixed answer: a body of undefined never ends, status 0 never answers. */
async function hostile(answer: { status?: number; body?: string | undefined; location?: string }) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    request.resume()
    if (answer.status === 0) return
    const { status = 200, body, location } = answer
    response.writeHead(status, location === undefined ? {} : { location })
    if (body !== undefined) return void response.end(body)
    const more = () => {
      while (response.write('[{},'.repeat(1000)));
    }
    response.on('drain', more)
    more()
  })
  return { url: `http://127.0.0.1:${await listening(server)}/v2`, asked, answer }
}

const laughs = `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>
<service_requests><request><service_request_id>&b;&c;</service_request_id></request></service_requests>`

test.each([
  ['nothing', ''],
  ['XML with entities', laughs],
  ['no list', '{"service_request_id":"1"}'],
  ['a list of none', '[null,3,"x",[]]'],
  ['an object as an id', '[{"service_request_id":{"toString":"x"}}]'],
  ['several ids in one', '[{"service_request_id":"1,2"}]'],
  ['a long id', JSON.stringify([{ service_request_id: 'x'.repeat(limits.cityText + 1) }])],
  ['a prototype', '[{"__proto__":{"service_request_id":"1"}}]'],
])(
  'a city that answers %s made no request that is followed, and its operator sees it',
  async (_what, body) => {
    const made = await hostile({ status: 201, body })
    const { registry, round, ask, say, open, failures } = await stage(made as never)
    await say((await placed(registry)).id, 'broken')
    await round()
    const [webhook] = (await registry.webhooks.state()).webhooks
    expect(webhook).toMatchObject({
      attempts: 0,
      lastStatus: 201,
      lastError: expect.stringContaining('without'),
    })
    await ask()
    expect([await open(), made.asked.length, failures]).toEqual([[], 1, []])
  },
)

test('a city that says much closes its requests alone, once, in words that fit, and holds up no other', async () => {
  const made = await city()
  const { registry, deliveries, ask, round, wait, say, open, failures } = await stage(made)
  const other = await hostile({ status: 201, body: '[{"service_request_id":"1"}]' })
  await registry.webhooks.create({ url: other.url, events: ['gone'] }, token(), { service: '7' })
  const name = '"><img src=x>&api_key=1&lat=0'
  const { id, latitude } = await placed(registry, { name })
  const { id: gone } = await placed(registry, { latitude: 55.8 })
  await say(id, 'broken')
  await say(gone, 'gone')
  await round()
  const [{ form } = { form: {} }] = made.requests
  expect(form).toMatchObject({ api_key: 'the key of the city', lat: String(latitude) })
  expect(form).toMatchObject({ description: expect.stringContaining(name) })
  // Of both that are asked, one has gone mad.
  for (const answer of [
    { status: 200, body: undefined },
    { status: 200, body: laughs },
    { status: 302, body: '[]', location: '/' },
  ]) {
    Object.assign(other.answer, answer)
    await ask()
  }
  expect(failures).toHaveLength(3)
  const notes = `${'x'.repeat(limits.comment - 14)}\u{1f600}\u{1f600}`
  Object.assign(made.requests[0] ?? {}, { status: 'closed', notes })
  const [first] = made.requests
  if (first) made.requests.push(...Array.from({ length: 50 }, () => first), { ...first, id: '1' })
  await ask()
  expect(await open()).toEqual([{ waypoint: gone, id: '101' }])
  const said = await registry.observations.list({ bubblerId: id })
  expect(said).toHaveLength(2)
  expect(said.at(-1)?.comment).toMatch(/^Water works: x+\u{1f600}$/u)
  // A city that is silent holds up nothing.
  Object.assign(other.answer, { status: 0 })
  const asked = other.asked.length
  await deliveries.askCities()
  await expect.poll(() => other.asked.length).toBe(asked + 1)
  wait(86_400)
  await say(id, 'broken')
  const posted = made.requests.length
  await deliveries.look()
  await expect.poll(() => made.requests.length).toBe(posted + 1)
  expect(failures).toHaveLength(4)
})
