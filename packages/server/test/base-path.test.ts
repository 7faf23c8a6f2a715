import { expect, test } from 'vitest'
import { createApp, type AppOptions } from '../src/index.ts'
import { Browser } from '@openfountain/testing/server/browser'
import { folder } from '@openfountain/testing/server/folder'
import { emptyRegistry } from '@openfountain/testing/registry'

const publicUrl = 'https://city.example'

async function mounted(options: AppOptions = {}) {
  const registry = await emptyRegistry({ durability: 'relaxed' })
  const app = createApp(registry, { publicUrl, basePath: '/city/fountains', ...options })
  const browser = new Browser(app, { base: publicUrl })
  return { registry, browser }
}

test('an app below a path responds there and nowhere else', async () => {
  const { browser } = await mounted()
  for (const [path, status] of [
    ['/city/fountains/api', 200],
    ['/city/fountains/api/stats', 200],
    ['/city/fountains/api/waypoints/7', 404],
    ['/api/stats', 404],
    ['/city/fountains', 404],
    ['/city/fountains/stats', 404],
    ['/city/fountainsapi', 404],
    ['/city/fountains/%ff', 400],
  ] as const)
    expect([path, (await browser.fetch('GET', path)).status]).toEqual([path, status])
  expect(await browser.json('GET', '/api/stats')).toMatchObject({
    body: {
      code: 'NOT_FOUND',
      error: expect.stringContaining('GET /city/fountains/api/openapi') as unknown,
    },
  })
})

test('an app below a path leads to itself: from the service, the document and its page', async () => {
  const { browser } = await mounted()
  const { body } = await browser.json('GET', '/city/fountains/api')
  const { openapi, reference } = body['documentation'] as Record<string, string>
  expect([openapi, reference]).toEqual(['/city/fountains/api/openapi', '/city/fountains/api/docs'])
  const document = await browser.json('GET', openapi ?? '')
  expect(document.body).toMatchObject({ servers: [{ url: '/city/fountains' }] })
  expect(Object.keys(document.body['paths'] as object)).toContain('/api/waypoints')
  const page = await (await browser.fetch('GET', reference ?? '')).text()
  const [, script = ''] = /src="([^"]+)"/u.exec(page) ?? []
  const { pathname } = new URL(script, `${publicUrl}${reference}`)
  expect((await browser.fetch('GET', pathname)).status).toBe(200)
})

test('an app below a path keeps its sessions from the rest of the host, and they sign in, write and end there', async () => {
  const { registry, browser } = await mounted()
  const { id } = await registry.users.create({ name: 'Ada' })
  const { secret } = await registry.accounts.link(id)
  const redeemed = await browser.fetch('POST', '/city/fountains/api/auth/links/redeem', {
    body: { secret },
  })
  expect(redeemed.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^session=[^;]+; Path=\/city\/fountains; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/u,
    ),
  ])
  const rename = () => browser.json('PATCH', '/city/fountains/api/user', { body: { name: 'Ada Lovelace' } })
  expect(await rename()).toMatchObject({ status: 200, body: { user: { name: 'Ada Lovelace' } } })
  expect((await browser.fetch('POST', '/city/fountains/api/auth/sign-out')).status).toBe(204)
  expect(browser.cookie('session')).toBeUndefined()
  expect((await rename()).status).toBe(401)
})

test('an app below a path serves its site there, and the site of another path where that says so', async () => {
  const files = { 'index.html': '<title>Map</title>', '404.html': '<title>Nothing</title>' }
  const site = await folder(files)
  const titleAt = async (options: AppOptions, path: string) => {
    const { browser } = await mounted(options)
    return (await browser.fetch('GET', path)).text()
  }
  expect(await titleAt({ site }, '/city/fountains/')).toContain('Map')
  expect(await titleAt({ site }, '/')).toContain('Nothing')
  expect(await titleAt({ site: { folder: site } }, '/city/fountains/')).toContain('Map')
  expect(await titleAt({ site: { folder: site, base: '/' } }, '/')).toContain('Map')
})

test('an app below a path counts requests to its API alone', async () => {
  const site = await folder({ 'index.html': '<title>Map</title>' })
  const { browser } = await mounted({ site, rateLimit: { perMinute: 1, now: () => 0 } })
  const paths = ['/', '/api/nowhere', '/', '/api']
  const asked = paths.map((path) => browser.fetch('GET', `/city/fountains${path}`))
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 404, 200, 429])
})

test.each([
  'fountains',
  '/',
  '/fountains/',
  '//fountains',
  '/a/../b',
  '/a/.',
  '/ä',
  '/:tenant',
  '/a?b',
  '/a b',
])('the basePath %j is refused with the remedy', async (basePath) => {
  await expect(mounted({ basePath })).rejects.toThrow(/^basePath is not a path; write it as \/fountains/u)
})
