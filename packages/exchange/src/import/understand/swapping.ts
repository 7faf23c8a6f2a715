import type { Registry } from '@openfountain/core'
import type { SwapEvidence } from '../read/refusal.ts'
import { isLand } from './land.ts'
import type { ReadWaypoint } from './waypoint-reading.ts'

/** Rows that are examined. */
const examined = 200

/**
 * The evidence that latitude and longitude are swapped, or undefined without any: rows are beyond the
 * poles, or in the sea and on land when swapped, or far from all waypoints of the registry and near them when
 * swapped. Where both readings are on land there is no evidence.
 *
 * @param beyond rows of the sample that are on Earth only when swapped
 */
export async function swapEvidence(
  registry: Registry,
  places: readonly Pick<ReadWaypoint, 'latitude' | 'longitude'>[],
  beyond: number,
): Promise<SwapEvidence | undefined> {
  if (beyond > 0 && beyond * 20 >= places.length) {
    return { evidence: 'beyond-pole', rows: beyond, of: places.length + beyond }
  }
  const step = Math.max(1, Math.floor(places.length / examined))
  const sample = places.filter((_, index) => index % step === 0).slice(0, examined)
  const of = sample.length
  const onLand = sample.filter(({ latitude, longitude }) => isLand(latitude, longitude)).length
  const onLandSwapped = sample.filter(
    ({ latitude, longitude }) => Math.abs(longitude) <= 90 && isLand(longitude, latitude),
  ).length
  if (onLand * 10 <= of && onLandSwapped * 10 >= of * 9 && of > 0)
    return { evidence: 'in-sea', rows: of - onLand, swapped: onLandSwapped, of }
  let near = 0
  let swapped = 0
  for (const { latitude, longitude } of sample) {
    near += (await isNearKnown(registry, latitude, longitude)) ? 1 : 0
    swapped += (await isNearKnown(registry, longitude, latitude)) ? 1 : 0
  }
  const isFar = near === 0 && swapped >= 3 && swapped * 2 > of
  return isFar ? { evidence: 'far-from-known', swapped, of } : undefined
}

/** The evidence as a sentence for people. */
export function evidenceText(given: SwapEvidence): string {
  switch (given.evidence) {
    case 'beyond-pole':
      return `${given.rows} of ${given.of} rows have a latitude beyond the poles.`
    case 'in-sea':
      return `${given.rows} of ${given.of} rows lie in the sea; swapped, ${given.swapped} are on land.`
    case 'far-from-known':
      return `None of the rows is near a known fountain; swapped, ${given.swapped} of ${given.of} are.`
  }
}

/** Within a quarter of a degree, about the size of a city. */
async function isNearKnown(registry: Registry, latitude: number, longitude: number): Promise<boolean> {
  if (Math.abs(latitude) > 89 || Math.abs(longitude) > 179) return false
  const bbox = [longitude - 0.25, latitude - 0.25, longitude + 0.25, latitude + 0.25] as const
  const found = await registry.waypoints.list({ bbox: [...bbox], limit: 1 })
  return found.length > 0
}
