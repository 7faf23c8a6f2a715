import { openRegistry } from '@openfountain/core'
import { expect, onTestFinished, test } from 'vitest'
import { sharedDatabase } from '@openfountain/testing/database'
import { openStage } from '@openfountain/testing/server/stage'

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
  for (const name of ['New name', 'Newer name']) {
    await other.waypoints.update(1, { name }, { kind: 'token' })
    const second = await stage.ask('GET', '/api/waypoints/1', held)
    expect([second.status, second.body['waypoint']]).toMatchObject([200, { name }])
  }
  const { token } = await other.tokens.create({ name: 'made elsewhere' })
  const bearer = { authorization: `Bearer ${token}` }
  expect((await stage.ask('GET', '/api/user', { headers: bearer })).status).toBe(200)
})
