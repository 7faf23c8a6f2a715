import { token, user } from '@openfountain/core'
import { pages } from '@openfountain/core/rules'
import { parseAtomFeed, parseJsonFeed } from 'feedsmith'
import { beforeEach, expect, test } from 'vitest'
import { type Stage, serving } from '@openfountain/testing/server/stage'

let stage: Stage
beforeEach(async () => {
  stage = await serving()
})

interface Item {
  readonly id: string
  readonly url: string
  readonly title: string
  readonly content_text: string
  readonly authors?: readonly { readonly name: string }[]
}

const itemsOf = async (query: string) =>
  (await stage.get(`/api/feeds/changes.json${query}`)).body['items'] as readonly Item[]
const titlesOf = async (query: string) => (await itemsOf(query)).map(({ title }) => title)

test('feeds have the newest events with who did it, and the same ids in both forms', async () => {
  const items = await itemsOf('')
  expect(items.map(({ title, authors }) => [title, authors?.[0]?.name])).toEqual([
    ['New review: Market square', 'Name of author'],
    ['Approved: Market square', undefined],
    ['New: Market square', 'Name of author'],
  ])
  expect(items[0]?.url).toBe('http://fountains.test/api/logs?bubblerId=1')
  const { text, headers } = await stage.get('/api/feeds/changes.atom')
  expect(headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
  const json = parseJsonFeed((await stage.get('/api/feeds/changes.json')).body)
  const atom = parseAtomFeed(text)
  expect(json.title).toBe(atom.title?.value)
  expect(atom.entries?.map(({ id, title, links }) => [id, title?.value, links?.[0]?.href])).toEqual(
    json.items?.map(({ id, title, url }) => [id, title, url]),
  )
  expect(json.items?.map(({ id }) => id)).toEqual(items.map(({ id }) => id))
})

test('feeds say what became of a fountain, and why it was removed', async () => {
  const { registry, fountain, made } = stage
  const other = await made({ name: 'A <b>spring</b>' })
  await registry.waypoints.update(fountain.id, { description: 'Cold' }, token())
  await registry.waypoints.update(fountain.id, { latitude: 55.71 }, token())
  await registry.observations.create({ bubblerId: fountain.id, kind: 'dry' }, user('regular'))
  await registry.waypoints.delete(other.id, token(), { reason: 'It was never there' })
  await registry.waypoints.restore(other.id, { reason: 'It is there' }, token())
  const items = await itemsOf('')
  expect(items.slice(0, 6).map(({ title }) => title)).toEqual([
    'Restored: A <b>spring</b>',
    'Removed: A <b>spring</b>',
    'Gives no water: Market square',
    'Moved: Market square',
    'Edited: Market square',
    'New: A <b>spring</b>',
  ])
  expect(items[1]?.content_text).toContain('It was never there')
  await registry.accounts.leave('author', { confirm: 'Name of author', texts: 'keep' })
  expect((await itemsOf('')).at(-1)?.authors).toEqual([{ name: 'A former contributor' }])
  expect(items[2]?.authors).toEqual([{ name: 'Somebody at the fountain' }])
  parseAtomFeed((await stage.get('/api/feeds/changes.atom')).text)
})

test('feeds: every parameter narrows', async () => {
  await stage.made({ name: 'Mill', region: 'Malmö', maintainer: 'Parks', latitude: 55.6, longitude: 13 })
  const { id } = await stage.registry.sources.ensure({ name: 'Malmö', license: 'ODbL-1.0' })
  expect(id).toBe(1)
  for (const query of [
    'bbox=12.9,55.5,13.1,55.65',
    'near=55.6,13',
    'near=55.61,13&radius=2000',
    'region=Malm%C3%B6',
    'maintainer=Parks',
    'bubblerId=2',
    'bubblerId=2&event=created,edited',
  ])
    expect(await titlesOf(`?${query}`), query).toEqual(['New: Mill'])
  for (const query of [
    'near=55.61,13&radius=500',
    'source=Malm%C3%B6',
    'country=SE',
    'bubblerId=2&event=gone',
  ])
    expect(await titlesOf(`?${query}`), query).toEqual([])
  for (const query of ['radius=5', 'bbox=1,2', 'event=x', 'bubblerId=0', 'near=91,0'])
    expect((await stage.get(`/api/feeds/changes.atom?${query}`)).status, query).toBe(400)
})

test('feeds: what one user did is for that user and for moderators, and kept by no cache', async () => {
  const path = '/api/feeds/changes.json?userId=author'
  expect(await stage.refusal(path)).toEqual([401, 'UNAUTHORIZED'])
  expect((await stage.ask('GET', path, { as: 'regular' })).status).toBe(403)
  for (const as of ['author', 'moderator', 'token'] as const) {
    const { status, headers, body } = await stage.ask('GET', path, { as })
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body['items']).toHaveLength(2)
  }
})

test('feeds: a strong tag is good until the next write, and a 304 asks for no list', async () => {
  const path = '/api/feeds/changes.atom?region=Lund'
  const first = await stage.get(path)
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"/u)
  const { changes } = stage.registry
  const events = changes.events.bind(changes)
  let asked = 0
  changes.events = (...given) => (asked++, events(...given))
  const again = (path: string) => stage.ask('GET', path, { headers: { 'if-none-match': etag } })
  expect((await again(path)).status).toBe(304)
  expect(asked).toBe(0)
  expect((await again('/api/feeds/changes.atom?region=Malm%C3%B6')).status).toBe(200)
  await stage.made({})
  expect((await again(path)).status).toBe(200)
  expect(asked).toBe(2)
})

test('feeds are short, and one of some events finds them behind others', async () => {
  const { registry } = stage
  for (let number = 0; number <= pages.feeds.events; number++) await stage.made({ name: `Spring ${number}` })
  const items = await itemsOf('')
  expect(items).toHaveLength(pages.feeds.events)
  expect(items[0]?.title).toBe(`New: Spring ${pages.feeds.events}`)
  expect(await registry.changes.events({ events: ['review'] })).toHaveLength(1)
})
