import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { openRegistry, token } from '@openfountain/core'
import { filterNames } from '@openfountain/core/internal'
import { createApp } from '@openfountain/server'
import { temporaryFolder } from '@openfountain/testing/registry'
import { exportRegistry } from '@openfountain/exchange'
import { expect, test } from 'vitest'
import { whereOf } from '../src/commands/export.ts'

const filters: Readonly<Record<string, string>> = {
  name: 'Old well',
  description: 'Beside the church',
  season: '04-01/10-31',
  openingHours: '24/7',
  image: 'https://example.org/well.jpg',
  maintainer: 'City of Lund',
  addedByUserId: 'ada',
  createdAt: '',
  updatedAt: '',
  id: '2',
  bbox: '13,55,13.15,56',
  amenity: 'bench',
  region: 'Lund',
  country: 'se',
  subdivision: 'SE-M',
  approved: 'true',
  verified: 'true',
  drinkable: 'no',
  access: 'private',
  keeper: 'ada',
  source: 'City of Malmö',
  license: 'CC0-1.0',
  status: 'broken,gone',
  usable: 'false',
  updatedSince: '',
  updatedUntil: '',
}
const timed = new Set(['createdAt', 'updatedAt', 'updatedSince', 'updatedUntil'])

const route = {
  type: 'LineString',
  coordinates: [
    [13, 55.7],
    [13.3, 55.7],
  ],
}

const stage = await opened()

async function opened() {
  let seconds = 0
  const registry = await openRegistry({
    database: ':memory:',
    clock: () => new Date(Date.UTC(2026, 0, 1, 0, 0, ++seconds)),
    places: ({ longitude }) =>
      longitude < 13.15 ? { country: 'SE', subdivision: 'SE-M', name: 'Lund' } : { country: 'DK' },
  })
  const at = { latitude: 55.7, longitude: 13.2 }
  await registry.users.create({ id: 'ada', name: 'Ada' })
  await registry.waypoints.create({ name: 'Plain', ...at }, token())
  const full = await registry.waypoints.create(
    {
      name: 'Old well',
      description: 'Beside the church',
      latitude: 55.7,
      longitude: 13.1,
      season: '04-01/10-31',
      openingHours: '24/7',
      image: 'https://example.org/well.jpg',
      maintainer: 'City of Lund',
      region: 'Lund',
      amenities: ['bench', 'tap'],
      drinkable: 'no',
      access: 'private',
      approved: true,
      verified: true,
      addedByUserId: 'ada',
    },
    token(),
  )
  const run = await registry.imports.start({ source: { name: 'City of Malmö', license: 'CC0-1.0' } })
  await run.apply([{ row: 1, ref: 'M-1', input: { name: 'Malmö', ...at } }])
  await run.finish({ counts: {}, missing: 'keep' })
  const broken = await registry.waypoints.create({ name: 'Broken', ...at }, token())
  await registry.observations.create({ bubblerId: broken.id, kind: 'broken' }, token())
  await registry.users.setKeeper('ada', { source: 'City of Malmö' }, true)
  return { registry, app: createApp(registry), time: full.updatedAt }
}

const idsIn = (entries: readonly { readonly id: number }[]) => entries.map(({ id }) => id)

test('has a value for each filter', () => {
  expect(Object.keys(filters).toSorted()).toEqual(filterNames.toSorted())
})

test.each(Object.keys(filters))(
  '%s leaves the same in lists, features, along routes, by the command and in exports',
  async (name) => {
    const { registry, app, time } = stage
    const value = timed.has(name) ? time : (filters[name] ?? '')
    const query = new URLSearchParams([[name, value]]).toString()
    const asked = async <Body>(path: string, init?: RequestInit): Promise<Body> => {
      const response = await app.fetch(new Request(`http://fountains.test${path}`, init))
      expect([path, response.status]).toEqual([path, 200])
      return (await response.json()) as Body
    }
    type Listed = { readonly id: number }[]
    const ids = idsIn((await asked<{ waypoints: Listed }>(`/api/waypoints?${query}`)).waypoints)
    expect(ids.length).toBeGreaterThan(0)
    expect(ids.length).toBeLessThan(4)
    const features =
      { updatedSince: `datetime=${time}/..`, updatedUntil: `datetime=../${time}` }[name] ?? query
    const items = await asked<{ features: Listed }>(`/ogc/collections/waypoints/items?${features}`)
    expect(idsIn(items.features)).toEqual(ids)
    if (name !== 'bbox') {
      const body = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(route),
      }
      const { waypoints } = await asked<{ waypoints: { waypoint: { id: number } }[] }>(
        `/api/waypoints/along?within=1000&${query}`,
        body,
      )
      expect(idsIn(waypoints.map(({ waypoint }) => waypoint)).toSorted()).toEqual(ids)
    }
    const where = await whereOf([`${name}=${value}`])
    expect(idsIn(await registry.waypoints.list(where))).toEqual(ids)
    const out = path.join(await temporaryFolder(), name)
    await exportRegistry(registry, { out, formats: ['ndjson'], where })
    const lines = gunzipSync(await readFile(path.join(out, 'waypoints.ndjson.gz')))
      .toString()
      .trim()
      .split('\n')
    expect(idsIn(lines.map((line) => JSON.parse(line) as { id: number }))).toEqual(ids)
  },
)
