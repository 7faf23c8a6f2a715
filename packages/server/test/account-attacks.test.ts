import { openRegistry, type Registry } from '@openfountain/core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { endpointsOf } from '../src/endpoints/all.ts'
import { type AppOptions, createApp, type RefusedRequest } from '../src/index.ts'
import { Browser } from '@openfountain/testing/server/browser'
import { ownDatabase, sharedDatabase } from '@openfountain/testing/database'

const publicUrl = 'https://fountains.example'

async function opened(options: AppOptions = {}, given?: string) {
  const database = given ?? (await ownDatabase())
  const refused: RefusedRequest[] = []
  const registry = await openRegistry({ database, durability: 'relaxed' })
  onTestFinished(() => registry.close())
  const securityLog = (entry: RefusedRequest) => void refused.push(entry)
  const app = createApp(registry, { publicUrl, trustProxy: true, securityLog, ...options })
  const signedIn = async (id: string, more: object = {}) => {
    await registry.users.create({ id, name: id, xp: 300, ...more })
    const browser = new Browser(app)
    const { secret } = await registry.accounts.link(id)
    await browser.fetch('POST', '/api/auth/links/redeem', { body: { secret } })
    return browser
  }
  return { registry, app, refused, signedIn }
}

describe('the page of another site', () => {
  test('can do nothing with the cookie of its visitor, by any write or sign-in', async () => {
    const { registry, refused, signedIn } = await opened()
    const writes = endpointsOf({ registry, options: {} }).filter(
      ({ method, who }) => method !== 'GET' && who !== 'anyone' && who !== 'token',
    )
    const some = ['redeemLink', 'signOut', 'leave', 'createReview', 'deleteWaypoint', 'sendCode']
    expect(writes.map(({ name }) => name)).toEqual(expect.arrayContaining(some))
    const foreign: readonly Readonly<Record<string, string>>[] = [
      { origin: 'https://elsewhere.example' },
      { origin: 'https://fountains.example.elsewhere.example' },
      { origin: 'http://fountains.example' },
      { origin: 'https://fountains.example:8443' },
      { origin: 'null' },
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
    ]
    for (const { method, route, name } of writes) {
      const mo = await signedIn(name, { isModerator: true })
      const before = await registry.revision()
      const path = route.replaceAll(/\{\w+\}/gu, '1')
      refused.length = 0
      for (const headers of foreign)
        for (const type of ['application/json', 'text/plain']) {
          const sent = { body: {}, headers: { ...headers, 'content-type': type } }
          expect([name, (await mo.json(method, path, sent)).body['code']]).toEqual([name, 'FORBIDDEN'])
        }
      expect(refused.map(({ event }) => event)).toEqual(Array<string>(12).fill('origin.refused'))
      expect(await registry.revision()).toBe(before)
      refused.length = 0
      await mo.json(method, path, { body: {} })
      expect(refused.map(({ event }) => event)).not.toContain('origin.refused')
    }
  })

  test('cannot sign its visitor in to an account of its own, also in a browser that sends no Origin', async () => {
    const { registry: own, app } = await opened()
    const { secret } = await own.accounts.invite({ name: 'Eve' })
    const attempt = (headers: Readonly<Record<string, string>>) =>
      app.fetch(
        new Request(`${publicUrl}/api/auth/links/redeem`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ secret }),
        }),
      )
    for (const site of ['cross-site', 'same-site']) {
      const response = await attempt({ 'sec-fetch-site': site })
      expect([response.status, response.headers.getSetCookie()]).toEqual([403, []])
    }
    // A form cannot send JSON.
    const form = await attempt({ origin: publicUrl, 'content-type': 'application/x-www-form-urlencoded' })
    expect([form.status, form.headers.getSetCookie()]).toEqual([415, []])
    expect((await attempt({ 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })
})

describe('what a blocked or erased person holds', () => {
  async function elsewhere(database: string, act: (registry: Registry) => Promise<unknown>): Promise<void> {
    await using registry = await openRegistry({ database, durability: 'relaxed' })
    await act(registry)
  }

  async function withSecrets() {
    const database = await sharedDatabase()
    const stage = await opened({}, database)
    const eve = await stage.signedIn('eve')
    await stage.registry.waypoints.create({ name: 'Spring', latitude: 1, longitude: 2 }, { kind: 'token' })
    const { body } = await eve.json('POST', '/api/user/tokens', { body: { name: 'Script' } })
    const headers = { authorization: `Bearer ${String(body['secret'])}` }
    const review = { bubblerId: 1, rating: 1 }
    const statuses = async () => {
      const asked = [
        eve.fetch('GET', '/api/user'),
        eve.fetch('POST', '/api/reviews', { body: review }),
        eve.fetch('GET', '/api/user', { headers }),
        eve.fetch('POST', '/api/reviews', { body: review, headers }),
      ]
      return (await Promise.all(asked)).map(({ status }) => status)
    }
    expect(await statuses()).toEqual([200, 201, 200, 201])
    return { ...stage, database, eve, statuses }
  }

  test('writes nothing from the moment on in which another server blocks them, and reads, exports and leaves', async () => {
    const { database, statuses, eve, registry } = await withSecrets()
    const block = { reason: 'Vandalism' }
    await elsewhere(database, ({ users }) => users.block('eve', block, { kind: 'token' }))
    expect(await statuses()).toEqual([200, 403, 200, 403])
    const refused = await eve.json('PATCH', '/api/user', { body: { name: 'Other' } })
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', details: { reason: 'Vandalism' } },
    })
    const file = await eve.fetch('GET', '/api/user/export')
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="my-data.json"')
    expect(file.headers.get('cache-control')).toBe('no-store')
    expect(await file.json()).toMatchObject({ user: { id: 'eve' } })
    const left = await eve.fetch('DELETE', '/api/user', { body: { confirm: 'eve', texts: 'keep' } })
    expect(left.status).toBe(204)
    expect(eve.cookie('session')).toBeUndefined()
    expect(await registry.users.get('eve')).not.toHaveProperty('name')
  })

  test('is worth nothing from the moment on in which another server erases them', async () => {
    const { database, statuses } = await withSecrets()
    await elsewhere(database, ({ accounts }) => accounts.leave('eve', { texts: 'erase' }))
    expect(await statuses()).toEqual([401, 401, 401, 401])
  })

  test('is not used up by a leave that is not confirmed', async () => {
    const { statuses, eve } = await withSecrets()
    for (const body of [{ confirm: 'Eva', texts: 'erase' }, { texts: 'keep' }, { confirm: 'eve' }, {}])
      expect((await eve.fetch('DELETE', '/api/user', { body })).status).toBe(400)
    expect(await statuses()).toEqual([200, 201, 200, 201])
  })
})

test('sign-ins are limited whatever the rate limit is by the network of the client, as a trusted proxy names it', async () => {
  const { app, registry } = await opened({ rateLimit: { perMinute: 100_000, now: () => 0 } })
  const from = async (address: string, secret = 'ofl_guess') => {
    const stranger = new Browser(app, { headers: { 'x-forwarded-for': address } })
    const response = await stranger.fetch('POST', '/api/auth/links/redeem', { body: { secret } })
    return [response.status, response.headers.get('retry-after')]
  }
  for (let time = 0; time < 60; time++) expect(await from(`192.0.2.${time}`)).toEqual([401, null])
  expect(await from('192.0.2.200')).toEqual([429, '1'])
  const { secret } = await registry.accounts.invite({ name: 'Ada' })
  expect(await from('198.51.100.1', secret)).toEqual([200, null])
})
