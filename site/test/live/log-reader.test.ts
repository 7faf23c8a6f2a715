import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { LogReader } from '../../src/live/log.ts'
import { listening } from '@openfountain/testing/listening'

const at = '2026-02-01T00:00:00.000Z'
const rest = { at, by: 'api', subject: 'waypoint', action: 'deleted', fields: {}, awards: [], links: {} }

async function reading(answer: (after: number) => object, { headers = {}, status = 200 } = {}) {
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    const after = Number(new URL(request.url ?? '', 'http://host').searchParams.get('after'))
    response.writeHead(status, headers).end(JSON.stringify(answer(after)))
  })
  const events: string[] = []
  const log = new LogReader({
    api: `http://127.0.0.1:${await listening(server)}`,
    head: { id: 10, hash: 'built' },
    onEntries: (entries) => void events.push(`${entries[0]?.id}–${entries.at(-1)?.id}`),
    onTooMany: () => events.push('too many'),
    onAnother: () => events.push('another'),
  })
  return { read: () => log.read(AbortSignal.timeout(10_000)), events, requests: () => requests }
}

const pageFrom = (after: number, to: number, most = 1000) => ({
  changes: Array.from({ length: Math.max(0, Math.min(most, to - after)) }, (_, place) => {
    return { id: after + 1 + place, subjectId: 7, ...rest }
  }),
  head: { id: to, hash: 'now' },
  origin: 'aa',
})

it('the log of a server is read in pages up to its head', async () => {
  const { read, events, requests } = await reading((after) => pageFrom(after, 2510))
  await read()
  expect(events).toEqual(['11–1010', '1011–2010', '2011–2510'])
  expect(requests()).toBe(3)
  await read()
  expect([events.length, requests()]).toEqual([3, 4])
})

it('the log of a server that grows as fast as it is read is left for the next time, and not followed without end', async () => {
  const { read, events, requests } = await reading((after) => pageFrom(after, after + 9000))
  await read()
  expect(requests()).toBeLessThanOrEqual(21)
  for (let time = 0; time < 10; time += 1) await read()
  expect(requests()).toBe(100)
  expect(events.at(-1)).toBe('too many')
})

it('the log of a server is another one when its origin is, and then read again from where the site was built', async () => {
  let origin = 'aa'
  const { read, events } = await reading((after) => ({ ...pageFrom(after, 12), origin }))
  await read()
  origin = 'bb'
  await read()
  await read()
  expect(events).toEqual(['11–12', 'another', '11–12'])
})

it('the log of a server that is busy or broken is none, and one of another history is not believed', async () => {
  const other = await reading((after) => pageFrom(after, 10))
  await other.read()
  expect(other.events).toEqual([])
  const busy = await reading(() => ({}), { status: 503, headers: { 'retry-after': '7' } })
  await expect(busy.read()).rejects.toMatchObject({ retryAfterSeconds: 7 })
  const broken = await reading(() => ({}), { status: 500 })
  await expect(broken.read()).rejects.toThrow('500')
})
