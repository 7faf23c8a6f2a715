import { createServer } from 'node:http'
import { token } from '@openfountain/core'
import type { CityInput } from '@openfountain/core/internal'
import { delivering } from '@openfountain/core/rules'
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
  return { registry, deliveries, id, round, wait, say, open, failures }
}

test('a fault becomes one service request of a city, and its closing counts as works only where that was said', async () => {
  for (const closedMeansWorks of [true, undefined]) {
    const made = await city()
    const { registry, deliveries, round, wait, say, open } = await stage(made, {
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
    await deliveries.askCities()
    expect(await open()).toHaveLength(1)
    Object.assign(made.requests[0] ?? {}, { status: 'closed', notes: 'New\u0000 valve' })
    await deliveries.askCities()
    expect(await open()).toEqual([])
    const { state } = await registry.observations.status(id)
    expect(state).toBe(closedMeansWorks ? 'works' : 'broken')
    const last = (await registry.observations.list({ bubblerId: id })).at(-1)
    const kind = closedMeansWorks ? 'works' : 'closed'
    expect(last).toMatchObject({ kind, comment: 'Water works: New valve', authority: 'operator' })
    await deliveries.tellFollowers()
    const [told] = (await registry.follows.notifications('ada')).notifications
    expect(told).toMatchObject({ event: kind, bubblerId: id, reason: 'Water works: New valve' })
    await deliveries.askCities()
    expect(made.asked.filter((each) => each.includes('the+key'))).toEqual([])
    wait(86_400)
    await say(id, 'broken')
    await round()
    expect(made.requests).toHaveLength(2)
  }
})

test('a city that gives a token is asked for the id; a removed fountain is settled without a word', async () => {
  const made = await city({ tokens: true })
  const { registry, deliveries, round, say, open, failures } = await stage(made, { closedMeansWorks: true })
  const { id } = await placed(registry)
  await say(id, 'gone')
  await round()
  expect(await open()).toEqual([{ waypoint: id, token: 't100' }])
  await deliveries.askCities()
  expect(await open()).toEqual([{ waypoint: id, id: '100' }])
  await registry.waypoints.delete(id, token())
  Object.assign(made.requests[0] ?? {}, { status: 'closed' })
  await deliveries.askCities()
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
