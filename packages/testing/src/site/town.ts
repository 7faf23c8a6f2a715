import { token, user, type RegistryOptions } from '@openfountain/core'
import { exported } from './sample.ts'

export const square = { latitude: 55.705, longitude: 13.19 }

export const hostileName =
  '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>'

export const harbour = {
  name: 'Harbour works',
  note: 'Closed until autumn.',
  latitude: 55.69,
  longitude: 13.15,
}

/** Fountains on a road to the north of the square, one every 200 m or so, from near to far. */
export const road = Array.from({ length: 8 }, (_, step) => ({
  name: `North Road ${step + 1}`,
  latitude: square.latitude + 0.0018 * (step + 1),
  longitude: square.longitude,
}))

export const total = 60
export const taps = 20

export const village = Array.from({ length: total - road.length - 3 }, (_, place) => ({
  latitude: 55.72 + Math.sin(place * 7) * 0.01,
  longitude: 13.4 + Math.cos(place * 5) * 0.015,
}))

/** The road, the square, a hostile name, one beyond the antimeridian, the rest in a village in the east. */
export async function exportTown(
  options: Pick<RegistryOptions, 'properties'> = {},
  out = '',
): Promise<string> {
  return exported({ ids: () => 'ada', ...options }, { out }, async (registry) => {
    const { id: ada } = await registry.users.create({ name: 'Ada Brook', xp: 100 })
    const named = [
      { name: 'Market Square', ...square, amenities: ['bubbler', 'wheelchair'], region: 'Linden Quarter' },
      ...road.map((one) => ({ ...one, amenities: ['spring'], region: 'North' })),
      { name: hostileName, latitude: 55.695, longitude: 13.21, amenities: ['well'], region: '<b>South</b>' },
      { name: 'Taveuni Tap', latitude: -16.8, longitude: 179.98, amenities: ['tap'], region: 'Fiji' },
    ]
    const pumps = village.map((at, place) => ({
      name: `Village Pump ${place + 1}`,
      ...at,
      amenities: place < taps - 1 ? ['tap', 'dog-bowl'] : ['hand-pump'],
      region: 'Åkerby',
    }))
    for (const [place, input] of [...named, ...pumps].entries()) {
      const { id } = await registry.waypoints.create(input, user(ada))
      if (place % 2 === 0) await registry.waypoints.update(id, { verified: true, approved: true }, token())
      if (place === 0) {
        await registry.reviews.create({ bubblerId: id, rating: 4, comment: 'Cold and clear.' }, user(ada))
      }
    }
    const { latitude, longitude, name, note } = harbour
    const ring = [-1, 1, 1, -1, -1].map((side, corner) => [
      longitude + side * 0.01,
      latitude + ([2, 3].includes(corner) ? 0.005 : -0.005),
    ])
    await registry.areas.create({ name, description: note, coordinates: [ring] }, token())
  })
}
