import { openRegistry } from '@openfountain/core'
import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '../src/index.ts'
import { sharedDatabase } from '@openfountain/testing/server/database'
import { listenWith } from '@openfountain/testing/server/listening'
import { openStage, start } from '@openfountain/testing/server/stage'

test('two hundred simultaneous writes by many clients, over two servers on one database, award exactly what they earn', async () => {
  const database = await sharedDatabase()
  const stage = await openStage({}, database)
  const second = await openRegistry({ database, durability: 'relaxed', clock: () => new Date(start) })
  const servers = [await listenWith(stage.app), await listenWith(createApp(second))]
  onTestFinished(async () => {
    for (const server of servers) await server.close(0)
    await second.close()
    await stage.close()
  })
  const before = { regular: 100, author: (await stage.registry.users.get('author')).xp }
  const ask = async (
    number: number,
    method: string,
    path: string,
    as: 'regular' | 'author' | 'token',
    body: object,
  ) => {
    const response = await fetch(`${servers[number % 2]?.url}${path}`, {
      method,
      headers: { ...stage.secrets[as], 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    await response.arrayBuffer()
    return response.status
  }
  const spring = { name: 'Spring', latitude: 1, longitude: 1 }
  const writes = Array.from({ length: 50 }, (_, number) => [
    ask(number, 'POST', '/api/reviews', 'regular', { bubblerId: 1, rating: 5 }),
    ask(number + 1, 'POST', '/api/reviews', 'author', { bubblerId: 1, rating: 4 }),
    ask(number, 'POST', '/api/waypoints', 'regular', spring),
    // All verify the same waypoint: its creator earns once.
    ask(number + 1, 'PATCH', '/api/waypoints/1', 'token', { verified: true }),
  ]).flat()
  const statuses = await Promise.all(writes)
  expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([])
  expect((await second.users.get('regular')).xp).toBe(before.regular + 50 * 5 + 50 * 50)
  expect((await stage.registry.users.get('author')).xp).toBe(before.author + 50 * 5 + 25)
  expect(await second.statistics()).toMatchObject({
    totalWaypoints: 51,
    totalReviews: 101,
    totalVerifiedWaypoints: 1,
  })
  const { problems } = await second.changes.verify()
  expect(problems).toEqual([])
  expect(await stage.registry.revision()).toBe(await second.revision())
})

test('a server notices what another process wrote', async () => {
  const database = await sharedDatabase()
  const stage = await openStage({}, database)
  const other = await openRegistry({ database })
  onTestFinished(async () => {
    await other.close()
    await stage.close()
  })
  const first = await stage.ask('GET', '/api/waypoints/1')
  const held = { headers: { 'if-none-match': first.headers.get('etag') ?? '' } }
  expect((await stage.ask('GET', '/api/waypoints/1', held)).status).toBe(304)
  await other.waypoints.update(1, { name: 'New name' }, { kind: 'token' })
  const second = await stage.ask('GET', '/api/waypoints/1', held)
  expect(second.status).toBe(200)
  expect(second.body['waypoint']).toMatchObject({ name: 'New name' })
  const { token } = await other.tokens.create({ name: 'made elsewhere' })
  const bearer = { authorization: `Bearer ${token}` }
  expect((await stage.ask('GET', '/api/user', { headers: bearer })).status).toBe(200)
})
