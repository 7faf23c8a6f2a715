import { sql } from 'kysely'
import { apiUserId, type Head, type StoredEntry } from '../../../log/entry.ts'
import type { RecordState, VouchedNouns, WaypointState } from '../../../log/nouns.ts'
import { newRecord } from '../../../log/states.ts'
import { param, type Statements } from '../connection/connection.ts'
import type { Values, Tables } from '../../tables.ts'
import {
  entryMembers,
  storedEntryOf,
  storing,
  waypoints,
  waypointStateOf,
  type Columns,
  type NounTable,
  type Row,
  type Storing,
} from '../../rows.ts'
import { entryReads } from '../../nouns/entries.ts'
import { build } from '../../sql/query.ts'
import { countsOfSources } from '../../counters.ts'

type Stored<State> = Columns<State> & Storing<State>
type Report = (problem: string) => void

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

const replayed = sql`id, at, by, subject, subjectId, action, fields, links, commitments`
type ReplayedRow = Omit<Row<'entries'>, 'awards' | 'salts' | 'seed' | 'leaf'>

const replayedEntryOf = (row: ReplayedRow): StoredEntry =>
  storedEntryOf({ ...row, awards: null, salts: null, seed: null, leaf: '' })

/** The kinds of nouns that the log vouches for in the same way. */
type Vouched = Exclude<keyof VouchedNouns, 'waypoint' | 'entry'>

export function verificationReads(statements: Statements) {
  // Texts are read faster than bytes.
  const all = statements.prepare(
    () => sql<Omit<Row<'entries'>, 'seed' | 'leaf'> & { seed: string | null; leaf: string }>`
      select ${replayed}, awards, salts, iif(seed is null, null, lower(hex(seed))) as seed, lower(hex(leaf)) as leaf
      from entries order by id`,
  )
  const aboutWaypoints = statements.prepare(
    () => sql<ReplayedRow>`select ${replayed} from entries where subject = 'waypoint' order by subjectId, id`,
  )
  const aboutOthers = statements.prepare(
    () => sql<ReplayedRow>`select ${replayed} from entries
      where subject <> 'waypoint' and subject = ${param('subject')} order by subjectId, id`,
  )
  const rowsOf = (table: NounTable) =>
    statements.prepare(() =>
      build
        .selectFrom(table as 'waypoints')
        .selectAll()
        .orderBy('id'),
    )
  const makers = statements.prepare(
    () => sql<ReplayedRow>`select ${replayed} from records join entries using (id) order by id`,
  )
  const tiles = statements.prepare(() =>
    build.selectFrom('tiles').select(['level', 'place', 'actions', sql<string>`lower(hex(root))`.as('root')]),
  )
  const state = statements.prepare(() => build.selectFrom('state').selectAll())
  const counted = statements.prepare<Partial<Tables['state']>>(
    () => sql`select
      (select count(*) from waypoints where deletedAt is null) as waypoints,
      (select count(*) from waypoints where deletedAt is null and verified = 1) as verifiedWaypoints,
      (select count(*) from waypoints where deletedAt is null and approved = 1) as approvedWaypoints,
      (select count(*) from users where id <> ${sql.lit(apiUserId)} and leftAt is null) as users,
      (select count(*) from reviews where deletedAt is null) as reviews,
      (select count(*) from reviews) as reviewsPosted,
      (select count(*) from entries where subject = 'waypoint') as actions,
      (select coalesce(max(id), 0) from waypoints) as lastWaypointId,
      (select coalesce(max(id), 0) from reviews) as lastReviewId,
      (select coalesce(max(id), 0) from areas) as lastAreaId,
      (select coalesce(max(id), 0) from sources) as lastSourceId,
      (select coalesce(max(id), 0) from imports) as lastImportId`,
  )
  const counts = statements.prepare<{ action: string; n: number }>(
    () =>
      sql`select action, count(*) as n from entries where subject = 'waypoint' group by action order by action`,
  )
  const countedSources = statements.prepare<{ id: number; counter: number; n: number }>(
    () => sql`select sources.id, sources.waypoints as counter, coalesce(counted.n, 0) as n
      from sources left join (${countsOfSources(sql`true`)}) as counted on counted."sourceId" = sources.id`,
  )

  return {
    head(): Head {
      try {
        return statements.read(entryReads).head()
      } catch {
        return { id: state.get()?.size ?? 0, hash: '' }
      }
    },
    *entries(report: Report): Generator<EntryToVerify> {
      for (const row of all.iterate()) {
        const entry = storedEntryOf(row)
        const { awards, links, salts, commitments } = row
        // Fields and commitments are verified apart.
        if ((awards ?? links ?? salts ?? commitments) !== null)
          checkForm('entry', row, entryMembers(entry), report)
        yield { ...entry, text: row.fields }
      }
    },
    /** Entries about waypoints, reviews, observations or photos, in the order of their ids. */
    *about(subject: 'waypoint' | 'review' | 'observation' | 'photo'): Generator<StoredEntry> {
      const rows = subject === 'waypoint' ? aboutWaypoints.iterate() : aboutOthers.iterate({ subject })
      for (const row of rows) yield replayedEntryOf(row)
    },
    /** Entries about records that exist already, in the order of their ids. */
    *aboutRecords(): Generator<StoredEntry> {
      for (const row of aboutOthers.iterate({ subject: 'record' }))
        if (row.action !== 'linked') yield replayedEntryOf(row)
    },
    tiles: () => tiles.all(),
    *waypoints(report: Report, folded: (name: string) => string): Generator<WaypointState> {
      for (const row of rowsOf('waypoints').iterate()) {
        const state = waypointStateOf(row)
        const placed = { state, foldedName: folded(row.name), label: row.label }
        const { cell, foldedName, ...written } = waypoints.values(placed)
        checkForm('waypoint', row, written, report)
        if (row.cell !== cell) report(`waypoint ${row.id} is at another place in the index of places`)
        if (row.foldedName !== foldedName) report(`waypoint ${row.id} has another name in the index of names`)
        yield state
      }
    },
    *nouns<Noun extends Vouched>(noun: Noun, report: Report): Generator<VouchedNouns[Noun]> {
      const { table, from, values } = storing[noun] as unknown as Stored<VouchedNouns[Noun]>
      for (const row of rowsOf(table).iterate()) {
        const state = from(row as never)
        checkForm(noun, row, values(state), report)
        yield state
      }
    },
    /** Returns a function for the records as made by their entries, by ascending ids. */
    made(): (id: number) => RecordState | undefined {
      const rows = makers.iterate()
      let next = rows.next()
      return (id) => {
        if (next.done === true || next.value.id !== id) return undefined
        const record = newRecord(replayedEntryOf(next.value))
        next = rows.next()
        return record
      }
    },
    peaks: (): string => Buffer.from(state.get()?.peaks ?? []).toString('hex'),
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
