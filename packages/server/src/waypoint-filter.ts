import type { WaypointFilterInput } from '@openfountain/core'
import {
  type ComparedField,
  type Field,
  forEachCompared,
  sourceFields,
  waypointFields,
} from '@openfountain/core/fields'
import { limits, pages } from '@openfountain/core/rules'
import { waypointStates } from '@openfountain/core/status'
import { z } from 'zod'
import {
  boundingBox,
  flag,
  instant,
  integer,
  metres,
  oneOf,
  placeCode,
  position,
  readQuery,
  repeated,
  someOf,
  words,
} from './endpoint.ts'
import { malformed } from './problem.ts'

const halfTheEarthMetres = 20_100_000

/** A field that is this text, or one of its words. */
function comparison(name: ComparedField): z.ZodOptional<z.ZodType<string, string>> {
  const { type, values, maxLength = limits.imageUrl }: Field = waypointFields[name]
  const description = `Only those whose \`${name}\` is this`
  if (values !== undefined) return oneOf(values, description).optional()
  return type === 'time' ? instant(description).optional() : words(maxLength, description).optional()
}

/** The parameters by which waypoints are filtered, wherever that is. */
export const Narrowing = z.object({
  ...forEachCompared(comparison),
  id: integer({ min: 1 }, 'Only this one').optional(),
  bbox: boundingBox(
    'Only inside west,south,east,north in degrees; west beyond east crosses the antimeridian',
  ).optional(),
  near: position('Nearest to latitude,longitude in degrees first').optional(),
  radius: metres(halfTheEarthMetres, 'Only within so many metres of `near`').optional(),
  amenity: repeated(
    limits.amenities,
    words(limits.amenity, 'An amenity'),
    'Only with this amenity; with all of them when given several times',
  ).optional(),
  region: words(
    limits.region,
    'Only in this region: the one that was given, or the place around those without one',
  ).optional(),
  country: placeCode('country', 'Only in this country, by its position: ISO 3166-1 alpha-2').optional(),
  subdivision: placeCode(
    'subdivision',
    'Only in this part of a country, by its position: ISO 3166-2',
  ).optional(),
  approved: flag('Only approved ones, or only others').optional(),
  verified: flag('Only verified ones, or only others').optional(),
  drinkable: oneOf(waypointFields.drinkable.values, 'Only those whose water is declared so').optional(),
  source: words(limits.sourceName, 'Only from the source of this name').optional(),
  license: words(
    sourceFields.license.maxLength,
    "Only under this licence: that of a source, or the registry's for those without one",
  ).optional(),
  access: oneOf(waypointFields.access.values, 'Only those that these may use').optional(),
  status: someOf(
    [...waypointStates, 'usable'],
    'Only those that are one of these today, joined by commas; `usable` alone is the same as usable=true',
  ).optional(),
  usable: flag(
    'Only those that are neither out of order, off, gone, private, nor declared not to be drinking water; or only others',
  ).optional(),
  keeper: words(limits.userId, 'Only those that the user with this id keeps').optional(),
  updatedSince: instant('Only changed at this time or later').optional(),
  updatedUntil: instant('Only changed at this time or earlier').optional(),
  limit: integer({ min: 1, max: pages.waypoints.max }, 'How many; all when not given').optional(),
  after: integer({}, 'Only with a greater id, to go through the list in pages').optional(),
})

type Area = Pick<z.output<typeof Narrowing>, 'bbox' | 'near' | 'radius'>

/** A query with its area as the registry has it. */
export function areaOf<Query extends Area>({ bbox, near, radius, ...rest }: Query) {
  if (radius !== undefined && near === undefined) throw malformed('radius', 'needs near=latitude,longitude')
  const box: [number, number, number, number] | undefined = bbox && [
    bbox.west,
    bbox.south,
    bbox.east,
    bbox.north,
  ]
  return { ...rest, ...(box && { bbox: box }), ...(near && { near: { ...near, radius } }) }
}

export function filterOf({ status, ...query }: z.output<typeof Narrowing>): WaypointFilterInput {
  const states = status?.filter((state) => state !== 'usable')
  if (status !== undefined && states?.length !== status.length && status.length > 1)
    throw malformed('status', 'takes `usable` alone, not with others')
  return { ...areaOf(query), ...(states?.length === 0 ? { usable: true } : { status: states }) }
}

/** The filter that parameters of the API say. @throws an error whose message names the parameter */
export const filterFrom = (
  parameters: readonly (readonly [name: string, value: string])[],
): WaypointFilterInput =>
  filterOf(
    readQuery(
      Narrowing,
      `?${new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value]))}`,
      true,
    ),
  )
