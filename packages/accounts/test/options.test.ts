import { describe, expect, test } from 'vitest'
import { openRegistry } from '@openfountain/core'
import { checkAccounts, createAccounts, parseProviders, type AccountsOptions } from '@openfountain/accounts'
import { stage } from '@openfountain/testing/accounts/stage'

const client = { clientId: 'client', clientSecret: 'THE-SECRET' }
const city = { id: 'city', name: 'City', issuer: 'https://id.city.example', ...client }

function expectRefused(act: () => unknown, path: string): void {
  let refusal: unknown
  try {
    act()
  } catch (error) {
    refusal = error
  }
  const details = { issues: [{ path }] }
  expect(refusal).toMatchObject({ name: 'RegistryError', code: 'INVALID_INPUT', details })
  expect(JSON.stringify(refusal) + String(refusal)).not.toContain('THE-SECRET')
}

describe('providers', () => {
  test('that are known by their id need only a client, and can still be changed', () => {
    const given = ['openstreetmap', 'google', 'github'].map((id) => ({ id, ...client }))
    expect(parseProviders(given).map(({ name, kind, issuer, scope }) => [name, kind, issuer, scope])).toEqual(
      [
        ['OpenStreetMap', 'openid', 'https://www.openstreetmap.org', 'openid'],
        ['Google', 'openid', 'https://accounts.google.com', 'openid email profile'],
        ['GitHub', 'github', 'https://github.com', ''],
      ],
    )
    const [changed] = parseProviders([{ id: 'google', name: 'Work', scope: 'openid', ...client }])
    expect(changed).toMatchObject({ name: 'Work', scope: 'openid', issuer: 'https://accounts.google.com' })
    // Any other id is for an OpenID Connect provider.
    expect(parseProviders([city])).toEqual([{ ...city, kind: 'openid', scope: 'openid profile email' }])
  })

  test.each<[path: string, given: unknown]>([
    ['providers', undefined],
    ['providers', Array.from({ length: 21 }, (_, index) => ({ ...city, id: `city${index}` }))],
    ['providers.1', [city, 'club']],
    ['providers.0.id', [{ ...city, id: '../x' }]],
    ['providers.0.id', [{ ...city, id: 'email' }]],
    ['providers.1.id', [city, { ...city, issuer: 'https://other.example' }]],
    ['providers.0.name', [{ ...city, name: undefined }]],
    ['providers.0.name', [{ ...city, name: 'two\nlines' }]],
    ['providers.0.kind', [{ ...city, kind: 'saml' }]],
    ['providers.0.issuer', [{ ...city, issuer: undefined }]],
    ['providers.0.issuer', [{ ...city, issuer: 'http://id.city.example' }]],
    ['providers.0.issuer', [{ ...city, issuer: 'https://id.city.example/?tenant=1' }]],
    ['providers.0.issuer', [{ ...city, issuer: 'https://user:THE-SECRET@id.city.example' }]],
    ['providers.1.issuer', [city, { ...city, id: 'club', issuer: 'https://ID.city.example/' }]],
    ['providers.0.clientId', [{ ...city, clientId: '' }]],
    ['providers.0.clientSecret', [{ ...city, clientSecret: undefined }]],
    ['providers.0.clientSecret', [{ ...city, clientSecret: 'THE-SECRET\nx' }]],
    ['providers.0.scope', [{ ...city, scope: 'profile' }]],
    ['providers.0.scope', [{ ...city, scope: 'openid  profile' }]],
    ['providers.0', [{ ...city, secret: 'THE-SECRET' }]],
  ])('%s is named where it is wrong', (path, given) => {
    expectRefused(() => parseProviders(given), path)
  })
})

describe('other options', () => {
  const mail = { smtp: 'smtps://user:THE-SECRET@mail.example', from: 'fountains@example.org' }

  test.each<[path: string, options: object]>([
    ['publicUrl', { publicUrl: 'fountains.example' }],
    ['publicUrl', { publicUrl: 'https://fountains.example/map/' }],
    ['publicUrl', { publicUrl: 'https://user:THE-SECRET@fountains.example' }],
    ['publicUrl', { publicUrl: undefined }],
    ['registration', { registration: 'everybody' }],
    ['mail.smtp', { mail: { ...mail, smtp: 'https://mail.example' } }],
    ['mail.smtp', { mail: { ...mail, smtp: 'smtp://user:THE-SECRET@mail.example?requireTLS=false' } }],
    ['mail.smtp', { mail: { ...mail, smtp: 'smtp://user:THE-SECRET%@mail.example' } }],
    ['mail.from', { mail: { ...mail, from: 'Fountains' } }],
    ['mail.from', { mail: { ...mail, from: 'a@example.org, b@example.org' } }],
  ])('%s is named where it is wrong, with and without a registry', async (path, options) => {
    await using registry = await openRegistry({ database: ':memory:' })
    const given = { publicUrl: 'https://fountains.example', ...options } as AccountsOptions
    expectRefused(() => createAccounts(registry, given), path)
    expectRefused(() => checkAccounts(given), path)
  })

  test('decide which ways are offered; links always are', async () => {
    const plain = await stage({ publicUrl: 'https://fountains.example' })
    expect(plain.ways).toMatchObject({ methods: ['passkey', 'link'], providers: [], registration: 'invite' })
    expect(plain.ways.codes).toBeUndefined()
    expect(plain.ways.warnings()).toEqual([])
    const all = await stage({ publicUrl: 'https://fountains.example', mail, providers: [city] })
    expect(all.ways.methods).toEqual(['passkey', 'code', 'provider', 'link'])
    expect(all.ways.providers).toEqual([{ id: 'city', name: 'City' }])
  })

  test.each<[options: Partial<AccountsOptions>, codes: string[]]>([
    [{ publicUrl: 'https://192.0.2.1' }, ['publicUrlIsAddress']],
    [{ publicUrl: 'http://192.0.2.1:8080' }, ['publicUrlIsAddress', 'publicUrlIsPlainHttp']],
    [{ publicUrl: 'http://127.0.0.1:3000' }, ['publicUrlIsAddress']],
    [{ publicUrl: 'http://fountains.example' }, ['publicUrlIsPlainHttp']],
    [{ publicUrl: 'http://localhost:3000' }, []],
    [{ registration: 'open' }, ['nobodyCanJoin']],
    [{ registration: 'open', mail }, []],
    [{ registration: 'open', providers: [city] }, []],
    [{ mail: { ...mail, smtp: 'smtp://mail.example' } }, []],
    [{ mail: { ...mail, smtp: 'smtp://mail.example?tls=off' } }, ['mailWithoutTls']],
    [{ mail: { ...mail, smtp: 'smtp://localhost:25' } }, []],
  ])('%o are warned of by %j', async (options, codes) => {
    const given = { publicUrl: 'https://fountains.example', ...options }
    const { ways } = await stage(given)
    expect(ways.warnings().map(({ code }) => code)).toEqual(codes)
    expect(checkAccounts(given)).toEqual(ways.warnings())
  })
})
