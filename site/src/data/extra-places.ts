import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Bounds } from './region.ts'
import { SiteOptionError } from '../build/option-error.ts'

export interface ExtraPlace {
  readonly name: string
  readonly names: Readonly<Record<string, string>>
  readonly bounds: Bounds
  /** The country around it, where the file has it (ISO 3166-1). */
  readonly country?: string
  /** The code of a subdivision (ISO 3166-2). */
  readonly subdivision?: string
}

const Name = z.string().trim().min(1).max(200)
const Position = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)], z.unknown())

const Feature = z.object({
  properties: z.looseObject({ name: Name }, 'has no name'),
  geometry: z.object({ coordinates: z.array(z.unknown()).min(1) }, 'has no position'),
})

/** Reads places from GeoJSON: features with `name`, `name:de` and so on, `ISO3166-2` and `country`. @throws {SiteOptionError} */
export async function readExtraPlaces(file: string): Promise<ExtraPlace[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw refused(
      `must be a file that can be read (${error instanceof Error ? error.message : String(error)})`,
    )
  })
  return featuresIn(text.replace(/^\uFEFF/u, ''), file).map((feature, index) => {
    const parsed = Feature.safeParse(feature)
    const bounds = parsed.data && boundsOf(parsed.data.geometry.coordinates)
    if (parsed.data && bounds) return placeOf(parsed.data.properties, bounds)
    const what = parsed.error?.issues[0]
    const missing = what ? `no ${what.path.join('.')}` : 'no position in degrees'
    throw refused(`${needed}: feature ${index + 1} of ${file} has ${missing}`)
  })
}

function refused(expected: string): SiteOptionError {
  return new SiteOptionError({ code: 'INVALID', option: 'places', expected })
}

const needed = 'must be GeoJSON with features that have a name'

function featuresIn(text: string, file: string): readonly unknown[] {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw refused(`${needed}: ${file} is not JSON`)
  }
  const { data } = z.object({ features: z.array(z.unknown()) }).safeParse(json)
  if (!data) throw refused(`${needed}: ${file} has no features`)
  return data.features
}

/** The bounds of positions in lists of any depth; undefined when one of them is invalid. */
function boundsOf(coordinates: readonly unknown[]): Bounds | undefined {
  const isOne = typeof coordinates[0] === 'number'
  if (isOne) {
    const { data } = Position.safeParse(coordinates)
    return data && [data[0], data[1], data[0], data[1]]
  }
  let found: Bounds | undefined
  for (const inner of coordinates) {
    const other = Array.isArray(inner) ? boundsOf(inner) : undefined
    if (!other) return undefined
    const [west, south, east, north] = found ?? other
    found = [
      Math.min(west, other[0]),
      Math.min(south, other[1]),
      Math.max(east, other[2]),
      Math.max(north, other[3]),
    ]
  }
  return found
}

function placeOf(
  properties: Readonly<Record<string, unknown>> & { readonly name: string },
  bounds: Bounds,
): ExtraPlace {
  const text = (...keys: readonly string[]): string | undefined =>
    keys.map((key) => properties[key]).find((value) => typeof value === 'string' && value.trim() !== '') as
      | string
      | undefined
  const subdivision = text('ISO3166-2', 'subdivision')?.trim().toUpperCase()
  const country =
    text('country', 'ISO3166-1', 'ISO3166-1:alpha2')?.trim().toUpperCase() ?? subdivision?.slice(0, 2)
  const names = Object.entries(properties).flatMap(([key, value]) => {
    const tag = /^name:([a-z]{2,3}(?:-[A-Za-z]{2,4})?)$/u.exec(key)?.[1]
    return tag !== undefined && typeof value === 'string' && value.trim() !== '' ? [[tag, value.trim()]] : []
  })
  return {
    name: properties.name,
    names: Object.fromEntries(names) as Record<string, string>,
    bounds,
    ...(country !== undefined && /^[A-Z]{2}$/u.test(country) && { country }),
    ...(subdivision !== undefined && /^[A-Z]{2}-[A-Z0-9]{1,3}$/u.test(subdivision) && { subdivision }),
  }
}

/** Names of subdivisions by code and language; the empty language is the local one. */
export function subdivisionNames(places: readonly ExtraPlace[]): Record<string, Record<string, string>> {
  const names: Record<string, Record<string, string>> = {}
  // Of places with the same code, the largest is the subdivision: a town may have the code of its subdivision.
  const areaOf = ({ bounds: [west, south, east, north] }: ExtraPlace): number =>
    (east - west) * (north - south)
  for (const place of places.toSorted((a, b) => areaOf(b) - areaOf(a))) {
    if (place.subdivision !== undefined) names[place.subdivision] ??= { '': place.name, ...place.names }
  }
  return names
}
