import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { seeded } from './fountains.ts'
import { quantile } from './measurement.ts'
import type { Load } from './served.ts'

/**
 * Reads waypoints by id, or one path with the cookies of a file, over plain sockets: a fraction of what node:http costs as a client, so that the server is
 * what is measured.
 */
const [port = 0, ids = 1, seconds = 1, connections = 1] = process.argv.slice(2, 6).map(Number)
const [path = '/api/waypoints/', cookieFile] = process.argv.slice(6)
const cookies = cookieFile === undefined ? [] : (JSON.parse(readFileSync(cookieFile, 'utf8')) as string[])
const random = seeded(17)
const times: number[] = []
const warmUp = 0.2
const begin = performance.now()
const from = begin + warmUp * 1000
const until = from + seconds * 1000

function request(): string {
  const cookie = cookies[Math.floor(random() * cookies.length)]
  const id = cookie === undefined ? 1 + Math.floor(random() * ids) : ''
  const session = cookie === undefined ? '' : `cookie: session=${cookie}\r\n`
  return `GET ${path}${id} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: application/json\r\norigin: https://map.example\r\n${session}\r\n`
}

function run(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    let sent = 0
    let wanted = -1
    let received: Buffer = Buffer.alloc(0)
    const ask = (): void => {
      sent = performance.now()
      wanted = -1
      received = Buffer.alloc(0)
      socket.write(request())
    }
    socket.on('connect', ask)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed a connection')))
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      if (wanted < 0) {
        const end = received.indexOf('\r\n\r\n')
        if (end < 0) return
        const head = received.toString('latin1', 0, end)
        if (!head.startsWith('HTTP/1.1 200')) return reject(new Error(head.split('\r\n', 1)[0]))
        wanted = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1])
      }
      if (received.length < wanted) return
      const now = performance.now()
      if (now >= from) times.push(now - sent)
      if (now < until) return ask()
      socket.removeAllListeners('close')
      socket.destroy()
      resolve()
    })
  })
}

await Promise.all(Array.from({ length: connections }, run))
const load: Load = {
  perSecond: times.length / seconds,
  p50: quantile(times, 0.5),
  p99: quantile(times, 0.99),
}
process.send?.(load)
process.disconnect()
