import { angleOf, geometryIn, pairOf } from './coordinates.ts'
import { dayIn, dayOrderIn, type DayOrder } from './days.ts'
import { headingMeaning, isPersonal, preference, roles, type Role } from './headings.ts'
import { areOsmTags } from './kinds.ts'
import type { MapFile } from './map-file.ts'
import type { SourceRow } from '../read/source-row.ts'
import { folded } from '@openfountain/core/letters'
import { isPlaceholder } from './cell-text.ts'

/** One line of the table that shows the interpretation. */
export interface ColumnGuess {
  /** The column's heading, or the tag's key. */
  readonly column: string
  /** Its guessed meaning; absent when it is not read. */
  readonly role?: Role
  /** The custom field that a map reads from it; absent when it is of none. */
  readonly property?: string
  /** How that is known, or why it is not read. */
  readonly how: 'map' | 'heading' | 'values' | 'tag' | 'format' | 'personal' | 'unknown' | 'unsuitable'
  /** The first value that is not a placeholder; absent for columns about people. */
  readonly example?: string
  /** The share of the sample's rows in which it is filled, 0 to 1. */
  readonly filled: number
}

/** Columns by role, and the table. */
export interface Columns {
  readonly table: readonly ColumnGuess[]
  /** For each role the columns or templates to try in order. */
  readonly byRole: ReadonlyMap<Role, readonly string[]>
  /** Whether the fields are OpenStreetMap's tags. */
  readonly osm: boolean
  /** Whether this is one of this project's own exports, whose values are taken as they are. */
  readonly own: boolean
  /** Whether the identity that the format gives (a feature's id) can be used. */
  readonly formatId: boolean
  /** Whether a pair in one column is longitude, latitude. */
  readonly longitudeFirst: boolean
  /** The order of days with slashes; undefined when no value tells. */
  readonly dayOrder: DayOrder | undefined
}

const dayRoles = ['checked', 'updated', 'since', 'until'] as const satisfies readonly Role[]

/** Fields that together only this project's own exports have. */
const ownFields = ['added_by', 'created_at', 'updated_at', 'review_count']

/** Headings that mean something else among OpenStreetMap's tags: `location=wall`, a municipality's `ref`. */
const notTags = new Set(['ref', '@type', 'type', 'location', 'status', 'model', 'level', 'position'])

/** Ids that servers generate anew at each export: GeoServer's `layer.fid--3975e49_…`. */
const temporaryId = /\.fid-|^[0-9a-f]{6,}_[0-9a-f]{6,}/iu

/**
 * Guesses the meaning of each column, from its heading and the values of a sample; a map file overrides the guess.
 * Columns about people and their accounts are never read.
 *
 * @param ours whether the file says that this project wrote it
 */
export function guessColumns(sample: readonly SourceRow[], map: MapFile = {}, ours = false): Columns {
  const samples = sampleOf(sample)
  const own = ours || ownFields.every((field) => samples.has(field))
  const osm = !own && sample.slice(0, 200).filter(({ fields }) => areOsmTags(fields)).length > 0
  const guesses = new Map<string, ColumnGuess>()
  for (const [column, values] of samples) guesses.set(column, guessOf(column, values, sample.length, osm))
  if (!sample.some(({ geometry }) => geometry)) byValues(guesses, samples, sample.length)
  const byRole = new Map<Role, string[]>()
  for (const role of roles) {
    const given = map.fields?.[role]
    if (given !== undefined) byRole.set(role, given === null ? [] : [given].flat())
    else byRole.set(role, chosen(role, guesses, own))
  }
  const position = byRole.get('position')?.[0]
  return {
    table: tableOf(guesses, byRole, map),
    byRole,
    osm,
    own,
    formatId: map.fields?.ref === undefined && isIdentity(sample.map(({ id }) => id)),
    dayOrder: dayOrderIn(
      dayRoles.flatMap((role) => (byRole.get(role) ?? []).flatMap((column) => samples.get(column) ?? [])),
    ),
    longitudeFirst: position !== undefined && isLongitudeFirst(position, samples.get(position) ?? []),
  }
}

/** By the heading (`lonlat`), else because some first number is beyond the poles and no second one is. */
function isLongitudeFirst(heading: string, values: readonly unknown[]): boolean {
  if (/^(?:lon|lng|x)/u.test(folded(heading))) return true
  const beyond = (place: 0 | 1) => values.some((value) => Math.abs(pairOf(value)?.[place] ?? 0) > 90)
  return beyond(0) && !beyond(1)
}

function sampleOf(sample: readonly SourceRow[]): Map<string, unknown[]> {
  const samples = new Map<string, unknown[]>()
  for (const { fields } of sample) {
    for (const [column, value] of Object.entries(fields)) {
      if (!samples.has(column) && samples.size < 2000) samples.set(column, [])
      if (!isPlaceholder(value)) samples.get(column)?.push(value)
    }
  }
  return samples
}

function guessOf(column: string, values: readonly unknown[], rows: number, osm: boolean): ColumnGuess {
  const filled = rows === 0 ? 0 : values.length / rows
  if (isPersonal(column)) return { column, how: 'personal', filled }
  const [first] = values
  const example = first === undefined ? {} : { example: shown(first) }
  const meaning = osm && notTags.has(column) ? undefined : headingMeaning(column)
  if (meaning === undefined) return { column, how: 'unknown', filled, ...example }
  if (!suits(meaning.role, values, rows)) return { column, how: 'unsuitable', filled, ...example }
  const how = osm && !column.startsWith('@') ? 'tag' : 'heading'
  return { column, role: meaning.role, how, filled, ...example }
}

/** The common kind of most values of a role. */
const ofMost: { readonly [One in Role]?: (value: unknown) => unknown } = {
  latitude: angleOf,
  longitude: angleOf,
  position: pairOf,
  geometry: geometryIn,
  image: (value) => (typeof value === 'string' ? /^(?:https?:\/\/|File:)/iu.exec(value)?.[0] : undefined),
}

/** Whether the values fit the heading's meaning. */
function suits(role: Role, values: readonly unknown[], rows: number): boolean {
  if (values.length === 0) return false
  const texts = values.filter((value) => typeof value === 'string')
  const read = ofMost[role]
  if (read !== undefined)
    return isMost(values.filter((value) => read(value) !== undefined).length, values.length)
  if (role === 'ref') return values.length >= rows * 0.9 && isIdentity(values)
  if (role === 'name') return texts.some((value) => /\p{L}/u.test(value))
  const isDay = dayRoles.some((each) => each === role)
  return !isDay || texts.some((value) => dayIn([value], 'day') !== undefined)
}

/** Four fifths; in a small file one may always be wrong, so that its row is rejected and not the file. */
function isMost(fitting: number, all: number): boolean {
  return fitting > 0 && all - fitting <= Math.max(1, all * 0.2)
}

/** Whether values identify rows: nearly all filled, nearly all different, and not generated at each export. */
function isIdentity(values: readonly unknown[]): boolean {
  const texts = values.filter((value) => typeof value === 'string' || typeof value === 'number').map(String)
  if (texts.length === 0 || texts.length < values.length * 0.9) return false
  if (texts.some((text) => temporaryId.test(text))) return false
  const different = new Set(texts).size
  const repeated = texts.length - different
  return repeated <= Math.max(2, texts.length * 0.1) && different * 2 > texts.length
}

/** Finds coordinates by their values where no heading names them. */
function byValues(
  guesses: Map<string, ColumnGuess>,
  samples: ReadonlyMap<string, unknown[]>,
  rows: number,
): void {
  const has = (role: Role) => [...guesses.values()].some((guess) => guess.role === role)
  if (has('geometry') || has('position') || (has('latitude') && has('longitude'))) return
  for (const [column, values] of samples) {
    const guess = guesses.get(column)
    if (guess === undefined || guess.how === 'personal' || values.length < rows * 0.5) continue
    const role = suits('geometry', values, rows)
      ? 'geometry'
      : suits('position', values, rows) && values.every(isSeparated)
        ? 'position'
        : !has('ref') && column === 'column1' && suits('ref', values, rows)
          ? 'ref'
          : undefined
    if (role !== undefined) guesses.set(column, { ...guess, role, how: 'values' })
  }
}

/** Two numbers with fractions: "12, 13" is a list of months, not a place. */
function isSeparated(value: unknown): boolean {
  return Array.isArray(value) || (typeof value === 'string' && /\d[.,]\d+\D+\d+[.,]\d/u.test(value))
}

function chosen(role: Role, guesses: ReadonlyMap<string, ColumnGuess>, own: boolean): string[] {
  const columns = [...guesses.values()].flatMap((guess) => (guess.role === role ? guess.column : []))
  const ownName = role === 'ref' ? 'id' : role
  if (own) return columns.filter((column) => folded(column) === folded(ownName))
  const place = (column: string) => preference.get(headingMeaning(column)?.entry ?? '') ?? 1000
  return columns.toSorted((a, b) => place(a) - place(b))
}

function tableOf(
  guesses: ReadonlyMap<string, ColumnGuess>,
  byRole: ReadonlyMap<Role, readonly string[]>,
  map: MapFile,
): ColumnGuess[] {
  const mapped = new Map<string, Role>()
  for (const role of roles)
    for (const entry of map.fields?.[role] === undefined ? [] : (byRole.get(role) ?? []))
      for (const column of columnsOf(entry))
        // A column of its own takes precedence over a part of a template.
        if (!entry.includes('{') || !mapped.has(column)) mapped.set(column, role)
  const custom = new Map(
    Object.entries(map.properties ?? {}).flatMap(([name, columns]) =>
      [columns].flat().map((column) => [column, name] as const),
    ),
  )
  const used = new Set([...byRole.values()].flat().flatMap(columnsOf))
  return [...guesses.values()].map(({ column, role: guessed, how, ...rest }) => {
    const given = mapped.get(column)
    const role = given ?? (used.has(column) ? guessed : undefined)
    const property = custom.get(column)
    const isMapped = given !== undefined || property !== undefined
    return {
      column,
      role,
      property,
      how: isMapped ? 'map' : role === guessed ? how : 'unsuitable',
      ...rest,
    }
  })
}

/** The columns named by an entry of a map: the one, or those within a template's braces. */
export function columnsOf(entry: string): string[] {
  if (!entry.includes('{')) return [entry]
  return [...entry.matchAll(/\{([^{}]+)\}/gu)].map(([, column = '']) => column)
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}
