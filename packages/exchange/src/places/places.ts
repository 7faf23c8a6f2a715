import type { PlaceLookup, WaypointPlace } from '@openfountain/core'
import { readBoundaries } from './boundaries.ts'
import { createRequire } from 'node:module'

export interface PlaceOptions {
  /** A GeoJSON file with boundaries, as `parseBoundaries` reads them. Default: none. */
  readonly regions?: string | undefined
}

/**
 * Returns a function that finds the place of a position: in the given boundaries, and else in the countries of the world.
 *
 * @throws RegistryError INVALID_INPUT for a file that is not one of boundaries; errors of the file system
 * @example
 * const places = await placesIn()
 * places({ latitude: 47.37, longitude: 8.54 })?.country // 'CH'
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

type CountryCoder = typeof import('@rapideditor/country-coder')
type Region = ReturnType<CountryCoder['featuresContaining']>[number]['properties']

/** Loaded with the first position: it holds the borders of the world, and takes a moment. */
let loaded: CountryCoder | undefined
const load = (): CountryCoder =>
  (loaded ??= createRequire(import.meta.url)('@rapideditor/country-coder') as CountryCoder)

const subdivisionCode = /^[A-Z]{2}-[A-Z0-9]{1,3}$/u

/** Levels that may have a code of their own, from the smallest; of the regions, Antarctica. */
const levels: ReadonlySet<string> = new Set(['subterritory', 'territory', 'country', 'region'])

function placeOf(around: readonly Region[]): WaypointPlace | undefined {
  const official = around.find(({ iso1A2, isoStatus }) => iso1A2 !== undefined && isoStatus === 'official')
  // Kosovo has a code that is in general use, but not of the standard.
  const country = official?.iso1A2 ?? around.findLast(({ iso1A2 }) => iso1A2 !== undefined)?.iso1A2
  if (country === undefined) return undefined
  const subdivision = around
    .flatMap(({ aliases = [] }) => aliases)
    // Where a territory has a code of its own in both parts of the standard, that of the country says everything.
    .find((alias) => subdivisionCode.test(alias) && alias.startsWith(`${country}-`))
  return { country, subdivision }
}

/**
 * The countries of the world by @rapideditor/country-coder, with the code of each territory that has one, and as
 * subdivisions those that its borders know: the parts of the United Kingdom, Alaska and Hawaii, islands and exclaves.
 */
export const countryOf: PlaceLookup = ({ longitude, latitude }) => {
  const around = load().featuresContaining([longitude, latitude])
  return placeOf(around.map(({ properties }) => properties).filter(({ level }) => levels.has(level)))
}
