import type { PlaceLookup } from '@openfountain/core'
import { readBoundaries } from './boundaries.ts'
import { countryOf } from './countries.ts'

/** Where places are found. */
export interface PlaceOptions {
  /** A GeoJSON file with boundaries, as `parseBoundaries` reads them. Default: none. */
  readonly regions?: string | undefined
}

/**
 * Returns a function that finds the place of a position: in the given boundaries, and else in the countries of the
 * world.
 *
 * @throws RegistryError INVALID_INPUT for a file that is not one of boundaries; errors of the file system
 * @example
 * const places = await placesIn()
 * places({ latitude: 47.37, longitude: 8.54 })?.country // 'CH'
 * const registry = await openRegistry({ database: ':memory:', places })
 */
export async function placesIn({ regions }: PlaceOptions = {}): Promise<PlaceLookup> {
  if (regions === undefined) return countryOf
  const { lookup } = await readBoundaries(regions)
  return (position) => {
    const given = lookup(position)
    if (given?.country !== undefined && given.subdivision !== undefined) return given
    const { country, subdivision } = countryOf(position) ?? {}
    const isThere = given?.country === undefined || given.country === country
    const merged = {
      ...(country !== undefined && { country }),
      ...(isThere && subdivision !== undefined && { subdivision }),
      ...given,
    }
    return Object.keys(merged).length === 0 ? undefined : merged
  }
}
