import { expect, test } from 'vitest'
import { spring, stageOfFile } from '@openfountain/testing/server/stage'

const origin = 'https://app.example'
const stage = await stageOfFile({ allowedOrigins: [origin] })

test('a new waypoint has its address, which is read back', async () => {
  const { status, headers, body } = await stage.ask('POST', '/api/waypoints', { as: 'token', body: spring })
  expect(status).toBe(201)
  expect(headers.get('location')).toBe(`/api/waypoints/${String(body['id'])}`)
  const { body: read } = await stage.get(headers.get('location') ?? '')
  expect(read['waypoint']).toMatchObject({ name: 'Spring' })
})

test('a full page leads to the next one, with the same parameters, and the last to none', async () => {
  for (const list of ['waypoints', 'reviews', 'changes', 'photos', 'logs?order=asc']) {
    const ids: number[] = []
    let next: string | undefined = `/api/${list}${list.includes('?') ? '&' : '?'}limit=1`
    while (next !== undefined) {
      const page = await stage.get(next)
      const [entries = []] = Object.values(page.body).filter((each) => Array.isArray(each)) as {
        id: number
      }[][]
      ids.push(...entries.map(({ id }) => id))
      const [, link] = /<([^>]*)>; rel="next"/u.exec(page.headers.get('link') ?? '') ?? []
      next = link === undefined ? undefined : new URL(link, `http://a${next}`).href.slice('http://a'.length)
      if (next !== undefined) expect(next).toContain('limit=1')
    }
    const all = await stage.get(`/api/${list}`)
    const [entries = []] = Object.values(all.body).filter((each) => Array.isArray(each)) as { id: number }[][]
    expect([list, ids]).toEqual([list, entries.map(({ id }) => id)])
  }
})

test('a page of an allowed origin uses a personal token', async () => {
  const { token } = await stage.registry.personalTokens.create('author', { name: 'App' })
  const headers = { origin, authorization: `Bearer ${token}` }
  const made = await stage.ask('POST', '/api/waypoints', { headers, body: { ...spring, latitude: 55.6 } })
  expect(made.status).toBe(201)
  expect(made.headers.get('access-control-allow-origin')).toBe(origin)
})
