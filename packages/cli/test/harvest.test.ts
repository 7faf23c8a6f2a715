import { createServer } from 'node:http'
import { workplace } from '@openfountain/testing/command/shell'
import { listening } from '@openfountain/testing/listening'
import { expect, test } from 'vitest'

const rows = (count: number) =>
  JSON.stringify(
    Array.from({ length: count }, (_each, id) => ({
      id,
      name: `Brunnen ${id}`,
      lat: 55 + id / 100,
      lon: 13,
    })),
  )

async function serving() {
  const state = { count: 10, token: '' }
  const port = await listening(
    createServer((request, response) => {
      state.token = String(request.headers['x-app-token'])
      if (request.url === '/old') return response.writeHead(301, { location: '/new' }).end()
      if (state.count === 0) return response.writeHead(404).end()
      if (request.headers['if-none-match'] === `"${state.count}"`) return response.writeHead(304).end()
      return response.setHeader('etag', `"${state.count}"`).end(rows(state.count))
    }),
  )
  return { state, url: `http://127.0.0.1:${port}/old` }
}

const add = (url: string, more = '') =>
  `source add Lund --url ${url} --allow-private --license CC0-1.0 ${more}`

test('a source with an address is harvested when it is due, and its runs are listed', async () => {
  const { json, run, refused } = await workplace({})
  const { state, url } = await serving()
  expect(await json(add(url, '--every week --sheet 2026'))).toEqual({
    source: 'Lund',
    url,
    every: 'week',
    options: { sheet: '2026', allowPrivate: true },
  })
  await refused(add(url), 5, 'has an address already: openfountain source set changes it')
  expect(await json('source set Lund --forget --allow-private --every day')).toMatchObject({
    every: 'day',
    options: { allowPrivate: true },
  })
  const first = await run('harvest')
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('"Lund": 10 read, 10 added') })
  expect(first.stderr).toContain('"Lund" leads to http://127.0.0.1')
  expect(await run('harvest')).toMatchObject({ code: 0, stdout: 'Nothing is due\n' })
  expect(await json('harvest Lund')).toMatchObject({ harvests: [{ outcome: 'unchanged', status: 304 }] })
  state.count = 3
  const stopped = await run('harvest Lund')
  expect(stopped).toMatchObject({ code: 20, stdout: expect.stringContaining('--accept shrink') })
  expect(await json('harvest Lund --accept shrink')).toMatchObject({ harvests: [{ missing: 7 }] })
  state.count = 0
  expect(await run('harvest Lund')).toMatchObject({ code: 7, stdout: expect.stringContaining('answers 404') })
  const outcomes = ['failed', 'imported', 'stopped', 'unchanged', 'imported']
  expect(await json('source runs Lund')).toMatchObject({
    runs: outcomes.map((outcome) => ({ source: 'Lund', outcome })),
    stale: [{ source: 'Lund' }],
  })
  const list = await run('source runs')
  expect(list.stdout).toContain('"Lund" is stale since')
  expect(await json('source list')).toMatchObject({
    sources: [{ waypoints: 10, harvesting: { every: 'day', harvests: [{ status: 404 }, {}, {}, {}, {}] } }],
  })
  await run('source remove Lund')
  await refused('harvest Lund', 3, '"Lund" has no address: openfountain source add')
  await refused('source set Lund --every day', 3, 'openfountain source add gives it one')
})

test('nothing secret is taken, but from the environment', async () => {
  const { json, refused, run } = await workplace({})
  const { state, url } = await serving()
  for (const [address, why] of [
    [`${url}?token=s3cret`, 'token, which looks like a secret'],
    [url.replace('//', '//ada:s3cret@'), 'a user or a password'],
  ] as const) {
    const { code, stderr } = await run(`source add Lund --url ${address} --allow-private --license CC0-1.0`)
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)])
    expect(stderr).not.toContain('s3cret')
    const once = await run(`import ${address} --allow-private --source Lund --license CC0-1.0`)
    expect([once.code, once.stderr]).toEqual([7, expect.stringContaining(why)])
    expect(once.stderr).not.toContain('s3cret')
  }
  await refused(add(url, '--header X-App-Token=s3cret'), 2, '--header must be NAME=VARIABLE')
  await refused('source add Lund --url https://10.0.0.1/x.json --license CC0-1.0', 2, 'not on the Internet')
  await refused('source add Lund --url http://example.org/x.json --license CC0-1.0', 2, 'is not https:')
  await json(add(url, '--header X-App-Token=OPENFOUNTAIN_SECRET_LUND'))
  expect(await run('harvest Lund')).toMatchObject({
    code: 7,
    stdout: expect.stringContaining('set OPENFOUNTAIN_SECRET_LUND in the environment'),
  })
  const env = { OPENFOUNTAIN_SECRET_LUND: 's3cret' }
  expect(await run('harvest Lund', { env })).toMatchObject({ code: 0 })
  expect(state.token).toBe('s3cret')
})
