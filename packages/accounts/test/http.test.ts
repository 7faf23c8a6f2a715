import { createApp, type AppOptions, type RefusedRequest } from '@openfountain/server'
import { describe, expect, test } from 'vitest'
import { Browser } from '@openfountain/testing/server/browser'
import { stage } from '@openfountain/testing/accounts/stage'
import { identityProvider } from '@openfountain/testing/accounts/identity-provider'
import { mailServer } from '@openfountain/testing/accounts/mail-server'

const publicUrl = 'http://localhost:3000'

type AccountsSettings = NonNullable<Parameters<typeof stage>[0]>

async function served(options: AccountsSettings = {}, app: AppOptions = {}) {
  const made = await stage({ publicUrl, registration: 'open', ...options })
  const refused: RefusedRequest[] = []
  const handler = createApp(made.registry, {
    publicUrl,
    accounts: made.ways,
    trustProxy: true,
    securityLog: (entry) => refused.push(entry),
    ...app,
  })
  const browser = (address = '192.0.2.1') =>
    new Browser(handler, { base: publicUrl, headers: { 'x-forwarded-for': address } })
  const signIn = async (who: Browser, userId: string) => {
    const { secret } = await made.registry.accounts.link(userId)
    await who.fetch('POST', '/api/auth/links/redeem', { body: { secret } })
    return who
  }
  return { ...made, refused, browser, signIn }
}

const withMail = async (options: AccountsSettings = {}, app: AppOptions = {}) => {
  const mail = await mailServer()
  const made = await served(
    { mail: { smtp: mail.url, from: 'Fountains <fountains@example.org>' }, ...options },
    app,
  )
  const ask = (who: Browser, email: string, more: object = {}) =>
    who.fetch('POST', '/api/auth/codes', { body: { email, ...more } })
  const redeem = (who: Browser, body: object) => who.json('POST', '/api/auth/codes/redeem', { body })
  return { ...made, mail, ask, redeem }
}

describe('codes over HTTP', () => {
  test('sign somebody in, in the browser that asked alone', async () => {
    const { browser, mail, ask, redeem } = await withMail()
    const ada = browser()
    const email = 'ada@example.org'
    const asked = await ask(ada, email)
    expect([asked.status, await asked.json()]).toEqual([202, { sent: true }])
    expect(asked.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^signin=[\w.~-]+; Path=\/api\/auth\/codes; Max-Age=600; HttpOnly; SameSite=Lax$/u,
      ),
    ])
    const { code } = await mail.next(email)
    const elsewhere = browser()
    await ask(elsewhere, 'eve@example.org')
    for (const other of [elsewhere, browser()])
      expect(await redeem(other, { email, code, name: 'Eve' })).toMatchObject({ status: 401 })
    expect(await redeem(ada, { email: ' ADA@Example.org', code, name: 'Ada' })).toMatchObject({
      status: 200,
      body: { user: { id: 'u1', name: 'Ada' } },
    })
    expect(ada.cookie('signin')).toBeUndefined()
    expect(await ada.json('GET', '/api/user')).toMatchObject({ status: 200 })
  })

  test.each(['open', 'invite', 'closed'] as const)(
    'say the same of an address that is known and of one that is not, where registration is %s',
    async (registration) => {
      const { browser, registry, ask, redeem } = await withMail({ registration })
      const { id } = await registry.users.create({ name: 'Ada' })
      const way = { key: 'mailto:ada@example.org', provider: 'email', label: 'ada@example.org' }
      await registry.accounts.addIdentity(id, way)
      const about = async (email: string) => {
        const who = browser()
        const response = await ask(who, email)
        const wrong = await redeem(who, { email, code: '00000000' })
        const { 'set-cookie': cookie = '', ...headers } = Object.fromEntries(response.headers)
        return [response.status, headers, cookie.length, await response.text(), wrong]
      }
      expect(await about('ada@example.org')).toEqual(await about('bob@example.org'))
    },
  )

  test('of parallel tabs do not end one another', async () => {
    const { browser, mail, ask, redeem } = await withMail()
    const ada = browser()
    const emails = ['one@example.org', 'two@example.org']
    for (const email of emails) await ask(ada, email)
    for (const email of emails) {
      const { code } = await mail.next(email)
      expect(await redeem(ada, { email, code, name: 'Ada' })).toMatchObject({ status: 200 })
    }
  })

  test('add an address to an account, for somebody who signed in within 10 minutes', async () => {
    const { browser, registry, mail, ask, redeem, signIn, clock } = await withMail({ registration: 'closed' })
    const { id } = await registry.users.create({ name: 'Ada' })
    const email = 'ada@example.org'
    expect((await ask(browser(), email, { add: true })).status).toBe(401)
    const ada = await signIn(browser(), id)
    clock.advance({ minutes: 10 })
    const stale = await ask(ada, email, { add: true })
    expect([stale.status, await stale.json()]).toMatchObject([403, { code: 'REAUTHENTICATION_REQUIRED' }])
    await signIn(ada, id)
    const session = ada.cookie('session')
    await ask(ada, email, { add: true })
    const { code } = await mail.next(email)
    const user = { status: 200, body: { user: { id } } }
    expect(await redeem(ada, { email, code, add: true })).toMatchObject(user)
    expect(ada.cookie('session')).toBe(session)
    const { body } = await ada.json('GET', '/api/user/identities')
    expect(body).toMatchObject({ identities: [{ provider: 'email', label: email }] })
    await ada.fetch('POST', '/api/user/tokens', {
      body: { name: 'Skript' },
      headers: { 'accept-language': 'de-AT' },
    })
    expect((await mail.next(email)).text).toContain('Persönliches Token: Skript')
    const phone = browser()
    await ask(phone, email)
    expect(await redeem(phone, { email, code: (await mail.next(email)).code })).toMatchObject(user)
  })
})

const providerEntry = (id: string, provider: Awaited<ReturnType<typeof identityProvider>>) => ({
  id,
  name: `The ${id}`,
  issuer: provider.issuer,
  clientId: provider.clientId,
  clientSecret: provider.clientSecret,
})

async function withProviders(app: AppOptions = {}) {
  const { basePath = '' } = app
  const city = await identityProvider(`${publicUrl}${basePath}`, { id: 'city' })
  const club = await identityProvider(publicUrl, { id: 'club' })
  const made = await served({ providers: [providerEntry('city', city), providerEntry('club', club)] }, app)
  city.person = { sub: 'ada', name: 'Ada', email: 'ada@example.org', email_verified: true }
  club.person = { sub: 'ada', name: 'Ada', email: 'ada@example.org', email_verified: true }
  /** Follows the redirect to a provider and back. @returns the path and query of the redirect back */
  const visited = async (who: Browser, query = '', headers: Readonly<Record<string, string>> = {}) => {
    const redirect = await who.fetch('GET', `${basePath}/api/auth/providers/city${query}`, { headers })
    expect(redirect.status).toBe(303)
    return `${basePath}/api/auth/providers/city/callback${await city.visit(redirect.headers.get('location') ?? '')}`
  }
  return { ...made, city, club, visited }
}

describe('providers over HTTP', () => {
  test('sign somebody in and lead back to a path of this origin', async () => {
    const { browser, visited } = await withProviders()
    expect((await browser().json('GET', '/api/auth')).body).toMatchObject({
      methods: expect.arrayContaining(['provider', 'link']) as unknown,
      providers: [
        { id: 'city', name: 'The city' },
        { id: 'club', name: 'The club' },
      ],
    })
    const ada = browser()
    const callback = await visited(ada, '?returnTo=%2Fde%2Faccount%2F%3Ftab%3Dways')
    const back = await ada.fetch('GET', callback)
    expect([back.status, back.headers.get('location')]).toEqual([303, '/de/account/?tab=ways'])
    expect(back.headers.get('cache-control')).toBe('no-store')
    expect(back.headers.get('referrer-policy')).toBe('no-referrer')
    expect(await ada.json('GET', '/api/user')).toMatchObject({ status: 200, body: { user: { name: 'Ada' } } })
    for (const who of [ada, browser()]) expect((await who.fetch('GET', callback)).status).toBe(401)
  })

  test('send the browser back below the path at which the app is', async () => {
    const { browser, visited } = await withProviders({ basePath: '/fountains' })
    const ada = browser()
    const callback = await visited(ada, '?returnTo=/fountains/map/')
    expect(callback).toMatch(/^\/fountains\/api\//u)
    const back = await ada.fetch('GET', callback)
    expect([back.status, back.headers.get('location')]).toEqual([303, '/fountains/map/'])
    expect(ada.cookie('provider')).toBeUndefined()
    expect((await ada.json('GET', '/fountains/api/user')).status).toBe(200)
  })

  test('end in the browser that began, and lead never to another site', async () => {
    const { browser, visited, registry } = await withProviders()
    const callback = await visited(browser())
    const elsewhere = browser()
    await elsewhere.fetch('GET', '/api/auth/providers/city')
    expect((await elsewhere.fetch('GET', callback)).status).toBe(401)
    expect((await registry.users.list()).total).toBe(0)
    for (const returnTo of [
      '//elsewhere.example',
      '/\\elsewhere.example',
      '\u0001//elsewhere.example',
      'map/',
    ]) {
      const path = `/api/auth/providers/city?returnTo=${encodeURIComponent(returnTo)}`
      const refused = await browser().fetch('GET', path)
      expect([returnTo, refused.status, refused.headers.get('location')]).toEqual([returnTo, 400, null])
    }
  })

  test('of parallel tabs do not end one another', async () => {
    const { browser, visited } = await withProviders()
    const ada = browser()
    const back = [await visited(ada, '?returnTo=/one/'), await visited(ada, '?returnTo=/two/')]
    for (const [index, to] of ['/one/', '/two/'].entries())
      expect((await ada.fetch('GET', back[index] ?? '')).headers.get('location')).toBe(to)
  })

  test('are added while signed in, from a page of this origin alone, and never join accounts', async () => {
    const { browser, visited, registry, signIn, clock, refused } = await withProviders()
    const { id } = await registry.users.create({ name: 'Ada' })
    const ada = await signIn(browser(), id)
    const adding = '/api/auth/providers/city?add=true'
    const elsewhere = 'https://elsewhere.example'
    for (const headers of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { origin: elsewhere },
      { referer: elsewhere },
    ] as Record<string, string>[])
      expect((await ada.fetch('GET', adding, { headers })).status).toBe(403)
    expect(refused.map(({ event }) => event)).toEqual(Array<string>(4).fill('origin.refused'))
    expect(
      (await browser().fetch('GET', adding, { headers: { 'sec-fetch-site': 'same-origin' } })).status,
    ).toBe(401)
    const callback = await visited(ada, '?add=true&returnTo=/account/', { 'sec-fetch-site': 'same-origin' })
    const session = ada.cookie('session')
    const back = await ada.fetch('GET', callback)
    expect([back.status, back.headers.get('location')]).toEqual([303, '/account/'])
    expect(ada.cookie('session')).toBe(session)
    expect((await ada.json('GET', '/api/user/identities')).body).toMatchObject({
      identities: [{ provider: 'city' }],
    })
    clock.advance({ minutes: 10 })
    const stale = await ada.json('GET', adding, { headers: { 'sec-fetch-site': 'same-origin' } })
    expect(stale).toMatchObject({ status: 403, body: { code: 'REAUTHENTICATION_REQUIRED' } })
  })

  test.each<Readonly<Record<string, string>>>([
    { 'sec-fetch-site': 'cross-site', referer: 'https://elsewhere.example/' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-user': '?1' },
    { 'sec-fetch-site': 'same-site', referer: 'http://evil.localhost:3000/' },
    { referer: 'https://elsewhere.example/' },
    { referer: 'http://localhost.elsewhere.example:3000/' },
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
  ])('are not begun by the page of another site: %j', async (headers) => {
    const { browser, refused } = await withProviders({ site: import.meta.dirname })
    const ada = browser()
    const path = '/api/auth/providers/city'
    const refusal = await ada.json('GET', path, { headers })
    expect(refusal).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    const led = await ada.fetch('GET', path, { headers: { ...headers, accept: 'text/html' } })
    expect([led.status, led.headers.get('location')]).toEqual([303, '/sign-in/'])
    expect(ada.cookie('provider')).toBeUndefined()
    expect(refused.map(({ event }) => event)).toEqual(['origin.refused', 'origin.refused'])
  })

  test('are begun from pages here and of allowed origins, and by hand', async () => {
    const { browser } = await withProviders({ allowedOrigins: ['https://map.example'] })
    for (const headers of [
      {},
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'same-origin', referer: `${publicUrl}/sign-in/` },
      { referer: `${publicUrl}/sign-in/` },
      { 'sec-fetch-site': 'cross-site', referer: 'https://map.example/' },
      { referer: 'https://map.example/' },
    ] as Record<string, string>[]) {
      const redirect = await browser().fetch('GET', '/api/auth/providers/city', { headers })
      expect([redirect.status, redirect.headers.get('location')]).toEqual([
        303,
        expect.stringContaining('/auth?'),
      ])
    }
    // Behind an untrusted proxy that terminates TLS, in a browser that only sends a Referer.
    const { browser: proxied } = await withProviders({ trustProxy: false })
    const headers = { referer: 'https://localhost:3000/sign-in/' }
    expect((await proxied().fetch('GET', '/api/auth/providers/city', { headers })).status).toBe(303)
  })

  test('whose server was ended are 503 with which it is, and lead a person to the page for signing in', async () => {
    const { browser, city, failures } = await withProviders({ site: import.meta.dirname })
    await city.end()
    const ada = browser()
    const down = await ada.fetch('GET', '/api/auth/providers/city')
    expect([down.status, down.headers.get('retry-after')]).toEqual([503, '60'])
    expect(await down.json()).toEqual({
      error: 'The city cannot be reached: try again later, or sign in in another way',
      code: 'UNAVAILABLE',
      details: { provider: 'city' },
    })
    expect(failures).toEqual([{ part: 'provider', provider: 'city', reason: 'ECONNREFUSED' }])
    const page = { headers: { accept: 'text/html' } }
    const led = await ada.fetch('GET', '/api/auth/providers/city', page)
    expect([led.status, led.headers.get('location')]).toEqual([303, '/sign-in/?problem=UNAVAILABLE'])
  })

  test('that refuse lead a person to the page for signing in, and say why in the log', async () => {
    const { browser, visited, refused } = await withProviders({ site: import.meta.dirname })
    const ada = browser()
    const callback = await visited(ada)
    await ada.fetch('GET', callback)
    const page = { headers: { accept: 'text/html,application/xhtml+xml' } }
    const again = await ada.fetch('GET', callback, page)
    expect([again.status, again.headers.get('location')]).toEqual([303, '/sign-in/?problem=UNAUTHORIZED'])
    expect(refused).toMatchObject([{ event: 'signin.failed', network: '192.0.2.0/24' }])
    const unknown = await ada.fetch('GET', '/api/auth/providers/nowhere', page)
    expect(unknown.headers.get('location')).toBe('/sign-in/?problem=NOT_FOUND')
    expect((await ada.fetch('GET', '/api/auth/providers/nowhere')).status).toBe(404)
    const below = await withProviders({ site: { folder: import.meta.dirname, base: '/fountains' } })
    const there = await below.browser().fetch('GET', '/api/auth/providers/nowhere', page)
    expect(there.headers.get('location')).toBe('/fountains/sign-in/?problem=NOT_FOUND')
  })
})

test.each([
  ['open', 200, 303],
  ['invite', 200, 403],
  ['closed', 403, 403],
] as const)(
  'where registration is %s an invitation is answered %i, and somebody new whom a provider names %i',
  async (registration, ofInvitation, ofProvider) => {
    const city = await identityProvider(publicUrl, { id: 'city' })
    const { registry, browser } = await served({ registration, providers: [providerEntry('city', city)] })
    const redeem = (secret: string) =>
      browser().json('POST', '/api/auth/links/redeem', { body: { secret, name: 'Zoë' } })
    const { secret: invitation } = await registry.accounts.invite({})
    const refusal = { status: 403, body: { code: 'FORBIDDEN', details: { registration } } }
    expect(await redeem(invitation)).toMatchObject(ofInvitation === 403 ? refusal : { status: 200 })
    expect((await browser().json('GET', '/api/auth')).body).toMatchObject({ registration, user: null })
    const enter = async (sub: string) => {
      city.person = { sub, name: 'Zoë' }
      const who = browser()
      const redirect = await who.fetch('GET', '/api/auth/providers/city')
      const search = await city.visit(redirect.headers.get('location') ?? '')
      return who.json('GET', `/api/auth/providers/city/callback${search}`)
    }
    expect(await enter('zoe')).toMatchObject(ofProvider === 403 ? refusal : { status: 303 })
    // At most 20 accounts a day from one network; invited users are not counted.
    if (ofProvider === 303) {
      for (let each = 2; each <= 20; each++) expect(await enter(String(each))).toMatchObject({ status: 303 })
      expect(await enter('21')).toMatchObject({ status: 429, body: { details: { limit: 20 } } })
      expect(await enter('20')).toMatchObject({ status: 303 })
    }
    // The operator's link signs in under any registration policy, and a refusal uses up no invitation.
    const { id } = await registry.users.create({ name: 'Ada' })
    const { secret } = await registry.accounts.link(id)
    expect(await redeem(secret)).toMatchObject({ status: 200, body: { user: { id, name: 'Ada' } } })
    if (ofInvitation === 403)
      expect(await registry.accounts.redeemLink(invitation, { name: 'Zoë' })).toMatchObject({ isNew: true })
  },
)
