/** @module-tag process */
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { getPriority } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createApp, type AppOptions, type WaypointFormat } from '../src/index.ts'
import { HeavyWork } from '../src/http/heavy-work.ts'
import { streamBody } from '../src/http/text-stream.ts'
import { sharedDatabase } from '@openfountain/testing/database'
import { listening } from '@openfountain/testing/server/listening'
import { serving } from '@openfountain/testing/server/stage'

test('turns of one client are two at a time and four that wait, and leave room for others', async () => {
  const work = new HeavyWork()
  const greedy = Array.from({ length: 8 }, () => work.begin({ client: '192.0.2.1' }))
  const [first, second, third, fourth, ...more] = await settledNow(greedy)
  expect([first, second, third, fourth]).toEqual(['turn', 'turn', 'waits', 'waits'])
  expect(more).toEqual(['waits', 'waits', 'UNAVAILABLE', 'UNAVAILABLE'])
  const other = await work.begin({ client: '192.0.2.2' })
  const another = await work.begin({ client: '192.0.2.3' })
  const last = work.begin({ client: '192.0.2.4' })
  expect(await settledNow([last])).toEqual(['waits'])
  other()
  expect(await settledNow([last, ...greedy.slice(2, 6)])).toEqual([
    'turn',
    'waits',
    'waits',
    'waits',
    'waits',
  ])
  const end = await greedy[0]
  end?.()
  expect(await settledNow(greedy.slice(2, 4))).toEqual(['turn', 'waits'])
  another()
  expect(await settledNow(greedy.slice(3, 4))).toEqual(['waits'])
})

test('turns go past clients that left while they waited', async () => {
  const work = new HeavyWork({ atOnce: 1, waiting: 2 })
  const end = await work.begin()
  const leaving = new AbortController()
  const gone = work.begin({ signal: leaving.signal })
  const next = work.begin()
  leaving.abort()
  await expect(gone).rejects.toThrow('disconnected before')
  expect(await settledNow([work.begin()])).toEqual(['waits'])
  end()
  expect(await settledNow([next])).toEqual(['turn'])
  await expect(work.begin({ signal: leaving.signal })).rejects.toThrow('disconnected before')
})

async function settledNow(turns: readonly Promise<unknown>[]): Promise<string[]> {
  const states = turns.map(() => 'waits')
  for (const [index, turn] of turns.entries()) {
    void turn.then(
      () => (states[index] = 'turn'),
      (error: { code: string }) => (states[index] = error.code),
    )
  }
  await nextTurn()
  return states
}

describe('a reader', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('that reads slowly is cut off as one that reads nothing', async () => {
    let ended = 0
    function* endless() {
      for (;;) yield new Uint8Array(1000)
    }
    const body = streamBody(endless(), {
      variant: '',
      stallMilliseconds: 60,
      slowestBytesPerSecond: 1e9,
      onEnd: () => (ended += 1),
      onError: () => undefined,
    })
    let reads = 0
    const trickle = async () => {
      for await (const _bytes of body) {
        reads += 1
        if (reads > 100) break
        vi.advanceTimersByTime(5)
      }
    }
    await expect(trickle()).rejects.toThrow('too slow')
    expect(reads).toBeGreaterThanOrEqual(11)
    expect(reads).toBeLessThanOrEqual(14)
    expect(ended).toBe(1)
  })

  test('does not pay for the time that making the list takes', async () => {
    const steps = 40
    function* slow() {
      for (let step = 0; step < steps; step++) {
        vi.advanceTimersByTime(1000)
        yield new Uint8Array(1)
      }
    }
    const body = streamBody(slow(), {
      variant: '',
      stallMilliseconds: 300,
      slowestBytesPerSecond: 1e9,
      onEnd: () => undefined,
      onError: () => undefined,
    })
    expect((await new Response(body).arrayBuffer()).byteLength).toBe(steps)
  })
})

/** A list of 16 MiB, more than a connection buffers for a client that does not read. */
const long: WaypointFormat = {
  mediaType: 'text/x-long',
  description: 'A long list',
  async *text() {
    for (let piece = 0; piece < 256; piece++) yield 'x'.repeat(65_536)
  },
}
const accept = { accept: long.mediaType }

const served = async (options: AppOptions) => {
  const { stage, listener } = await listening({}, { formats: [long], ...options })
  const open = () => {
    const socket = connect(listener.port, '127.0.0.1').on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    socket.write(`GET /api/waypoints HTTP/1.1\r\nHost: x\r\nAccept: ${long.mediaType}\r\n\r\n`)
    return socket
  }
  return { stage, listener, open }
}

test.skipIf(process.platform !== 'linux')(
  'with real sockets connections that never read do not keep another client from a whole list',
  async () => {
    const { listener, open } = await served({ heavyWork: { waitMilliseconds: 600_000 } })
    const silent = Array.from({ length: 8 }, open)
    await Promise.all(silent.slice(0, 2).map((socket) => once(socket, 'readable')))
    const asked = get({
      port: listener.port,
      localAddress: '127.0.0.2',
      path: '/api/waypoints',
      headers: accept,
    })
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(200)
    let bytes = 0
    for await (const part of response as AsyncIterable<Uint8Array>) bytes += part.byteLength
    expect(bytes).toBe(16 * 1024 * 1024)
  },
)

const inFile = async () => {
  const stage = await serving({}, await sharedDatabase())
  for (let made = 0; made < 300; made++) await stage.made({})
  return stage.registry
}

test.skipIf(process.platform !== 'linux')(
  'whole lists give way to light requests where threads share a core',
  async () => {
    const registry = await inFile()
    const own = getPriority()
    const before = new Set(readdirSync('/proc/self/task'))
    const app = createApp(registry)
    const response = await app.fetch(new Request('http://fountains.test/api/waypoints'))
    expect(await response.json()).toHaveProperty('waypoints')
    const started = readdirSync('/proc/self/task').filter((thread) => !before.has(thread))
    expect(started.map((thread) => getPriority(Number(thread)))).toContain(Math.min(own + 15, 19))
    expect(getPriority()).toBe(own)
  },
)

test('whole lists that cannot be made are reported as a failure before anything is sent', async () => {
  const elsewhere = new Proxy(await inFile(), {
    get(registry, name) {
      if (name === 'database') return '/nowhere/fountains.db'
      const member: unknown = Reflect.get(registry, name, registry)
      return typeof member === 'function' ? (member.bind(registry) as unknown) : member
    },
  })
  const app = createApp(elsewhere, { onFailure: () => undefined })
  const response = await app.fetch(new Request('http://fountains.test/api/waypoints'))
  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain('nowhere')
  expect((await app.fetch(new Request('http://fountains.test/api/waypoints/1'))).status).toBe(200)
})
