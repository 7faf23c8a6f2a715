/** @module-tag process */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { codesOf, sharedDatabase, stage } from '@openfountain/testing/accounts/stage'
import { identityProvider } from '@openfountain/testing/accounts/identity-provider'
import { mailServer } from '@openfountain/testing/accounts/mail-server'
import { afterwards } from '@openfountain/testing/afterwards'

const publicUrl = 'http://localhost:3000'
const Line = z.record(z.string(), z.unknown())

/** Another process on the same database, which does one thing a line. */
async function otherProcess(settings: object) {
  const program = path.join(import.meta.dirname, 'second-process.ts')
  const child = spawn(
    process.execPath,
    ['--conditions=openfountain-source', '--no-warnings', program, JSON.stringify(settings)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const ended = once(child, 'exit')
  afterwards(async () => {
    child.stdin.end()
    await ended
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return async (act: string, ...given: unknown[]) => {
    child.stdin.write(`${JSON.stringify([act, ...given])}\n`)
    const { value } = await lines.next()
    return Line.parse(JSON.parse(String(value)))
  }
}

test('two processes on one database begin and end each other’s sign-ins, each of them once', async () => {
  const database = await sharedDatabase()
  const city = await identityProvider(publicUrl, { id: 'city' })
  const { url: smtp, next } = await mailServer()
  const { issuer, clientId, clientSecret } = city
  const settings = {
    publicUrl,
    registration: 'open' as const,
    providers: [{ id: 'city', name: 'City', issuer, clientId, clientSecret }],
    mail: { smtp, from: 'fountains@example.org' },
  }
  const here = await stage(
    { ...settings, clock: undefined },
    { database, clock: () => new Date(), ids: undefined },
  )
  const there = await otherProcess({ database, ...settings })
  city.person = { sub: 'ada', name: 'Ada' }

  const begun = await here.ways.provider.begin('city', { returnTo: '/' })
  const search = await city.visit(begun.address)
  const ended = await there('provider.end', 'city', { ceremony: begun.ceremony, search })
  expect(ended).toMatchObject({ signedIn: { isNew: true } })
  const session = z.object({ signedIn: z.object({ session: z.string(), userId: z.string() }) }).parse(ended)
  expect(await here.registry.sessions.resolve(session.signedIn.session)).toMatchObject({
    userId: session.signedIn.userId,
  })
  await expect(here.ways.provider.end('city', { ceremony: begun.ceremony, search })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  })

  const sent = await there('codes.send', 'grace@example.org', {})
  const { code } = await next('grace@example.org')
  const browser = z.string().parse(sent['browser'])
  const given = { email: 'grace@example.org', code, name: 'Grace' }
  // What one process sends the other counts.
  for (let time = 1; time < 5; time++) await there('codes.send', 'grace@example.org', {})
  await expect(codesOf(here).send('grace@example.org')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  // Both at once: one of them signs in.
  const both = await Promise.allSettled([
    codesOf(here).signIn(browser, given),
    there('codes.signIn', browser, given).then((result) => {
      if ('code' in result) throw new Error(String(result['code']))
      return result
    }),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})
