import { token } from '@openfountain/core'
import { openStage } from '@openfountain/testing/server/stage'
import { expect, onTestFinished, test } from 'vitest'

test('keepers read what they keep with its reports, and set its season; a fountain that moved on is refused', async () => {
  const stage = await openStage()
  onTestFinished(() => stage.close())
  const { registry } = stage
  const maintainer = 'City of Lund'
  const id = stage.fountain.id
  await registry.waypoints.update(id, { maintainer }, token())
  const { id: other } = await stage.made({ name: 'Old oak' })
  await registry.users.setKeeper('newcomer', { maintainer }, true)
  await stage.ask('POST', '/api/reports', {
    as: 'regular',
    body: { bubblerId: id, reason: 'wrong', comment: 'It leaks' },
  })
  const kept = async (query = '', as: 'newcomer' | 'regular' = 'newcomer') =>
    (await stage.ask('GET', `/api/user/fountains${query}`, { as })).body['fountains']
  const reports = [{ reason: 'wrong', comment: 'It leaks' }]
  expect(await kept()).toMatchObject([{ waypoint: { id }, status: {}, reports, photos: [] }])
  expect(JSON.stringify(await kept())).not.toContain('Name of regular')
  expect(await kept('', 'regular')).toEqual([])
  expect(await kept('?faults=true')).toEqual([])
  const broken = { bubblerId: id, kind: 'broken' }
  const said = await stage.ask('POST', '/api/observations', { as: 'newcomer', body: broken })
  expect(said.body).toMatchObject({ observation: { authority: 'keeper' }, status: { state: 'broken' } })
  expect(await kept('?faults=true')).toMatchObject([{ waypoint: { id }, status: { state: 'broken' } }])
  const season = (ids: readonly number[]) =>
    stage.ask('POST', '/api/waypoints/season', {
      as: 'newcomer',
      body: { ids, season: '04-15/10-31', reason: 'Winter' },
    })
  expect(await season([id, other])).toMatchObject({
    status: 403,
    body: { code: 'FORBIDDEN', details: { ids: [other] } },
  })
  expect(await season([id])).toMatchObject({ status: 200, body: { changed: [id] } })
  await registry.waypoints.update(id, { maintainer: 'A club' }, token())
  expect(await season([id])).toMatchObject({ status: 403, body: { details: { ids: [id] } } })
  expect(await kept()).toEqual([])
  for (const [method, path, body] of [
    ['POST', `/api/waypoints/${id}/restore`, { reason: 'No' }],
    ['DELETE', `/api/waypoints/${id}`, {}],
    ['POST', '/api/users/regular/block', { reason: 'No' }],
    ['GET', '/api/moderation/queue?kind=reported', undefined],
  ] as const)
    expect((await stage.ask(method, path, { as: 'newcomer', body })).status).toBe(403)
})
