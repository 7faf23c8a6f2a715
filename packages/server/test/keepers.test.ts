import { token } from '@openfountain/core'
import { expect, test } from 'vitest'
import { serving } from '@openfountain/testing/server/stage'

test('keepers read what they keep with its reports, as long as they keep it', async () => {
  const stage = await serving()
  const { registry } = stage
  const maintainer = 'City of Lund'
  const id = stage.fountain.id
  await registry.waypoints.update(id, { maintainer }, token())
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
  await registry.waypoints.update(id, { maintainer: 'A club' }, token())
  expect(await kept()).toEqual([])
})
