import { openRegistry, token } from '@openfountain/core'
import { expect, test, afterAll } from 'vitest'
import { distanceMetres } from '../src/places/geodesy.ts'
import { routeIn } from '../src/places/route.ts'

const registry = await openRegistry({ database: ':memory:', durability: 'relaxed' })
const made = (name: string, longitude: number, latitude: number) =>
  registry.waypoints.create({ name, longitude, latitude }, token())
await made('at the end', 8.6, 47.0005)
await made('half way', 8.55, 47.001)
await made('too far', 8.55, 47.01)
await made('before the start', 8.499, 47)
await made('across the antimeridian', -179.99, -17.001)
await made('at the pole', 100, 89.9995)
afterAll(() => registry.close())

const names = async (...[route, options]: Parameters<typeof registry.waypoints.along>) =>
  (await registry.waypoints.along(route, options)).map(({ waypoint }) => waypoint.name)

test('come in the order of the route, within 200 m, with their distances', async () => {
  const found = await registry.waypoints.along([
    [8.5, 47],
    [8.6, 47],
  ])
  expect(found.map(({ waypoint }) => waypoint.name)).toEqual(['before the start', 'half way', 'at the end'])
  const [before, half] = found
  expect(before).toMatchObject({ along: 0, off: 75.8 })
  // The great circle runs 1.2 m north of the parallel in its middle: the parallel is no shortest way.
  expect(half?.off).toBeCloseTo(111.2 - 1.2, 0)
  expect(half?.along).toBeCloseTo(3791.7, 0)
})

test('come once, where the route passes nearest, also where it goes there and back', async () => {
  const [half] = await registry.waypoints.along(
    [
      [8.54, 47],
      [8.56, 47],
      [8.54, 47.0015],
    ],
    { name: 'half way' },
  )
  expect(half?.off).toBeLessThan(60)
  expect(half?.along).toBeGreaterThan(1518)
})

test('are found across the antimeridian, at a pole, and at a single point', async () => {
  const acrossFiji = [
    [179.9, -17],
    [-179.9, -17],
  ] as const
  expect(await names(acrossFiji)).toEqual(['across the antimeridian'])
  const acrossThePole = [
    [0, 89.99],
    [180, 89.99],
  ] as const
  expect(await names(acrossThePole)).toEqual(['at the pole'])
  expect(await names([[8.6, 47]])).toEqual(['at the end'])
})

test('are those of every place of a route, as measured at points that lie a few metres apart', async () => {
  const random = (seed: number): number => (Math.sin(seed * 12.9898) * 43_758.5453) % 1
  const route = Array.from({ length: 100 }, (_, index): [number, number] => [
    20 + index / 100 + random(index) / 200,
    50 + Math.sin(index / 20) / 10,
  ])
  for (let index = 0; index < 150; index++)
    await made(`random ${index}`, 20 + Math.abs(random(index + 500)), 50 + random(index + 900) / 9)
  const dense = route.flatMap(([x, y], index) => {
    const [nextX, nextY] = route[index + 1] ?? [x, y]
    return Array.from({ length: 100 }, (_, step) => ({
      longitude: x + ((nextX - x) * step) / 100,
      latitude: y + ((nextY - y) * step) / 100,
    }))
  })
  const all = await registry.waypoints.list({ bbox: [19, 49, 23, 51] })
  const near = all.filter((each) => dense.some((place) => distanceMetres(place, each) < 999))
  const found = await registry.waypoints.along(route, { within: 1000 })
  expect(found.length).toBeGreaterThan(10)
  expect(near.filter(({ id }) => !found.some(({ waypoint }) => waypoint.id === id))).toEqual([])
  for (const { waypoint, off } of found) {
    const measured = Math.min(...dense.map((place) => distanceMetres(place, waypoint)))
    expect(Math.abs(measured - off)).toBeLessThan(4)
  }
  expect(found.map(({ along }) => along)).toEqual(found.map(({ along }) => along).toSorted((a, b) => a - b))
})

test('a route is GPX, GeoJSON or an encoded polyline, and other things are refused', async () => {
  const track =
    '<gpx><wpt lat="1" lon="1"/><trk><trkpt lat="47" lon="8.5"/><trkpt lon=\'8.6\' lat=\'47.1\'/></trk></gpx>'
  expect(routeIn(track)).toEqual([
    [8.5, 47],
    [8.6, 47.1],
  ])
  const line = { type: 'LineString', coordinates: [[8.5, 47, 400]] }
  expect(routeIn({ type: 'FeatureCollection', features: [{ type: 'Feature', geometry: line }] })).toEqual([
    [8.5, 47],
  ])
  // The example of the format's description.
  expect(routeIn({ polyline: '_p~iF~ps|U_ulLnnqC_mqNvxq`@' })).toEqual([
    [-120.2, 38.5],
    [-120.95, 40.7],
    [-126.453, 43.252],
  ])
  for (const wrong of [
    '',
    '<gpx/>',
    {},
    { polyline: '\u0001' },
    { type: 'LineString', coordinates: [[181, 0]] },
  ])
    expect(() => routeIn(wrong)).toThrow(/route|polyline/u)
  await expect(registry.waypoints.along([[8, 47]], { within: 2001 })).rejects.toThrow(/within/u)
  const around = Array.from({ length: 40 }, (_, index): [number, number] => [index % 2 === 0 ? 0 : 90, 0])
  await expect(registry.waypoints.along(around)).rejects.toThrow(/5000 km/u)
})
