import type { ColumnType, Selectable } from 'kysely'
import type { AnyAction, Subject } from '../log/entry.ts'
import type { ObservationKind, StateOfWaypoint } from '../status.ts'
import type { DoubtDecision } from '../schemas/doubt.ts'
import type { ReportReason, ReportState } from '../schemas/report.ts'
import type { SecretKind } from '../secrets.ts'
import { areaFields } from '../fields/area.ts'
import { harvestFields, type Interval } from '../fields/harvest.ts'
import type { Field, Fields } from '../fields/field.ts'
import { observationFields } from '../fields/observation.ts'
import { photoFields } from '../fields/photo.ts'
import { placeFields } from '../fields/place.ts'
import { reviewFields } from '../fields/review.ts'
import { listingFields, sourceFields } from '../fields/source.ts'
import { userCounts } from '../fields/user.ts'
import { waypointFields } from '../fields/waypoint.ts'

/**
 * The tables of a registry, described once: the source of types of rows, values of rows, copies, verification and
 * PostgreSQL types. Tests compare the description with the migrated databases.
 */

export type Flag = 0 | 1

/** `boolean` is 0 or 1, `json` is text, `subject` a text for entries about users and a number for all others. */
export type Kind = 'text' | 'integer' | 'real' | 'boolean' | 'json' | 'bytes' | 'subject'

/**
 * Where the value comes from: the `fold` of the log; an `index` of other columns, verified with them; `outside` the log; or
 * the `engine`, for itself alone, which is not copied.
 */
export type Owner = 'fold' | 'index' | 'outside' | 'engine'

export interface Column<Stored = unknown> {
  readonly kind: Kind
  readonly isNull: boolean
  readonly owner: Owner
  readonly stored?: Stored
}

export interface Describing<Stored> extends Column<Stored> {
  readonly null: Describing<Stored | null>
  readonly index: Describing<Stored>
  readonly outside: Describing<Stored>
  readonly engine: Describing<Stored>
  readonly of: <Narrow extends Stored>() => Describing<Narrow>
}

function column<Stored>(kind: Kind, isNull = false, owner: Owner = 'fold'): Describing<Stored> {
  return {
    kind,
    isNull,
    owner,
    get null() {
      return column<Stored | null>(kind, true, owner)
    },
    get index() {
      return column<Stored>(kind, isNull, 'index')
    },
    get outside() {
      return column<Stored>(kind, isNull, 'outside')
    },
    get engine() {
      return column<Stored>(kind, isNull, 'engine')
    },
    of: () => column(kind, isNull, owner),
  }
}

const text = column<string>('text')
const integer = column<number>('integer')
const boolean = column<Flag>('boolean')
const json = column<string>('json')
const bytes = column<Uint8Array>('bytes')
/** A public number that the engine gives, and never again. */
const number = column<ColumnType<number, number | undefined, number>>('integer').outside

const kinds: { readonly [Type in Field['type']]?: Kind } = {
  id: 'integer',
  whole: 'integer',
  degrees: 'real',
  flag: 'boolean',
  words: 'json',
  rings: 'json',
  object: 'json',
  properties: 'json',
}

type StoredField<Described> = Described extends { readonly type: 'id' | 'whole' | 'degrees' }
  ? number
  : Described extends { readonly type: 'flag' }
    ? Flag
    : Described extends { readonly values: readonly (infer Choice extends string)[] }
      ? Choice
      : string
type Absent<Described> = Described extends { readonly optional: true } ? null : never
type FieldColumns<All extends Fields> = {
  readonly [Name in keyof All & string]: Column<StoredField<All[Name]> | Absent<All[Name]>>
}

export function columnsOf<All extends Fields>(fields: All, owner: Owner = 'fold'): FieldColumns<All> {
  const columns = Object.entries(fields).map(([name, { type, optional = false }]) => [
    name,
    column(kinds[type] ?? 'text', optional, owner),
  ])
  return Object.fromEntries(columns) as FieldColumns<All>
}

export type Columns = Readonly<Record<string, Column>>

export interface Table<Described extends Columns = Columns> {
  readonly columns: Described
  /** The columns by which rows are ordered. */
  readonly key: readonly string[]
  /** Whether exports, sites and verification do without it: it is about accounts, or for moderators alone. */
  readonly isPrivate: boolean
}

const table = <Described extends Columns>(
  columns: Described,
  { key = Object.keys(columns).slice(0, 1), isPrivate = false }: Partial<Table> = {},
): Table<Described> => ({ columns, key, isPrivate })

const hidden = <Described extends Columns>(columns: Described): Table<Described> =>
  table(columns, { isPrivate: true })
const { published: _published, ...recordFields } = listingFields

/** Every table, after those that it refers to. */
export const tables = {
  users: table({
    id: text,
    name: text.outside,
    email: text.null.outside,
    updatedAt: text.outside,
    leftAt: text.null.outside,
    isModerator: boolean,
    xp: integer,
    ...columnsOf(userCounts),
    actions: json,
    blockReason: text.null,
    blockUntil: text.null,
    keeps: json.null,
    createdAt: text,
  }),
  sources: table({
    ...columnsOf(sourceFields),
    listedAt: text.null,
    published: text.null,
    /** How many live waypoints it lists. */
    waypoints: integer.index,
  }),
  imports: table({
    id: integer,
    sourceId: integer,
    fileName: text.null,
    fileSha256: text.null,
    fileBytes: integer.null,
    startedAt: text,
    finishedAt: text.null,
    published: text.null,
    updatedAt: text.outside,
    /** JSON for continuing an interrupted run. */
    checkpoint: text.null.outside,
    counts: text.outside,
  }),
  schedules: table({
    id: integer.outside,
    url: text.outside,
    every: text.of<Interval>().outside,
    options: json.outside,
    /** Validators and hash of the answer that was imported last, and when a whole one came. */
    etag: text.null.outside,
    lastModified: text.null.outside,
    sha256: text.null.outside,
    wholeAt: text.null.outside,
    /** The last time at which the registry had what the source has. */
    checkedAt: text.null.outside,
    nextAt: text.null.outside,
    /** The first of the harvests in a row that failed or stopped, and how many failed in a row. */
    staleSince: text.null.outside,
    failures: integer.outside,
    lease: text.null.outside,
    leasedAt: text.null.outside,
    leaseUntil: text.null.outside,
  }),
  harvests: table({
    /** That of its lease, random. */
    id: text.outside,
    sourceId: integer.outside,
    ...columnsOf(harvestFields, 'outside'),
    message: text.null.outside,
    /** The address that it was led to, without its parameters. */
    location: text.null.outside,
  }),
  webhooks: hidden({
    id: text.outside,
    url: text.outside,
    what: json.outside,
    events: json.null.outside,
    description: text.null.outside,
    /** How often its secret was changed, and when it was last. */
    generation: integer.outside,
    rotatedAt: text.null.outside,
    /** The id of the entry up to which everything was told, or kept. */
    place: integer.outside,
    /** How often the next event was tried, and when it is tried again. */
    attempts: integer.outside,
    nextAt: text.null.outside,
    /** The newest answer, and why it was none or no good one. */
    lastStatus: integer.null.outside,
    lastError: text.null.outside,
    kept: json.outside,
    disabledAt: text.null.outside,
    createdAt: text.outside,
  }),
  workers: hidden({
    id: text.of<'deliveries'>().outside,
    /** The line of history whose events are told; NULL in a copy, so that nothing is told before the operator says so. */
    origin: text.null.engine,
    lease: text.null.engine,
    leasedAt: text.null.engine,
    leaseUntil: text.null.engine,
  }),
  waypoints: table({
    ...columnsOf(waypointFields),
    verifiedOnce: boolean,
    isAttested: boolean,
    version: integer,
    deletedAt: text.null,
    mergedInto: integer.null,
    redactedFields: json.null,
    foldedName: text.index,
    /** The cell of a live waypoint on the curve of `places/nearest.ts`; NULL for tombstones. */
    cell: integer.null.index,
    ...columnsOf(placeFields, 'outside'),
    /** The label of one without a name. */
    label: text.null.outside,
    /** How many entries the log had when the place was last assigned by itself. */
    placedAfter: integer.null.outside,
  }),
  reviews: table({ ...columnsOf(reviewFields), deletedAt: text.null }),
  observations: table({ ...columnsOf(observationFields), deletedAt: text.null }),
  photos: table({
    ...columnsOf(photoFields),
    deletedAt: text.null,
    /** The name under it where its author has left, or has no account. */
    credit: text.null.outside,
  }),
  observers: hidden({
    id: integer.outside,
    /** NULL once the person has left. */
    userId: text.null.outside,
    bubblerId: integer.outside,
    /** When it was made, in UTC. */
    day: text.outside,
    xp: integer.outside,
    isOwed: boolean.outside,
  }),
  sightings: table({
    id: text.outside,
    bubblerId: integer.outside,
    kind: text.of<ObservationKind>().outside,
    observedAt: text.outside,
    /** A keyed hash of the network and the day, which is removed once the day is over. */
    network: text.null.outside,
    /** When it was made, in UTC. */
    day: text.outside,
  }),
  statuses: table({
    id: integer.outside,
    state: text.of<StateOfWaypoint>().outside,
    /** The first day on which the state may change. NULL when that depends on new facts. */
    changesOn: text.null.outside,
    /** Condensed, as JSON. NULL when nothing is known. */
    facts: text.null.outside,
    /** The number of entries in the log before its last change. */
    logSize: integer.outside,
  }),
  areas: table({ ...columnsOf(areaFields), deletedAt: text.null }),
  records: table({
    id: integer,
    sourceId: integer,
    waypointId: integer,
    ...columnsOf(recordFields),
    /** A JSON object: the fields as last imported; redacted ones are null, and closed to the source. */
    values: text.outside,
    seenIn: integer.outside,
  }),
  entries: table({
    id: integer,
    at: text,
    by: text,
    subject: text.of<Subject>(),
    subjectId: column<number | string>('subject'),
    action: text.of<AnyAction>(),
    fields: json,
    awards: json.null,
    links: json.null,
    salts: json.null,
    commitments: json.null,
    seed: bytes.null,
    leaf: bytes,
  }),
  tiles: table(
    {
      level: integer,
      place: integer,
      root: bytes,
      /** For level 0: the number of entries about waypoints up to the end of the tile. */
      actions: integer.null,
    },
    { key: ['level', 'place'] },
  ),
  secrets: hidden({
    number,
    id: text.outside,
    kind: text.of<SecretKind>().outside,
    createdAt: text.outside,
    value: json.outside,
    userId: text.null.outside,
    usedAt: text.null.outside,
    expiresAt: text.null.outside,
    endedAt: text.null.outside,
  }),
  reports: hidden({
    number,
    id: text.outside,
    reason: text.of<ReportReason>().outside,
    state: text.of<ReportState>().outside,
    createdAt: text.outside,
    bubblerId: integer.null.outside,
    reviewId: integer.null.outside,
    photoId: integer.null.outside,
    userId: text.null.outside,
    by: text.null.outside,
    /** A keyed hash of the network and the day for passers-by, which is removed once the day is over. */
    network: text.null.outside,
    comment: text.null.outside,
    note: text.null.outside,
    decidedAt: text.null.outside,
    /** It identifies the erasure of comment and note in a list, whatever is written into the report later. */
    erasedAt: text.null.outside,
  }),
  distinctions: hidden({
    number,
    id: text.outside,
    smaller: integer.outside,
    greater: integer.outside,
    by: text.outside,
    createdAt: text.outside,
  }),
  doubts: hidden({
    number,
    id: text.outside,
    sourceId: integer.outside,
    ref: text.outside,
    row: integer.outside,
    /** A JSON object: the row as an import takes it, and whether it is approved. */
    values: text.outside,
    waypointId: integer.outside,
    metres: column<number>('real').outside,
    /** 0 to 1, see `matchScore`. */
    score: column<number>('real').outside,
    /** The user who is recorded for what the row writes: the author of the import. */
    by: text.outside,
    runId: integer.outside,
    seenIn: integer.outside,
    /** The run that ended it: a newer one without the row, or the undoing of `runId`. */
    goneIn: integer.null.outside,
    createdAt: text.outside,
    decision: text.of<DoubtDecision>().null.outside,
    decidedAt: text.null.outside,
    decidedBy: text.null.outside,
    /** The first entry that the decision made; the others name it as their act. */
    entry: integer.null.outside,
  }),
  /** The numbers that were given last, which rows that are gone may have had. SQLite has them in `sqlite_sequence`. */
  numbers: hidden({ name: text.outside, last: integer.outside }),
  /** One row: counters that every write updates, so that nothing has to be counted. */
  state: table({
    id: column<1>('integer').outside,
    /** Which line of history this is: renewed when a backup without its newest entries is restored. Hexadecimal. */
    origin: text.outside,
    placeKey: text.outside,
    revision: integer.outside,
    lastWaypointId: integer,
    lastReviewId: integer,
    lastAreaId: integer,
    lastSourceId: integer,
    lastImportId: integer,
    /** Waypoints up to this id are in the indexes of words and names, or in searchBacklog. */
    indexedTo: integer.engine,
    waypoints: integer,
    approvedWaypoints: integer,
    verifiedWaypoints: integer,
    users: integer,
    reviews: integer,
    reviewsPosted: integer,
    size: integer,
    /** The number of entries about waypoints, and a JSON object: how many of them have each action. */
    actions: integer,
    actionCounts: text,
    /** The roots of the tree's perfect subtrees, the largest first. */
    peaks: bytes,
    headAt: text.null,
    changedAt: text.outside,
  }),
} as const satisfies Readonly<Record<string, Table>>

export type TableName = keyof typeof tables

type RowOf<Described extends Columns> = {
  [Name in keyof Described]: Described[Name] extends Column<infer Stored> ? Stored : never
}
type Listed = Pick<RowOf<(typeof tables)['records']['columns']>, 'id' | 'sourceId' | 'waypointId'> &
  RowOf<ReturnType<typeof columnsOf<typeof recordFields>>>

export type Tables = {
  [Name in Exclude<TableName, 'numbers'>]: RowOf<(typeof tables)[Name]['columns']>
} & {
  /** Records with the time at which an import last found them at their source, which its newest complete import may tell. */
  listings: Listed & {
    /** The day on which the source published its newest listing, where that lists it. */
    published: string | null
    /** The day as of which it lists it: that of the publication of what was imported when it was last said, where that is known. */
    listedOn: string | null
  }
}

export type Row<Name extends keyof Tables> = Selectable<Tables[Name]>

type MemberOf<Stored> = Stored extends Flag ? boolean : Stored

/** The members of a noun by columns of its table: absent where they are NULL. */
export type MembersOf<
  Name extends keyof Tables,
  Column extends keyof Row<Name> = Exclude<keyof Row<Name>, 'number'>,
> = {
  readonly [Each in Column as null extends Row<Name>[Each] ? never : Each]: MemberOf<Row<Name>[Each]>
} & {
  readonly [Each in Column as null extends Row<Name>[Each] ? Each : never]?:
    | MemberOf<NonNullable<Row<Name>[Each]>>
    | undefined
}

export interface CopiedTable extends Omit<Table, 'columns'> {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly kind: Kind }[]
}

const described: readonly (readonly [name: string, table: Table])[] = Object.entries(tables)
const owned = ({ columns }: Table, isOwned: (owner: Owner) => boolean) =>
  Object.entries(columns).flatMap(([name, { kind, owner }]) => (isOwned(owner) ? [{ name, kind }] : []))

/** The tables of a registry. The indexes of search are not among them: every engine makes its own. */
export const copiedTables: readonly CopiedTable[] = described.map(([name, each]) => ({
  ...each,
  name,
  columns: owned(each, (owner) => owner !== 'engine'),
}))

const isOutside = (owner: Owner): boolean => owner === 'outside'
const isBesideLog = ({ columns }: Table): boolean =>
  Object.values(columns).every(({ owner }) => owner === 'outside' || owner === 'engine')

export const unvouched: { readonly tables: readonly string[]; readonly columns: readonly string[] } = {
  tables: described.flatMap(([name, each]) => (isBesideLog(each) ? [name] : [])),
  columns: described.flatMap(([table, each]) =>
    isBesideLog(each) ? [] : owned(each, isOutside).map(({ name }) => `${table}.${name}`),
  ),
}

/** A value that better-sqlite3 binds and returns. */
export type Value = string | number | bigint | Uint8Array | null

export type Values = Readonly<Record<string, Value | undefined>>
