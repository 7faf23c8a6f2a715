import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from './limits.ts'
import type { SoakRun } from './traffic.ts'

/** Hostile clients, and clients with a bad network. */

const nonsense: readonly (readonly [string, RequestInit, readonly number[]])[] = [
  ['/api/waypoints/0x10', {}, [400]],
  ['/api/waypoints/99999999', {}, [404]],
  ['/api/waypoints/search?q=%22%27%3B--%20NEAR(%20*', {}, [200]],
  ['/api/waypoints?bbox=1,2,3', {}, [400]],
  ['/api/waypoints?limit=-1', {}, [400]],
  ['/api/nothing', {}, [404]],
  ['/api/stats', { method: 'PUT' }, [405]],
  [
    '/api/waypoints',
    { method: 'POST', body: '{"name":', headers: { 'content-type': 'application/json' } },
    [400, 401],
  ],
  [
    '/api/waypoints',
    { method: 'POST', body: 'x'.repeat(200_000), headers: { authorization: 'Bearer no' } },
    [400, 401, 413, 415],
  ],
  ['/api/user', { headers: { cookie: `session=${'a'.repeat(2000)}` } }, [401]],
  ['/%', {}, [400]],
]

/** Sends invalid requests. */
export async function provoke({ url, random, tally, over }: SoakRun): Promise<void> {
  while (!over.aborted) {
    const [path, options, may] = nonsense[Math.floor(random() * nonsense.length)] ?? ['/', {}, [404]]
    try {
      const response = await fetch(url + path, { ...options, signal: AbortSignal.timeout(30_000) })
      await response.text()
      tally.count(`hostile ${response.status}`)
      if (!may.includes(response.status)) tally.problem(`hostile ${path} got ${response.status}`)
    } catch (error) {
      // The connection of an unread, refused body may be closed while it is still being sent.
      if (options.body === undefined) tally.problem(`hostile ${path} failed: ${String(error)}`)
      else tally.count('hostile, cut off')
    }
    await pause(random() * 100)
  }
}

function dial(url: string): Promise<Socket> {
  const { port, hostname } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket.on('error', () => undefined)))
    socket.on('error', reject)
  })
}

/** Disconnects in the middle of a response. */
export async function hangUp({ url, random, tally, over }: SoakRun): Promise<void> {
  const paths = ['/api/waypoints', '/api/waypoints/1', '/api/waypoints?bbox=-10,30,40,60', '/api/logs']
  while (!over.aborted) {
    const socket = await dial(url)
    socket.write(`GET ${paths[Math.floor(random() * paths.length)]} HTTP/1.1\r\nhost: soak\r\n\r\n`)
    await pause(random() * 300)
    socket.destroy()
    tally.count('hung up')
    await pause(random() * 1000)
  }
}

/** Sends its headers slowly; the server must disconnect it soon after the time that it allows. */
export async function trickle({ url, tally, over }: SoakRun): Promise<void> {
  while (!over.aborted) {
    const socket = await dial(url)
    socket.resume()
    socket.write('GET /api/stats HTTP/1.1\r\nhost: soak\r\n')
    const started = performance.now()
    const longest = limits.headers + 10_000
    while (!socket.closed && performance.now() - started < longest) {
      socket.write('x-slow: 1\r\n')
      await pause(400)
    }
    if (socket.closed) tally.count('slow headers, cut off')
    else tally.problem(`slow headers were accepted for ${longest} ms`)
    socket.destroy()
  }
}

/** Requests everything and reads nothing for a while; the server must have disconnected it by then. */
export async function stall({ url, tally, over }: SoakRun): Promise<void> {
  while (!over.aborted) {
    const socket = await dial(url)
    socket.pause()
    socket.write('GET /api/waypoints HTTP/1.1\r\nhost: soak\r\n\r\n')
    await pause(limits.stall + limits.idle + 5000)
    let end = ''
    let bytes = 0
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
    socket.on('data', (chunk) => {
      bytes += chunk.length
      end = (end + chunk.toString('latin1')).slice(-5)
    })
    socket.resume()
    await Promise.race([closed, pause(10_000)])
    if (!socket.destroyed && !socket.closed) tally.problem('a client that read nothing was not disconnected')
    else if (end === '0\r\n\r\n' && bytes > 1000)
      tally.problem('a client that read nothing was sent everything')
    else tally.count('stalled reader, cut off')
    socket.destroy()
  }
}
