import { token, user, type Registry } from '@openfountain/core'
import { emptyRegistry, placed } from '@openfountain/testing/registry'
import { expect, it } from 'vitest'
import { fileRows, keptBy, sayOf, type Kept, type Said } from '../src/account/page/kept.ts'
import type { send } from '../src/api/once.ts'
import { Refusal } from '../src/api/request.ts'
import { loadLanguages } from '../src/build/languages.ts'
import { fileOf } from '../src/explore/files.ts'
import { formatFor } from '../src/messages.ts'
import { flattened } from '../src/texts.ts'
import { Page } from '../src/views/page.ts'

async function broken(registry: Registry): Promise<Kept> {
  const waypoint = await placed(registry, { name: '=1+1', season: '04-15/10-31' })
  const { id } = waypoint
  await registry.users.create({ id: 'ada', name: 'Ada' })
  await registry.observations.create({ bubblerId: id, kind: 'broken' }, token())
  await registry.reports.create({ bubblerId: id, reason: 'wrong', comment: 'It "leaks"' }, user('ada'))
  const urls = { small: '/small.webp', large: '/large.webp' }
  return {
    waypoint,
    status: await registry.observations.status(id),
    reports: await registry.reports.of(id, token()),
    photos: [{ id: 1, urls }],
  }
}

it('the file of a keeper has the rows of the table in the language of the page, and no cell that a spreadsheet would run', async () => {
  const registry = await emptyRegistry({ clock: () => new Date('2026-06-01T08:00:00Z') })
  const kept = await broken(registry)
  const [german] = await loadLanguages(['de'])
  if (german === undefined) throw new Error('German is missing')
  const { messages } = german
  const { texts: strings, counts } = flattened(messages)
  const page = new Page({
    strings,
    counts,
    format: formatFor('de'),
    base: '/',
    prefix: '',
    icons: '',
    custom: [],
    isSwitched: false,
    hasRegions: true,
    hasForms: true,
    isBuilt: false,
  })
  const { keeping, explore, contribute } = messages
  const readable = { page, text: { ...keeping, states: explore.states }, reasons: contribute.reason }
  const [head, row] = (await fileOf('csv', fileRows([kept], readable)).text()).split('\r\n')
  expect(head).toBe('id,Brunnen,Zustand,Seit,Saison,Meldungen,Fotos,latitude,longitude')
  expect(row).toMatch(/^1,'=1\+1,Außer Betrieb,1\. Juni 2026,15\. April bis 31\. Oktober,/u)
  expect(row).toContain(`"${contribute.reason.wrong}: It ""leaks""",/large.webp,`)
})

it('all pages of a list are read, and only faults where they are asked for', async () => {
  const asked: string[] = []
  const page = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ waypoint: { id: from + index } }))
  const answers = [page(1, 100), page(101, 3)]
  const ask = async <Body>(_method: string, path: string): Promise<Body> => {
    asked.push(path)
    return { fountains: answers[asked.length - 1] ?? [] } as Body
  }
  expect(await keptBy(ask, true)).toHaveLength(103)
  expect(asked).toEqual([
    '/user/fountains?limit=100&after=0&faults=true',
    '/user/fountains?limit=100&after=100&faults=true',
  ])
})

it('what is said of several goes on in their order until one is refused, and the rest is left', async () => {
  const sent: unknown[] = []
  const writing = (refusedAt: number) =>
    (async (_method, path, body) => {
      if (sent.length === refusedAt) throw new Refusal('FORBIDDEN')
      sent.push([path, body])
      return {}
    }) as typeof send
  const given: Said = { act: 'off', ids: [4, 2, 7], until: '2026-07-01', season: null, comment: '' }
  const done: number[] = []
  await expect(sayOf(given, writing(2), (id) => done.push(id))).rejects.toThrow('FORBIDDEN')
  expect(done).toEqual([4, 2])
  expect(sent).toEqual(
    [4, 2].map((bubblerId) => ['/observations', { bubblerId, kind: 'dry', until: '2026-07-01' }]),
  )
  const season = { ...given, act: 'season', season: '04-15/10-31', comment: 'Winter' } as const
  await sayOf(season, writing(-1), (id) => done.push(id))
  expect(sent.at(-1)).toEqual([
    '/waypoints/season',
    { ids: [4, 2, 7], season: '04-15/10-31', reason: 'Winter' },
  ])
  expect(done).toEqual([4, 2, 4, 2, 7])
})
