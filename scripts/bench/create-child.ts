import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { converse } from './converse.ts'
import { quantile } from './measurement.ts'
import type { Load } from './served.ts'

/** Creates waypoints, one after the other on each connection, each with an idempotency key, on servers in turn. */
const [ports = '', tokenFile = '', ...numbers] = process.argv.slice(2)
const [seconds = 1, first = 0] = numbers.map(Number)
const servers = ports.split(',').map(Number)
const tokens = JSON.parse(readFileSync(tokenFile, 'utf8')) as string[]
const times: number[] = []
const warmUp = 0.3
const from = performance.now() + warmUp * 1000
const until = from + seconds * 1000
let made = first

function request(token: string): string {
  const number = made++
  // At least two hundred metres apart, so that none is a duplicate.
  const latitude = -85 + (number % 60_000) / 500
  const longitude = -179 + Math.floor(number / 60_000) / 100
  const body = JSON.stringify({ name: `Fountain ${number}`, latitude, longitude })
  return [
    'POST /api/waypoints HTTP/1.1',
    'host: 127.0.0.1',
    `authorization: Bearer ${token}`,
    `idempotency-key: ${randomUUID()}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

await Promise.all(
  tokens.map((token, index) =>
    converse(servers[index % servers.length] ?? 0, {
      next: () => (performance.now() < until ? request(token) : undefined),
      status: 201,
      onResponse: (milliseconds) => {
        if (performance.now() >= from) times.push(milliseconds)
      },
    }),
  ),
)
const load: Load & { readonly next: number } = {
  requests: made - first,
  perSecond: times.length / seconds,
  p50: quantile(times, 0.5),
  p99: quantile(times, 0.99),
  next: made,
}
process.send?.(load)
process.disconnect()
