import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { Socket } from 'node:net'
import express from 'express'
import { describe, expect, test } from 'vitest'
import { nodeListener, type Fetching } from '../src/index.ts'
import { portOf } from '@openfountain/testing/listening'
import { conversation, guarded, listening, listenWith } from '@openfountain/testing/server/listening'
import { serving } from '@openfountain/testing/server/stage'

async function sentBy(app: Fetching, target = '/api/stats'): Promise<string> {
  const { port, close } = await listenWith(app)
  try {
    const head = `GET ${target} HTTP/1.1\r\nHost: map.example\r\nConnection: close\r\n\r\n`
    return await conversation(port, head).said
  } finally {
    await close()
  }
}

describe('a guarded server', () => {
  test('responds over HTTP as the app does', async () => {
    const { url, stage } = await listening()
    const response = await fetch(`${url}/api/waypoints/1`)
    expect(response.status).toBe(200)
    const expected = await stage.ask('GET', '/api/waypoints/1')
    expect(await response.json()).toEqual(expected.body)
    expect(response.headers.get('content-length')).toBe(expected.headers.get('content-length'))
    const head = await fetch(`${url}/api/waypoints/1`, { method: 'HEAD' })
    expect(head.headers.get('content-length')).toBe(expected.headers.get('content-length'))
    const created = await fetch(`${url}/api/waypoints`, {
      method: 'POST',
      headers: { ...stage.secrets['token'], 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Källa', latitude: 1, longitude: 1 }),
    })
    expect(created.status).toBe(201)
    expect(await created.json()).toMatchObject({ name: 'Källa', addedByUserId: 'api' })
  })

  test.each([
    ['GET /api/stats', '200 OK'],
    ['GET /api/waypoints', '200 OK'],
    ['GET /api/waypoints/999999', '404 Not Found'],
    ['PUT /api/stats', '405 Method Not Allowed'],
    ['OPTIONS /api/stats', '204 No Content'],
  ])('names the status of %s beside its number', async (line, status) => {
    const { port } = await listening()
    const request = `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
    const [first] = (await conversation(port, request).said).split('\r\n', 1)
    expect(first).toBe(`HTTP/1.1 ${status}`)
  })

  test.each([
    ['GET /api/stats', 'x:99999', '200 OK'],
    ['GET /api/./stats', 'x:99999', '200 OK'],
    ['GET /api/waypoints/search?q="', 'x:99999', '200 OK'],
    ['GET /api/waypoints/search?q="', '999.0.0.1', '200 OK'],
    ['GET /api/waypoints/search?q="', '[:::::]', '200 OK'],
    ['PATCH /api/user', 'x:99999', '403 Forbidden'],
  ])('responds to %s with Host: %s, which cannot be, without failing', async (line, host, status) => {
    const { port, stage } = await listening()
    const { cookie } = stage.secrets['author']
    const { said } = conversation(
      port,
      `${line} HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://x:99999\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`,
    )
    expect((await said).split('\r\n', 1)).toEqual([`HTTP/1.1 ${status}`])
    expect(stage.failures).toEqual([])
  })

  test('cuts off a client that trickles its headers, on a server of an embedder', async () => {
    const server = createServer((_request, response) => response.end('whole'))
    const port = await guarded(server, { headersTimeout: 300 })
    const { said } = conversation(port, 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    expect(await said).toBe('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n')
    const prompt = conversation(port, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(await prompt.said).toMatch(/^HTTP\/1\.1 200 [^]*whole/)
  })

  test('leaves alone a connection that an embedder upgrades', async () => {
    const server = createServer()
    server.on('upgrade', (_request, socket: Socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n')
      setTimeout(() => socket.end('later'), 300)
    })
    const port = await guarded(server, { headersTimeout: 100 })
    const { said } = conversation(
      port,
      'GET / HTTP/1.1\r\nHost: x\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n',
    )
    expect(await said).toMatch(/^HTTP\/1\.1 101 [^]*later$/)
  })

  test('closes a connection that is idle, and one that speaks no HTTP', async () => {
    const { port } = await listening({ keepAliveTimeout: 200, idleTimeout: 400 })
    const idle = conversation(port, 'GET /api/stats HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(await idle.said).toMatch(/^HTTP\/1\.1 200 /)
    expect(await conversation(port, 'hello\r\n\r\n').said).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('refuses TRACE, and does not repeat what was sent', async () => {
    const { port } = await listening()
    const { said } = conversation(
      port,
      'TRACE /api HTTP/1.1\r\nHost: x\r\nCookie: session=secret\r\nConnection: close\r\n\r\n',
    )
    expect(await said).toMatch(/^HTTP\/1\.1 405 /)
    expect(await said).not.toContain('secret')
  })
})

test('closing lets an open request finish, and accepts no other', async () => {
  const { stage, listener, port } = await listening()
  const { authorization } = stage.secrets['token']
  const body = JSON.stringify({ name: 'Late', latitude: 1, longitude: 1 })
  const sent = httpRequest({
    port,
    method: 'POST',
    path: '/api/waypoints',
    headers: { authorization, 'content-type': 'application/json', 'content-length': body.length },
  })
  const answered = new Promise<number | undefined>((resolve, reject) => {
    sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject)
  })
  const arrived = once(listener.server, 'request')
  sent.write(body.slice(0, 5))
  await arrived
  const closed = listener.close(5000)
  await expect(fetch(`http://127.0.0.1:${port}/api/stats`)).rejects.toThrow('fetch failed')
  sent.end(body.slice(5))
  expect(await answered).toBe(201)
  await closed
})

test('closing cuts off what outlasts the grace', async () => {
  const { stage, listener, port } = await listening()
  const { authorization } = stage.secrets['token']
  const arrived = once(listener.server, 'request')
  const { said } = conversation(
    port,
    `POST /api/waypoints HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  )
  await arrived
  await listener.close(50)
  expect(await said).toBe('')
})

test('closing closes idle connections at once', async () => {
  const { listener, port } = await listening({ keepAliveTimeout: 60_000, idleTimeout: 60_000 })
  const { socket, said } = conversation(port, 'GET /api/stats HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'data')
  await listener.close(60_000)
  expect(await said).toMatch(/^HTTP\/1\.1 200 /)
})

test('an app inside other servers works in Express, beside its routes', async () => {
  const stage = await serving()
  const host = express()
  host.get('/hello', (_request, response) => void response.send('hello'))
  host.use(nodeListener(stage.app))
  const server = createServer(host)
  const url = `http://127.0.0.1:${await portOf(server)}`
  expect(await (await fetch(`${url}/hello`)).text()).toBe('hello')
  const review = await fetch(`${url}/api/reviews`, {
    method: 'POST',
    headers: { ...stage.secrets['newcomer'], 'content-type': 'application/json' },
    body: JSON.stringify({ bubblerId: 1, rating: 5 }),
  })
  expect(review.status).toBe(201)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

test('a request listener of node:http sends headers that somebody adds to a response of the app, and its body once', async () => {
  const { stage } = await listening()
  const withServer: Fetching = {
    fetch: async (request) => {
      const response = await stage.app.fetch(request)
      response.headers.set('server', 'fountains')
      return response
    },
  }
  const sent = await sentBy(withServer)
  expect(sent).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(sent).toMatch(/^server: fountains\r$/im)
  expect(sent.split('"totalWaypoints"')).toHaveLength(2)
})

test('a request listener of node:http responds to a whole URL as to its path, and refuses what is neither', async () => {
  const { stage } = await listening()
  expect(await sentBy(stage.app, 'http://map.example/api/stats')).toMatch(/^HTTP\/1\.1 200 /)
  expect(await sentBy(stage.app, 'stats')).toMatch(/^HTTP\/1\.1 400 /)
})

test('a request listener of node:http sends an empty 500 when the app throws or rejects', async () => {
  const failing = () => {
    throw new Error('secret')
  }
  for (const fetch of [failing, async () => failing()]) {
    const sent = await sentBy({ fetch })
    expect(sent).toMatch(/^HTTP\/1\.1 500 /)
    expect(sent).not.toContain('secret')
  }
})
