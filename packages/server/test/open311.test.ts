import { token } from '@openfountain/core'
import { expect, test } from 'vitest'
import { serving } from '@openfountain/testing/server/stage'

test('specification 4.6: waypoints that give no water are open service requests, and closed ones once they work', async () => {
  const stage = await serving()
  const { registry } = stage
  const id = stage.fountain.id
  const { id: gone } = await stage.made({ name: 'Old oak' })
  const asked = async (query = '') => {
    const { status, body } = await stage.ask('GET', `/open311/v2/requests.json${query}`, {})
    expect(status).toBe(200)
    return body as unknown as readonly Record<string, unknown>[]
  }
  expect(await asked()).toEqual([])
  const say = (bubblerId: number, kind: 'works' | 'broken' | 'gone') =>
    registry.observations.create({ bubblerId, kind }, token())
  await registry.waypoints.update(id, { maintainer: 'City of Lund' }, token())
  await say(id, 'broken')
  await say(gone, 'gone')
  const { latitude, longitude, name } = await registry.waypoints.get(id)
  const request = {
    service_request_id: String(id),
    status: 'open',
    service_code: 'broken',
    description: name,
    agency_responsible: 'City of Lund',
    lat: latitude,
    long: longitude,
  }
  expect(await asked()).toMatchObject([request, { service_request_id: String(gone) }])
  expect(await asked('?service_code=gone')).toMatchObject([{ service_code: 'gone' }])
  expect(await asked('?status=closed')).toEqual([])
  expect(await asked('?end_date=2000-01-01')).toEqual([])
  expect(await asked('?page_size=1&page=2')).toHaveLength(1)
  await say(id, 'works')
  expect(await asked('?status=open')).toMatchObject([{ service_request_id: String(gone) }])
  expect(await asked('?status=closed')).toMatchObject([
    { ...request, status: 'closed', status_notes: 'It works' },
  ])
  expect(await asked(`?service_request_id=${id},999`)).toHaveLength(1)
  const one = await stage.ask('GET', `/open311/v2/requests/${id}.json`, {})
  expect(one.body).toMatchObject([{ status: 'closed' }])
  for (const [path, status] of [
    ['requests/999.json', 404],
    ['requests/1', 400],
    ['requests.json?status=lost', 400],
    ['requests.json?service_request_id=a', 400],
    ['nothing', 404],
  ] as const) {
    const { status: code, body } = await stage.ask('GET', `/open311/v2/${path}`, {})
    expect([path, code, body]).toMatchObject([path, status, [{ code: status }]])
  }
  await registry.waypoints.delete(gone, token())
  expect(await asked()).toMatchObject([{ status: 'closed' }])
})
