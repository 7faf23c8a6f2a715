import dictionary from './headings.json' with { type: 'json' }
import type words from './headings.json'
import {
  angleOf,
  geometryIn,
  pairOf,
  dayIn,
  dayOrderIn,
  isPlaceholder,
  ordinaryCase,
  plainText,
} from './values.ts'
import { areOsmTags } from './kinds.ts'
import type { SourceRow } from '../read/source-row.ts'
import { folded } from '@openfountain/core/letters'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { ImportRefused } from '../read/refusal.ts'

export interface ColumnGuess {
  /** The column's heading, or the tag's key. */
  readonly column: string
  /** Its guessed meaning; absent when it is not read. */
  readonly role?: Role
  /** Its further meanings; absent for most. */
  readonly also?: readonly Role[]
  /** The custom field that a map reads from it; absent when it is of none. */
  readonly property?: string
  /** How that is known, or why it is not read: `superseded` where another column has its meaning. */
  readonly how: 'map' | 'heading' | 'values' | 'tag' | 'personal' | 'unknown' | 'unsuitable' | 'superseded'
  /** The first value that is not a placeholder; absent for columns about people. */
  readonly example?: string
  /** The share of the sample's rows in which it is filled, 0 to 1. */
  readonly filled: number
}

export type Columns = ReturnType<typeof guessColumns>

const dayRoles = ['published', 'checked', 'updated', 'since', 'until'] as const satisfies readonly Role[]

/** Fields that together only this project's own exports have. */
const ownFields = ['added_by', 'created_at', 'updated_at', 'review_count']

/** Headings that mean something else among OpenStreetMap's tags: `location=wall`, a municipality's `ref`. */
const notTags = new Set('ref @type type location status model level position ownership'.split(' '))

/** Ids that servers generate anew at each export: GeoServer's `layer.fid--3975e49_…`. */
const temporaryId = /\.fid-|^[0-9a-f]{6,}_[0-9a-f]{6,}/iu

/**
 * Guesses the meaning of each column, from its heading and the values of a sample; a map file overrides the guess.
 * Columns about people and their accounts are never read.
 *
 * @param ours whether the file says that this project wrote it
 */
export function guessColumns(sample: readonly SourceRow[], map: MapFile = {}, ours = false) {
  const samples = sampleOf(sample)
  /** Whether this is one of this project's own exports, whose values are taken as they are. */
  const own = ours || ownFields.every((field) => samples.has(field))
  const osm = !own && sample.slice(0, 200).filter(({ fields }) => areOsmTags(fields)).length > 0
  const guesses = new Map<string, ColumnGuess>()
  for (const [column, values] of samples) guesses.set(column, guessOf(column, values, sample.length, osm))
  if (!sample.some(({ geometry }) => geometry)) byValues(guesses, samples, sample.length)
  /** For each role the columns or templates to try in order. */
  const byRole = new Map<Role, readonly string[]>()
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
    /** Whether the identity that the format gives (a feature's id) can be used. */
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
const isMost = (fitting: number, all: number): boolean =>
  fitting > 0 && all - fitting <= Math.max(1, all * 0.2)

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
const isSeparated = (value: unknown): boolean =>
  Array.isArray(value) || (typeof value === 'string' && /\d[.,]\d+\D+\d+[.,]\d/u.test(value))

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
  const read = new Map<string, Role[]>()
  for (const role of roles)
    for (const column of new Set((byRole.get(role) ?? []).flatMap(columnsOf)))
      read.set(column, [...(read.get(column) ?? []), role])
  const custom = new Map(
    Object.entries(map.properties ?? {}).flatMap(([name, columns]) =>
      [columns].flat().map((column) => [column, name] as const),
    ),
  )
  const { amenities, leaveOut, only } = map
  for (const column of Object.keys(amenities ?? {}))
    read.set(column, [...new Set([...(read.get(column) ?? []), 'amenities' as const])])
  // Columns that decide about rows.
  const deciding = new Set(Object.keys({ ...amenities, ...leaveOut, ...only }))
  return [...guesses.values()].map(({ column, role: guessed, how, ...rest }) => {
    const [role, ...also] = read.get(column) ?? []
    const property = custom.get(column)
    const isMapped =
      property !== undefined ||
      deciding.has(column) ||
      [role, ...also].some((each) => each !== undefined && map.fields?.[each])
    return {
      column,
      role,
      ...(also.length > 0 && { also }),
      property,
      how: isMapped ? 'map' : role === guessed ? how : 'superseded',
      ...rest,
    }
  })
}

/**
 * A map for headings that dBase cut at ten characters. A column is as in the map where others are cut to the same.
 *
 * @param there the headings of the file
 */
export function mapOfCut(map: MapFile, there: ReadonlySet<string>): MapFile {
  const { fields = {}, properties = {}, amenities = {}, values = {}, leaveOut = {}, only = {} } = map
  const entries = [...Object.values(fields), ...Object.values(properties)].flatMap((given) => given ?? [])
  const tables = { amenities, values, leaveOut, only }
  const named = new Set([...entries.flatMap(columnsOf), ...Object.values(tables).flatMap(Object.keys)])
  const byCut = Map.groupBy(named, (column) => column.slice(0, 10))
  const now = (column: string): string => {
    const short = column.slice(0, 10)
    return !there.has(column) && there.has(short) && byCut.get(short)?.length === 1 ? short : column
  }
  if ([...named].every((column) => now(column) === column)) return map
  const entry = (given: string): string =>
    given.includes('{')
      ? given.replaceAll(/\{([^{}]+)\}/gu, (_, column: string) => `{${now(column)}}`)
      : now(given)
  const columns = (given: string | string[] | null | undefined) =>
    typeof given === 'string' ? entry(given) : (given?.map(entry) ?? given)
  const keyed = <Value>(of: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(of).map(([key, value]) => [now(key), value]))
  const each = <Given extends object>(of: Given) =>
    Object.fromEntries(Object.entries(of).map(([key, value]) => [key, columns(value as string)])) as Given
  return {
    ...map,
    fields: each(fields),
    properties: each(properties),
    amenities: keyed(amenities),
    values: keyed(values),
    leaveOut: keyed(leaveOut),
    only: map.only && keyed(only),
  }
}

/**
 * Columns that a map names and a file lacks, or has empty in every row: of a field only where the file has none of its
 * alternatives, of a position only where the rows have none of their own.
 */
export function lackingColumns(map: MapFile, there: ReadonlySet<string>, isPlaced: boolean): string[] {
  const { fields = {}, properties = {}, values, amenities, leaveOut, only } = map
  const given = [...Object.entries(fields), ...Object.entries(properties)].map(([field, entries]) => {
    const named = [entries ?? []].flat().map(columnsOf)
    const isFound = named.some((columns) => columns.every((column) => there.has(column)))
    return { columns: named.flat(), isFound: isFound || (isPlaced && ofPositions.has(field)) }
  })
  const excused = new Set(given.flatMap(({ columns, isFound }) => (isFound ? columns : [])))
  const wanted = [
    ...given.map(({ columns }) => columns),
    ...[values, amenities, leaveOut, only].map((table) => Object.keys(table ?? {})),
  ]
  return [...new Set(wanted.flat())].filter((column) => !there.has(column) && !excused.has(column))
}

const ofPositions: ReadonlySet<string> = new Set<Role>(['latitude', 'longitude', 'position', 'geometry'])

/** The column, or those within a template's braces. */
export function columnsOf(entry: string): string[] {
  if (!entry.includes('{')) return [entry]
  return [...entry.matchAll(/\{([^{}]+)\}/gu)].map(([, column = '']) => column)
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

/**
 * Headings by their meaning, folded (lower case, without accents), in English, German, French, Italian, Spanish,
 * Catalan, Portuguese, Dutch, Swedish, Danish, Norwegian, Finnish, Polish and Czech, and OpenStreetMap's keys. The
 * first heading of a role that a file has is preferred.
 */
const headings: Readonly<Record<keyof typeof words, readonly string[]>> = dictionary

export type Role = keyof typeof words
export const roles = Object.keys(headings) as readonly Role[]

/** Headings of people and their accounts, of contact and of editing history: never read, whatever their values. */
const people =
  /\b(?:user|username|user name|userid|uid|author|autor|auteur|autore|editor|created by|creator|modified by|updated by|last edited by|added by|contributor|mapper|surveyor|surveyed by|enumerator|interviewer|respondent|contact|contact person|ansprechpartner|kontakt|person|first name|last name|vorname|nachname|firstname|lastname|email|e mail|mail|phone|telephone|telefon|tel|mobile|fax|changeset|artist name|artist|architect|submitted by|collected by|monitored by|reporter|owner|owner name|eigentumer|proprietaire|proprietario|committee|treasurer|chairperson)\b/u

const roleOf = new Map<string, Role>()
/** Within a role, the place in the dictionary: smaller is the more usual heading. */
const preference = new Map<string, number>()
for (const role of roles)
  for (const [place, heading] of headings[role].entries()) {
    if (!roleOf.has(heading)) roleOf.set(heading, role)
    preference.set(heading, place)
  }

/** dBase, and so every shapefile, cuts headings at ten characters. */
const cut = new Map<string, string>()
for (const heading of roleOf.keys()) {
  const short = heading.replaceAll(' ', '_').slice(0, 10)
  if (heading.length > 10 && !roleOf.has(folded(short))) cut.set(folded(short), heading)
}

function headingMeaning(heading: string): { readonly role: Role; readonly entry: string } | undefined {
  const plain = folded(heading.replaceAll(/([\p{Ll}\d])(?=\p{Lu}\p{Ll})/gu, '$1 '))
  for (const form of [
    plain,
    folded(heading),
    plain.replace(/^(?:tags|properties|fields|geo|attributes) /u, ''),
    // A place in an object, such as Opendatasoft's geo_point_2d.
    /\.(lat|lon|lng|latitude|longitude)$/iu.exec(heading)?.[1]?.toLowerCase() ?? plain,
    // Tables of coded values have the code in one column and its words in another: `c_stato` and `d_stato`.
    plain.replace(/^(?:d|descr|descrizione|desc|txt) (?!l(?:at|on|ng)\b)(?=\p{L}{3})/u, ''),
  ]) {
    const entry = roleOf.has(form) ? form : heading.length <= 11 ? cut.get(form) : undefined
    const role = entry === undefined ? undefined : roleOf.get(entry)
    if (entry !== undefined && role !== undefined) return { role, entry }
  }
  return undefined
}

/** Which columns may say the day of publication: those of the map, else those with such a heading. */
export function publishedColumns({ fields }: MapFile): (column: string) => boolean {
  const given = fields?.published
  if (given !== undefined) return (column) => given !== null && [given].flat().includes(column)
  const known = new Map<string, boolean>()
  return (column) => {
    const is = known.get(column) ?? headingMeaning(column)?.role === 'published'
    known.set(column, is)
    return is
  }
}

/** Whether a heading is about a person, an account or an address. */
export const isPersonal = (heading: string): boolean =>
  people.test(folded(heading.replaceAll(/([\p{Ll}\d])(?=\p{Lu})/gu, '$1 ')))

const columns = z.union([z.string().min(1), z.array(z.string().min(1)).max(50), z.null()])
const texts = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => (Array.isArray(given) ? given : [given]))

/**
 * A map file: the meaning of a file's columns, where the guess is wrong. Every member may be left out; missing ones are
 * guessed. Unknown members are an error, so that a misspelt one is not silently ignored.
 */
export const MapFile = z.strictObject({
  /** The name of the file for this map; for people. */
  title: z.string().optional(),
  /** Headings that together distinguish this file from others, in one or more forms that the publisher has used. */
  recognise: z.array(z.array(z.string().min(1)).min(2)).optional(),
  /** The source that the rows come from, where the caller does not give it. */
  source: z
    .strictObject({
      name: z.string().min(1).optional(),
      url: z.string().optional(),
      license: z.string().optional(),
      attribution: z.string().optional(),
    })
    .optional(),
  delimiter: z.string().length(1).optional(),
  header: z.boolean().optional(),
  encoding: z.string().optional(),
  /** Lines above the headings. */
  skip: z.int().min(0).max(1000).optional(),
  sheet: z.string().min(1).optional(),
  /** Names for the columns of a file without headings, in order. */
  columns: z.array(z.string()).optional(),
  /** The coordinate system, such as `EPSG:26910`. */
  crs: z.string().optional(),
  /** Whether latitude and longitude are swapped. */
  swap: z.boolean().optional(),
  /**
   * The columns of each field. A list is tried in order. A text with braces is a template, which counts when all of its
   * columns are filled: `"{brunnenart_txt} {nummer}"`. `null` for no column.
   */
  fields: z.partialRecord(z.enum(roles), columns).optional(),
  /** Which columns hold the custom fields that the registry declares, by the names of the fields. */
  properties: z
    .record(z.string(), z.union([z.string().min(1), z.array(z.string().min(1)).max(50)]))
    .optional(),
  /** Amenities by a column's value: `{ "PET_FRIENDLY": { "Y": ["dog-bowl"] } }`. */
  amenities: z.record(z.string(), z.record(z.string(), texts)).optional(),
  /** Replacements for a column's values, before they are interpreted: `{ "TYPE": { "Fountian": "Fountain" } }`. */
  values: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  /** Rows that are not drinking fountains: a column's values, or `true` for any value at all. */
  leaveOut: z.record(z.string(), z.union([z.array(z.string()), z.literal(true)])).optional(),
  /** The only rows to read: a column's values, `true` for any value, `false` for none. */
  only: z.record(z.string(), z.union([z.array(z.string()), z.boolean()])).optional(),
  /** The region of fountains that have none. */
  place: z.string().optional(),
})
export type MapFile = z.infer<typeof MapFile>

/** Reads a map file. @throws ImportRefused MAP naming the member */
export async function readMapFile(path: string): Promise<MapFile> {
  const refused = (what: string, cause: unknown) =>
    new ImportRefused({ code: 'MAP', file: path }, `The map file "${path}" ${what}.`, { cause })
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw refused('cannot be read', error)
  })
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/u, ''))
  } catch (error) {
    throw refused('is not JSON', error)
  }
  return parseMap(value)
}

/** Checks a map. @throws ImportRefused MAP naming the member */
export function parseMap(value: unknown): MapFile {
  const parsed = MapFile.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const member = issue === undefined || issue.path.length === 0 ? undefined : issue.path.join('.')
  throw new ImportRefused(
    { code: 'MAP', member, issues: parsed.error.issues },
    `${member === undefined ? '' : `${member}: `}${issue?.message ?? 'not a map'}.`,
  )
}

type Fields = Readonly<Record<string, unknown>>
type Template = (fields: Fields) => unknown

/** Returns a function that finds the cells of a row: which columns to try for each role, and a map's templates. */
export function cellReader({ byRole }: Columns, map: MapFile): (fields: Fields) => Cells {
  const templates = new Map<Role, readonly Template[]>()
  for (const [role, entries] of byRole) templates.set(role, entries.map(templateOf))
  return (fields) => new Cells(mapped(fields, map), templates)
}

function mapped(fields: Fields, { values }: MapFile): Fields {
  let result: Record<string, unknown> | undefined
  for (const [column, words] of Object.entries(values ?? {})) {
    const value = (result ?? fields)[column]
    const word = value === undefined ? undefined : words[String(value).trim()]
    if (word !== undefined) result = { ...(result ?? fields), [column]: word }
  }
  return result ?? fields
}

/** The cells of one row by their meaning. Placeholders count as absent. */
export class Cells {
  /** Every field by its heading. */
  readonly fields: Fields
  readonly #templates: ReadonlyMap<Role, readonly Template[]>

  constructor(fields: Fields, templates: ReadonlyMap<Role, readonly Template[]>) {
    this.fields = fields
    this.#templates = templates
  }

  *#values(role: Role): Generator<unknown> {
    for (const template of this.#templates.get(role) ?? []) yield template(this.fields)
  }

  text(role: Role): string | undefined {
    for (const value of this.#values(role)) {
      const text = plainText(value)
      if (text !== undefined && !/\b(?:undefined|null|NaN)\b/u.test(text)) return text
    }
    return undefined
  }

  first(role: Role): unknown {
    for (const value of this.#values(role)) if (!isPlaceholder(value)) return value
    return undefined
  }

  /** Every cell of a role that is not a placeholder. */
  all(role: Role): string[] {
    return [...this.#values(role)].flatMap((value) => {
      if (typeof value === 'boolean') return String(value)
      return typeof value === 'string' && !isPlaceholder(value) ? value.trim() : []
    })
  }
}

function templateOf(entry: string): Template {
  if (!entry.includes('{')) return (fields) => fields[entry]
  const columns = columnsOf(entry)
  return (fields) => {
    if (columns.some((column) => isPlaceholder(fields[column]))) return undefined
    return entry.replaceAll(/\{([^{}]+)\}/gu, (_, column: string) =>
      ordinaryCase(String(fields[column]).trim()),
    )
  }
}
