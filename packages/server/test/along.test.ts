import { expect, test } from 'vitest'
import { stageOfFile } from '@openfountain/testing/server/stage'

const stage = await stageOfFile()
await stage.made({ name: 'Spring & <well>', longitude: 13.2, latitude: 55.7 })

const route = {
  type: 'LineString',
  coordinates: [
    [13.21, 55.7],
    [13.18, 55.703],
  ],
} as const
const gpx = `<gpx><trk>${route.coordinates.map(([lon, lat]) => `<trkpt lat="${lat}" lon="${lon}"/>`).join('')}</trk></gpx>`
const path = '/api/waypoints/along'
const names = ({ body }: { body: Record<string, unknown> }) =>
  (body['waypoints'] as { waypoint: { name: string } }[]).map(({ waypoint }) => waypoint.name)

test('waypoints along a route come in its order, from GeoJSON and from GPX, filtered as lists are', async () => {
  const found = await stage.ask('POST', path, { body: route })
  expect(names(found)).toEqual(['Spring & <well>', 'Market square'])
  const headers = { 'content-type': 'application/gpx+xml' }
  expect((await stage.ask('POST', path, { body: gpx, headers })).text).toBe(found.text)
  expect(names(await stage.ask('POST', `${path}?region=Lund`, { body: route }))).toEqual(['Market square'])
  expect(names(await stage.ask('POST', `${path}?within=20`, { body: route }))).toEqual([])
})

test('they come as GeoJSON and GPX by format or Accept', async () => {
  const features = await stage.ask('POST', `${path}?format=geojson`, { body: route })
  expect(features.headers.get('content-type')).toBe('application/geo+json')
  expect(features.body).toMatchObject({ type: 'FeatureCollection', license: 'ODbL-1.0' })
  const points = await stage.ask('POST', path, { body: route, headers: { accept: 'application/gpx+xml' } })
  expect(points.text).toMatch(
    /<wpt lat="55\.7" lon="13\.2"><name>Spring &amp; &lt;well&gt;<\/name><desc>0\.\d km/u,
  )
})

test('a route that is none, or too far from its beginning, is refused with its remedy', async () => {
  for (const body of [{}, { polyline: 'x' }, { type: 'LineString', coordinates: [[200, 0]] }])
    expect((await stage.ask('POST', path, { body })).status).toBe(400)
  const headers = { 'content-type': 'application/gpx+xml' }
  expect((await stage.ask('POST', path, { body: '<gpx/>', headers })).status).toBe(400)
  expect((await stage.ask('POST', path, { body: 'x'.repeat(66_000), headers })).status).toBe(413)
  expect((await stage.ask('POST', '/api/waypoints', { as: 'token', body: gpx, headers })).status).toBe(415)
})
