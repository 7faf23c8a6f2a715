import type { HeavyWork } from './http/heavy-work.ts'

/** Who may read `GET /api/metrics`: nobody (`off`), programs on the same machine (`loopback`), or everyone. */
export type MetricsReaders = 'off' | 'loopback' | 'everyone'

export const metricsReaders: readonly MetricsReaders[] = ['off', 'loopback', 'everyone']

/** The text format of Prometheus, https://prometheus.io/docs/instrumenting/exposition_formats. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

/** Histogram bounds in seconds, the defaults of Prometheus: from a cached read to a whole list over a slow connection. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Other methods count as one, so that clients cannot fill the memory with names. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'])

const noRoute = 'none'

interface Durations {
  /** Requests in each bucket, not cumulative. */
  readonly counts: number[]
  count: number
  seconds: number
}

/** A request, its declared route and when it began, in milliseconds of `performance.now()`. */
interface Timed {
  readonly request: Request
  readonly route: string | undefined
  readonly startedAt: number
}

export type Gauge = readonly [name: string, help: string, value: number, labels?: string]

/** Counts requests by declared route, without paths and ids, and writes them for a monitoring system. */
export class Metrics {
  readonly #requests = new Map<string, number>()
  readonly #durations = new Map<string, Durations>()
  readonly #queues = new Map<string, HeavyWork>()

  watch(name: string, queue: HeavyWork): void {
    this.#queues.set(name, queue)
  }

  count({ request, route = noRoute, startedAt }: Timed, status: number): void {
    const method = methods.has(request.method) ? request.method : 'other'
    const key = `method="${method}",route="${route}",status="${Math.floor(status / 100)}xx"`
    this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1)
    const seconds = (performance.now() - startedAt) / 1000
    const of = this.#durations.get(route) ?? { counts: bounds.map(() => 0), count: 0, seconds: 0 }
    const bucket = bounds.findIndex((bound) => seconds <= bound)
    if (bucket >= 0) of.counts[bucket] = (of.counts[bucket] ?? 0) + 1
    of.count += 1
    of.seconds += seconds
    this.#durations.set(route, of)
  }

  text(gauges: readonly Gauge[]): string {
    const { user, system } = process.cpuUsage()
    const processor = user + system
    const begun = Math.round(performance.timeOrigin) / 1000
    const queued = (state: 'waiting' | 'running', help: string) =>
      metric(
        `openfountain_queue_${state}`,
        'gauge',
        help,
        Array.from(this.#queues, ([name, queue]): Sample => [`queue="${name}"`, queue[state]]),
      )
    return [
      ...metric('openfountain_http_requests_total', 'counter', 'Requests that were responded to', [
        ...this.#requests,
      ]),
      ...this.#histogram(),
      ...queued('waiting', 'Requests that wait for their turn'),
      ...queued('running', 'Requests that have their turn'),
      ...gauges.flatMap(([name, help, value, labels]) => one(name, 'gauge', help, value, labels)),
      ...one('process_cpu_seconds_total', 'counter', 'Processor time of this process', processor / 1e6),
      ...one('process_resident_memory_bytes', 'gauge', 'Memory of this process', process.memoryUsage.rss()),
      ...one('process_start_time_seconds', 'gauge', 'When this process began, in Unix time', begun),
      '',
    ].join('\n')
  }

  #histogram(): string[] {
    const name = 'openfountain_http_request_duration_seconds'
    const samples = Array.from(this.#durations).flatMap(([route, { counts, count, seconds }]) => {
      let below = 0
      const buckets = bounds.map((bound, at) => {
        below += counts[at] ?? 0
        return `${name}_bucket{route="${route}",le="${bound}"} ${below}`
      })
      return [
        ...buckets,
        `${name}_bucket{route="${route}",le="+Inf"} ${count}`,
        `${name}_sum{route="${route}"} ${seconds}`,
        `${name}_count{route="${route}"} ${count}`,
      ]
    })
    return [...heading(name, 'histogram', 'From a request to the end of its response'), ...samples]
  }
}

type Sample = readonly [labels: string, value: number]

const heading = (name: string, type: 'counter' | 'gauge' | 'histogram', help: string): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
]

const one = (name: string, type: 'counter' | 'gauge', help: string, value: number, labels = '') =>
  metric(name, type, help, [[labels, value]])

function metric(name: string, type: 'counter' | 'gauge', help: string, samples: readonly Sample[]): string[] {
  const lines = samples.map(([labels, value]) => `${name}${labels === '' ? '' : `{${labels}}`} ${value}`)
  return [...heading(name, type, help), ...lines]
}
