import { isUsable, waypointStates, type StateOfWaypoint } from '@openfountain/core/status'
import type { IconName } from '../../build/icons.ts'
import type { CellEntry, CellIndex, CellPoint } from '../data/cell.ts'

interface Check {
  readonly icon: IconName
  /** Whether it is on at first. */
  readonly isDefault?: true
  readonly matches: (fountain: CellPoint) => boolean
}

/** On-off filters in the order of the form, `NAME=1` in addresses and one bit of each cell. `map.only` of the languages has their labels. */
const listed = {
  usable: { icon: 'water', isDefault: true, matches: isUsable },
  verified: { icon: 'verified', matches: ({ verified }) => verified },
} as const satisfies Record<string, Check>

export type CheckName = keyof typeof listed

export const checks: Readonly<Record<CheckName, Check>> = listed

/** In the order of {@link checks}. */
export const checkNames = Object.keys(checks) as readonly CheckName[]

const stateOf = ({ state = 'unconfirmed' }: CellPoint): StateOfWaypoint => state

/** The conditions with a bit in each cell: the checks and the states. */
export const indexed: Readonly<Record<string, Check['matches']>> = {
  ...Object.fromEntries(checkNames.map((name) => [name, checks[name].matches])),
  ...Object.fromEntries(waypointStates.map((state) => [state, (one: CellPoint) => stateOf(one) === state])),
}

export interface Filter extends Readonly<Record<CheckName, boolean>> {
  readonly amenities: readonly string[]
  /** A fountain must be in one of them, unless there are none. */
  readonly states: readonly StateOfWaypoint[]
  /** Name of a region as the fountains have it, of the place around those without one, or of a town. */
  readonly region?: string
}

const checked = (isOn: (name: CheckName) => boolean) =>
  Object.fromEntries(checkNames.map((name) => [name, isOn(name)])) as Record<CheckName, boolean>

export const noFilter: Filter = { amenities: [], states: [], ...checked(() => false) }

export const firstFilter: Filter = { ...noFilter, ...checked((name) => checks[name].isDefault === true) }

const maxAmenities = 32
const maxRegionLength = 200

/** Reads the filter of an address or a form: `amenity`, `status`, checks such as `verified=1`, and `region`. Invalid values are ignored. */
export function readFilter(query: URLSearchParams): Filter {
  const amenities = [...new Set(query.getAll('amenity'))]
    .filter((key) => /^[a-z0-9-]{1,64}$/u.test(key))
    .slice(0, maxAmenities)
  const asked = new Set(query.getAll('status').flatMap((value) => value.split(',')))
  const states = waypointStates.filter((state) => asked.has(state))
  const isOn = checked((name) => query.get(name) === '1' || (firstFilter[name] && query.get(name) !== '0'))
  const region = query.get('region')?.trim().slice(0, maxRegionLength)
  return { ...isOn, amenities, states, ...(region ? { region } : {}) }
}

export interface Condition {
  readonly name: CheckName | 'amenity' | 'status' | 'region'
  readonly value: string
  readonly without: Filter
}

export function conditionsIn(filter: Filter): Condition[] {
  const { amenities, states, region, ...others } = filter
  return [
    ...amenities.map((value) => ({
      name: 'amenity' as const,
      value,
      without: { ...filter, amenities: amenities.filter((one) => one !== value) },
    })),
    ...(states.length > 0
      ? [{ name: 'status' as const, value: states.join(), without: { ...filter, states: [] } }]
      : []),
    ...checkNames
      .filter((name) => filter[name])
      .map((name) => ({ name, value: '1', without: { ...filter, [name]: false } })),
    ...(region === undefined
      ? []
      : [{ name: 'region' as const, value: region, without: { amenities, states, ...others } }]),
  ]
}

/** How a filter differs from the first one, by names in addresses; {@link readFilter} reads it back. */
export function differencesOf(filter: Filter): [name: string, value: string][] {
  const isDefault = ({ name }: Condition): boolean => name in checks && firstFilter[name as CheckName]
  return [
    ...conditionsIn(filter)
      .filter((one) => !isDefault(one))
      .map(({ name, value }): [string, string] => [name, value]),
    ...checkNames
      .filter((name) => firstFilter[name] && !filter[name])
      .map((name): [string, string] => [name, '0']),
  ]
}

export function matches(filter: Filter, fountain: CellPoint): boolean {
  if (!checkNames.every((name) => !filter[name] || checks[name].matches(fountain))) return false
  if (filter.states.length > 0 && !filter.states.includes(stateOf(fountain))) return false
  const { region, place, town } = fountain
  if (filter.region !== undefined && ![region ?? place, town?.name].includes(filter.region)) return false
  return filter.amenities.every((amenity) => fountain.amenities.includes(amenity))
}

/** Whether a name's bit is set; true for a name without a bit. */
function mayHave(bits: number, names: readonly string[], name: string): boolean {
  const bit = names.indexOf(name)
  return bit < 0 || ((bits >>> bit) & 1) === 1
}

/** Whether a cell can hold a fountain that matches a filter. The index has no regions. */
export function cellMayMatch(index: CellIndex, [, , bits, offers]: CellEntry, filter: Filter): boolean {
  const may = (name: string): boolean => mayHave(bits, index.checks, name)
  return (
    checkNames.every((name) => !filter[name] || may(name)) &&
    (filter.states.length === 0 || filter.states.some(may)) &&
    filter.amenities.every((amenity) => mayHave(offers, index.amenities, amenity))
  )
}
