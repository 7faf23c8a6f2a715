import { user } from '@openfountain/core'
import { beforeEach, describe, expect, test } from 'vitest'
import { spring, type Role, type Stage, serving } from '@openfountain/testing/server/stage'

let stage: Stage
const origin = 'http://fountains.test'

beforeEach(async () => {
  stage = await serving({ openObservations: true })
})

const made = (meant: string, as: Role = 'author') =>
  stage.ask('POST', '/api/waypoints', { as, body: spring, headers: { 'signed-in-as': meant } })

describe('a request that says whom it is from', () => {
  test('is done when that person is signed in, also with an id of another script', async () => {
    expect((await made('author')).status).toBe(201)
    await stage.registry.users.create({ id: 'Béla-אדה', name: 'Béla', xp: 100 })
    const { session } = await stage.registry.sessions.create('Béla-אדה')
    const headers = { cookie: `session=${session}`, 'signed-in-as': encodeURIComponent('Béla-אדה') }
    expect((await stage.ask('POST', '/api/waypoints', { body: spring, headers })).status).toBe(201)
  })

  test.each(['regular', 'Author', '', 'author, regular', '%E0%A4%A', 'api'])(
    'is refused when the session is of somebody else than %j, and nothing is written',
    async (meant) => {
      const revision = await stage.registry.revision()
      const { status, body } = await made(meant)
      expect([status, body['code']]).toEqual([401, 'UNAUTHORIZED'])
      expect(body['error']).toContain('Signed-In-As')
      expect(await stage.registry.revision()).toBe(revision)
    },
  )

  test('is refused under a key that both persons have used, as which nothing is repeated either', async () => {
    const headers = { 'idempotency-key': 'one', 'signed-in-as': 'author' }
    const edit = (as: Role) =>
      stage.ask('PATCH', '/api/waypoints/1', { as, body: { region: 'Scania' }, headers })
    expect((await edit('author')).status).toBe(200)
    expect((await edit('regular')).status).toBe(401)
    expect((await stage.registry.users.get('regular'))?.stats).toMatchObject({ waypointsEdited: 0 })
  })

  test('is not taken for that of a passer-by when nobody is signed in any more', async () => {
    const report = (headers: Readonly<Record<string, string>>) =>
      stage.ask('POST', '/api/reports', {
        headers: { origin, ...headers },
        body: { bubblerId: 1, reason: 'gone' },
      })
    expect((await report({ 'signed-in-as': 'author' })).status).toBe(401)
    expect(await stage.registry.reports.list({}, user('moderator'))).toEqual([])
    expect((await report({})).status).toBe(201)
  })
})
