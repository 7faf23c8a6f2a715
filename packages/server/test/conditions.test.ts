import { openRegistry, token, user } from '@openfountain/core'
import { describe, expect, test } from 'vitest'
import { counted, seed } from '@openfountain/testing/effort'
import { RandomHistory } from '@openfountain/testing/histories/random-history'
import { contentTags } from '../src/http/response.ts'
import { createApp } from '../src/index.ts'
import { sharedDatabase } from '@openfountain/testing/database'
import { spring, start, type Role, stageOfFile, serving } from '@openfountain/testing/server/stage'
import { emptyRegistry } from '@openfountain/testing/registry'

const stage = await stageOfFile()

const tagOf = ({ headers }: { readonly headers: Headers }): string => headers.get('etag') ?? ''

async function tagged(path: string): Promise<string> {
  const tag = tagOf(await stage.get(path))
  expect(tag).toMatch(/^"[\w.-]+"$/)
  return tag
}

const write = (method: 'PATCH' | 'DELETE', id: number, ifMatch: string, as: Role = 'token', body?: object) =>
  stage.ask(method, `/api/waypoints/${id}`, {
    as,
    headers: { 'if-match': ifMatch },
    ...(method === 'PATCH' && { body: body ?? { name: `Changed ${ifMatch.length}` } }),
  })

test('the entity tag of one waypoint stays good while other waypoints change, and not once its own response does', async () => {
  const { id } = await stage.made({ name: 'Own tag' })
  const path = `/api/waypoints/${id}`
  const tag = await tagged(path)
  await stage.made({ name: 'Another' })
  await stage.registry.waypoints.update(stage.fountain.id, { maintainer: 'The city' }, token())
  const again = await stage.ask('GET', path, { headers: { 'if-none-match': tag } })
  expect([again.status, again.text, tagOf(again)]).toEqual([304, '', tag])
  const list = tagOf(await stage.get('/api/waypoints'))
  await stage.registry.waypoints.update(id, { maintainer: 'The park' }, token())
  const after = await stage.ask('GET', path, { headers: { 'if-none-match': tag } })
  expect(after.status).toBe(200)
  expect(tagOf(after)).not.toBe(tag)
  expect(tagOf(await stage.get('/api/waypoints'))).not.toBe(list)
})

test('the entity tag of one waypoint is another with the rating once a review changes, and is as good for a write', async () => {
  const { id } = await stage.made({ name: 'Rated' })
  const path = `/api/waypoints/${id}?include=rating`
  const rating = async () => (await stage.get(path)).body['rating']
  expect(await rating()).toEqual({ count: 0 })
  expect((await stage.get(`/api/waypoints/${id}`)).body).not.toHaveProperty('rating')
  const tags = [await tagged(path)]
  const { reviews } = stage.registry
  const author = user('author')
  const review = await reviews.create({ bubblerId: id, rating: 5 }, author)
  for (const stars of [2, 2]) await reviews.create({ bubblerId: id, rating: stars }, author)
  tags.push(await tagged(path))
  expect(await rating()).toEqual({ count: 3, average: 3 })
  await reviews.update(review.id, { rating: 1 }, author)
  tags.push(await tagged(path))
  expect(await rating()).toEqual({ count: 3, average: 1.67 })
  expect(new Set(tags).size).toBe(3)
  expect((await stage.get(`/api/waypoints/${id}?include=reviews`)).status).toBe(400)
  expect((await write('PATCH', id, tags[0] ?? '')).status).toBe(200)
})

const seeds = Array.from({ length: counted({ quick: 1, all: 3, full: 10 }) }, (_, index) => seed + index)
test.each(seeds)(
  'the entity tag of one waypoint differs exactly when the response does, in random history %i of all kinds of writes',
  async (ofHistory) => {
    let now = start
    const registry = await emptyRegistry({ clock: () => new Date((now += 1000)) })
    const app = createApp(registry)
    const history = new RandomHistory(ofHistory)
    const seen = new Map<number, Map<string, string>>()
    const kept: string[] = []
    for (let step = 0; step < 200; step++) {
      const kind = await history.step(registry)
      if (kind === undefined) continue
      for await (const { id } of registry.waypoints.each()) {
        const response = await app.fetch(new Request(`http://a.test/api/waypoints/${id}`))
        const text = await response.text()
        const tag = tagOf(response)
        const texts = seen.get(id) ?? new Map<string, string>()
        const known = texts.get(text)
        if (known !== undefined) expect(tag).toBe(known)
        else expect([...texts.values()]).not.toContain(tag)
        // The content that If-Match compares: fields, without the terms of sources.
        const fieldsOf = (of: string) => {
          const { waypoint } = JSON.parse(of) as { waypoint: object }
          return JSON.stringify({ ...waypoint, license: undefined, attribution: undefined })
        }
        const versionOf = (of: string) => of.slice(0, of.indexOf('.'))
        for (const [other, otherTag] of texts)
          if (fieldsOf(other) !== fieldsOf(text)) expect(versionOf(tag)).not.toBe(versionOf(otherTag))
        if (known !== undefined && seen.size > 1) kept.push(kind)
        seen.set(id, texts.set(text, tag))
      }
    }
    // The history has other users' changes of every frequent kind, after which tags stayed valid.
    expect(kept).toEqual(expect.arrayContaining(['create', 'edit', 'review']))
    expect(Math.max(...Array.from(seen.values(), ({ size }) => size))).toBeGreaterThan(2)
  },
)

test('the entity tag of one waypoint changes with the terms of its source', async () => {
  const { imports, waypoints } = stage.registry
  const source = { name: 'Springs of Lund', license: 'CC0-1.0' }
  const run = await imports.start({ source })
  await run.apply([{ row: 1, ref: 'a', input: { ...spring, description: 'Ask Zebulon' } }])
  await run.finish({ counts: { rows: 1 }, missing: 'keep' })
  const [found] = await waypoints.search({ q: 'Zebulon' })
  const tag = await tagged(`/api/waypoints/${found?.id}`)
  const renewed = await imports.start({ source: { ...source, attribution: 'The city of Lund' } })
  await renewed.finish({ counts: { rows: 0 }, missing: 'keep' })
  expect(await tagged(`/api/waypoints/${found?.id}`)).not.toBe(tag)
  const { body } = await stage.get(`/api/waypoints/${found?.id}`)
  expect(body['waypoint']).toMatchObject({ attribution: 'The city of Lund' })
})

test('content of any length has a tag of its own', () => {
  const tags = [0, 1, 2, 3, 700, 40_000].flatMap((length) =>
    ['', 'a', 'b', '水'].map((end) =>
      contentTags('')({ text: `${'-'.repeat(length)}${end}`, version: 1, origin: '0' }, ''),
    ),
  )
  expect(new Set(tags).size).toBe(6 * 4)
})

describe('If-Match', () => {
  test.each(['PATCH', 'DELETE'] as const)(
    'refuses %s of what somebody else changed, and shows it as it is now, then lets it pass',
    async (method) => {
      const { id } = await stage.made({ name: 'As it was' })
      const tag = await tagged(`/api/waypoints/${id}`)
      await stage.registry.waypoints.update(id, { name: 'As it is' }, token())
      const head = await stage.registry.changes.head()
      const refused = await write(method, id, tag)
      const now = await stage.registry.waypoints.get(id)
      expect(now.name).toBe('As it is')
      expect([refused.status, refused.body]).toEqual([
        412,
        {
          error: 'It was changed since it was read: look at it as it is now, and decide again',
          code: 'PRECONDITION_FAILED',
          details: { waypoint: now },
        },
      ])
      expect(await stage.registry.changes.head()).toEqual(head)
      expect((await write(method, id, await tagged(`/api/waypoints/${id}`))).status).toBe(200)
    },
  )

  test('compares the version of the fields alone: reviews, sources, codings, envelopes and weak tags do not matter', async () => {
    const { id } = await stage.made({ description: 'Long enough to be packed. '.repeat(40) })
    const path = `/api/waypoints/${id}`
    const variants = [
      await stage.raw('GET', path, { headers: { 'accept-encoding': 'br' } }),
      await stage.raw('GET', path, { headers: { 'api-version': '6' } }),
    ].map(tagOf)
    const first = await tagged(path)
    await stage.registry.reviews.create({ bubblerId: id, rating: 4 }, user('author'))
    const run = await stage.registry.imports.start({ source: { name: 'Wells', license: 'CC0-1.0' } })
    await run.apply([{ row: 1, ref: `w${id}`, input: spring, mergeInto: id }])
    expect(await tagged(path)).not.toBe(first)
    for (const tag of [...variants, `W/${variants[0]}`])
      expect((await write('PATCH', id, tag, 'token', {})).status).toBe(200)
  })

  test('takes lists and *, and leaves 404 to what is not there', async () => {
    const { id } = await stage.made({})
    const path = `/api/waypoints/${id}`
    const old = await tagged(path)
    await stage.registry.waypoints.update(id, { maintainer: 'The city' }, token())
    const tag = await tagged(path)
    const other = await tagged(`/api/waypoints/${stage.fountain.id}`)
    expect((await write('PATCH', id, `${old}, "other"`, 'token', {})).status).toBe(412)
    expect((await write('PATCH', id, `"other",${old} , ${tag}`, 'token', {})).status).toBe(200)
    expect((await write('PATCH', id, '*', 'token', {})).status).toBe(200)
    expect((await write('PATCH', id, other, 'token', {})).status).toBe(412)
    expect((await write('PATCH', id, await tagged('/api/waypoints'), 'token', {})).status).toBe(412)
    for (const any of ['*', tag]) expect((await write('PATCH', 999_999, any)).status).toBe(404)
  })

  test.each(['without quotes', '"open', '"a" "b"', '"a", *', ' '])(
    'refuses %j, which is no list of tags',
    async (header) => {
      const { status, body } = await write('PATCH', stage.fountain.id, header)
      expect(status).toBe(400)
      expect(body).toMatchObject({
        code: 'INVALID_INPUT',
        details: {
          issues: [{ path: 'If-Match', message: expect.stringContaining('entity tags') as string }],
        },
      })
    },
  )

  test('is not met by what another process wrote, which is noticed at once', async () => {
    const database = await sharedDatabase()
    const one = await serving({}, database)
    await using other = await openRegistry({ database, clock: () => new Date(start) })
    const headers = { 'if-none-match': tagOf(await one.get('/api/waypoints/1')) }
    const held = () => one.ask('GET', '/api/waypoints/1', { headers })
    expect((await held()).status).toBe(304)
    for (const name of ['New name', 'Newer name']) {
      await other.waypoints.update(1, { name }, token())
      expect(await held()).toMatchObject({ status: 200, body: { waypoint: { name } } })
    }
    const made = await other.tokens.create({ name: 'made elsewhere' })
    const bearer = { authorization: `Bearer ${made.token}` }
    expect((await one.ask('GET', '/api/user', { headers: bearer })).status).toBe(200)
  })

  test('lets one of two simultaneous writes pass, also over two processes', async () => {
    const database = await sharedDatabase()
    const one = await serving({}, database)
    await using other = await openRegistry({ database, durability: 'relaxed', clock: () => new Date(start) })
    const apps = [one.app, createApp(other)]
    for (let round = 0; round < 3; round++) {
      const tag = tagOf(await one.get('/api/waypoints/1'))
      const writes = Array.from({ length: 6 }, (_, writer) =>
        apps[writer % 2]?.fetch(
          new Request('http://a.test/api/waypoints/1', {
            method: 'PATCH',
            headers: { ...one.secrets.token, 'content-type': 'application/json', 'if-match': tag },
            body: JSON.stringify({ maintainer: `Round ${round}, writer ${writer}` }),
          }),
        ),
      )
      const statuses = (await Promise.all(writes)).map((response) => response?.status)
      expect(statuses.toSorted()).toEqual([200, 412, 412, 412, 412, 412])
    }
  })

  test('does not pass for the same number in another line of history', async () => {
    const lines = [await serving(), await serving()] as const
    const [here, there] = [await lines[0].get('/api/waypoints/1'), await lines[1].get('/api/waypoints/1')]
    const versions = [here, there].map((each) => tagOf(each).split('.')[0])
    expect(versions[0]).toBe(versions[1])
    for (const path of ['/api/waypoints', '/api/changes', '/api/logs/head', '/api/stats'])
      expect(new Set(await Promise.all(lines.map(async (line) => tagOf(await line.get(path))))).size).toBe(2)
    const ask = (ifMatch: string) =>
      lines[0].ask('PATCH', '/api/waypoints/1', { as: 'token', body: {}, headers: { 'if-match': ifMatch } })
    expect((await ask(tagOf(there))).status).toBe(412)
    expect((await ask(tagOf(here))).status).toBe(200)
  })
})

test('a write of a waypoint has the entity tag of the waypoint after it, so that the next write needs no read', async () => {
  const created = await stage.ask('POST', '/api/waypoints', { as: 'author', body: spring })
  const path = `/api/waypoints/${String(created.body['id'])}`
  const versionOf = (tag: string) => /^"\w+\.\w+\./.exec(tag)?.[0]
  expect(versionOf(tagOf(created))).toBe(versionOf(await tagged(path)))
  expect(created.headers.get('cache-control')).toBe('no-store')
  let last = created
  for (const body of [{ description: 'Behind the church' }, { description: null, name: 'Renamed' }, {}]) {
    last = await stage.ask('PATCH', path, { as: 'author', body, headers: { 'if-match': tagOf(last) } })
    expect(last.status).toBe(200)
    expect(versionOf(tagOf(last))).toBe(versionOf(await tagged(path)))
  }
  await stage.registry.waypoints.update(Number(created.body['id']), { name: 'By others' }, token())
  const late = await stage.ask('PATCH', path, {
    as: 'author',
    body: { name: 'Too late' },
    headers: { 'if-match': tagOf(last) },
  })
  expect(late.status).toBe(412)
})
