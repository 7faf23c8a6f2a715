import { expect, test } from 'vitest'
import { sharedDatabase } from '@openfountain/testing/database'
import { codesOf, stage } from '@openfountain/testing/accounts/stage'
import { identityProvider } from '@openfountain/testing/accounts/identity-provider'
import { mailServer } from '@openfountain/testing/accounts/mail-server'

const publicUrl = 'http://localhost:3000'

test('two servers on one database begin and end each other’s sign-ins, each of them once', async () => {
  const database = await sharedDatabase()
  const city = await identityProvider(publicUrl, { id: 'city' })
  city.person = { sub: 'ada', name: 'Ada' }
  const { issuer, clientId, clientSecret } = city
  const { url: smtp, next } = await mailServer()
  const settings = {
    registration: 'open' as const,
    providers: [{ id: 'city', name: 'City', issuer, clientId, clientSecret }],
    mail: { smtp, from: 'fountains@example.org' },
  }
  const here = await stage({ publicUrl, ...settings }, { database })
  const there = await stage({ publicUrl, ...settings }, { database, ids: () => 'of there' })

  const { ceremony, address } = await here.ways.provider.begin('city', { returnTo: '/' })
  const given = { ceremony, search: await city.visit(address) }
  const { signedIn } = await there.ways.provider.end('city', given)
  expect(signedIn).toMatchObject({ isNew: true, userId: 'of there' })
  expect(await here.registry.sessions.resolve(signedIn?.session ?? '')).toMatchObject({ userId: 'of there' })
  await expect(here.ways.provider.end('city', given)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })

  const email = 'grace@example.org'
  const { browser } = await codesOf(there).send(email)
  const { code } = await next(email)
  // What one sends the other counts.
  for (let time = 1; time < 5; time++) await codesOf(there).send(email)
  await expect(codesOf(here).send(email)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  // Both at once: one of them signs in.
  const both = [here, there].map((each) => codesOf(each).signIn(browser, { email, code, name: 'Grace' }))
  const ended = await Promise.allSettled(both)
  expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})
