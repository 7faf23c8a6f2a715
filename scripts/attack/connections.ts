import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import {
  needsOwn,
  needsSeveralClients,
  until,
  outcome,
  skipped,
  within,
  type Attack,
  type Outcome,
  type Setting,
} from './attempt.ts'

/** The first bytes of a connection, which is then no longer read. */
async function firstBytes(socket: Socket): Promise<string> {
  while (!socket.destroyed) {
    const bytes = socket.read() as Buffer | null
    if (bytes !== null) return bytes.toString('latin1')
    await Promise.race([once(socket, 'readable'), once(socket, 'close')])
  }
  return ''
}

/** Requests the whole list, and reads only its beginning. @throws Error without a response */
async function readsNothing(socket: Socket, host: string): Promise<void> {
  socket.write(`GET /api/waypoints HTTP/1.1\r\nHost: ${host}\r\nAccept: application/json\r\n\r\n`)
  const text = await firstBytes(socket)
  if (!text.startsWith('HTTP/1.1 200')) throw new Error(text.slice(0, 40))
}

/** Resolves when two promises have resolved, or all have settled. */
async function secondOf(promises: readonly Promise<void>[]): Promise<void> {
  const first = await Promise.any(promises.map((promise, index) => promise.then(() => index))).catch(() => 0)
  await Promise.any(promises.filter((_, index) => index !== first)).catch(() => undefined)
}

/**
 * Bytes of a list: more than Linux buffers for a connection without a reader, by default 4 MB sent and 6 MB received.
 */
const longEnough = 12_000_000

const turnsHeld: Attack = {
  name: 'turns-held',
  kind: 'connections',
  wants: 'that nobody else gets a whole list',
  async run({ client, hasSeveralClients, patience, full }) {
    if (!hasSeveralClients) return needsSeveralClients
    const [greedy, other] = [client(), client()]
    const rounds = full ? 5 : 1
    const connections = 24
    const came: string[] = []
    let holds = true
    for (let round = 0; round < rounds; round++) {
      const sockets = Array.from({ length: connections }, () => greedy.open())
      const held = sockets.map((socket) => readsNothing(socket, greedy.host))
      await within(secondOf(held), patience)
      // Requested after the others, so that theirs were received.
      await greedy.statusOf('/api/health')
      const list = await within(
        other.ask('/api/waypoints', { headers: { accept: 'application/json' } }).catch(() => undefined),
        patience,
      )
      const isWhole = list?.status === 200 && list.body.toString('latin1').trimEnd().endsWith('}')
      // The part that fits into the connection buffers is sent, with or without a reader.
      if (isWhole && list.body.length < longEnough)
        return skipped(`the whole list is too short: ${list.body.length} bytes`)
      holds &&= isWhole
      came.push(
        list === undefined
          ? 'another client got nothing'
          : `another got ${list.status} with ${list.body.length} bytes`,
      )
      for (const socket of sockets) socket.destroy()
    }
    return outcome(
      `${connections} connections asked for the whole list and read nothing of it${rounds > 1 ? `, ${rounds} times` : ''}`,
      came.at(-1) ?? '',
      holds,
    )
  },
}

const idleConnections: Attack = {
  name: 'idle-connections',
  kind: 'connections',
  wants: 'that nobody else can connect',
  async run({ client, hasSeveralClients, patience, full }) {
    if (!hasSeveralClients) return needsSeveralClients
    const [idle, other] = [client(), client()]
    const connections = full ? 4100 : 300
    let refused = 0
    const refusal = new Promise<void>((resolve) => {
      for (let made = 0; made < connections; made++)
        idle
          .open()
          .resume()
          .once('close', () => {
            refused += 1
            resolve()
          })
    })
    // One client is allowed 256; a higher limit may leave room for others.
    await within(refusal, Math.min(patience, 10_000))
    const status = (await within(other.statusOf('/api/health'), patience)) ?? 0
    return outcome(
      `kept up to ${connections} connections open and sent nothing`,
      `${refused > 0 ? 'some were closed' : 'none was closed'}, another client got ${status || 'nothing'}`,
      status === 200 && (refused > 0 || full),
    )
  },
}

/** Sends one byte after another until the server ends the connection. */
async function drip({ client, patience }: Setting, head: string): Promise<Outcome> {
  const attacker = client()
  const { socket, heard } = attacker.converse(head.replace('HOST', attacker.host))
  let sent = 0
  const timer = setInterval(() => {
    if (socket.writable) sent += socket.write('x') ? 1 : 0
  }, 250)
  const all = await within(heard, patience)
  clearInterval(timer)
  const [status = 'no response'] = all?.split('\r\n') ?? []
  return outcome(
    `sent ${sent} bytes, four a second`,
    all === undefined
      ? 'the connection was still open'
      : `the connection was ended: ${status || 'no response'}`,
    all !== undefined,
  )
}

const slowHeaders: Attack = {
  name: 'slow-headers',
  kind: 'connections',
  wants: 'to keep a connection for ever with headers that never end',
  waits: true,
  run: (setting) => drip(setting, 'GET /api/health HTTP/1.1\r\nHost: HOST\r\nX-Slow: '),
}

const slowBody: Attack = {
  name: 'slow-body',
  kind: 'connections',
  wants: 'to keep a connection for ever with a body that never ends',
  waits: true,
  run(setting) {
    const { authorization } = setting.own?.secrets.token ?? {}
    const head = [
      'POST /api/waypoints HTTP/1.1',
      'Host: HOST',
      ...(authorization === undefined ? [] : [`Authorization: ${authorization}`]),
      'Content-Type: application/json',
      'Content-Length: 60000',
    ]
    return drip(setting, `${head.join('\r\n')}\r\n\r\n{`)
  },
}

const slowReading: Attack = {
  name: 'slow-reading',
  kind: 'connections',
  wants: 'to keep a list in memory by reading a few bytes of it now and then',
  waits: true,
  fullOnly: true,
  async run({ client, own, hasSeveralClients, patience }) {
    if (own === undefined) return needsOwn
    if (!hasSeveralClients) return needsSeveralClients
    const reader = client()
    const { address = '' } = reader
    const socket = reader.open()
    await within(readsNothing(socket, reader.host), patience)
    let read = 0
    // Bytes that the system has already received are readable after the end, so that only the server's log shows the
    // end.
    const isOver = await until(async () => {
      const bytes = socket.read(1024) as Buffer | null
      read += bytes?.length ?? 0
      await pause(1000)
      return own.lines.some((line) => line.includes(`"${address}"`))
    }, patience)
    return outcome(
      `asked for the whole list and read ${read} bytes of it, 1 KiB a second`,
      isOver ? 'the server ended the connection' : 'the server had not ended the connection',
      isOver,
    )
  },
}

export const connections: readonly Attack[] = [turnsHeld, idleConnections, slowHeaders, slowBody, slowReading]
