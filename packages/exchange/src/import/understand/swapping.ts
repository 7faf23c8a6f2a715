import type { Registry } from '@openfountain/core'
import { isLand } from './land.ts'

interface Place {
  readonly latitude: number
  readonly longitude: number
}

/** Rows that are looked at. */
const looked = 200

/**
 * Why latitude and longitude seem to be swapped, or undefined when nothing speaks for it: rows are beyond the
 * poles, or in the sea while they would be on land the other way round, or far from all that the registry knows
 * while they would be in its midst. Where the exchange leads from land to land, nothing can be suspected.
 *
 * @param beyond rows of the sample that are on Earth only when swapped
 */
export async function swapSuspicion(
  registry: Registry,
  places: readonly Place[],
  beyond: number,
): Promise<string | undefined> {
  if (beyond > 0 && beyond * 20 >= places.length) {
    return `${beyond} of ${places.length + beyond} rows have a latitude beyond the poles.`
  }
  const step = Math.max(1, Math.floor(places.length / looked))
  const sample = places.filter((_, index) => index % step === 0).slice(0, looked)
  const dry = sample.filter(({ latitude, longitude }) => isLand(latitude, longitude)).length
  const turned = sample.filter(
    ({ latitude, longitude }) => Math.abs(longitude) <= 90 && isLand(longitude, latitude),
  )
  if (dry * 10 <= sample.length && turned.length * 10 >= sample.length * 9 && sample.length > 0) {
    return `${sample.length - dry} of ${sample.length} rows lie in the sea; swapped, ${turned.length} are on land.`
  }
  let here = 0
  let swapped = 0
  for (const { latitude, longitude } of sample) {
    here += (await isNearKnown(registry, latitude, longitude)) ? 1 : 0
    swapped += (await isNearKnown(registry, longitude, latitude)) ? 1 : 0
  }
  if (here === 0 && swapped >= 3 && swapped * 2 > sample.length) {
    return `None of the rows is near a known fountain; swapped, ${swapped} of ${sample.length} are.`
  }
  return undefined
}

/** Within a quarter of a degree, about the size of a city. */
async function isNearKnown(registry: Registry, latitude: number, longitude: number): Promise<boolean> {
  if (Math.abs(latitude) > 89 || Math.abs(longitude) > 179) return false
  const bbox = [longitude - 0.25, latitude - 0.25, longitude + 0.25, latitude + 0.25] as const
  const found = await registry.waypoints.list({ bbox: [...bbox], limit: 1 })
  return found.length > 0
}
