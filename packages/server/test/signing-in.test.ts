import { type SecurityEvent } from '@openfountain/core'
import { describe, expect, test } from 'vitest'
import { type AppOptions, createApp, type RefusedRequest } from '../src/index.ts'
import { Browser } from '@openfountain/testing/server/browser'
import { emptyRegistry } from '@openfountain/testing/registry'

const publicUrl = 'https://fountains.example'
const start = Date.parse('2026-05-01T12:00:00.000Z')

async function opened(options: AppOptions = {}) {
  let now = start
  const events: SecurityEvent[] = []
  const refused: RefusedRequest[] = []
  const registry = await emptyRegistry({
    durability: 'relaxed',
    clock: () => new Date(now),
    onSecurityEvent: (event) => events.push(event),
  })
  const app = createApp(registry, {
    publicUrl,
    trustProxy: true,
    securityLog: (entry) => refused.push(entry),
    ...options,
  })
  const browser = (headers: Readonly<Record<string, string>> = {}) => new Browser(app, { headers })
  const person = async (id: string, more: object = {}) => {
    await registry.users.create({ id, name: `Name of ${id}`, ...more })
    const browserOf = browser()
    await signIn(browserOf, id)
    return browserOf
  }
  const signIn = async (who: Browser, userId: string) => {
    const { secret } = await registry.accounts.link(userId)
    return who.fetch('POST', '/api/auth/links/redeem', { body: { secret } })
  }
  const pass = (milliseconds: number) => {
    now += milliseconds
  }
  return { registry, app, events, refused, browser, person, signIn, pass }
}

const minute = 60_000

test('GET /api/auth (section 4.7) lists what is configured, and who is signed in', async () => {
  const { browser, person } = await opened()
  const offer = { methods: ['link'], providers: [], registration: 'invite' }
  expect(await browser().json('GET', '/api/auth')).toEqual({ status: 200, body: { ...offer, user: null } })
  const ada = await person('ada')
  const { body } = await ada.json('GET', '/api/auth')
  expect(body).toMatchObject({ ...offer, user: { id: 'ada', isModerator: false } })
  expect(body).not.toHaveProperty('license')
})

test('GET /api/auth (section 4.7) is 404 with all that belongs to it where the host of the app identifies callers', async () => {
  const { browser } = await opened({ resolveActor: () => ({ kind: 'user', userId: 'ada' }) })
  const paths = ['/api/auth', '/api/auth/providers/osm', '/api/user/sessions', '/api/user/export']
  for (const path of paths) expect((await browser().fetch('GET', path)).status).toBe(404)
  expect((await browser().fetch('POST', '/api/auth/links/redeem', { body: {} })).status).toBe(404)
})

describe('POST /api/auth/links/redeem (section 4.7)', () => {
  test('signs an invited person in, once, with a cookie that scripts cannot read', async () => {
    const { registry, browser } = await opened()
    const { secret } = await registry.accounts.invite({})
    const ada = browser()
    const redeem = (who: Browser, body: object) => who.fetch('POST', '/api/auth/links/redeem', { body })
    const unnamed = await redeem(ada, { secret })
    expect(unnamed.status).toBe(400)
    expect(await unnamed.json()).toMatchObject({ details: { issues: [{ path: 'name' }] } })
    const response = await redeem(ada, { secret, name: ' Ada ' })
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('link')).toBeNull()
    const [cookie = ''] = response.headers.getSetCookie()
    expect(cookie).toMatch(
      /^session=ofs_[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/u,
    )
    const { user } = (await response.json()) as { user: { id: string } }
    expect(user).toMatchObject({ name: 'Ada', isModerator: false, xp: 0 })
    expect((await ada.json('GET', '/api/user')).body).toMatchObject({ user: { id: user.id } })
    expect((await redeem(browser(), { secret, name: 'Eve' })).status).toBe(401)
  })

  test('lets one of two who use a link at once sign in', async () => {
    const { registry, browser } = await opened()
    const { secret } = await registry.accounts.invite({ name: 'Ada' })
    const redeem = () => browser().fetch('POST', '/api/auth/links/redeem', { body: { secret } })
    const all = await Promise.all(Array.from({ length: 8 }, redeem))
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(7).fill(401)])
    expect((await registry.users.list()).total).toBe(1)
  })

  test('refuses an expired link like an unknown one, and both alike', async () => {
    const { registry, browser, pass } = await opened()
    const { secret } = await registry.accounts.invite({ name: 'Ada' })
    pass(24 * 60 * minute)
    const answers = await Promise.all(
      [secret, 'ofl_made-up', '', 'x'.repeat(5000)].map((each) =>
        browser().json('POST', '/api/auth/links/redeem', { body: { secret: each } }),
      ),
    )
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
  })

  test('sends the cookie without Secure over plain http, and with it behind a proxy that ends TLS', async () => {
    const { registry } = await opened()
    const app = createApp(registry, { trustProxy: true })
    const cookieAt = async (base: string, headers: Readonly<Record<string, string>> = {}) => {
      const { secret } = await registry.accounts.invite({ name: 'Ada' })
      const someone = new Browser(app, { base, headers })
      const response = await someone.fetch('POST', '/api/auth/links/redeem', { body: { secret } })
      return response.headers.getSetCookie()[0]
    }
    expect(await cookieAt('http://localhost:3000')).not.toContain('Secure')
    const proxied = { origin: 'https://fountains.example', 'x-forwarded-proto': 'https' }
    expect(await cookieAt('http://fountains.example', proxied)).toContain('; Secure')
  })
})

describe('session fixation', () => {
  test('a sign-in makes a new secret, and ends the session that the browser had', async () => {
    const { person, signIn, registry, browser } = await opened()
    const ada = await person('ada')
    const before = ada.cookie('session') ?? ''
    await signIn(ada, 'ada')
    const after = ada.cookie('session') ?? ''
    expect(after).not.toBe(before)
    expect(await registry.sessions.resolve(before)).toBeUndefined()
    const eve = await person('eve')
    const victim = browser()
    const planted = eve.cookie('session') ?? ''
    victim.plant('session', planted)
    await signIn(victim, 'ada')
    expect(victim.cookie('session')).not.toBe(planted)
    expect((await eve.fetch('GET', '/api/user')).status).toBe(401)
  })
})

test('sessions (section 4.7) are listed with the browser and the system alone, and end one by one or all but this one', async () => {
  const { registry, app, person, signIn } = await opened()
  const ada = new Browser(app, {
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
  })
  const before = await person('ada')
  await signIn(ada, 'ada')
  // A link is for a user who is locked out, and may be opened by another one.
  expect((await before.fetch('GET', '/api/user')).status).toBe(401)
  const [tablet, phone] = [new Browser(app), new Browser(app)]
  for (const other of [tablet, phone]) {
    const { session } = await registry.sessions.create('ada', { device: 'Safari on iPhone' })
    other.plant('session', session, '/')
  }
  const { body } = await ada.json('GET', '/api/user/sessions')
  const sessions = body['sessions'] as { id: number; device?: string; isCurrent: boolean }[]
  expect(sessions.map(({ device, isCurrent }) => [device, isCurrent])).toEqual([
    ['Firefox on Linux', true],
    ['Safari on iPhone', false],
    ['Safari on iPhone', false],
  ])
  expect(JSON.stringify(body)).not.toMatch(/ofs_|userId|140|rv:/u)
  expect((await ada.fetch('DELETE', `/api/user/sessions/${sessions[1]?.id}`)).status).toBe(204)
  expect((await tablet.fetch('GET', '/api/user')).status).toBe(401)
  await registry.personalTokens.create('ada', { name: 'Script' })
  expect((await phone.fetch('DELETE', '/api/user/sessions')).status).toBe(204)
  expect((await ada.fetch('GET', '/api/user')).status).toBe(401)
  expect(await registry.personalTokens.list('ada')).toHaveLength(1)
  expect((await phone.fetch('DELETE', '/api/user/sessions?tokens=true')).status).toBe(204)
  expect(await registry.personalTokens.list('ada')).toEqual([])
  expect((await phone.fetch('GET', '/api/user')).status).toBe(200)
  expect(await registry.sessions.list('ada')).toHaveLength(1)
})

test('sessions (section 4.7) of somebody else are not found', async () => {
  const { registry, person } = await opened()
  const ada = await person('ada')
  await person('bo')
  const [session] = await registry.sessions.list('bo')
  expect((await ada.fetch('DELETE', `/api/user/sessions/${session?.id}`)).status).toBe(404)
  expect(await registry.sessions.list('bo')).toHaveLength(1)
})

test('sessions (section 4.7) end with signing out, which clears the cookie', async () => {
  const { registry, person } = await opened()
  const ada = await person('ada')
  const secret = ada.cookie('session') ?? ''
  const response = await ada.fetch('POST', '/api/auth/sign-out')
  expect(response.status).toBe(204)
  expect(response.headers.getSetCookie()).toEqual([
    'session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
  ])
  expect(ada.cookie('session')).toBeUndefined()
  expect(await registry.sessions.resolve(secret)).toBeUndefined()
})

describe('personal tokens (section 4.7)', () => {
  const made = async () => {
    const stage = await opened()
    const mo = await stage.person('mo', { isModerator: true, xp: 300 })
    const { body } = await mo.json('POST', '/api/user/tokens', { body: { name: 'Script', days: 7 } })
    const authorization = `Bearer ${String(body['secret'])}`
    const program = new Browser(stage.app, { headers: { authorization, origin: '' } })
    return { ...stage, mo, program }
  }

  test('act as their owner from anywhere, with the same gates and XP', async () => {
    const { program, registry } = await made()
    const send = (path: string, body: object) =>
      program.json('POST', path, { body, headers: { origin: 'https://elsewhere.example' } })
    const created = await send('/api/waypoints', { name: 'Spring', latitude: 1, longitude: 2 })
    expect(created).toMatchObject({ status: 201, body: { addedByUserId: 'mo' } })
    expect((await send('/api/reviews', { bubblerId: created.body['id'], rating: 5 })).status).toBe(201)
    expect((await program.json('GET', '/api/user')).body).toMatchObject({ user: { id: 'mo', xp: 355 } })
    expect((await registry.personalTokens.list('mo'))[0]).toHaveProperty('lastUsedAt')
  })

  test('never have the rights of a moderator', async () => {
    const { program, mo, registry } = await made()
    const place = { name: 'Spring', latitude: 1, longitude: 2 }
    const { id } = await registry.waypoints.create(place, { kind: 'token' })
    expect((await program.fetch('DELETE', `/api/waypoints/${id}`)).status).toBe(403)
    const flags = { approved: true, verified: true, description: 'Cold' }
    expect(await program.json('PATCH', `/api/waypoints/${id}`, { body: flags })).toMatchObject({
      status: 200,
      body: { approved: false, verified: false, description: 'Cold' },
    })
    await registry.users.create({ id: 'ada', name: 'Ada' })
    const ada = { kind: 'user', userId: 'ada' } as const
    const review = await registry.reviews.create({ bubblerId: id, rating: 1 }, ada)
    expect((await program.fetch('DELETE', `/api/reviews?id=${review.id}`)).status).toBe(403)
    expect((await mo.fetch('DELETE', `/api/reviews?id=${review.id}`)).status).toBe(200)
    expect((await mo.fetch('DELETE', `/api/waypoints/${id}`)).status).toBe(200)
  })
})

test.each([
  ['POST', '/api/user/passkeys/options', undefined],
  ['POST', '/api/user/passkeys', { response: {}, name: 'Key' }],
  ['PATCH', '/api/user/passkeys/1', { name: 'Key' }],
  ['DELETE', '/api/user/passkeys/1', undefined],
  ['DELETE', '/api/user/identities/1', undefined],
  ['POST', '/api/user/tokens', { name: 'Script' }],
  ['GET', '/api/user/export', undefined],
  ['PATCH', '/api/user', { email: 'other@example.org' }],
  ['DELETE', '/api/user', { confirm: 'Name of ada', texts: 'keep' }],
])('a sign-in within the last 10 minutes is needed for %s %s', async (method, path, body) => {
  const { person, pass, registry } = await opened()
  const ada = await person('ada')
  pass(10 * minute - 1)
  // Another error may occur, but not REAUTHENTICATION_REQUIRED.
  if (path !== '/api/user') {
    const { body: response } = await ada.json(method, path, { body })
    expect(response['code']).not.toBe('REAUTHENTICATION_REQUIRED')
  }
  pass(1)
  expect(await ada.json(method, path, { body })).toMatchObject({
    status: 403,
    body: { code: 'REAUTHENTICATION_REQUIRED' },
  })
  expect((await registry.users.profile('ada')).email).toBeUndefined()
})

test('a sign-in within the last 10 minutes is not needed for a name, nor for the address that one has', async () => {
  const { person, pass } = await opened()
  const ada = await person('ada', { email: 'ada@example.org' })
  pass(60 * minute)
  const body = { name: 'Ada', email: 'ada@example.org' }
  expect(await ada.json('PATCH', '/api/user', { body })).toMatchObject({ status: 200 })
})

test('the security log has a line for each act and each refusal, with the user and the network of the client', async () => {
  const { registry, app, events, refused } = await opened()
  await registry.users.create({ id: 'ada', name: 'Ada' })
  const ada = new Browser(app, { headers: { 'x-forwarded-for': '203.0.113.9' } })
  const network = '203.0.113.0/24'
  const { secret } = await registry.accounts.link('ada')
  events.length = 0
  await ada.fetch('POST', '/api/auth/links/redeem', { body: { secret } })
  await ada.fetch('POST', '/api/auth/links/redeem', { body: { secret } })
  const { body } = await ada.json('POST', '/api/user/tokens', { body: { name: 'Script' } })
  const { id: tokenId } = body['token'] as { id: number }
  await ada.fetch('DELETE', `/api/user/tokens/${tokenId}`)
  await ada.fetch('POST', '/api/auth/sign-out')
  expect(events.map(({ event, user, network: from }) => [event, user, from])).toEqual(
    ['session.created', 'link.used', 'token.created', 'token.revoked', 'session.revoked'].map((event) => [
      event,
      'ada',
      network,
    ]),
  )
  expect(refused).toMatchObject([{ event: 'signin.failed', network, code: 'UNAUTHORIZED', user: 'ada' }])
  expect(JSON.stringify([events, refused])).not.toMatch(/203\.0\.113\.9|of[lps]_/u)
  expect(events.every(({ requestId }) => requestId !== undefined)).toBe(true)
})
