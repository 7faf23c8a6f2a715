import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { HeavyWork } from '../src/http/heavy-work.ts'
import { createApp, type AppOptions } from '../src/index.ts'
import { Metrics } from '../src/metrics.ts'
import { folder } from '@openfountain/testing/server/folder'
import { listenWith } from '@openfountain/testing/server/listening'
import { type Stage, serving } from '@openfountain/testing/server/stage'

/** The values in the text format of Prometheus by name and labels. @throws Error for a line that it does not have */
function valuesIn(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const sample = /^([a-z_]+(?:\{\w+="[^"\\\n]*"(?:,\w+="[^"\\\n]*")*\})?) (\S+)$/u.exec(line)
      const [, name = '', value = ''] = sample ?? []
      if (sample === null || Number.isNaN(Number(value))) throw new Error(`Not of the format: ${line}`)
      return [name, Number(value)]
    }),
  )
}

describe('an app that offers metrics to everyone', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await serving({ metrics: 'everyone' })
  })

  test('says that they are in the text format of Prometheus, and that nobody keeps them', async () => {
    const { status, headers, text } = await stage.get('/api/metrics')
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
      'no-store',
    ])
    const names = [...text.matchAll(/^# TYPE (\S+) (?:counter|gauge|histogram)$/gmu)].map(([, name]) => name)
    expect(names).toEqual([...new Set(names)])
    for (const name of names) expect(text).toContain(`# HELP ${name} `)
    expect(text.endsWith('\n')).toBe(true)
    expect(await (await stage.raw('HEAD', '/api/metrics')).text()).toBe('')
  })

  test('lets no page of another origin read them, not even one that the operator allowed', async () => {
    const origin = 'https://map.example'
    const { raw } = await serving({ metrics: 'everyone', allowedOrigins: [origin] })
    const callers: Record<string, string>[] = [{}, { origin }, { origin: 'https://other.example' }]
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      for (const headers of callers) {
        const response = await raw(method, '/api/metrics', { headers })
        expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
      }
  })

  test('counts requests by declared route and class of the status, never by what was sent', async () => {
    await stage.get('/api/waypoints/1?secret=hunter2')
    await stage.get('/api/waypoints/1')
    await stage.get('/api/waypoints/999')
    await stage.get('/api/hunter2')
    await stage.raw('HUNTER2', '/api/stats')
    await stage.ask('POST', '/api/waypoints', { body: {} })
    const { text } = await stage.get('/api/metrics')
    const values = valuesIn(text)
    const count = (labels: string) => values.get(`openfountain_http_requests_total{${labels}}`)
    expect(count('method="GET",route="/api/waypoints/{id}",status="2xx"')).toBe(2)
    expect(count('method="GET",route="/api/waypoints/{id}",status="4xx"')).toBe(1)
    expect(count('method="GET",route="none",status="4xx"')).toBe(1)
    expect(count('method="other",route="/api/stats",status="4xx"')).toBe(1)
    expect(count('method="POST",route="/api/waypoints",status="4xx"')).toBe(1)
    expect(text).not.toMatch(/hunter2/iu)
    const again = valuesIn((await stage.get('/api/metrics')).text)
    expect(
      again.get('openfountain_http_requests_total{method="GET",route="/api/metrics",status="2xx"}'),
    ).toBe(1)
    expect(again.get('openfountain_log_entries')).toBe((await stage.registry.head()).id)
  })
})

test('durations are in the bucket of their bound and in all larger ones', () => {
  const metrics = new Metrics()
  const request = new Request('http://localhost/api/stats')
  const took = (seconds: number) => ({
    request,
    route: '/api/stats',
    startedAt: performance.now() - seconds * 1000,
  })
  for (const seconds of [0, 0.3, 0.3, 100]) metrics.count(took(seconds), 200)
  const values = valuesIn(metrics.text([]))
  const name = 'openfountain_http_request_duration_seconds'
  const upTo = (bound: string) => values.get(`${name}_bucket{route="/api/stats",le="${bound}"}`)
  expect(['0.25', '0.5', '10', '+Inf'].map(upTo)).toEqual([1, 3, 3, 4])
  expect(values.get(`${name}_sum{route="/api/stats"}`)).toBeGreaterThan(100)
})

test('queues have their lengths', async () => {
  const metrics = new Metrics()
  const queue = new HeavyWork({ atOnce: 1, waiting: 2 })
  metrics.watch('lists', queue)
  const lengths = () => {
    const values = valuesIn(metrics.text([]))
    return ['running', 'waiting'].map((what) => values.get(`openfountain_queue_${what}{queue="lists"}`))
  }
  expect(lengths()).toEqual([0, 0])
  const end = await queue.begin()
  const next = queue.begin()
  expect(lengths()).toEqual([1, 1])
  end()
  ;(await next)()
  expect(lengths()).toEqual([0, 0])
})

async function statusFrom(options: AppOptions, headers: Readonly<Record<string, string>> = {}) {
  const { registry } = await serving({})
  const { url, close } = await listenWith(createApp(registry, options))
  onTestFinished(() => close())
  return (await fetch(`${url}/api/metrics`, { headers })).status
}

const onThisMachine = { metrics: 'loopback' } as const
const forwarded = 'x-forwarded-for x-forwarded-host x-forwarded-proto x-real-ip forwarded via'.split(' ')

test.each<[who: string, options: AppOptions, status: number]>([
  ['nobody, unless the server says so', {}, 404],
  ['nobody, where the server says so', { metrics: 'off' }, 404],
  ['programs on the same machine', onThisMachine, 200],
  ['programs on the same machine as the proxy', { ...onThisMachine, trustProxy: 'loopback' }, 200],
])('who may read metrics: %s', async (_who, options, status) => {
  expect(await statusFrom(options)).toBe(status)
})

test.each(forwarded)(
  'who may read metrics: not those whose requests a proxy on the same machine passes on, which adds %s',
  async (name) => {
    for (const trustProxy of [false, 'loopback'])
      expect(await statusFrom({ ...onThisMachine, trustProxy }, { [name]: '127.0.0.1' })).toBe(404)
  },
)

test('who may read metrics: nobody on the same machine where the host does not say who asks', async () => {
  expect((await (await serving(onThisMachine)).get('/api/metrics')).status).toBe(404)
})

const hour = 3_600_000
const aged = async (file: string, hours: number): Promise<void> => {
  const time = new Date(Date.now() - hours * hour)
  await utimes(file, time, time)
}
const hoursOf = (seconds: unknown): unknown =>
  typeof seconds === 'number' ? Math.round((seconds * 1000) / hour) : seconds

test('the ages of copies are absent without a folder, and null before there is any, also where it is still missing', async () => {
  expect(Object.keys((await (await serving({})).get('/api/health')).body)).not.toContain('backupAgeSeconds')
  const empty = await folder({})
  const stage = await serving({
    backups: join(empty, 'backups'),
    exports: join(empty, 'data'),
    metrics: 'everyone',
  })
  const { body } = await stage.get('/api/health')
  expect(body).toMatchObject({ backupAgeSeconds: null, publicationAgeSeconds: null })
  expect((await stage.get('/api/metrics')).text).not.toContain('_age_seconds')
})

test('the ages of copies are those of the newest backup and of the exports, in health and metrics', async () => {
  const made = await folder({
    'backups/fountains-1.db': '',
    'backups/fountains-2.db': '',
    'backups/fountains-3.db.unfinished': '',
    'data/SHA256SUMS': '',
  })
  await aged(join(made, 'backups/fountains-1.db'), 30)
  await aged(join(made, 'backups/fountains-2.db'), 6)
  await aged(join(made, 'data/SHA256SUMS'), 2)
  const stage = await serving({
    backups: join(made, 'backups'),
    exports: join(made, 'data'),
    site: made,
    metrics: 'everyone',
  })
  const { body } = await stage.get('/api/health')
  expect([body['backupAgeSeconds'], body['publicationAgeSeconds']].map(hoursOf)).toEqual([6, 2])
  const values = valuesIn((await stage.get('/api/metrics')).text)
  const ages = ['openfountain_backup_age_seconds', 'openfountain_publication_age_seconds']
  expect(ages.map((name) => hoursOf(values.get(name)))).toEqual([6, 2])
})

test('the ages of copies of a site that was published again are its own, though its downloads did not change', async () => {
  const made = await folder({ 'site/index.html': '', 'site/data/SHA256SUMS': '' })
  await aged(join(made, 'site/data/SHA256SUMS'), 20)
  await aged(join(made, 'site'), 1)
  const { body } = await (
    await serving({ exports: join(made, 'site/data'), site: join(made, 'site') })
  ).get('/api/health')
  expect(hoursOf(body['publicationAgeSeconds'])).toBe(1)
})
