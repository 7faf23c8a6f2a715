import { expect, test } from 'vitest'
import { stage } from '@openfountain/testing/accounts/stage'
import { identityProvider, type IdentityProvider } from '@openfountain/testing/accounts/identity-provider'

const publicUrl = 'http://localhost:3000'

/** A provider with GitHub Enterprise's paths and members. */
const gitHub = () =>
  identityProvider(publicUrl, {
    id: 'github',
    path: '/login/oauth',
    configuration: {
      routes: {
        authorization: '/login/oauth/authorize',
        token: '/login/oauth/access_token',
        userinfo: '/api/v3/user',
      },
      claims: { openid: ['sub', 'id', 'login', 'name', 'email', 'email_verified'] },
    },
  })

const entry = ({ issuer, clientId, clientSecret }: IdentityProvider) => ({
  id: 'github',
  issuer,
  clientId,
  clientSecret,
  // The test's provider returns profiles for this scope.
  scope: 'openid',
})

test('somebody signs in with GitHub, is found by their number there, and keeps their account under another login', async () => {
  const provider = await gitHub()
  const { ways, registry } = await stage({ publicUrl, registration: 'open', providers: [entry(provider)] })
  expect(ways.providers).toEqual([{ id: 'github', name: 'GitHub' }])
  const signIn = async () => {
    const { ceremony, address } = await ways.provider.begin('github', { returnTo: '/' })
    expect(new URL(address).searchParams.get('code_challenge_method')).toBe('S256')
    return ways.provider.end('github', { ceremony, search: await provider.visit(address) })
  }
  provider.person = { sub: 'x', id: 583_231, login: 'ada', email: 'ada@example.org', email_verified: true }
  expect((await signIn()).signedIn).toMatchObject({ userId: 'u1', isNew: true })
  expect(await registry.users.get('u1')).toMatchObject({ name: 'ada' })
  expect(await registry.accounts.identities('u1')).toMatchObject([{ provider: 'github', label: 'ada' }])
  expect(await registry.accounts.isKnown(`${provider.issuer} 583231`)).toBe(true)

  provider.person = { sub: 'x', id: 583_231, login: 'countess', name: null }
  expect((await signIn()).signedIn).toMatchObject({ userId: 'u1', isNew: false })
  provider.person = { sub: 'y', id: 7, login: 'ada' }
  expect((await signIn()).signedIn).toMatchObject({ userId: 'u2', isNew: true })
})

test('a response without a number is refused', async () => {
  const provider = await gitHub()
  const { ways, failures } = await stage({ publicUrl, registration: 'open', providers: [entry(provider)] })
  for (const id of [undefined, '583231', 0, 1.5, -1]) {
    provider.person = { sub: 'x', id, login: 'ada' }
    const { ceremony, address } = await ways.provider.begin('github', { returnTo: '/' })
    const ended = ways.provider.end('github', { ceremony, search: await provider.visit(address) })
    await expect(ended).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  }
  expect(new Set(failures.map(({ reason }) => reason))).toEqual(new Set(['MALFORMED']))
})

test('GitHub itself is asked at its own address, for what is public', async () => {
  const client = { clientId: 'client', clientSecret: 'secret' }
  const { ways } = await stage({ publicUrl, providers: [{ id: 'github', ...client }] })
  const { address } = await ways.provider.begin('github', { returnTo: '/' })
  expect(address).toMatch(/^https:\/\/github\.com\/login\/oauth\/authorize\?/u)
  expect(new URL(address).searchParams.has('scope')).toBe(false)
})
