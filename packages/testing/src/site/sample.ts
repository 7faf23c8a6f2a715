import { join } from 'node:path'
import { openRegistry, token, user, type Registry, type RegistryOptions } from '@openfountain/core'
import { exportRegistry, type RegistryExportOptions } from '@openfountain/exchange'
import { newFolder } from '../folder.ts'
import { sampleProperties, sampleValues } from '../sample-values.ts'
import { facts } from '../../../../site/src/data/facts.ts'

const regions = [
  { name: 'Linden Quarter', latitude: 55.705, longitude: 13.19 },
  { name: 'Old Harbour', latitude: 55.69, longitude: 13.155 },
  { name: 'Mill Hill', latitude: 55.72, longitude: 13.22 },
] as const
const places = ['Market Square', 'Chestnut Walk', 'Lower Bridge', 'School Lane', 'Rose Garden'] as const
const amenities = [
  ['tap', 'wheelchair'],
  ['bubbler'],
  ['bottle-filler', 'chilled', 'always-open'],
  ['spring', 'bench'],
] as const

const values = sampleValues('Mo-Su 06:00-22:00', 1)
const everyFact = {
  ...Object.fromEntries(facts.map(({ name }) => [name, values[name]])),
  properties: { height: 0.85, isHeated: true, inspectedBy: ['<b>Ada</b>', 'Béla'] },
}

/** 48 fountains of which one is deleted, four people, reviews and edits. The same every time. */
export async function exportSample({ waypoints = 48, out = '' } = {}): Promise<string> {
  let people = 0
  const ofSample = { properties: sampleProperties, ids: () => `person-${(people += 1)}` }
  return exported(ofSample, { out, fictional: true, hours: 5 }, async (registry) => {
    if (waypoints === 0) return
    const names = ['Ada Brook', 'Béla Quell', 'Chen Wells', 'Dora Rill']
    const contributors: { readonly id: string }[] = []
    for (const [index, name] of names.entries())
      contributors.push(await registry.users.create({ name, xp: 40 + index * 10 }))
    const actor = (index: number) => user(contributors[index % contributors.length]?.id ?? '')
    for (let index = 0; index < waypoints; index += 1) {
      const region = regions[index % regions.length] ?? regions[0]
      const { id } = await registry.waypoints.create(
        {
          ...(index === 1 && everyFact),
          name: `${places[index % places.length]} ${1 + Math.floor(index / places.length)}`,
          latitude: region.latitude + Math.sin(index * 7) * 0.012,
          longitude: region.longitude + Math.cos(index * 5) * 0.018,
          amenities: [...(amenities[index % amenities.length] ?? [])],
          description: 'Beside the path, in the shade of a lime tree.',
          maintainer: 'Lindenau Waterworks',
          ...(index % 7 !== 0 && { region: region.name }),
          ...(index % 5 === 0 && { image: 'https://photos.example/fountain.jpg' }),
        },
        actor(index),
      )
      if (index % 3 === 0) await registry.waypoints.update(id, { verified: true, approved: true }, token())
      if (index % 4 === 0)
        await registry.waypoints.update(id, { description: 'By the gate.' }, actor(index + 1))
      const review = { bubblerId: id, rating: 3 + (index % 3), comment: 'Cold and clear.' }
      if (index % 2 === 0) await registry.reviews.create(review, actor(index + 2))
    }
    await registry.waypoints.delete(3, token())
  })
}

/** Writes into an empty registry with a clock that advances by hours, and exports it. @returns the folder */
export async function exported(
  options: Partial<RegistryOptions>,
  { out = '', hours = 1, ...how }: Partial<RegistryExportOptions> & { readonly hours?: number },
  write: (registry: Registry) => Promise<unknown>,
): Promise<string> {
  let now = Date.parse('2026-01-05T08:00:00Z')
  const registry = await openRegistry({
    database: ':memory:',
    name: 'Lindenau Fountains',
    author: 'Lindenau Water Friends',
    clock: () => new Date((now += 3_600_000 * hours)),
    ...options,
  })
  try {
    await write(registry)
    const { folder } = await exportRegistry(registry, { out: out || join(newFolder(), 'export'), ...how })
    return folder
  } finally {
    await registry.close()
  }
}
