import { harvesting } from '../src/rules.ts'
import { secretIn } from '../src/schemas/harvest.ts'
import { emptyRegistry, refusal } from '@openfountain/testing/registry'
import { expect, test } from 'vitest'

const start = Date.parse('2026-03-01T00:00:00.000Z')
const url = 'https://data.example.org/fountains.geojson'
const daily = { url, every: 'day', options: {} } as const
const minute = 60_000

async function scheduled() {
  let now = start
  const registry = await emptyRegistry({ clock: () => new Date(now) })
  const { id } = await registry.sources.ensure({ name: 'Lund', license: 'CC0-1.0' })
  await registry.harvests.schedule(id, daily)
  const at = (minutes: number) => new Date(start + minutes * minute).toISOString()
  const wait = (minutes: number) => void (now += minutes * minute)
  return { registry, harvests: registry.harvests, id, at, wait }
}

test('a new source is due at once, and again once its time has passed', async () => {
  const { registry, harvests, id, at, wait } = await scheduled()
  expect(await harvests.due()).toMatchObject([{ id, url }])
  const run = await harvests.begin(id)
  expect(await harvests.due()).toEqual([])
  wait(2)
  const answer = { etag: '"1"', sha256: 'abc' }
  await run.end({ outcome: 'imported', status: 200, rows: { read: 3, added: 2 }, answer })
  const every = harvesting.every.day
  const nextAt = at(every - every * harvesting.early)
  expect(await registry.sources.list()).toMatchObject([
    {
      harvesting: {
        every: 'day',
        checkedAt: at(0),
        nextAt,
        harvests: [{ startedAt: at(0), endedAt: at(2), outcome: 'imported', read: 3, added: 2, changed: 0 }],
      },
    },
  ])
  expect(await harvests.schedules()).toMatchObject([{ etag: '"1"', sha256: 'abc', wholeAt: at(0) }])
  wait(every)
  expect(await harvests.due()).toHaveLength(1)
})

test('what fails is tried again, later each time, and stale since the first failure', async () => {
  const { registry, harvests, id, at, wait } = await scheduled()
  const pauses: number[] = []
  for (let failures = 0; failures < 8; failures++) {
    const run = await harvests.begin(id)
    await run.end({ outcome: 'failed', reason: 'unreachable', message: 'no answer' })
    const [{ nextAt = '' } = {}] = await harvests.schedules()
    const now = start + pauses.reduce((one, other) => one + other, 0) * minute
    pauses.push((Date.parse(nextAt) - now) / minute)
    wait(pauses.at(-1) ?? 0)
  }
  expect(pauses.slice(0, 3)).toEqual([30, 60, 120])
  expect(pauses.at(-1)).toBe(harvesting.every.day)
  const [source] = await registry.sources.list()
  expect(source?.harvesting).toMatchObject({ staleSince: at(0) })
  expect(source?.harvesting?.harvests).toHaveLength(harvesting.shown)
  expect(JSON.stringify(source)).not.toContain('no answer')
  expect((await harvests.list(id))[0]).toMatchObject({ message: 'no answer', reason: 'unreachable' })
  const run = await harvests.begin(id)
  await run.end({ outcome: 'unchanged', status: 304 })
  const [{ failures, staleSince } = {}] = await harvests.schedules()
  expect([failures, staleSince]).toEqual([0, undefined])
})

test('two never harvest the same source at once, and one that crashed is recorded', async () => {
  const { harvests, id, at, wait } = await scheduled()
  const both = await Promise.allSettled([harvests.begin(id), harvests.begin(id)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const first = both.find(({ status }) => status === 'fulfilled') as PromiseFulfilledResult<
    Awaited<ReturnType<typeof harvests.begin>>
  >
  wait(harvesting.leaseMinutes - 1)
  await first.value.renew()
  wait(harvesting.leaseMinutes - 1)
  expect(await refusal(harvests.begin(id))).toMatchObject({ code: 'CONFLICT' })
  wait(2)
  const second = await harvests.begin(id)
  expect(await harvests.list(id)).toMatchObject([
    { startedAt: at(0), outcome: 'failed', reason: 'interrupted' },
  ])
  // The first has only slept.
  expect(await refusal(first.value.renew())).toMatchObject({ code: 'CONFLICT' })
  expect(await refusal(first.value.end({ outcome: 'unchanged' }))).toMatchObject({ code: 'CONFLICT' })
  await second.end({ outcome: 'unchanged' })
  expect(await harvests.list(id)).toHaveLength(2)
})

test('another address or reading forgets what was answered; a source that is never due is harvested by name', async () => {
  const { harvests, id } = await scheduled()
  const run = await harvests.begin(id)
  await run.end({ outcome: 'imported', answer: { etag: '"1"' } })
  expect(await harvests.schedule(id, { ...daily, every: 'week' })).toMatchObject({ etag: '"1"' })
  const other = await harvests.schedule(id, { ...daily, every: 'never', options: { sheet: '2026' } })
  expect([other.etag, other.nextAt]).toEqual([undefined, undefined])
  expect(await harvests.due()).toEqual([])
  await (await harvests.begin(id)).end({ outcome: 'imported' })
  expect(await harvests.due()).toEqual([])
  await harvests.unschedule(id)
  expect([await harvests.schedules(), (await harvests.list(id)).length]).toEqual([[], 2])
  expect(await refusal(harvests.begin(id))).toMatchObject({ code: 'NOT_FOUND' })
})

test('only who sees the harvests has news: the revision is another one after each, and not for a lease', async () => {
  const { registry, harvests, id } = await scheduled()
  const { revision } = await registry.version()
  const run = await harvests.begin(id)
  await run.renew()
  expect((await registry.version()).revision).toBe(revision)
  await run.end({ outcome: 'unchanged' })
  expect((await registry.version()).revision).toBeGreaterThan(revision)
})

test.each([
  ['https://ada:s3cret@data.example.org/', 'a user or a password'],
  ['https://data.example.org/?token=s3cret', 'token'],
  ['https://data.example.org/?$$app_token=s3cret', '$$app_token'],
  ['https://data.example.org/?x=1&X-Amz-Signature=s3cret', 'X-Amz-Signature'],
  ['https://data.example.org/#api_key=s3cret', 'api_key'],
  ['ftp://data.example.org/', 'http: or https:'],
])('%s is no address to keep', async (given, why) => {
  const { harvests, id } = await scheduled()
  const refused = await refusal(harvests.schedule(id, { ...daily, url: given }))
  expect(refused).toMatchObject({ code: 'INVALID_INPUT' })
  expect(JSON.stringify(refused)).toContain(why)
  expect(JSON.stringify(refused)).not.toContain('s3cret')
})

test.each(['?sort_key=1', '?monkey=1', '?keys=all', '?where=token', '?resource_id=auth'])(
  '%s has nothing secret',
  (query) => expect(secretIn(new URL(`https://data.example.org/${query}`))).toBeUndefined(),
)
