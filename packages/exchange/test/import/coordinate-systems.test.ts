import proj4 from 'proj4'
import { describe, expect, test } from 'vitest'
import { emptyRegistry, feature, geojson, importContent, imported } from './fixture.ts'

const berlin = { longitude: 13.4, latitude: 52.52 }

function metres(code: string): [number, number] {
  const definitions: Record<string, string> = {
    'EPSG:3857': 'EPSG:3857',
    'EPSG:25833': '+proj=utm +zone=33 +ellps=GRS80 +units=m',
    'EPSG:32633': '+proj=utm +zone=33 +datum=WGS84 +units=m',
    'EPSG:32733': '+proj=utm +zone=33 +south +datum=WGS84 +units=m',
    'EPSG:26910': '+proj=utm +zone=10 +ellps=GRS80 +units=m',
  }
  const from: [number, number] =
    code === 'EPSG:32733' ? [16.37, -22.57] : code === 'EPSG:26910' ? [-123.1, 49.25] : [13.4, 52.52]
  const [x = 0, y = 0] = proj4('EPSG:4326', definitions[code] ?? code, from)
  return [x, y]
}

function declared(crs: string, ...features: object[]): string {
  return JSON.stringify({
    type: 'FeatureCollection',
    crs: { type: 'name', properties: { name: crs } },
    features,
  })
}

describe('coordinate systems', () => {
  test.each([
    ['EPSG:3857', 13.4, 52.52],
    ['EPSG:25833', 13.4, 52.52],
    ['urn:ogc:def:crs:EPSG::25833', 13.4, 52.52],
    ['EPSG:32633', 13.4, 52.52],
    ['EPSG:32733', 16.37, -22.57],
    ['EPSG:26910', -123.1, 49.25],
    ['http://www.opengis.net/def/crs/EPSG/0/26910', -123.1, 49.25],
  ])('metres of %s, as the file declares them, become degrees', async (crs, longitude, latitude) => {
    const code = `EPSG:${/\d{4,5}$/u.exec(crs)?.[0]}`
    const { waypoints } = await imported(declared(crs, feature(...metres(code), { name: 'A' })))
    expect(waypoints[0]?.longitude).toBeCloseTo(longitude, 5)
    expect(waypoints[0]?.latitude).toBeCloseTo(latitude, 5)
  })

  test('the system of a CSV is the one that the caller gives', async () => {
    const [x, y] = metres('EPSG:25833')
    const { waypoints } = await imported(`name;Rechtswert;Hochwert\nA;${x};${y}\n`, { crs: 'EPSG:25833' })
    expect(waypoints[0]?.longitude).toBeCloseTo(berlin.longitude, 5)
  })

  test('the Swiss grid lands on Bern’s reference point', async () => {
    const { waypoints } = await imported('name;E_Koord;X;Y\nBern;x;2600000;1200000\n', { crs: 'EPSG:2056' })
    expect(waypoints[0]?.longitude).toBeCloseTo(7.438_632, 4)
    expect(waypoints[0]?.latitude).toBeCloseTo(46.951_083, 4)
  })

  test('degrees where metres are declared are believed, with a note', async () => {
    const { waypoints, report } = await imported(declared('EPSG:25833', feature(13.4, 52.52, { name: 'A' })))
    expect(waypoints[0]).toMatchObject(berlin)
    expect(report.notes).toEqual([{ code: 'DEGREES_BELIEVED', rows: 1, crs: 'EPSG:25833' }])
  })

  test('degrees where Web Mercator is declared are believed: as metres they would all lie at 0, 0', async () => {
    const { waypoints } = await imported(declared('EPSG:3857', feature(13.4, 52.52, { name: 'A' })))
    expect(waypoints[0]).toMatchObject(berlin)
  })

  test('metres where degrees are declared are believed when they can be one system alone, with a note', async () => {
    // Buenos Aires: no grid of the list and no zone of UTM has such numbers.
    const [x, y] = proj4('EPSG:4326', 'EPSG:3857', [-58.38, -34.6])
    const { waypoints, report } = await imported(
      declared('EPSG:4326', feature(x ?? 0, y ?? 0, { name: 'A' })),
    )
    expect(waypoints[0]?.longitude).toBeCloseTo(-58.38, 5)
    expect(waypoints[0]?.latitude).toBeCloseTo(-34.6, 5)
    expect(report.notes).toEqual([{ code: 'METRES_BELIEVED', rows: 1 }])
  })

  test('metres where degrees are declared use the file’s own system when the caller’s was wrong', async () => {
    const content = declared('EPSG:25833', feature(...metres('EPSG:25833'), { name: 'A' }))
    const { waypoints } = await imported(content, { crs: 'EPSG:4326' })
    expect(waypoints[0]?.longitude).toBeCloseTo(berlin.longitude, 5)
  })

  test('metres that can be several systems are refused with the remedy', async () => {
    const registry = await emptyRegistry()
    await expect(
      importContent(registry, geojson(feature(...metres('EPSG:25833'), { name: 'A' }))),
    ).rejects.toMatchObject({ code: 'CRS_UNKNOWN', message: expect.stringContaining('EPSG:25833') })
  })

  test('rows that are on Earth in no known system are refused one by one', async () => {
    const { report } = await imported(
      declared(
        'EPSG:25833',
        feature(...metres('EPSG:25833'), { name: 'A' }),
        feature(5e8, 5e8, { name: 'B' }),
      ),
    )
    expect(report.counts).toMatchObject({ created: 1, refused: 1 })
  })

  test('an unknown system is refused when the caller names it and noted when the file does', async () => {
    const registry = await emptyRegistry()
    const content = geojson(feature(13.4, 52.52, { name: 'A' }))
    await expect(importContent(registry, content, { crs: 'EPSG:99999' })).rejects.toMatchObject({
      code: 'CRS_UNKNOWN',
    })
    const { report } = await imported(declared('EPSG:99999', feature(13.4, 52.52, { name: 'A' })))
    expect(report.notes).toEqual([{ code: 'CRS_UNKNOWN', crs: 'EPSG:99999' }])
  })

  test('a place at the antimeridian stays there', async () => {
    const { waypoints } = await imported(
      geojson(feature(180, -16.8, { name: 'A' }), feature(-179.999, -16.8, { name: 'B' })),
    )
    expect(waypoints.map(({ longitude }) => longitude)).toEqual([180, -179.999])
  })
})

describe('swapped latitude and longitude', () => {
  const swapped = geojson(
    ...Array.from({ length: 10 }, (_, index) => feature(49.25 + index / 100, -123.1, { name: `B${index}` })),
  )

  test('are suspected when rows are beyond the poles', async () => {
    const registry = await emptyRegistry()
    await expect(importContent(registry, swapped)).rejects.toMatchObject({
      code: 'SWAPPED',
      details: { evidence: 'beyond-pole', rows: 10, of: 10 },
    })
  })

  test('are exchanged with the flag', async () => {
    const { waypoints } = await imported(swapped, { axes: 'swap' })
    expect(waypoints[0]).toMatchObject({ latitude: 49.25, longitude: -123.1 })
  })

  test.each([
    ['Paris', 48.86, 2.34],
    ['Berlin', 52.52, 13.4],
    ['London', 51.5, -0.12],
    ['New York', 40.71, -74.0],
    ['Stockholm', 59.33, 18.07],
  ])('are suspected when %s would lie in the sea', async (_, latitude, longitude) => {
    const rows = Array.from({ length: 5 }, (_, index) =>
      feature(latitude, longitude + index / 1000, { name: `B${index}` }),
    )
    await expect(importContent(await emptyRegistry(), geojson(...rows))).rejects.toMatchObject({
      code: 'SWAPPED',
      message: expect.stringContaining('in the sea'),
    })
  })

  test.each([
    ['Malta', 35.9, 14.51],
    ['Tenerife', 28.29, -16.63],
    ['the Azores', 37.74, -25.67],
    ['Honolulu', 21.31, -157.86],
    ['Mauritius', -20.16, 57.5],
    ['Singapore', 1.29, 103.85],
    ['Fiji', -16.8, 179.99],
  ])('are not suspected on the islands: %s', async (_, latitude, longitude) => {
    const { report } = await imported(geojson(feature(longitude, latitude, { name: 'A' })))
    expect(report.counts.created).toBe(1)
  })

  test('are suspected when the registry has fountains only at the swapped places', async () => {
    const registry = await emptyRegistry()
    const right = Array.from({ length: 5 }, (_, index) =>
      feature(12.5 + index / 100, 41.9, { name: `A${index}` }),
    )
    const wrong = Array.from({ length: 5 }, (_, index) =>
      feature(41.91, 12.5 + index / 100, { name: `B${index}` }),
    )
    await importContent(registry, geojson(...right))
    const other = { source: { name: 'Other', license: 'CC0-1.0' } }
    await expect(importContent(registry, geojson(...wrong), other)).rejects.toMatchObject({ code: 'SWAPPED' })
    const { counts } = await importContent(registry, geojson(...wrong), { ...other, axes: 'keep' })
    expect(counts.created).toBe(5)
  })
})
