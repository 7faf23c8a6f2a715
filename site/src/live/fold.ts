import { mapFacts } from '../map/data/facts.ts'
import { record, type LiveEntry } from './entries.ts'

/** The changeable fields of a fountain on maps, lists and cards. */
export interface ShownFields extends Record<(typeof mapFacts)[number], string | undefined> {
  readonly name: string
  readonly latitude: number
  readonly longitude: number
  readonly amenities: readonly string[]
  readonly approved: boolean
  readonly verified: boolean
  /** Shortened. */
  readonly description: string | undefined
  readonly region: string | undefined
}

/** The changes of a fountain since the build. */
export interface Change {
  /** The new values; `undefined` for a cleared one. */
  readonly values: Partial<ShownFields>
  /** Whether `values` is complete: the fountain was added or restored since. */
  readonly isWhole: boolean
  readonly isGone: boolean
  readonly mergedInto?: number
  /** When it was last changed, ISO 8601 UTC. */
  readonly at: string
}

const longestName = 500
const longestDescription = 280
const mostAmenities = 64
const longestAmenity = 64
const longestRegion = 200
const longestFact = 255

/** The registry's placeholder of a redacted name. */
const redactedName = '(redacted)'

const degrees = (most: number) => (value: unknown) =>
  typeof value === 'number' && Math.abs(value) <= most ? value : undefined
const flag = (value: unknown) => (typeof value === 'boolean' ? value : undefined)
const text = (most: number) => (value: unknown) => {
  if (typeof value !== 'string') return undefined
  const letters = Array.from(value.slice(0, 2 * most + 2))
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : value
}
const words = (value: unknown) =>
  Array.isArray(value)
    ? value
        .filter((word) => typeof word === 'string')
        .slice(0, mostAmenities)
        .map((word) => word.slice(0, longestAmenity))
    : undefined

/** The same for each fact of the map. */
const ofFacts = <Value>(value: Value) =>
  Object.fromEntries(mapFacts.map((name) => [name, value])) as Record<(typeof mapFacts)[number], Value>

/** Parsers of the values; `undefined` for an invalid one. */
const readers = {
  name: text(longestName),
  latitude: degrees(90),
  longitude: degrees(180),
  amenities: words,
  approved: flag,
  verified: flag,
  description: text(longestDescription),
  region: text(longestRegion),
  ...ofFacts(text(longestFact)),
} as const satisfies Record<keyof ShownFields, (value: unknown) => unknown>

const optional: ReadonlySet<string> = new Set(['description', 'region', ...mapFacts])

/** The shown values among the fields of an entry or a fountain; invalid ones are left out. */
export function valuesIn(fields: Readonly<Record<string, unknown>>): Partial<ShownFields> {
  const values: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(readers)) {
    const given = fields[name]
    const value = given === null && name === 'amenities' ? [] : read(given)
    if (value !== undefined) values[name] = value
    else if (given === null && optional.has(name)) values[name] = undefined
  }
  return values
}

const ofNew = {
  name: redactedName,
  amenities: [],
  approved: false,
  verified: false,
  description: undefined,
  region: undefined,
  ...ofFacts(undefined),
}

/** A fountain of the API as a complete change; undefined when it is no fountain. */
export function changeTo(waypoint: unknown, at: string): Change | undefined {
  const fields = record(waypoint)
  const values = fields && { ...ofNew, ...valuesIn(fields) }
  if (values?.latitude === undefined || values.longitude === undefined) return undefined
  return { values, isWhole: true, isGone: false, at }
}

/** The change of a fountain after one more entry. */
export function foldChange(before: Change | undefined, entry: LiveEntry): Change {
  const { action, fields, at, mergedInto } = entry
  if (action === 'created') return changeTo(fields, at) ?? { values: {}, isWhole: false, isGone: true, at }
  const { values = {}, isWhole = false } = before ?? {}
  if (action === 'deleted') return { values, isWhole, isGone: true, at, mergedInto }
  return { values: { ...values, ...valuesIn(fields) }, isWhole, isGone: before?.isGone ?? false, at }
}
