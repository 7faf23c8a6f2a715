import { createServer } from 'node:http'
import { createApp, nodeListener } from '@openfountain/server'
import { expect, it } from 'vitest'
import type { Submission } from '../../src/contribute/outbox/submission.ts'
import { flush } from '../../src/contribute/outbox/flushing.ts'
import { unsent, type Store, type Stored } from '../../src/contribute/outbox/store.ts'
import { listening } from '@openfountain/testing/listening'
import { emptyRegistry } from '@openfountain/testing/registry'

function storeOf(given: readonly Submission[]): Store {
  const stored: Stored = new Map(given.map((one) => [one.order, one]))
  return async (work) => work(stored)
}

const stored = (store: Store) => store(unsent)

const submission = (by: string, order = 1): Submission => {
  const body = { name: `Well of ${by}`, latitude: 55.7 + order, longitude: 13.19 }
  const request = { kind: 'create', method: 'POST', path: '/waypoints', body, subject: 'Well' } as const
  const waits = { madeAt: '2026-05-01T12:00:00.000Z', state: 'waiting', isUncertain: false } as const
  return { ...request, ...waits, key: `8e03978e-40d5-43dd-bc93-6894a57f932${order}`, by, order }
}

/** A server, and a browser in which Ada is signed in, and `next` as soon as it has asked who is. */
async function browserOf(next: 'bela' | undefined) {
  const registry = await emptyRegistry()
  const sessions = new Map<string, string>()
  for (const id of ['ada', 'bela']) {
    await registry.users.create({ id, name: id, xp: 100 })
    sessions.set(id, (await registry.sessions.create(id)).session)
  }
  const browser: { signedIn: string | undefined; next: string | undefined } = { signedIn: 'ada', next }
  const app = nodeListener(createApp(registry))
  const server = createServer((request, response) => {
    const session = sessions.get(browser.signedIn ?? '')
    if (session !== undefined) request.headers.cookie = `session=${session}`
    if (request.url === '/api/auth') response.once('finish', () => (browser.signedIn = browser.next))
    app(request, response)
  })
  const api = `http://127.0.0.1:${await listening(server)}/api`
  const created = async () =>
    (await registry.waypoints.list()).map(({ addedByUserId, name }) => [addedByUserId, name])
  return { browser, site: { api, base: '/', tag: 'en' }, created }
}

it('what waits, when another signs in meanwhile, is not sent as that account, which sends its own, is kept, and goes once its own is back', async () => {
  const { browser, site, created } = await browserOf('bela')
  const store = storeOf([submission('ada'), submission('bela', 2)])
  const person = { id: 'bela', name: 'bela' }
  expect(await flush({ site, store, changed: () => undefined })).toEqual({ state: 'other account', person })
  expect(await created()).toEqual([['bela', 'Well of bela']])
  expect(await stored(store)).toMatchObject([{ by: 'ada', state: 'waiting', isUncertain: false }])
  Object.assign(browser, { signedIn: 'ada', next: 'ada' })
  expect(await flush({ site, store, changed: () => undefined })).toEqual({ state: 'finished' })
  expect((await created()).at(-1)).toEqual(['ada', 'Well of ada'])
})

it('what waits, when another signs in meanwhile, waits for a sign-in when nobody is signed in any more', async () => {
  const { site, created } = await browserOf(undefined)
  const store = storeOf([submission('ada')])
  expect(await flush({ site, store, changed: () => undefined })).toEqual({ state: 'signed out' })
  expect(await created()).toEqual([])
  expect(await stored(store)).toMatchObject([{ by: 'ada', state: 'waiting' }])
})
