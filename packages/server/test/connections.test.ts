/** @module-tag process */
import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type ListenerLimits } from '../src/index.ts'
import { conversation, guarded, listening } from '@openfountain/testing/server/listening'

const opened = async (port: number) => {
  const made = conversation(port)
  await once(made.socket, 'connect')
  return made
}

const healthFrom = async (port: number, localAddress: string): Promise<number | undefined> => {
  const asked = get({ port, localAddress, path: '/api/health', agent: false })
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}

const health = 'GET /api/health HTTP/1.1\r\nHost: x\r\n'

test.skipIf(process.platform !== 'linux')(
  'the connections of one client are limited, so that idle ones do not keep others from the server',
  async () => {
    const { port } = await listening({
      connectionsPerClient: 3,
      maxConnections: 8,
      headersTimeout: 600_000,
    })
    const idle = []
    for (let made = 0; made < 3; made++) idle.push(await opened(port))
    const refused = await Promise.all(Array.from({ length: 6 }, () => conversation(port).said))
    expect(new Set(refused)).toEqual(new Set(['HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\n\r\n']))
    expect(await healthFrom(port, '127.0.0.2')).toBe(200)
    const [first] = idle
    first?.socket.destroy()
    await first?.said
    await expect.poll(() => healthFrom(port, '127.0.0.1').catch(() => 0)).toBe(200)
  },
)

test.each<[whose: string, limits: ListenerLimits]>([
  ['of a trusted proxy, which are those of many clients', { trustProxy: ['loopback'] }],
  ['of the one proxy that is trusted', { trustProxy: true }],
  ['where there is no limit', { connectionsPerClient: 0 }],
])('the connections of one client are not limited %s', async (_whose, limits) => {
  const { port } = await listening({ connectionsPerClient: 1, ...limits })
  for (let made = 0; made < 4; made++) await opened(port)
  const { said } = conversation(port, `${health}Connection: close\r\n\r\n`)
  expect(await said).toMatch(/^HTTP\/1\.1 200 /)
})

test.each<[whose: string, limits: ListenerLimits, allowed: number]>([
  ['where another proxy is trusted', { connectionsPerClient: 1, trustProxy: '10.0.0.0/8' }, 1],
  ['to 256 by default', {}, 256],
])('the connections of one client are limited %s', async (_whose, limits, allowed) => {
  const { port } = await listening(limits)
  for (let made = 0; made < allowed; made++) await opened(port)
  expect(await conversation(port).said).toMatch(/^HTTP\/1\.1 429 /)
})

describe('a connection ends in time', () => {
  const body = 'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{'
  const timedOut = /HTTP\/1\.1 408 Request Timeout\r\nConnection: close\r\n\r\n$/

  test.each<[what: string, limits: ListenerLimits, sent: string, said: RegExp]>([
    ['when nothing is sent', { headersTimeout: 200 }, '', timedOut],
    [
      'when a body that nobody reads is sent slowly after its response',
      { requestTimeout: 200 },
      `POST /api/waypoints HTTP/1.1\r\nHost: x\r\n${body}`,
      /^HTTP\/1\.1 401 /,
    ],
    [
      'when the body of a GET is sent slowly',
      { requestTimeout: 200 },
      `${health}Content-Length: 100\r\n\r\n{`,
      /^HTTP\/1\.1 200 /,
    ],
  ])('%s', async (_what, limits, sent, said) => {
    const { port } = await listening(limits)
    expect(await conversation(port, sent).said).toMatch(said)
  })

  test('with a 408 when a body is sent slowly to a host that waits for it', async () => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.end())
    })
    const port = await guarded(server, { requestTimeout: 200 })
    const { said } = conversation(port, `POST / HTTP/1.1\r\nHost: x\r\n${body}`)
    expect(await said).toMatch(timedOut)
  })

  test('when the headers of a later request are sent slowly', async () => {
    const { port } = await listening({ headersTimeout: 200, keepAliveTimeout: 200 })
    const { socket, said } = conversation(port, `${health}\r\n`)
    await once(socket, 'data')
    socket.write('GET /api/health HTTP/1.1\r\nX-Slow: ')
    const all = await said
    expect(all).toMatch(/^HTTP\/1\.1 200 /)
    expect(all).toMatch(timedOut)
  })

  test('when a response is read slowly', async () => {
    const server = createServer((_request, response) => void response.end(Buffer.alloc(64 * 1024 * 1024)))
    const port = await guarded(server, { idleTimeout: 1000, slowestBytesPerSecond: 1e9 })
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    let bytes = 0
    socket.on('data', (part) => {
      bytes += part.byteLength
      socket.pause()
      setTimeout(() => socket.resume(), 20)
    })
    const closed = once(
      socket.on('error', () => undefined),
      'close',
    )
    socket.write(`${health}\r\n`)
    await closed
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThan(64 * 1024 * 1024)
  })

  test('but not while a response takes longer', async () => {
    const server = createServer((_request, response) => void setTimeout(() => response.end('late'), 1000))
    const limits = { headersTimeout: 100, requestTimeout: 100, keepAliveTimeout: 100 }
    const port = await guarded(server, limits)
    const { said } = conversation(port, `${health}Connection: close\r\n\r\n`)
    expect(await said).toMatch(/^HTTP\/1\.1 200 [^]*late/)
  })
})
