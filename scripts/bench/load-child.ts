import { converse } from './converse.ts'
import { seeded } from './fountains.ts'
import { quantile } from './measurement.ts'
import type { Load } from './served.ts'

/** Reads waypoints by id. */
const [port = 0, ids = 1, seconds = 1, connections = 1] = process.argv.slice(2, 6).map(Number)
const [path = '/api/waypoints/'] = process.argv.slice(6)
const random = seeded(17)
const times: number[] = []
const warmUp = 0.2
let requests = 0
const begin = performance.now()
const from = begin + warmUp * 1000
const until = from + seconds * 1000

function request(): string {
  const id = 1 + Math.floor(random() * ids)
  return `GET ${path}${id} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: application/json\r\norigin: https://map.example\r\n\r\n`
}

await Promise.all(
  Array.from({ length: connections }, () =>
    converse(port, {
      next: () => (performance.now() < until ? request() : undefined),
      status: 200,
      onResponse: (milliseconds) => {
        requests += 1
        if (performance.now() >= from) times.push(milliseconds)
      },
    }),
  ),
)
const load: Load = {
  requests,
  perSecond: times.length / seconds,
  p50: quantile(times, 0.5),
  p99: quantile(times, 0.99),
}
process.send?.(load)
process.disconnect()
