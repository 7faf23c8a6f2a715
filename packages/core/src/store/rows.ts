import { sql } from 'kysely'
import { areaFields } from '../fields/area.ts'
import type { Fields } from '../fields/field.ts'
import { observationFields } from '../fields/observation.ts'
import { photoFields } from '../fields/photo.ts'
import { placeColumns, type PlaceColumn } from '../fields/place.ts'
import { reviewFields } from '../fields/review.ts'
import { sourceFields } from '../fields/source.ts'
import { userCountNames, type UserCount } from '../fields/user.ts'
import { fieldNames, waypointFields, type WaypointField } from '../fields/waypoint.ts'
import { type Award, type ChangedFields, type Links, type StoredEntry } from '../log/entry.ts'
import { linksText, canonicalJson } from '../log/leaf.ts'
import type {
  NounName,
  Nouns,
  Person,
  RunState,
  SourceFacts,
  Replacement,
  WaypointState,
} from '../log/nouns.ts'
import type { SavedEntry } from '../log/script.ts'
import { cellOf } from '../places/geodesy.ts'
import type { BoundingBox } from '../schemas/area.ts'
import type { Observation } from '../schemas/observation.ts'
import type { WaypointPlace } from '../schemas/place.ts'
import type { StoredPhoto } from '../schemas/photo.ts'
import type { Review } from '../schemas/review.ts'
import type { UserState } from '../schemas/user.ts'
import type { FoundWaypoint, Waypoint } from '../schemas/waypoint.ts'
import {
  type Columns as Described,
  columnsOf,
  type Kind,
  type Owner,
  type Row,
  tables,
  type Tables,
  type Value,
  type Values,
} from './tables.ts'

/** Nouns as rows and rows as nouns: absent values are NULL, booleans 0 and 1, JSON text. */

export type { Row } from './tables.ts'

export type NounTable = Exclude<keyof Tables, 'state' | 'tiles' | 'listings'>

export interface Columns<State> {
  readonly table: NounTable
  readonly values: (state: State) => Values
}

export interface Storing<State> {
  readonly table: NounTable
  readonly from: (row: never) => State
}

interface PlainColumns<State> extends Columns<State> {
  readonly from: (row: Readonly<Record<keyof State & string, unknown>>) => State
}

const stored: { readonly [Each in Kind]?: (value: unknown) => Value } = {
  boolean: (value) => (value === true ? 1 : 0),
  json: (value) => (value === null ? null : canonicalJson(value)),
}
const valueIn: { readonly [Each in Kind]?: (stored: unknown) => unknown } = {
  boolean: (value) => value === 1,
  json: (value) => (value === '[]' ? [] : JSON.parse(String(value))),
}

function writing(columns: Described): (state: object) => Record<string, Value> {
  const written = Object.entries(columns).map(([name, { kind }]) => ({ name, valueOf: stored[kind] }))
  // A copy of a whole row is faster than one that grows.
  const empty: Record<string, Value> = Object.fromEntries(Object.keys(columns).map((name) => [name, null]))
  return (state) => {
    const members = state as Readonly<Record<string, unknown>>
    const row = { ...empty }
    for (const { name, valueOf } of written) {
      const value = members[name] ?? null
      row[name] = valueOf === undefined ? (value as Value) : valueOf(value)
    }
    return row
  }
}

/** Returns a function for an object with the present members of a row, which has them by name or by number. */
function readingColumns<State, Given = Readonly<Record<keyof State & string, unknown>>>(
  columns: Described,
  keyOf = (name: string, _index: number): string | number => name,
  valuesIn = valueIn,
  absent: object = {},
): (row: Given) => State {
  const read = Object.entries(columns).map(([name, { kind }], index) => ({
    name,
    key: keyOf(name, index),
    valueOf: valuesIn[kind],
  }))
  return (row) => {
    const given = row as Readonly<Record<string | number, unknown>>
    const members: Record<string, unknown> = { ...absent }
    for (const { name, key, valueOf } of read) {
      const value = given[key]
      if (value !== null) members[name] = valueOf === undefined ? value : valueOf(value)
    }
    return members as State
  }
}

/** Returns a function that reads the fields of a noun from its row; a test compares its members with the schema's. */
export const reading = <Noun>(fields: Fields): PlainColumns<Noun>['from'] =>
  readingColumns<Noun>(columnsOf(fields))

/** The same, from an array that begins with the fields in their order; nouns share lists and objects, which are frozen. */
export function readingInOrder<Noun>(fields: Fields): (row: readonly unknown[]) => Noun {
  const parsed = new Map<string, unknown>()
  const shared = (text: string): unknown => {
    const value: unknown = Object.freeze(JSON.parse(text))
    if (parsed.size < mostShared) parsed.set(text, value)
    return value
  }
  const json = (text: unknown): unknown => parsed.get(String(text)) ?? shared(String(text))
  // Absent members are undefined: objects of one shape are read and copied faster.
  const absent = Object.fromEntries(Object.keys(fields).map((name) => [name, undefined]))
  const values = { ...valueIn, json }
  return readingColumns<Noun, readonly unknown[]>(columnsOf(fields), (_, index) => index, values, absent)
}

/** There are some dozens of combinations of amenities. */
const mostShared = 1000

function ownedBy(table: NounTable, owner: Owner): Described {
  const columns = Object.entries<Described[string]>(tables[table].columns)
  return Object.fromEntries(columns.filter(([name, each]) => name === 'id' || each.owner === owner))
}

function plain<Noun extends NounName>(table: NounTable, owner: Owner = 'fold'): PlainColumns<Nouns[Noun]> {
  const columns = ownedBy(table, owner)
  return { table, values: writing(columns), from: readingColumns(columns) }
}

/** A noun whose number the engine gives: it is read, and never written. */
function numbered<Noun extends 'secret' | 'report' | 'distinction' | 'doubt'>(
  table: 'secrets' | 'reports' | 'distinctions' | 'doubts',
): Columns<Nouns[Noun]> & Storing<Nouns[Noun]> {
  const { number: _number, ...columns } = ownedBy(table, 'outside')
  return { ...plain<Noun>(table, 'outside'), values: writing(columns) }
}

/** A noun whose row has the members of its groups as columns. */
function flattened<State, Flat>(
  table: NounTable,
  flat: (state: State) => object,
  grouped: (flat: Flat) => State,
): Columns<State> & Storing<State> {
  const columns = ownedBy(table, 'fold')
  const [write, read] = [writing(columns), readingColumns<Flat>(columns)]
  return { table, values: (state) => write(flat(state)), from: (row) => grouped(read(row)) }
}

type FlatPerson = Omit<Person, 'stats' | 'block'> &
  Record<UserCount, number> & { readonly blockReason?: string; readonly blockUntil?: string }

const users = flattened<Person, FlatPerson>(
  'users',
  ({ stats, block, ...person }) => ({
    ...person,
    ...stats,
    blockReason: block?.reason,
    blockUntil: block?.until,
  }),
  ({ blockReason, blockUntil, ...flat }) => ({
    id: flat.id,
    isModerator: flat.isModerator,
    xp: flat.xp,
    stats: Object.fromEntries(userCountNames.map((name) => [name, flat[name]])) as Record<UserCount, number>,
    actions: flat.actions,
    createdAt: flat.createdAt,
    ...(flat.keeps !== undefined && { keeps: flat.keeps }),
    ...(blockReason !== undefined && {
      block: { reason: blockReason, until: blockUntil },
    }),
  }),
)

type FlatRun = Omit<RunState, 'file'> & {
  readonly fileName?: string
  readonly fileSha256?: string
  readonly fileBytes?: number
}

const imports = flattened<RunState, FlatRun>(
  'imports',
  ({ file, ...run }) => ({ ...run, fileName: file?.name, fileSha256: file?.sha256, fileBytes: file?.bytes }),
  ({ fileName, fileSha256, fileBytes, ...run }) =>
    (fileName ?? fileSha256 ?? fileBytes) === undefined
      ? run
      : { ...run, file: { name: fileName ?? '', sha256: fileSha256 ?? '', bytes: fileBytes ?? 0 } },
)

export interface PlacedWaypoint {
  readonly state: WaypointState
  readonly foldedName: string
  /** Null when none is known; without it, the columns of the place stay as they are. */
  readonly place?: WaypointPlace | null | undefined
  /** Null for one with a name. */
  readonly label: string | null
}

const foldedColumns = ownedBy('waypoints', 'fold')
const { foldedName, label, cell } = tables.waypoints.columns
const writeWaypoint = writing({ ...foldedColumns, foldedName, label, cell })
export const waypointStateOf: (row: Row<'waypoints'>) => WaypointState = readingColumns(foldedColumns)

export const waypoints: Columns<PlacedWaypoint> & Storing<WaypointState> = {
  table: 'waypoints',
  from: (row: Row<'waypoints'>) => {
    const state = waypointStateOf(row)
    return row.placeName === null ? state : { ...state, placeName: row.placeName }
  },
  values: ({ state, foldedName, place, label }) => {
    const row = writeWaypoint(state)
    row['foldedName'] = foldedName
    row['label'] = label
    row['cell'] = state.deletedAt === undefined ? cellOf(state) : null
    return place === undefined ? row : { ...row, ...placeValues(place) }
  },
}

export function placeValues(place: WaypointPlace | null): Record<PlaceColumn, string | null> {
  const values: Record<PlaceColumn, string | null> = { country: null, subdivision: null, placeName: null }
  for (const [column, member] of placeColumns) values[column] = place?.[member] ?? null
  return values
}

export function placeIn(row: Pick<Row<'waypoints'>, PlaceColumn>): WaypointPlace | undefined {
  const place: WaypointPlace = {}
  for (const [column, member] of placeColumns) {
    const value = row[column]
    if (value !== null) place[member] = value
  }
  return Object.keys(place).length === 0 ? undefined : place
}

/** Whether the place of a waypoint has to be found: it is new, it was moved, or it is back. */
export function needsPlace({ before, after }: Replacement<WaypointState>): boolean {
  return (
    before === undefined ||
    before.latitude !== after.latitude ||
    before.longitude !== after.longitude ||
    (before.deletedAt !== undefined && after.deletedAt === undefined)
  )
}

export const shownName = sql<string>`coalesce(${sql.ref('waypoints.label')}, ${sql.ref('waypoints.name')})`
export const publicColumns = [...fieldNames, 'label'] as const

/** A noun with its label instead of the name that it has not. */
const withLabel =
  <Noun extends { name: string }>(read: (row: never) => Noun) =>
  (row: { readonly label: string | null }): Noun & { nameIsMade?: true } => {
    const noun = read(row as never)
    return row.label === null ? noun : { ...noun, name: row.label, nameIsMade: true }
  }

export const waypointOf: (row: Pick<Row<'waypoints'>, WaypointField | 'label'>) => Waypoint = withLabel(
  reading<Waypoint>(waypointFields),
)
const { id, name, latitude, longitude, description, region } = waypointFields
export const foundWaypointOf: (
  row: Pick<Row<'waypoints'>, Exclude<keyof FoundWaypoint, 'nameIsMade'> | 'label'>,
) => FoundWaypoint = withLabel(reading<FoundWaypoint>({ id, name, latitude, longitude, description, region }))
export const reviewOf: (row: Row<'reviews'>) => Review = reading<Review>(reviewFields)
export const observationOf: (row: Row<'observations'>) => Observation =
  reading<Observation>(observationFields)
/** Live ones, with the name under them that is not that of an account. */
export function photoOf(row: Row<'photos'>): CreditedPhoto {
  const { credit } = row
  return credit === null ? storedPhotoOf(row) : { ...storedPhotoOf(row), credit }
}
export type CreditedPhoto = StoredPhoto & { readonly credit?: string }
const storedPhotoOf: (row: Row<'photos'>) => StoredPhoto = reading<StoredPhoto>(photoFields)
export const boundingBoxOf: (row: Row<'areas'>) => BoundingBox = reading<BoundingBox>(areaFields)
export const sourceOf = reading<Omit<SourceFacts, 'listedAt' | 'published'>>(sourceFields)

export function userStateOf(row: Row<'users'>): UserState {
  const { actions: _actions, ...person } = users.from(row as never)
  return { ...person, ...storing.profile.from(row as never) }
}

const hex = (bytes: Uint8Array | string): string =>
  typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('hex')

export type EntryRow = Omit<Row<'entries'>, 'seed' | 'leaf'> & {
  readonly seed: Uint8Array | string | null
  readonly leaf: Uint8Array | string
}

export function storedEntryOf(row: EntryRow): StoredEntry {
  const { id, at, by, subject, subjectId, action, salts, commitments } = row
  return {
    id,
    at,
    by,
    subject,
    // Always text in PostgreSQL.
    subjectId: subject === 'user' ? subjectId : Number(subjectId),
    action,
    fields: JSON.parse(row.fields) as ChangedFields,
    awards: row.awards === null ? [] : (JSON.parse(row.awards) as Award[]),
    links: row.links === null ? {} : (JSON.parse(row.links) as Links),
    seed: row.seed === null ? null : hex(row.seed),
    leaf: hex(row.leaf),
    ...((salts ?? commitments) !== null && {
      hole: {
        salts: JSON.parse(salts ?? '{}') as Record<string, string>,
        commitments: JSON.parse(commitments ?? '{}') as Record<string, string>,
      },
    }),
  }
}

/** The columns of what an entry may have besides its fields. */
export function entryMembers({ awards, links, hole }: Pick<StoredEntry, 'awards' | 'links' | 'hole'>) {
  const linked = linksText(links)
  return {
    awards: awards.length === 0 ? null : JSON.stringify(awards),
    links: linked === '{}' ? null : linked,
    salts: hole ? canonicalJson(hole.salts) : null,
    commitments: hole ? canonicalJson(hole.commitments) : null,
  }
}

export function entryValues(saved: SavedEntry): Record<keyof typeof tables.entries.columns, Value> {
  const { text, seed, leaf, hole } = saved
  const { id, at, by, subject, subjectId, action, awards, links } = saved.entry
  return {
    id,
    at,
    by,
    subject,
    // The column has no type of its own: a number would become a floating-point one, and 1.0 in texts.
    subjectId: typeof subjectId === 'number' ? BigInt(subjectId) : subjectId,
    action,
    fields: text,
    seed,
    leaf,
    ...entryMembers({ awards, links, hole }),
  }
}

/** Where each noun is stored, and how a row becomes it, on every engine. */
export const storing = {
  user: users,
  source: plain<'source'>('sources'),
  import: imports,
  waypoint: waypoints,
  review: plain<'review'>('reviews'),
  observation: plain<'observation'>('observations'),
  photo: plain<'photo'>('photos'),
  credit: plain<'credit'>('photos', 'outside'),
  area: plain<'area'>('areas'),
  record: plain<'record'>('records'),
  entry: { table: 'entries', from: storedEntryOf },
  observer: plain<'observer'>('observers', 'outside'),
  sighting: plain<'sighting'>('sightings', 'outside'),
  status: plain<'status'>('statuses', 'outside'),
  schedule: plain<'schedule'>('schedules', 'outside'),
  harvest: plain<'harvest'>('harvests', 'outside'),
  webhook: plain<'webhook'>('webhooks', 'outside'),
  worker: plain<'worker'>('workers', 'engine'),
  secret: numbered<'secret'>('secrets'),
  report: numbered<'report'>('reports'),
  distinction: numbered<'distinction'>('distinctions'),
  doubt: numbered<'doubt'>('doubts'),
  // The rest of the rows of people, runs and records.
  profile: plain<'profile'>('users', 'outside'),
  progress: plain<'progress'>('imports', 'outside'),
  base: plain<'base'>('records', 'outside'),
} as const satisfies { readonly [Noun in NounName]: Storing<Nouns[Noun]> }

export const strippedValues = ({ id, fields, hole }: StoredEntry): Record<string, Value> => ({
  id,
  fields: canonicalJson(fields),
  seed: null,
  salts: canonicalJson(hole?.salts ?? {}),
  commitments: canonicalJson(hole?.commitments ?? {}),
})
