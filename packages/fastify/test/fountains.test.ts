import type { AddressInfo } from 'node:net'
import { anonymous, openRegistry, token, type Registry } from '@openfountain/core'
import type { AccessEntry } from '@openfountain/server'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fountains, type FountainsOptions } from '../src/index.ts'

let registry: Registry
let secret: string
let host: FastifyInstance
beforeEach(async () => {
  registry = await openRegistry({ database: ':memory:' })
  secret = (await registry.tokens.create({ name: 'test' })).token
  host = fastify({ bodyLimit: 100 })
})
afterEach(async () => {
  await host.close()
  await registry.close()
})

const place = { name: 'Well', latitude: 55.7, longitude: 13.2 }
const json = { 'content-type': 'application/json' }

async function listening(
  options: Omit<FountainsOptions, 'registry'> & { prefix?: string } = {},
): Promise<string> {
  await host.register(fountains, { registry, ...options })
  await host.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(host.server.address() as AddressInfo).port}`
}

describe.each(['/water', '/city/water', '/water/'])('below %s', (prefix) => {
  const base = prefix.replace(/\/$/u, '')

  test('the API is there, knows its address, and nothing of it is elsewhere', async () => {
    const url = await listening({ prefix })
    const service = await fetch(`${url}${base}/api`)
    expect(await service.json()).toMatchObject({ documentation: { openapi: `${base}/api/openapi` } })
    const [missing, elsewhere] = [await fetch(`${url}${base}/api/nowhere`), await fetch(`${url}/api`)]
    expect(await missing.json()).toMatchObject({ code: 'NOT_FOUND', details: {} })
    expect(await elsewhere.json()).toMatchObject({ statusCode: 404, message: 'Route GET:/api not found' })
  })

  test('fountains are added and read', async () => {
    const url = await listening({ prefix })
    const headers = { ...json, authorization: `Bearer ${secret}` }
    const body = JSON.stringify({ ...place, description: 'Long. '.repeat(100) })
    const added = await fetch(`${url}${base}/api/waypoints`, { method: 'POST', headers, body })
    expect([added.status, await added.json()]).toEqual([
      201,
      expect.objectContaining({ id: 1, name: 'Well' }),
    ])
    const read = await fetch(`${url}${base}/api/waypoints/1`)
    expect(await read.json()).toMatchObject({ waypoint: { name: 'Well' } })
    expect((await fetch(`${url}${base}/api/waypoints`, { method: 'HEAD' })).status).toBe(200)
  })
})

test('two registries are beside each other in one host', async () => {
  const other = await openRegistry({ database: ':memory:', name: 'The other' })
  await host.register(fountains, { registry: other, prefix: '/other' })
  host.addHook('onClose', () => other.close())
  const url = await listening({ prefix: '/water' })
  const nameAt = async (path: string) => ((await (await fetch(url + path)).json()) as { name: string }).name
  expect([await nameAt('/other/api'), await nameAt('/water/api')]).toEqual(['The other', registry.name])
})

test('a body of any length is left to the API, which refuses what is too long for it', async () => {
  const url = await listening()
  const send = async (headers: Record<string, string>, body: string) => {
    const response = await fetch(`${url}/api/waypoints`, { method: 'POST', headers, body })
    return [response.status, ((await response.json()) as { code: string }).code]
  }
  const authorized = { authorization: `Bearer ${secret}` }
  expect(await send({ ...json, ...authorized }, ' '.repeat(70_000))).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  expect(await send({ ...json, ...authorized }, '{')).toEqual([400, 'INVALID_INPUT'])
  expect(await send({ 'content-type': 'text/plain', ...authorized }, '{}')).toEqual([
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ])
})

test('a long list is sent as it is made', async () => {
  const wells = Array.from({ length: 1500 }, (_, index) => ({
    ...place,
    name: `Well ${index}`,
    latitude: index / 50,
  }))
  await Promise.all(wells.map((each) => registry.waypoints.create(each, token())))
  const url = await listening()
  const list = await fetch(`${url}/api/waypoints`, { headers: { 'accept-encoding': 'identity' } })
  expect(list.headers.get('content-length')).toBeNull()
  expect(((await list.json()) as { waypoints: unknown[] }).waypoints).toHaveLength(1500)
})

test('parsers, hooks and errors of the host stay as they are', async () => {
  host.addHook('onRequest', async (_request, reply) => {
    reply.header('x-host', 'ours')
  })
  host.post('/echo', ({ body }) => ({ body }))
  host.get('/fails', () => {
    throw new Error('the own error of the host')
  })
  const url = await listening({ prefix: '/water' })
  const echo = await fetch(`${url}/echo`, { method: 'POST', headers: json, body: '{"a":1}' })
  expect(await echo.json()).toEqual({ body: { a: 1 } })
  const long = await fetch(`${url}/echo`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify('x'.repeat(200)),
  })
  expect(long.status).toBe(413)
  expect(await (await fetch(`${url}/fails`)).json()).toMatchObject({ message: 'the own error of the host' })
  const ours = await fetch(`${url}/water/api/stats`)
  expect([ours.headers.get('x-host'), ours.headers.get('x-content-type-options')]).toEqual([
    'ours',
    'nosniff',
  ])
})

test('a hook of the host that refuses a request keeps it from the API', async () => {
  host.addHook('onRequest', async ({ headers }, reply) => {
    if (headers['x-member'] === undefined) await reply.code(403).send({ message: 'For members' })
  })
  const url = await listening()
  expect(await (await fetch(`${url}/api/stats`)).json()).toEqual({ message: 'For members' })
  expect((await fetch(`${url}/api/stats`, { headers: { 'x-member': '1' } })).status).toBe(200)
})

test('the API knows the address of the client, and believes a proxy where it is told to', async () => {
  const entries: AccessEntry[] = []
  const accessLog = (entry: AccessEntry) => void entries.push(entry)
  await host.register(fountains, { registry, accessLog, trustProxy: 'loopback', prefix: '/proxied' })
  const url = await listening({ accessLog })
  const headers = { 'x-forwarded-for': '192.0.2.7' }
  for (const path of ['/api/stats', '/proxied/api/stats']) await (await fetch(url + path, { headers })).text()
  expect(entries.map(({ client }) => client)).toEqual(['127.0.0.1', '192.0.2.7'])
})

test('pages of other origins than that of the host may not write with the session of their visitor', async () => {
  const { id } = await registry.users.create({ name: 'Ada' })
  const { secret: link } = await registry.accounts.link(id)
  const { session } = await registry.accounts.redeemLink(link)
  const url = await listening({ prefix: '/water' })
  const rename = async (origin: string) =>
    (
      await fetch(`${url}/water/api/user`, {
        method: 'PATCH',
        headers: { ...json, origin, cookie: `session=${session}` },
        body: '{}',
      })
    ).status
  expect([await rename(url), await rename('http://evil.example')]).toEqual([200, 403])
})

test('accounts of the host decide where it says so', async () => {
  const resolveActor = ({ headers }: Request) => (headers.has('x-program') ? token() : anonymous)
  const url = await listening({ resolveActor })
  const add = async (headers: Record<string, string>) =>
    (
      await fetch(`${url}/api/waypoints`, {
        method: 'POST',
        headers: { ...json, ...headers },
        body: JSON.stringify(place),
      })
    ).status
  expect([await add({}), await add({ 'x-program': '1' })]).toEqual([401, 201])
})

test('requests that are injected get what others get', async () => {
  await host.register(fountains, { registry, prefix: '/water' })
  const headers = { authorization: `Bearer ${secret}` }
  const added = await host.inject({ method: 'POST', url: '/water/api/waypoints', headers, payload: place })
  expect([added.statusCode, added.json()]).toEqual([201, expect.objectContaining({ name: 'Well' })])
  expect((await host.inject('/water/api/stats')).json()).toMatchObject({ totalWaypoints: 1 })
})

test('options are checked when the plugin is registered, and those of Fastify itself are not taken for wrong ones', async () => {
  const wrong = async (options: object) => fastify().register(fountains, { registry, ...options })
  await expect(wrong({ publicURL: 'x' })).rejects.toThrow(/^publicURL is unknown/u)
  await expect(wrong({ prefix: '/:city' })).rejects.toThrow(/^basePath is not a path/u)
  await expect(wrong({ prefix: '/water', logLevel: 'warn' })).resolves.toBeDefined()
})

test('another version of Fastify is refused by name', () => {
  const meta = (fountains as unknown as Record<symbol, unknown>)[Symbol.for('plugin-meta')]
  expect(meta).toEqual({ name: '@openfountain/fastify', fastify: '5.x' })
  expect(host.version).toMatch(/^5\./u)
})
