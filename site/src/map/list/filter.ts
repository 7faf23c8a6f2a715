import type { IconName } from '../../build/icons.ts'
import type { CellEntry, CellIndex, CellPoint } from '../data/cell.ts'

interface Check {
  readonly icon: IconName
  readonly matches: (fountain: CellPoint) => boolean
}

/**
 * On-off filters in the order of the form: each is a checkbox there, `NAME=1` in addresses and one bit of each cell.
 * `map.only` of the languages has their labels.
 */
export const checks = {
  works: { icon: 'works', matches: ({ state }) => state === 'works' },
  verified: { icon: 'verified', matches: ({ verified }) => verified },
} as const satisfies Record<string, Check>

export type CheckName = keyof typeof checks

/** In the order of {@link checks}. */
export const checkNames = Object.keys(checks) as readonly CheckName[]

/** Conditions for fountains; an empty filter matches all. */
export interface Filter extends Readonly<Record<CheckName, boolean>> {
  /** Keys of the vocabulary; a fountain must have every one. */
  readonly amenities: readonly string[]
  /** Name of a region as the fountains have it, or of the place around those without one. */
  readonly region?: string
}

const unchecked = Object.fromEntries(checkNames.map((name) => [name, false])) as Record<CheckName, boolean>

/** Matches every fountain. */
export const noFilter: Filter = { amenities: [], ...unchecked }

const maxAmenities = 32
const maxRegionLength = 200

/**
 * Reads the filter of an address or a form: `amenity`, which may be repeated, checks such as `verified=1`, and
 * `region`. Invalid values are ignored.
 */
export function readFilter(query: URLSearchParams): Filter {
  const amenities = [...new Set(query.getAll('amenity'))]
    .filter((key) => /^[a-z0-9-]{1,64}$/u.test(key))
    .slice(0, maxAmenities)
  const checked = checkNames.map((name) => [name, query.get(name) === '1'] as const)
  const region = query.get('region')?.trim().slice(0, maxRegionLength)
  if (amenities.length === 0 && !checked.some(([, isOn]) => isOn) && !region) return noFilter
  return { ...noFilter, ...Object.fromEntries(checked), amenities, ...(region ? { region } : {}) }
}

/** The conditions of a filter by name in addresses and forms; {@link readFilter} reads them back. */
export function conditionsOf(filter: Filter): [name: string, value: string][] {
  return [
    ...filter.amenities.map((amenity): [string, string] => ['amenity', amenity]),
    ...checkNames.filter((name) => filter[name]).map((name): [string, string] => [name, '1']),
    ...(filter.region === undefined ? [] : [['region', filter.region] satisfies [string, string]]),
  ]
}

/** The number of conditions in a filter. */
export function conditionCount(filter: Filter): number {
  return conditionsOf(filter).length
}

/** Whether a fountain matches. */
export function matches(filter: Filter, fountain: CellPoint): boolean {
  if (!checkNames.every((name) => !filter[name] || checks[name].matches(fountain))) return false
  if (filter.region !== undefined && (fountain.region ?? fountain.place) !== filter.region) return false
  return filter.amenities.every((amenity) => fountain.amenities.includes(amenity))
}

/** Whether a name's bit is set; true for a name without a bit. */
function mayHave(bits: number, names: readonly string[], name: string): boolean {
  const bit = names.indexOf(name)
  return bit < 0 || ((bits >>> bit) & 1) === 1
}

/** Whether a cell can hold a fountain that matches a filter. The index has no regions. */
export function cellMayMatch(index: CellIndex, [, , checks, offers]: CellEntry, filter: Filter): boolean {
  return (
    checkNames.every((name) => !filter[name] || mayHave(checks, index.checks, name)) &&
    filter.amenities.every((amenity) => mayHave(offers, index.amenities, amenity))
  )
}
