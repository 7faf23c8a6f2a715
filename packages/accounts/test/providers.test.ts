import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import type { AccountsOptions } from '@openfountain/accounts'
import { boundedFetch } from '../src/providers/fetch.ts'
import { stage } from '@openfountain/testing/accounts/stage'
import {
  identityProvider,
  resigned,
  type IdentityProvider,
} from '@openfountain/testing/accounts/identity-provider'
import { listening } from '@openfountain/testing/listening'
import { afterwards } from '@openfountain/testing/afterwards'

const publicUrl = 'http://localhost:3000'

const entry = (id: string, { issuer, clientId, clientSecret }: IdentityProvider) => ({
  id,
  name: `The ${id}`,
  issuer,
  clientId,
  clientSecret,
})

async function providerStage(options: Partial<AccountsOptions> = {}) {
  const city = await identityProvider(publicUrl, { id: 'city' })
  const club = await identityProvider(publicUrl, { id: 'club' })
  for (const each of [city, club]) each.person = { sub: 'ada', name: 'Ada' }
  const providers = [entry('city', city), entry('club', club)]
  const made = await stage({ publicUrl, registration: 'open', providers, ...options })
  const { provider } = made.ways
  const visited = async (given: object = {}) => {
    const { ceremony, address } = await provider.begin('city', { returnTo: '/', ...given })
    return { ceremony, address, search: await city.visit(address) }
  }
  const signIn = async (given: object = {}) => provider.end('city', await visited(given))
  const expectRefused = async (given: Parameters<typeof provider.end>[1], id = 'city') => {
    await expect(provider.end(id, given)).rejects.toMatchObject(unauthorized)
    expect((await made.registry.users.list()).total).toBe(0)
  }
  return { ...made, provider, city, club, visited, signIn, expectRefused }
}

const part = (content: object): string => Buffer.from(JSON.stringify(content)).toString('base64url')

const unauthorized = { name: 'RegistryError', code: 'UNAUTHORIZED' }
const unavailable = { code: 'UNAVAILABLE', details: { provider: 'city' } }

describe('signing in with a provider', () => {
  test('makes an account where registration is open, with the name that the provider says, and finds it again', async () => {
    const { city, signIn, registry } = await providerStage()
    city.person = { sub: 'ada', name: 'Ada Lovelace', preferred_username: 'ada' }
    const first = await signIn({ returnTo: '/de/account/?tab=ways' })
    expect(first).toMatchObject({
      returnTo: '/de/account/?tab=ways',
      signedIn: { userId: 'u1', isNew: true },
    })
    expect(await registry.sessions.resolve(first.signedIn?.session ?? '')).toMatchObject({ userId: 'u1' })
    expect(await registry.users.get('u1')).toMatchObject({ name: 'Ada Lovelace' })
    expect(await registry.accounts.identities('u1')).toMatchObject([{ provider: 'city', label: 'ada' }])
    city.requests.length = 0
    expect((await signIn()).signedIn).toMatchObject({ userId: 'u1', isNew: false })
    expect(city.requests.filter((request) => !/^GET \/(?:auth|interaction)/u.test(request))).toEqual([
      'POST /token',
    ])
  })

  test('takes the name that was chosen here, else a proper one of the provider, and asks where there is none', async () => {
    const { city, signIn, registry } = await providerStage()
    await signIn({ name: 'Countess' })
    expect(await registry.users.get('u1')).toMatchObject({ name: 'Countess' })
    city.person = { sub: 'long', name: `\u0007${'ü'.repeat(100)}` }
    await signIn()
    expect(await registry.users.get('u2')).toMatchObject({ name: 'ü'.repeat(80) })
    city.person = { sub: 'nobody', name: ' ', preferred_username: 7 }
    await expect(signIn()).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { issues: [{ path: 'name' }] },
    })
  })

  test('asks for PKCE with S256, a state and a nonce, and keeps nothing of them', async () => {
    const { provider } = await providerStage()
    const { ceremony, address } = await provider.begin('city', { returnTo: '/' })
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
    const { provider, visited, registry } = await providerStage({ registration: 'invite' })
    const ada = await registry.users.create({ name: 'Ada' })
    const eve = await registry.users.create({ name: 'Eve' })
    const add = async (userId: string) =>
      provider.end('city', { ...(await visited({ returnTo: '/account/', userId })), userId })
    expect(await add(ada.id)).toEqual({ returnTo: '/account/' })
    expect(await add(ada.id)).toEqual({ returnTo: '/account/' })
    expect(await registry.accounts.identities(ada.id)).toHaveLength(1)
    await expect(add(eve.id)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('adds nothing when somebody else is signed in at the end, or nobody', async () => {
    const { provider, visited, registry } = await providerStage()
    const ada = await registry.users.create({ name: 'Ada' })
    const eve = await registry.users.create({ name: 'Eve' })
    for (const userId of [eve.id, undefined]) {
      const ended = provider.end('city', { ...(await visited({ userId: ada.id })), userId })
      await expect(ended).rejects.toMatchObject(unauthorized)
    }
    for (const { id } of [ada, eve]) expect(await registry.accounts.identities(id)).toEqual([])
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
    const { provider, club, signIn } = await providerStage()
    expect((await signIn()).signedIn).toMatchObject({ userId: 'u1' })
    const { ceremony, address } = await provider.begin('club', { returnTo: '/' })
    const { signedIn } = await provider.end('club', { ceremony, search: await club.visit(address) })
    expect(signedIn).toMatchObject({ userId: 'u2' })
  })
})

describe('a response', () => {
  test('is good once: state and code are not taken again', async () => {
    const { provider, visited, registry } = await providerStage()
    const given = await visited()
    await provider.end('city', given)
    await expect(provider.end('city', given)).rejects.toMatchObject(unauthorized)
    const { ceremony } = await provider.begin('city', { returnTo: '/' })
    await expect(provider.end('city', { ...given, ceremony })).rejects.toMatchObject(unauthorized)
    expect(await registry.users.list()).toMatchObject({ total: 1 })
  })

  test('of another ceremony is refused, even with the state of this one', async () => {
    const { provider, visited, expectRefused } = await providerStage()
    const stolen = new URLSearchParams((await visited()).search)
    const { ceremony, address } = await provider.begin('city', { returnTo: '/' })
    stolen.set('state', new URL(address).searchParams.get('state') ?? '')
    // PKCE: the code was requested with the verifier of the other ceremony.
    await expectRefused({ ceremony, search: `?${stolen.toString()}` })
  })

  test('with the nonce of another request is refused', async () => {
    const { provider, city, expectRefused, failures } = await providerStage()
    const { ceremony, address } = await provider.begin('city', { returnTo: '/' })
    const changed = new URL(address)
    changed.searchParams.set('nonce', 'of-another-request')
    await expectRefused({ ceremony, search: await city.visit(changed.href) })
    expect(failures).toEqual([
      { part: 'provider', provider: 'city', reason: 'OAUTH_JWT_CLAIM_COMPARISON_FAILED' },
    ])
  })

  test.each([
    ['another state', { state: 'other' }],
    ['no state', { state: undefined }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['no issuer, although the provider names itself', { iss: undefined }],
    ['another code', { code: 'other' }],
    ['no code', { code: undefined }],
    ['too long a code', { code: 'x'.repeat(10_000) }],
  ])('with %s is refused', async (_title, changes) => {
    const { visited, expectRefused } = await providerStage()
    const { ceremony, search } = await visited()
    const query = new URLSearchParams(search)
    for (const [name, value] of Object.entries(changes))
      if (value === undefined) query.delete(name)
      else query.set(name, value)
    await expectRefused({ ceremony, search: `?${query.toString()}` })
  })

  test('of one provider is not taken at the callback of another', async () => {
    const { provider, visited, city, club, expectRefused } = await providerStage()
    const atCity = await visited()
    club.requests.length = 0
    await expectRefused(atCity, 'club')

    // The user began at one provider, which redirected to the other with the same state.
    const mixed = await provider.begin('club', { returnTo: '/' })
    const onward = new URL((await provider.begin('city', { returnTo: '/' })).address)
    for (const name of ['state', 'nonce', 'code_challenge'])
      onward.searchParams.set(name, new URL(mixed.address).searchParams.get(name) ?? '')
    await expectRefused({ ceremony: mixed.ceremony, search: await city.visit(onward.href) }, 'club')
    expect(club.requests.filter((request) => request.includes('token'))).toEqual([])
  })

  test('without the name of its provider is not taken at the callback of another either', async () => {
    const [city, evil] = [
      await identityProvider(publicUrl, { id: 'city' }),
      await identityProvider(publicUrl, { id: 'evil' }),
    ]
    const providers = [entry('city', city), { ...entry('evil', evil), kind: 'github' as const }]
    const { provider, expectRefused } = await providerStage({ providers })
    const { ceremony, address } = await provider.begin('city', { returnTo: '/' })
    const query = new URLSearchParams(await city.visit(address))
    query.delete('iss')
    await expectRefused({ ceremony, search: `?${query.toString()}` }, 'evil')
    expect(evil.requests).toEqual([])
  })

  test('in another browser, or after ten minutes, is refused', async () => {
    const { provider, visited, clock, expectRefused } = await providerStage()
    const given = await visited()
    const other = await provider.begin('city', { returnTo: '/' })
    for (const ceremony of ['', 'ofc_guessed', other.ceremony]) await expectRefused({ ...given, ceremony })
    clock.advance({ minutes: 10 })
    await expectRefused(given)
  })
})

test.each([
  ['/de/waypoint/7/?a=1#b', '/de/waypoint/7/?a=1#b'],
  ['account', '/'],
  ['//evil.example/x', '/'],
  ['/\\evil.example/x', '/'],
  ['/\t/evil.example/x', '/'],
  ['/x/..//evil.example', '/'],
  ['https:evil.example', '/'],
  ['http://localhost:3000@evil.example/', '/'],
  ['javascript:alert(1)', '/'],
  [`/${'x'.repeat(2000)}`, '/'],
])('a browser that comes from %j is sent back to %j', async (returnTo, expected) => {
  const { signIn } = await providerStage()
  expect(await signIn({ returnTo })).toMatchObject({ returnTo: expected })
})

describe('a provider that fails', () => {
  test('is named with what to do, stops no other, and is found again when it is back', async () => {
    const { provider, visited, city, failures } = await providerStage()
    city.isUp = false
    await expect(provider.begin('city', { returnTo: '/' })).rejects.toMatchObject({
      ...unavailable,
      message: 'The city cannot be reached: try again later, or sign in in another way',
    })
    expect(failures).toEqual([{ part: 'provider', provider: 'city', reason: 'UND_ERR_SOCKET' }])
    expect(await provider.begin('club', { returnTo: '/' })).toHaveProperty('address')
    city.isUp = true
    const given = await visited()
    city.isUp = false
    await expect(provider.end('city', given)).rejects.toMatchObject(unavailable)
    city.isUp = true
    // A provider's own error at the end is not the user's.
    const other = await visited()
    city.forgeIdToken = () => {
      // With `expose` it is not printed.
      throw Object.assign(new Error('Out of order'), { status: 500, expose: true })
    }
    await expect(provider.end('city', other)).rejects.toMatchObject(unavailable)
    expect(failures).toHaveLength(3)
  })

  test('does not bring secrets into errors or reports: a wrong client secret is named by its code', async () => {
    const city = await identityProvider(publicUrl, { id: 'city' })
    const providers = [{ ...entry('city', city), clientSecret: 'SECRET-OF-THE-CLIENT' }]
    const { ways, failures } = await stage({ publicUrl, registration: 'open', providers })
    const { ceremony, address } = await ways.provider.begin('city', { returnTo: '/' })
    const search = await city.visit(address)
    const ended = ways.provider.end('city', { ceremony, search })
    const error: unknown = await ended.catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      ...unauthorized,
      message: 'The city did not confirm who you are: begin again',
    })
    expect(error).not.toHaveProperty('cause')
    expect(failures).toEqual([{ part: 'provider', provider: 'city', reason: 'invalid_client' }])
    const code = new URLSearchParams(search).get('code') ?? 'none'
    const report = JSON.stringify([failures, (error as Error).stack, error])
    expect([code, ceremony, 'SECRET-OF-THE-CLIENT'].filter((secret) => report.includes(secret))).toEqual([])
  })

  test('whose ID token somebody else signed, or nobody, is not believed', async () => {
    const { city, visited, expectRefused, failures } = await providerStage()
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const signed = (text: string) => sign('sha256', Buffer.from(text), privateKey).toString('base64url')
    for (const isSigned of [false, true]) {
      city.forgeIdToken = (token) => {
        const [header = '', claims = ''] = token.split('.')
        const head = isSigned ? header : part({ alg: 'none' })
        return `${head}.${claims}.${isSigned ? signed(`${head}.${claims}`) : ''}`
      }
      await expectRefused(await visited())
    }
    expect(failures).toHaveLength(2)
  })

  test.each<[title: string, change: (claims: Record<string, unknown>) => object]>([
    ['another client', (claims) => ({ ...claims, aud: 'another-client' })],
    ['several clients', (claims) => ({ ...claims, aud: ['openfountain', 'other'], azp: 'other' })],
    ['another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['a time that is over', (claims) => ({ ...claims, iat: 1, exp: 2 })],
    ['no request', ({ nonce: _nonce, ...claims }) => claims],
    ['nobody', ({ sub: _sub, ...claims }) => claims],
    ['a subject that is no text', (claims) => ({ ...claims, sub: 7 })],
    ['a subject with a space, as if of another issuer', (claims) => ({ ...claims, sub: 'x ada' })],
  ])('whose ID token is for %s is not believed', async (_title, change) => {
    const { city, visited, signIn, expectRefused, failures } = await providerStage()
    city.forgeIdToken = (token) => resigned(token, change)
    await expectRefused(await visited())
    expect(failures).toHaveLength(1)
    city.forgeIdToken = (token) => resigned(token, (claims) => claims)
    expect(await signIn()).toHaveProperty('signedIn')
  })

  test('that calls itself by another issuer is not believed', async () => {
    const city = await identityProvider(publicUrl, { id: 'city' })
    const issuer = city.issuer.replace('127.0.0.1', 'localhost')
    const { ways, failures } = await stage({ publicUrl, providers: [{ ...entry('city', city), issuer }] })
    await expect(ways.provider.begin('city', { returnTo: '/' })).rejects.toMatchObject(unavailable)
    expect(failures).toMatchObject([{ reason: 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED' }])
  })

  test.each([
    ['more than a mebibyte', 'RESPONSE_TOO_LARGE', 200, `{"a":"${'x'.repeat(1024 * 1024)}"}`],
    ['a redirect', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 302, ''],
    ['no JSON', 'OAUTH_PARSE_ERROR', 200, '{'],
    ['an error', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 500, '{}'],
    ['nothing for ten seconds', 'OAUTH_TIMEOUT', undefined, ''],
  ])('that responds with %s is refused', async (_title, reason, status, body) => {
    // A hundredth of a browser's timeout.
    const { timeout } = AbortSignal
    const share = status === undefined ? 100 : 1
    const patience = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / share))
    afterwards(() => patience.mockRestore())
    const asked: string[] = []
    const server = createServer((request, reply) => {
      asked.push(request.url ?? '')
      if (status !== undefined)
        reply.writeHead(status, { 'Content-Type': 'application/json', location: '/elsewhere' }).end(body)
    })
    const issuer = `http://127.0.0.1:${await listening(server)}`
    const providers = [{ id: 'city', name: 'City', issuer, clientId: 'client', clientSecret: 'secret' }]
    const { ways, failures } = await stage({ publicUrl, providers })
    await expect(ways.provider.begin('city', { returnTo: '/' })).rejects.toMatchObject(unavailable)
    expect(failures).toEqual([{ part: 'provider', provider: 'city', reason }])
    expect(patience).toHaveBeenCalledWith(10_000)
    // A fast failure is retried once; a hanging request is not, so that the browser waits once.
    const times = status === undefined ? 1 : 2
    expect(asked).toEqual(Array.from({ length: times }, () => '/.well-known/openid-configuration'))
  })

  test('whose addresses are plain http elsewhere is not asked there', async () => {
    await expect(boundedFetch('http://fountains.example/token')).rejects.toThrow('INSECURE_ADDRESS')
  })
})
