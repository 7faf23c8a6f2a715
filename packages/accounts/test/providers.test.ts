import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { AccountsOptions } from '@openfountain/accounts'
import { boundedFetch } from '../src/providers/fetch.ts'
import { stage } from '@openfountain/testing/accounts/stage'
import {
  identityProvider,
  resigned,
  type IdentityProvider,
} from '@openfountain/testing/accounts/identity-provider'
import { afterwards } from '@openfountain/testing/afterwards'

const publicUrl = 'http://localhost:3000'

const entry = (id: string, { issuer, clientId, clientSecret }: IdentityProvider) => ({
  id,
  name: `The ${id}`,
  issuer,
  clientId,
  clientSecret,
})

/** A registry and a provider called `city`. */
async function providerStage(options: Partial<AccountsOptions> = {}) {
  const city = await identityProvider(publicUrl, { id: 'city' })
  const made = await stage({
    publicUrl,
    registration: 'open',
    providers: [entry('city', city)],
    ...options,
  })
  const signIn = async (returnTo = '/') => {
    const { ceremony, address } = await made.ways.provider.begin('city', { returnTo })
    return made.ways.provider.end('city', { ceremony, search: await city.visit(address) })
  }
  return { ...made, city, signIn }
}

/** One part of a JSON Web Token. */
const part = (content: object): string => Buffer.from(JSON.stringify(content)).toString('base64url')

const unauthorized = { name: 'RegistryError', code: 'UNAUTHORIZED' }

describe('signing in with a provider', () => {
  test('makes an account where registration is open, with the name that the provider says, and finds it again', async () => {
    const { city, signIn, registry } = await providerStage()
    city.person = { sub: 'ada', name: 'Ada Lovelace', preferred_username: 'ada' }
    const first = await signIn('/de/account/?tab=ways')
    expect(first).toMatchObject({
      returnTo: '/de/account/?tab=ways',
      signedIn: { userId: 'u1', isNew: true },
    })
    expect(await registry.sessions.resolve(first.signedIn?.session ?? '')).toMatchObject({ userId: 'u1' })
    expect(await registry.users.get('u1')).toMatchObject({ name: 'Ada Lovelace' })
    expect(await registry.accounts.identities('u1')).toMatchObject([{ provider: 'city', label: 'ada' }])
    city.requests.length = 0
    expect((await signIn()).signedIn).toMatchObject({ userId: 'u1', isNew: false })
    // Who is known is not asked for more, and the provider's metadata and keys are kept.
    expect(city.requests.filter((request) => !/^GET \/(?:auth|interaction)/u.test(request))).toEqual([
      'POST /token',
    ])
  })

  test('takes the name that was chosen here before the one that the provider says', async () => {
    const { city, ways, registry } = await providerStage()
    city.person = { sub: 'ada', name: 'Augusta Ada King' }
    const { ceremony, address } = await ways.provider.begin('city', { returnTo: '/', name: 'Ada' })
    await ways.provider.end('city', { ceremony, search: await city.visit(address) })
    expect(await registry.users.get('u1')).toMatchObject({ name: 'Ada' })
  })

  test('cuts a name that is too long, and drops what a name cannot have', async () => {
    const { city, signIn, registry } = await providerStage()
    city.person = { sub: 'ada', name: `\u0007${'ü'.repeat(100)}` }
    await signIn()
    expect(await registry.users.get('u1')).toMatchObject({ name: 'ü'.repeat(80) })
  })

  test('asks for a name when the provider says none', async () => {
    const { city, signIn } = await providerStage()
    city.person = { sub: 'ada', name: ' ', preferred_username: 7 }
    await expect(signIn()).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { issues: [{ path: 'name' }] },
    })
  })

  test.each(['invite', 'closed'] as const)(
    'makes no account when registration is %s',
    async (registration) => {
      const { city, signIn } = await providerStage({ registration })
      city.person = { sub: 'ada', name: 'Ada' }
      await expect(signIn()).rejects.toMatchObject({ code: 'FORBIDDEN', details: { registration } })
    },
  )

  test('asks for PKCE with S256, a state and a nonce, and keeps nothing of them', async () => {
    const { ways } = await providerStage()
    const { ceremony, address } = await ways.provider.begin('city', { returnTo: '/' })
    const asked = new URL(address).searchParams
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      client_id: 'openfountain',
      code_challenge_method: 'S256',
      redirect_uri: 'http://localhost:3000/api/auth/providers/city/callback',
      scope: 'openid profile email',
    })
    const values = ['state', 'nonce', 'code_challenge'].map((name) => asked.get(name))
    expect(new Set(values).size).toBe(3)
    for (const value of values) expect(value).toMatch(/^[\w-]{43}$/u)
    expect(address).not.toContain(ceremony)
  })

  test('is cancelled at the provider without harm', async () => {
    const { city, signIn, failures } = await providerStage()
    city.person = undefined
    await expect(signIn()).rejects.toMatchObject({
      ...unauthorized,
      message: 'You did not allow it at The city: nothing was changed',
    })
    expect(failures).toEqual([])
  })

  test('adds a way to the account of who is signed in, once', async () => {
    const { city, ways, registry } = await providerStage({ registration: 'invite' })
    const ada = await registry.users.create({ name: 'Ada' })
    const eve = await registry.users.create({ name: 'Eve' })
    const add = async (userId: string) => {
      const { ceremony, address } = await ways.provider.begin('city', { returnTo: '/account/', userId })
      return ways.provider.end('city', { ceremony, search: await city.visit(address), userId })
    }
    expect(await add(ada.id)).toEqual({ returnTo: '/account/' })
    expect(await add(ada.id)).toEqual({ returnTo: '/account/' })
    expect(await registry.accounts.identities(ada.id)).toHaveLength(1)
    await expect(add(eve.id)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('adds nothing when somebody else is signed in at the end, or nobody', async () => {
    const { city, ways, registry } = await providerStage()
    const ada = await registry.users.create({ name: 'Ada' })
    const eve = await registry.users.create({ name: 'Eve' })
    for (const userId of [eve.id, undefined]) {
      const begun = await ways.provider.begin('city', { returnTo: '/', userId: ada.id })
      const search = await city.visit(begun.address)
      const ended = ways.provider.end('city', { ceremony: begun.ceremony, search, userId })
      await expect(ended).rejects.toMatchObject(unauthorized)
    }
    expect(await registry.accounts.identities(ada.id)).toEqual([])
    expect(await registry.accounts.identities(eve.id)).toEqual([])
  })
})

describe('accounts are never joined at sign-in', () => {
  const verified = { sub: 'ada', name: 'Ada', email: 'Ada@Example.org', email_verified: true }

  test('a verified address of another account is a conflict, with what to do', async () => {
    const { city, signIn, registry } = await providerStage()
    const ada = await registry.users.create({ name: 'Ada' })
    const key = 'mailto:ada@example.org'
    await registry.accounts.addIdentity(ada.id, { key, provider: 'email', label: 'ada@example.org' })
    city.person = verified
    await expect(signIn()).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('add this way in your account'),
    })
    expect(await registry.accounts.identities(ada.id)).toHaveLength(1)
  })

  test('an address that the provider did not verify is nobody’s', async () => {
    const { city, signIn, registry } = await providerStage()
    const ada = await registry.users.create({ name: 'Ada' })
    const key = 'mailto:ada@example.org'
    await registry.accounts.addIdentity(ada.id, { key, provider: 'email', label: 'ada@example.org' })
    for (const [index, email_verified] of [false, undefined, 'true', 1].entries()) {
      city.person = { ...verified, sub: `eve${index}`, email_verified }
      expect((await signIn()).signedIn).toMatchObject({ isNew: true })
    }
    expect(await registry.accounts.identities(ada.id)).toHaveLength(1)
  })

  test('an account with an unverified contact address stays separate from who owns the address', async () => {
    const { city, signIn, registry } = await providerStage()
    const attacker = await registry.users.create({ name: 'Eve', email: 'ada@example.org' })
    city.person = verified
    const { signedIn } = await signIn()
    expect(signedIn?.isNew).toBe(true)
    expect(signedIn?.userId).not.toBe(attacker.id)
    expect(await registry.accounts.identities(attacker.id)).toEqual([])
    expect(await registry.accounts.passkeys(signedIn?.userId ?? '')).toEqual([])
  })

  test('the same subject at another provider is somebody else', async () => {
    const [city, club] = [
      await identityProvider(publicUrl, { id: 'city' }),
      await identityProvider(publicUrl, { id: 'club' }),
    ]
    const { ways } = await stage({
      publicUrl,
      registration: 'open',
      providers: [entry('city', city), entry('club', club)],
    })
    const users = []
    for (const [id, provider] of [
      ['city', city],
      ['club', club],
    ] as const) {
      provider.person = { sub: 'ada', name: 'Ada' }
      const { ceremony, address } = await ways.provider.begin(id, { returnTo: '/' })
      const { signedIn } = await ways.provider.end(id, { ceremony, search: await provider.visit(address) })
      users.push(signedIn?.userId)
    }
    expect(users).toEqual(['u1', 'u2'])
  })
})

describe('a response', () => {
  test('is good once: state and code are not taken again', async () => {
    const { city, ways, registry } = await providerStage()
    city.person = { sub: 'ada', name: 'Ada' }
    const { ceremony, address } = await ways.provider.begin('city', { returnTo: '/' })
    const search = await city.visit(address)
    await ways.provider.end('city', { ceremony, search })
    await expect(ways.provider.end('city', { ceremony, search })).rejects.toMatchObject(unauthorized)
    const next = await ways.provider.begin('city', { returnTo: '/' })
    await expect(ways.provider.end('city', { ceremony: next.ceremony, search })).rejects.toMatchObject(
      unauthorized,
    )
    expect(await registry.users.list()).toMatchObject({ total: 1 })
  })

  test('of another ceremony is refused, even with the state of this one', async () => {
    const { city, ways, registry } = await providerStage()
    city.person = { sub: 'eve', name: 'Eve' }
    const attackers = await ways.provider.begin('city', { returnTo: '/' })
    const stolen = new URLSearchParams(await city.visit(attackers.address))
    const victims = await ways.provider.begin('city', { returnTo: '/' })
    const state = new URL(victims.address).searchParams.get('state') ?? ''
    stolen.set('state', state)
    // PKCE: the code was asked for with the verifier of the other ceremony.
    await expect(
      ways.provider.end('city', { ceremony: victims.ceremony, search: `?${stolen.toString()}` }),
    ).rejects.toMatchObject(unauthorized)
    expect(await registry.users.list()).toMatchObject({ total: 0 })
  })

  test('with the nonce of another request is refused', async () => {
    const { city, ways, registry, failures } = await providerStage()
    city.person = { sub: 'ada', name: 'Ada' }
    const { ceremony, address } = await ways.provider.begin('city', { returnTo: '/' })
    const changed = new URL(address)
    changed.searchParams.set('nonce', 'of-another-request')
    const search = await city.visit(changed.href)
    await expect(ways.provider.end('city', { ceremony, search })).rejects.toMatchObject(unauthorized)
    expect(failures).toEqual([
      { part: 'provider', provider: 'city', reason: 'OAUTH_JWT_CLAIM_COMPARISON_FAILED' },
    ])
    expect(await registry.users.list()).toMatchObject({ total: 0 })
  })

  test.each([
    ['another state', { state: 'other' }],
    ['no state', { state: undefined }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['no issuer, although the provider names itself', { iss: undefined }],
    ['another code', { code: 'other' }],
    ['no code', { code: undefined }],
  ])('with %s is refused', async (_title, changes) => {
    const { city, ways, registry } = await providerStage()
    city.person = { sub: 'ada', name: 'Ada' }
    const { ceremony, address } = await ways.provider.begin('city', { returnTo: '/' })
    const query = new URLSearchParams(await city.visit(address))
    for (const [name, value] of Object.entries(changes))
      if (value === undefined) query.delete(name)
      else query.set(name, value)
    await expect(
      ways.provider.end('city', { ceremony, search: `?${query.toString()}` }),
    ).rejects.toMatchObject(unauthorized)
    expect(await registry.users.list()).toMatchObject({ total: 0 })
  })

  test('of one provider is not taken at the callback of another', async () => {
    const [city, evil] = [
      await identityProvider(publicUrl, { id: 'city' }),
      await identityProvider(publicUrl, { id: 'evil' }),
    ]
    const { ways } = await stage({
      publicUrl,
      registration: 'open',
      providers: [entry('city', city), entry('evil', evil)],
    })
    city.person = { sub: 'ada', name: 'Ada' }
    const begun = await ways.provider.begin('city', { returnTo: '/' })
    const search = await city.visit(begun.address)
    evil.requests.length = 0
    await expect(ways.provider.end('evil', { ceremony: begun.ceremony, search })).rejects.toMatchObject(
      unauthorized,
    )

    // Who began at the one, whom the other sent on to the first with the same state.
    const mixed = await ways.provider.begin('evil', { returnTo: '/' })
    const address = await ways.provider.begin('city', { returnTo: '/' })
    const onward = new URL(address.address)
    for (const name of ['state', 'nonce', 'code_challenge'])
      onward.searchParams.set(name, new URL(mixed.address).searchParams.get(name) ?? '')
    const mixedSearch = await city.visit(onward.href)
    await expect(
      ways.provider.end('evil', { ceremony: mixed.ceremony, search: mixedSearch }),
    ).rejects.toMatchObject(unauthorized)
    // The code of the one was never shown to the other.
    expect(evil.requests.filter((request) => request.includes('token'))).toEqual([])
  })

  test('without the name of its provider is not taken at the callback of another either', async () => {
    const city = await identityProvider(publicUrl, { id: 'city' })
    const evil = await identityProvider(publicUrl, { id: 'evil' })
    const { ways } = await stage({
      publicUrl,
      registration: 'open',
      providers: [entry('city', city), { ...entry('evil', evil), kind: 'github' }],
    })
    const { ceremony, address } = await ways.provider.begin('city', { returnTo: '/' })
    const query = new URLSearchParams(await city.visit(address))
    query.delete('iss')
    await expect(
      ways.provider.end('evil', { ceremony, search: `?${query.toString()}` }),
    ).rejects.toMatchObject({ ...unauthorized, message: expect.stringContaining('begun elsewhere') })
    expect(evil.requests).toEqual([])
  })

  test('in another browser, or after ten minutes, is refused', async () => {
    const { city, ways, clock, registry } = await providerStage()
    city.person = { sub: 'ada', name: 'Ada' }
    const { ceremony, address } = await ways.provider.begin('city', { returnTo: '/' })
    const search = await city.visit(address)
    const other = await ways.provider.begin('city', { returnTo: '/' })
    for (const wrong of ['', 'ofc_guessed', other.ceremony])
      await expect(ways.provider.end('city', { ceremony: wrong, search })).rejects.toMatchObject(unauthorized)
    clock.advance({ minutes: 10 })
    await expect(ways.provider.end('city', { ceremony, search })).rejects.toMatchObject(unauthorized)
    expect(await registry.users.list()).toMatchObject({ total: 0 })
  })

  test('that is too long is refused', async () => {
    const { ways } = await providerStage()
    const { ceremony } = await ways.provider.begin('city', { returnTo: '/' })
    await expect(
      ways.provider.end('city', { ceremony, search: `?code=${'x'.repeat(10_000)}` }),
    ).rejects.toMatchObject(unauthorized)
  })
})

test.each([
  ['/', '/'],
  ['/de/waypoint/7/?a=1#b', '/de/waypoint/7/?a=1#b'],
  ['', '/'],
  ['account', '/'],
  ['//evil.example/x', '/'],
  ['/\\evil.example/x', '/'],
  ['/\t/evil.example/x', '/'],
  ['/\n/evil.example/x', '/'],
  ['/x/..//evil.example', '/'],
  ['https://evil.example/x', '/'],
  ['https:evil.example', '/'],
  ['http://localhost:3000@evil.example/', '/'],
  ['javascript:alert(1)', '/'],
  [`/${'x'.repeat(2000)}`, '/'],
])('a browser that comes from %j is sent back to %j', async (given, expected) => {
  const { city, signIn } = await providerStage()
  city.person = { sub: 'ada', name: 'Ada' }
  expect(await signIn(given)).toMatchObject({ returnTo: expected })
})

describe('a provider that fails', () => {
  test('is named with what to do, stops no other, and is found again when it is back', async () => {
    const [city, club] = [
      await identityProvider(publicUrl, { id: 'city' }),
      await identityProvider(publicUrl, { id: 'club' }),
    ]
    const { ways, failures } = await stage({
      publicUrl,
      registration: 'open',
      providers: [entry('city', city), entry('club', club)],
    })
    city.isUp = false
    await expect(ways.provider.begin('city', { returnTo: '/' })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'The city cannot be reached: try again later, or sign in in another way',
      details: { provider: 'city' },
    })
    expect(failures).toEqual([{ part: 'provider', provider: 'city', reason: 'UND_ERR_SOCKET' }])
    expect(await ways.provider.begin('club', { returnTo: '/' })).toHaveProperty('address')
    city.isUp = true
    expect(await ways.provider.begin('city', { returnTo: '/' })).toHaveProperty('address')
  })

  test('between beginning and end is a refusal that says so', async () => {
    const { city, ways } = await providerStage()
    const { ceremony, address } = await ways.provider.begin('city', { returnTo: '/' })
    const search = await city.visit(address)
    city.isUp = false
    await expect(ways.provider.end('city', { ceremony, search })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      details: { provider: 'city' },
    })
  })

  test('at the end with an error of its own is said to be out of order, not the person', async () => {
    const { city, ways, failures } = await providerStage()
    const { ceremony, address } = await ways.provider.begin('city', { returnTo: '/' })
    const search = await city.visit(address)
    city.forgeIdToken = () => {
      // With `expose` it is not printed.
      throw Object.assign(new Error('Out of order'), { status: 500, expose: true })
    }
    await expect(ways.provider.end('city', { ceremony, search })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      details: { provider: 'city' },
    })
    expect(failures).toHaveLength(1)
  })

  test('does not bring secrets into errors or reports: a wrong client secret is named by its code', async () => {
    const city = await identityProvider(publicUrl, { id: 'city' })
    const { ways, failures } = await stage({
      publicUrl,
      registration: 'open',
      providers: [{ ...entry('city', city), clientSecret: 'SECRET-OF-THE-CLIENT' }],
    })
    const { ceremony, address } = await ways.provider.begin('city', { returnTo: '/' })
    const search = await city.visit(address)
    const error: unknown = await ways.provider
      .end('city', { ceremony, search })
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      ...unauthorized,
      message: 'The city did not confirm who you are: begin again',
    })
    expect(error).not.toHaveProperty('cause')
    expect(failures).toEqual([{ part: 'provider', provider: 'city', reason: 'invalid_client' }])
    const code = new URLSearchParams(search).get('code') ?? 'none'
    const told = JSON.stringify([failures, (error as Error).stack, error])
    expect([code, ceremony, 'SECRET-OF-THE-CLIENT'].filter((secret) => told.includes(secret))).toEqual([])
  })

  test('whose ID token somebody else signed, or nobody, is not believed', async () => {
    const { city, ways, registry, failures } = await providerStage()
    city.person = { sub: 'ada', name: 'Ada' }
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const [none, others] = [
      () => ({ header: { alg: 'none' }, signature: '' }),
      (header: object, signed: (header: string) => string) => ({
        header,
        signature: sign('sha256', Buffer.from(signed(part(header))), privateKey).toString('base64url'),
      }),
    ]
    for (const forge of [none, others]) {
      city.forgeIdToken = (token) => {
        const [header = '', claims = ''] = token.split('.')
        const made = forge(
          JSON.parse(Buffer.from(header, 'base64url').toString()),
          (head) => `${head}.${claims}`,
        )
        return `${part(made.header)}.${claims}.${made.signature}`
      }
      const { ceremony, address } = await ways.provider.begin('city', { returnTo: '/' })
      const search = await city.visit(address)
      await expect(ways.provider.end('city', { ceremony, search })).rejects.toMatchObject(unauthorized)
    }
    expect(failures).toHaveLength(2)
    expect(await registry.users.list()).toMatchObject({ total: 0 })
  })

  test.each<[title: string, change: (claims: Record<string, unknown>) => object]>([
    ['another client', (claims) => ({ ...claims, aud: 'another-client' })],
    [
      'several clients, of which it is for another',
      (claims) => ({ ...claims, aud: ['openfountain', 'other'], azp: 'other' }),
    ],
    ['another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['a time that is over', (claims) => ({ ...claims, iat: 1, exp: 2 })],
    ['no request', ({ nonce: _nonce, ...claims }) => claims],
    ['nobody', ({ sub: _sub, ...claims }) => claims],
    ['a subject that is no text', (claims) => ({ ...claims, sub: 7 })],
    ['a subject with a space, as if of another issuer', (claims) => ({ ...claims, sub: 'x ada' })],
  ])('whose ID token is for %s is not believed', async (_title, change) => {
    const { city, ways, registry, failures } = await providerStage()
    city.person = { sub: 'ada', name: 'Ada' }
    city.forgeIdToken = (token) => resigned(token, change)
    const { ceremony, address } = await ways.provider.begin('city', { returnTo: '/' })
    const search = await city.visit(address)
    await expect(ways.provider.end('city', { ceremony, search })).rejects.toMatchObject(unauthorized)
    expect(failures).toHaveLength(1)
    expect(await registry.users.list()).toMatchObject({ total: 0 })
    // The same token without a change is.
    city.forgeIdToken = (token) => resigned(token, (claims) => claims)
    const again = await ways.provider.begin('city', { returnTo: '/' })
    const good = await city.visit(again.address)
    expect(await ways.provider.end('city', { ceremony: again.ceremony, search: good })).toHaveProperty(
      'signedIn',
    )
  })

  test('that calls itself by another issuer is not believed', async () => {
    const city = await identityProvider(publicUrl, { id: 'city' })
    const issuer = city.issuer.replace('127.0.0.1', 'localhost')
    const { ways, failures } = await stage({ publicUrl, providers: [{ ...entry('city', city), issuer }] })
    await expect(ways.provider.begin('city', { returnTo: '/' })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
    expect(failures).toMatchObject([{ reason: 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED' }])
  })

  test.each([
    [
      'more than a mebibyte',
      'RESPONSE_TOO_LARGE',
      { status: 200, body: `{"a":"${'x'.repeat(1024 * 1024)}"}` },
    ],
    ['a redirect', 'OAUTH_RESPONSE_IS_NOT_CONFORM', { status: 302, location: '/elsewhere' }],
    ['no JSON', 'OAUTH_PARSE_ERROR', { status: 200, body: '{' }],
    ['an error', 'OAUTH_RESPONSE_IS_NOT_CONFORM', { status: 500, body: '{}' }],
    ['nothing for ten seconds', 'OAUTH_TIMEOUT', { status: undefined }],
  ])('that responds with %s is refused', async (_title, reason, { status, ...response }) => {
    const asked: string[] = []
    const server = createServer((request, reply) => {
      asked.push(request.url ?? '')
      if (status === undefined) return
      const { body, location } = { body: '', location: undefined, ...response }
      reply.writeHead(status, { 'Content-Type': 'application/json', ...(location && { location }) }).end(body)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    afterwards(async () => {
      server.closeAllConnections()
      server.close()
    })
    const address = server.address()
    if (typeof address !== 'object' || address === null) throw new Error('It does not listen')
    const provider = { id: 'city', name: 'City', issuer: `http://127.0.0.1:${address.port}` }
    const client = { clientId: 'client', clientSecret: 'secret' }
    const { ways, failures } = await stage({ publicUrl, providers: [{ ...provider, ...client }] })
    await expect(ways.provider.begin('city', { returnTo: '/' })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
    expect(failures).toEqual([{ part: 'provider', provider: 'city', reason }])
    // What fails at once is tried twice; a browser does not wait twice for what hangs.
    const times = status === undefined ? 1 : 2
    expect(asked).toEqual(Array.from({ length: times }, () => '/.well-known/openid-configuration'))
  })

  test('whose addresses are plain http elsewhere is not asked there', async () => {
    await expect(boundedFetch('http://fountains.example/token')).rejects.toThrow('INSECURE_ADDRESS')
  })

  test('that is not configured is not found', async () => {
    const { ways } = await providerStage()
    for (const id of ['club', '__proto__', ''])
      await expect(ways.provider.begin(id, { returnTo: '/' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
