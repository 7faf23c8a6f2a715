import { sql, type Selectable } from 'kysely'
import { apiUserId } from '../../../actor.ts'
import { canonicalJson } from '../../../log/canonical-json.ts'
import type { Award, ChangedFields, Head, Links, StoredEntry, Subject } from '../../../log/entry.ts'
import { newRecord } from '../../../log/states.ts'
import type {
  AreaState,
  ObservationState,
  Person,
  RecordState,
  ReviewState,
  RunState,
  SourceFacts,
} from '../../../log/nouns.ts'
import type { WaypointState } from '../../../schemas/waypoint.ts'
import { build, param, type Statements } from '../connection/statement.ts'
import type { Schema } from '../schema.ts'
import type { Values } from '../../value.ts'
import * as columns from '../../rows.ts'
import { entryReads } from '../../nouns/entries.ts'
import { countsOfSources } from '../../source-counts.ts'

/** A noun as it is stored. `first` is what the entry that made it says of it, where entries about it only change it. */
export interface StoredNoun<State> {
  readonly id: number
  readonly state: State
  readonly first?: State | undefined
}

type Report = (problem: string) => void

/** An entry with the stored JSON of its fields. */
export interface EntryToVerify extends StoredEntry {
  readonly text: string
}

/** Reports columns of a row that have another form than the registry writes, such as JSON with other white space. */
function checkForm(kind: string, row: object, written: Values, report: Report): void {
  const stored = row as Readonly<Record<string, unknown>>
  for (const [name, value] of Object.entries(written))
    if (stored[name] !== value)
      report(`${kind} ${String(stored['id'])} is not stored as it is written: ${name}`)
}

/** The same of an entry, whose fields and commitments are verified apart. */
function checkEntryForm(row: EntryForm, { id, awards, links, hole }: StoredEntry, report: Report): void {
  const { awards: given, links: referring, salts, commitments } = row
  if ((given ?? referring ?? salts ?? commitments) === null) return
  const linked = canonicalJson(links)
  const written = {
    awards: awards.length === 0 ? null : JSON.stringify(awards),
    links: linked === '{}' ? null : linked,
    salts: hole ? canonicalJson(hole.salts) : null,
    commitments: hole ? canonicalJson(hole.commitments) : null,
  }
  checkForm('entry', { ...row, id }, written, report)
}
type EntryForm = Record<'awards' | 'links' | 'salts' | 'commitments', string | null>

/** The columns of an entry that its fold reads. */
const replayedColumns = [
  'id',
  'at',
  'by',
  'subject',
  'subjectId',
  'action',
  'fields',
  'links',
  'commitments',
] as const
type ReplayedRow = Pick<Selectable<Schema['entries']>, (typeof replayedColumns)[number]>

/** The columns of an entry with what proves it. */
export interface ProvenRow extends ReplayedRow {
  readonly awards: string | null
  readonly salts: string | null
  /** In hexadecimal, as is the leaf. */
  readonly seed: string | null
  readonly leaf: string
}

/** An entry for replaying it, without what proves it. */
function replayedEntryOf(row: ReplayedRow): StoredEntry {
  const { id, at, by, subject, subjectId, action, fields, links, commitments } = row
  return {
    id,
    at,
    by,
    subject,
    subjectId,
    action,
    fields: JSON.parse(fields) as ChangedFields,
    awards: [],
    links: links === null ? {} : (JSON.parse(links) as Links),
    seed: null,
    leaf: '',
    ...(commitments !== null && {
      hole: { salts: {}, commitments: JSON.parse(commitments) as Record<string, string> },
    }),
  }
}

/** An entry with what proves it. */
export function provenEntryOf(row: ProvenRow): EntryToVerify {
  const { awards, salts, commitments, seed, leaf, fields } = row
  const entry = replayedEntryOf(row)
  return {
    ...entry,
    awards: awards === null ? [] : (JSON.parse(awards) as Award[]),
    seed,
    leaf,
    text: fields,
    ...((salts ?? commitments) !== null && {
      hole: {
        salts: JSON.parse(salts ?? '{}') as Record<string, string>,
        commitments: entry.hole?.commitments ?? {},
      },
    }),
  }
}

/** Reads everything that is verified, row by row. */
export function verificationReads(statements: Statements) {
  // Texts are read faster than bytes.
  const all = statements.prepare(() =>
    build
      .selectFrom('entries')
      .select([...replayedColumns, 'awards', 'salts'])
      .select([
        sql<string | null>`iif(seed is null, null, lower(hex(seed)))`.as('seed'),
        sql<string>`lower(hex(leaf))`.as('leaf'),
      ])
      .orderBy('id'),
  )
  const replayed = () => build.selectFrom('entries').select(replayedColumns)
  const aboutWaypoints = statements.prepare(() =>
    replayed()
      .where(sql<boolean>`subject = 'waypoint'`)
      .orderBy('subjectId')
      .orderBy('id'),
  )
  const aboutOthers = statements.prepare(() =>
    replayed()
      .where(sql<boolean>`subject <> 'waypoint'`)
      .where('subject', '=', param<Subject>('subject'))
      .orderBy('subjectId')
      .orderBy('id'),
  )
  const waypoints = statements.prepare(() => build.selectFrom('waypoints').selectAll().orderBy('id'))
  const reviews = statements.prepare(() => build.selectFrom('reviews').selectAll().orderBy('id'))
  const observations = statements.prepare(() => build.selectFrom('observations').selectAll().orderBy('id'))
  const records = statements.prepare(() => build.selectFrom('records').selectAll().orderBy('id'))
  const makers = statements.prepare(() =>
    build
      .selectFrom('records')
      .innerJoin('entries', 'entries.id', 'records.id')
      .select(replayedColumns.map((name) => `entries.${name}` as const))
      .orderBy('records.id'),
  )
  const people = statements.prepare(() => build.selectFrom('users').selectAll().orderBy('id'))
  const sources = statements.prepare(() => build.selectFrom('sources').selectAll().orderBy('id'))
  const areas = statements.prepare(() => build.selectFrom('areas').selectAll().orderBy('id'))
  const runs = statements.prepare(() => build.selectFrom('imports').selectAll().orderBy('id'))
  const tiles = statements.prepare(() =>
    build.selectFrom('tiles').select(['level', 'place', 'actions', sql<string>`lower(hex(root))`.as('root')]),
  )
  const state = statements.prepare(() => build.selectFrom('state').selectAll().where('id', '=', 1))
  const one = sql<number>`count(*)`
  const lastOf = (table: 'waypoints' | 'reviews' | 'areas' | 'sources' | 'imports') =>
    build.selectFrom(table).select(sql<number>`coalesce(max(id), 0)`.as('n'))
  const counted = statements.prepare(() =>
    build.selectNoFrom([
      build.selectFrom('waypoints').where('deletedAt', 'is', null).select(one.as('n')).as('waypoints'),
      build
        .selectFrom('waypoints')
        .where('deletedAt', 'is', null)
        .where('verified', '=', 1)
        .select(one.as('n'))
        .as('verifiedWaypoints'),
      build
        .selectFrom('waypoints')
        .where('deletedAt', 'is', null)
        .where('approved', '=', 1)
        .select(one.as('n'))
        .as('approvedWaypoints'),
      build
        .selectFrom('users')
        .where('id', '!=', apiUserId)
        .where('leftAt', 'is', null)
        .select(one.as('n'))
        .as('users'),
      build.selectFrom('reviews').where('deletedAt', 'is', null).select(one.as('n')).as('reviews'),
      build.selectFrom('reviews').select(one.as('n')).as('reviewsPosted'),
      build
        .selectFrom('entries')
        .where(sql<boolean>`subject = 'waypoint'`)
        .select(one.as('n'))
        .as('actions'),
      lastOf('waypoints').as('lastWaypointId'),
      lastOf('reviews').as('lastReviewId'),
      lastOf('areas').as('lastAreaId'),
      lastOf('sources').as('lastSourceId'),
      lastOf('imports').as('lastImportId'),
    ]),
  )
  const counts = statements.prepare(() =>
    build
      .selectFrom('entries')
      .where(sql<boolean>`subject = 'waypoint'`)
      .select(['action', one.as('n')])
      .groupBy('action')
      .orderBy('action'),
  )

  const countedSources = statements.prepare<{ id: number; counter: number; n: number }>(
    () => sql`select sources.id, sources.waypoints as counter, coalesce(counted.n, 0) as n
      from sources left join (${countsOfSources(sql`true`)}) as counted on counted."sourceId" = sources.id`,
  )

  return {
    /** How far the log goes by what is stored; without a hash when the tree cannot have that size. */
    head(): Head {
      try {
        return statements.read(entryReads).head()
      } catch {
        return { id: state.get()?.size ?? 0, hash: '' }
      }
    },
    *entries(report: Report): Generator<EntryToVerify> {
      for (const row of all.iterate()) {
        const entry = provenEntryOf(row)
        checkEntryForm(row, entry, report)
        yield entry
      }
    },
    /** Entries about waypoints, reviews or observations, in the order of their ids. */
    *about(subject: 'waypoint' | 'review' | 'observation'): Generator<StoredEntry> {
      const rows = subject === 'waypoint' ? aboutWaypoints.iterate() : aboutOthers.iterate({ subject })
      for (const row of rows) yield replayedEntryOf(row)
    },
    /** Entries about records that exist already, in the order of their ids. */
    *aboutRecords(): Generator<StoredEntry> {
      for (const row of aboutOthers.iterate({ subject: 'record' }))
        if (row.action !== 'linked') yield replayedEntryOf(row)
    },
    tiles: () => tiles.all(),
    *waypoints(report: Report, folded: (name: string) => string): Generator<StoredNoun<WaypointState>> {
      for (const row of waypoints.iterate()) {
        const state = columns.waypointStateOf(row)
        const { cell, foldedName, ...written } = columns.waypoints.values({
          state,
          foldedName: folded(row.name),
        })
        checkForm('waypoint', row, written, report)
        if (row.cell !== cell) report(`waypoint ${row.id} is at another place in the index of places`)
        if (row.foldedName !== foldedName) report(`waypoint ${row.id} has another name in the index of names`)
        yield { id: row.id, state }
      }
    },
    *reviews(): Generator<StoredNoun<ReviewState>> {
      for (const row of reviews.iterate()) yield { id: row.id, state: columns.reviewStateOf(row) }
    },
    *observations(report: Report): Generator<StoredNoun<ObservationState>> {
      for (const row of observations.iterate()) {
        const state = columns.observations.from(row)
        checkForm('observation', row, columns.observations.values(state), report)
        yield { id: row.id, state }
      }
    },
    *records(): Generator<StoredNoun<RecordState>> {
      const made = makers.iterate()
      let next = made.next()
      for (const row of records.iterate()) {
        const isMade = next.done !== true && next.value.id === row.id
        const first = isMade ? newRecord(replayedEntryOf(next.value)) : undefined
        if (isMade) next = made.next()
        yield { id: row.id, state: columns.recordStateOf(row), first }
      }
    },
    *people(report: Report): Generator<Person> {
      for (const row of people.iterate()) {
        const person = columns.personOf(row)
        checkForm('user', row, columns.users.values(person), report)
        yield person
      }
    },
    *sources(): Generator<SourceFacts> {
      for (const row of sources.iterate()) yield columns.sources.from(row)
    },
    *areas(report: Report): Generator<AreaState> {
      for (const row of areas.iterate()) {
        const area = columns.areas.from(row)
        checkForm('area', row, columns.areas.values(area), report)
        yield area
      }
    },
    *runs(report: Report): Generator<RunState> {
      for (const row of runs.iterate()) {
        const run = columns.runStateOf(row)
        checkForm('import', row, columns.imports.values(run), report)
        yield run
      }
    },
    peaks: (): string => Buffer.from(state.get()?.peaks ?? []).toString('hex'),
    /** Messages for counters that differ from the rows. */
    *sums(): Generator<string> {
      const stored = state.get()
      const real = counted.get()
      if (stored === undefined || real === undefined) return yield 'the row of the table state is missing'
      for (const [name, n] of Object.entries(real)) {
        const counter = stored[name as keyof typeof real]
        if (counter !== n) yield `the counter ${name} is ${counter}, the count is ${n}`
      }
      for (const { id, counter, n } of countedSources.all())
        if (counter !== n) yield `the counter of waypoints of source ${id} is ${counter}, the count is ${n}`
      const actions = Object.fromEntries(counts.all().map(({ action, n }) => [action, n]))
      if (JSON.stringify(actions) !== stored.actionCounts)
        yield `the counter actionCounts is ${stored.actionCounts}, the counts are ${JSON.stringify(actions)}`
    },
  }
}
