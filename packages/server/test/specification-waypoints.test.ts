import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStage, type Stage } from '@openfountain/testing/server/stage'

/** More of docs/specification.md about waypoints: lists, search, edits and deletions. */

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  stage.ask('GET', path, { headers })
const ids = async (query: string) =>
  ((await get(`/api/waypoints?${query}`)).body['waypoints'] as { id: number }[]).map(({ id }) => id)

describe('specification 3 and 4.1: waypoints', () => {
  beforeEach(async () => {
    await stage.made({
      name: 'Fiji',
      latitude: -17,
      longitude: 179,
      region: 'Fiji',
      drinkable: 'yes',
      maintainer: 'Town',
      amenities: ['tap', 'wheelchair'],
    })
    stage.pass(86_400_000)
    await stage.made({ name: 'Samoa', latitude: -14, longitude: -172, verified: true, amenities: ['spring'] })
  })

  test('the list narrows by each filter', async () => {
    for (const [query, found] of [
      ['', [1, 2, 3]],
      ['bbox=12,55,14,56', [1]],
      ['bbox=170,-20,-170,-10', [2, 3]],
      ['bbox=-180,-90,180,90', [1, 2, 3]],
      ['amenity=tap', [1, 2]],
      ['amenity=Water%20Tap&amenity=wheelchair', [2]],
      ['region=Lund', [1]],
      ['approved=true', [1]],
      ['verified=true', [3]],
      ['verified=false', [1, 2]],
      ['drinkable=yes', [2]],
      ['maintainer=Town', [2]],
      ['source=Nobody', []],
      ['license=ODbL-1.0&maintainer=Town', [2]],
      ['license=CC0-1.0', []],
      ['updatedSince=2026-05-02T00:00:00Z', [3]],
      ['updatedSince=2026-05-02', [3]],
      ['limit=2', [1, 2]],
      ['after=1&limit=1', [2]],
      ['near=-15,-175', [3, 2, 1]],
      ['near=-15,-175&limit=1', [3]],
      ['near=55.7,13.2&radius=1000', [1]],
      ['cacheBuster=7', [1, 2, 3]],
    ] as const)
      expect([query, await ids(query)]).toEqual([query, found])
  })

  test('refused queries are named by parameter and kind', async () => {
    for (const [query, code, path] of [
      ['?bbox=1,2,3,91', 'INVALID_COORDINATES', 'bbox'],
      ['?near=91,0', 'INVALID_COORDINATES', 'near'],
      ['?radius=5', 'INVALID_INPUT', 'radius'],
      ['?updatedSince=2026-02-30', 'INVALID_INPUT', 'updatedSince'],
      ['?limit=100001', 'INVALID_INPUT', 'limit'],
      ['?region=a&region=b', 'INVALID_INPUT', 'region'],
      ['/near-duplicates?lat=91&lng=13', 'INVALID_COORDINATES', 'lat'],
      ['/near-duplicates?lat=55&lng=1e1', 'INVALID_INPUT', 'lng'],
      ['/near-duplicates?lat=55&lng=13&name=%00', 'INVALID_INPUT', 'name'],
    ] as const) {
      const { status, body } = await get(`/api/waypoints${query}`)
      expect([query, status, body['code']]).toEqual([query, 400, code])
      expect(body['details']).toMatchObject({ issues: [{ path }] })
    }
  })

  test('Accept: application/geo+json gives a FeatureCollection', async () => {
    const response = await get('/api/waypoints?limit=1', { accept: 'application/geo+json' })
    expect(response.headers.get('content-type')).toBe('application/geo+json')
    expect(response.body).toMatchObject({
      type: 'FeatureCollection',
      license: 'ODbL-1.0',
      attribution: expect.stringContaining('ODbL-1.0'),
      features: [
        {
          type: 'Feature',
          id: 1,
          geometry: { type: 'Point', coordinates: [13.1929, 55.7029] },
          properties: { name: 'Market square', added_by: 'author', derived_tags: { man_made: 'water_tap' } },
        },
      ],
    })
    const none = await get('/api/waypoints?region=nowhere', { accept: 'application/geo+json' })
    expect(none.body['features']).toEqual([])
  })
})

describe('contributions: near duplicates', () => {
  test('are listed with the licence, and refuse a waypoint that is added unless one is near', async () => {
    const near = { name: 'Market Square', latitude: 55.70295, longitude: 13.1929 }
    const { body } = await get('/api/waypoints/near-duplicates?lat=55.70295&lng=13.1929&name=Market%20Square')
    expect(body['license']).toBe(stage.registry.license)
    expect(body['candidates']).toMatchObject([{ waypoint: { id: 1 }, metres: 5.6, score: 0.959 }])
    const add = (query: string) => stage.ask('POST', `/api/waypoints${query}`, { as: 'regular', body: near })
    const refused = await add('?unlessNear=30')
    expect(refused).toMatchObject({ status: 409, body: { code: 'DUPLICATE' } })
    expect(refused.body['details']).toEqual({ candidates: body['candidates'] })
    for (const query of ['?unlessNear=5', '']) expect((await add(query)).status).toBe(201)
  })
})
