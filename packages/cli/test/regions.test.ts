import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { workplace, type Workplace } from '@openfountain/testing/command/shell'

const fountains = ['id,name,latitude,longitude,region', 'a,Fontana,41.9,12.5,', 'b,Tap,51.51,-0.13,Soho']
const [west, south, east, north] = [12, 41, 13, 42]
const corners = [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]
const roma = {
  type: 'Feature',
  properties: { name: 'Roma', admin_level: '8', 'ISO3166-2': 'IT-62' },
  geometry: { type: 'Polygon', coordinates: [corners] },
}

const withFiles = (): Promise<Workplace> =>
  workplace({
    'f.csv': `${fountains.join('\n')}\n`,
    'r.geojson': JSON.stringify({ type: 'FeatureCollection', features: [roma] }),
  })
const cities = 'import f.csv --source Cities --license CC0-1.0'

const placesIn = ({ registry }: Workplace) =>
  registry(({ waypoints }) => Promise.all([1, 2].map((id) => waypoints.place(id))), { readOnly: true })

const soho = { country: 'GB', subdivision: 'GB-ENG' }
const inRoma = { country: 'IT', subdivision: 'IT-62', name: 'Roma' }

test('an import finds countries, regions assign the places in the file, and exports have both', async () => {
  const place = await withFiles()
  const { at, json } = place
  await json(cities)
  expect(await placesIn(place)).toEqual([{ country: 'IT' }, soho])
  const counts = { waypoints: 2, placed: 2, changed: 1 }
  const dry = await json('regions assign --regions r.geojson --dry-run')
  expect(dry).toEqual({ ...counts, dryRun: true })
  expect(await placesIn(place)).toEqual([{ country: 'IT' }, soho])
  const done = await json('regions assign', { env: { OPENFOUNTAIN_REGIONS: 'r.geojson' } })
  expect(done).toEqual({ ...counts, dryRun: false })
  expect(await placesIn(place)).toEqual([inRoma, soho])
  await json('export --out out --formats geojson --license CC0-1.0 --registry-license CC0-1.0')
  expect(JSON.parse(await readFile(at('out/waypoints.geojson'), 'utf8'))).toMatchObject({
    features: [
      { properties: { country: 'IT', subdivision: 'IT-62', place: 'Roma' } },
      { properties: { country: 'GB', subdivision: 'GB-ENG', region: 'Soho' } },
    ],
  })
})

test('an import with boundaries finds places at once, and what is wrong with boundaries is said before anything is written', async () => {
  const place = await withFiles()
  const wrong = await place.run(`${cities} --regions f.csv`)
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('f.csv is not JSON') as string })
  await place.json(`${cities} --regions r.geojson`)
  expect(await placesIn(place)).toEqual([inRoma, soho])
})
