import { sql } from 'kysely'
import type { Changes, Replacement } from '../log/nouns.ts'
import type { Changeset } from '../log/script.ts'
import { observing, reporting } from '../rules.ts'
import type { PlaceLookup } from '../schemas/place.ts'
import { fold } from '../search/letters.ts'
import { addDays } from '../season.ts'
import { minutesAfter, minutesOf } from '../secrets.ts'
import type { Counters } from './counters.ts'
import type { AssignedPlace } from './port.ts'
import {
  areas,
  bases,
  distinctions,
  entryValues,
  imports,
  needsPlace,
  observations,
  observers,
  placeValues,
  profiles,
  progress,
  records,
  reports,
  reviews,
  secrets,
  sightings,
  sources,
  statuses,
  strippedValues,
  users,
  type Columns,
  type PlacedWaypoint,
} from './rows.ts'
import { countChange, sourceCounting } from './source-counts.ts'
import { greater, isAmong } from './sql/expressions.ts'
import { build, query, real, text, texts, whole } from './sql/query.ts'
import type { Askable, QueryValues } from './sql/reading.ts'
import type { TableName } from './tables.ts'
import type { Values } from './value.ts'

/**
 * How an engine writes, inside a running transaction. An engine may execute statements later: they fail with the transaction,
 * in their order.
 */
export interface RowWriter {
  /** The columns of waypoints, with those of the engine's own. */
  readonly waypoints: Columns<PlacedWaypoint>
  /** Saves nouns with rows of their own: existing ones first, since a new noun may take over the former name of one. */
  put<State>(columns: Columns<State>, changed: readonly Replacement<State>[]): void
  /** Adds rows with the same columns; bytes are given in hexadecimal. Rows of a table with numbers get the next. */
  insert(table: TableName, rows: readonly Values[]): void
  /** Sets columns of rows, each found by its id. */
  update(table: TableName, rows: readonly Values[]): void
  /** Executes a statement. */
  run(query: Askable, values: QueryValues): void
  /** Updates the search index after a saved waypoint, where it has more than columns. */
  follow?(saved: Replacement<PlacedWaypoint>, counters: Counters): void
}

/** How many secrets that have ended by themselves one write removes at most. */
const sweepAtMost = 100

const removeSecrets = query(() => build.deleteFrom('secrets').where(isAmong(sql.ref('id'), texts('ids'))))
const sweepSecrets = query(() =>
  build
    .deleteFrom('secrets')
    .where('number', 'in', (eb) =>
      eb
        .selectFrom('secrets')
        .select('number')
        .where('expiresAt', '<=', text('at'))
        .orderBy('expiresAt')
        .limit(sql.lit(sweepAtMost)),
    ),
)
const forgetReporters = query(() =>
  build
    .updateTable('reports')
    .set({ network: null })
    .where('network', 'is not', null)
    .where('createdAt', '<', text('today')),
)
const forgetReports = query(() =>
  build
    .updateTable('reports')
    .set({ by: null, comment: null, note: null })
    .where('decidedAt', 'is not', null)
    .where('decidedAt', '<', text('before'))
    .where(({ or, eb }) =>
      or([eb('by', 'is not', null), eb('comment', 'is not', null), eb('note', 'is not', null)]),
    ),
)
const forgetNetworks = query(() =>
  build
    .updateTable('sightings')
    .set({ network: null })
    .where('network', 'is not', null)
    .where('day', '<', text('today')),
)
const forgetSightings = query(() => build.deleteFrom('sightings').where('day', '<', text('before')))
const assignPlace = query(() =>
  build
    .updateTable('waypoints')
    .set({
      country: text('country'),
      subdivision: text('subdivision'),
      placeName: text('placeName'),
      placedAfter: sql<number>`(select size from state)`,
    })
    .where('id', '=', whole('id'))
    .where('latitude', '=', real('latitude'))
    .where('longitude', '=', real('longitude')),
)
const countAssigning = query(() =>
  build
    .updateTable('state')
    .set({ revision: sql<number>`revision + 1`, changedAt: greater(sql.ref('changedAt'), text('now')) }),
)

const rowsOf = <State>({ values }: Pick<Columns<State>, 'values'>, changed: readonly Replacement<State>[]) =>
  changed.map(({ after }) => values(after))

/** Saves and removes secrets, also some expired ones. */
function putSecrets(into: RowWriter, changed: NonNullable<Changes['secret']>, at: string): void {
  const isGone = ({ after }: (typeof changed)[number]): boolean => after.isGone === true
  const ids = changed.filter(isGone).map(({ after }) => after.id)
  if (ids.length > 0) into.run(removeSecrets, { ids })
  into.put(
    secrets,
    changed.filter((each) => !isGone(each)),
  )
  into.run(sweepSecrets, { at })
}

/** Saves reports, without networks of earlier days, and without authors and texts of those decided long ago. */
function putReports(into: RowWriter, changed: NonNullable<Changes['report']>, at: string): void {
  into.put(reports, changed)
  into.run(forgetReporters, { today: at.slice(0, 10) })
  into.run(forgetReports, { before: minutesAfter(at, -reporting.keptDays * minutesOf.day) })
}

/** Deletes sightings of passers-by after some weeks, and their networks at the end of the day. */
function forgetPassersBy(into: RowWriter, at: string): void {
  const today = at.slice(0, 10)
  into.run(forgetNetworks, { today })
  into.run(forgetSightings, { before: addDays(today, -observing.passersByDays) })
}

/** Saves waypoints; new, moved and restored ones with their places. */
function putWaypoints(
  into: RowWriter,
  changed: NonNullable<Changes['waypoint']>,
  counters: Counters,
  places: PlaceLookup | undefined,
): void {
  const rows = changed.map((replacement) => {
    const { before, after } = replacement
    return {
      before: before && { state: before, foldedName: fold(before.name) },
      after: {
        state: after,
        foldedName: fold(after.name),
        ...(needsPlace(replacement) && { place: places?.(after) ?? null }),
      },
    }
  })
  into.put(into.waypoints, rows)
  for (const row of rows) {
    counters.lastWaypointId = Math.max(counters.lastWaypointId, row.after.state.id)
    into.follow?.(row, counters)
  }
}

/** Saves records, new ones with their values at the import. */
function putRecords(into: RowWriter, { record = [], base = [] }: Changes): void {
  const remembered = new Map(base.map(({ after }) => [after.id, bases.values(after)]))
  const isOld = ({ before }: (typeof record)[number]): boolean => before !== undefined
  const added = record
    .filter((each) => !isOld(each))
    .map(({ after }) => {
      const known = remembered.get(after.id)
      remembered.delete(after.id)
      return { ...records.values(after), values: '{}', seenIn: 0, ...known }
    })
  // First of all, because a new record may have a reference that another one had.
  into.put(records, record.filter(isOld))
  into.insert('records', added)
  into.update('records', [...remembered.values()])
}

/** Saves a changeset; the counters follow, and are stored by the caller. */
export function save(
  into: RowWriter,
  { entries, tiles, nouns, at }: Changeset,
  counters: Counters,
  places: PlaceLookup | undefined,
): void {
  const counted = countChange(nouns)
  if (counted.old) into.run(sourceCounting.without, { ...counted.old })
  into.put(users, nouns.user ?? [])
  into.update('users', rowsOf(profiles, nouns.profile ?? []))
  if (nouns.secret) putSecrets(into, nouns.secret, at)
  into.put(sources, nouns.source ?? [])
  into.put(imports, nouns.import ?? [])
  into.update('imports', rowsOf(progress, nouns.progress ?? []))
  if (nouns.waypoint) putWaypoints(into, nouns.waypoint, counters, places)
  into.put(reviews, nouns.review ?? [])
  into.put(observations, nouns.observation ?? [])
  into.put(observers, nouns.observer ?? [])
  into.put(sightings, nouns.sighting ?? [])
  into.put(statuses, nouns.status ?? [])
  if (nouns.sighting ?? nouns.status) forgetPassersBy(into, at)
  into.put(areas, nouns.area ?? [])
  putRecords(into, nouns)
  if (counted.old) into.run(sourceCounting.with, { ...counted.old })
  for (const more of counted.more) into.run(sourceCounting.more, { ...more })
  if (nouns.report) putReports(into, nouns.report, at)
  into.insert('distinctions', rowsOf(distinctions, nouns.distinction ?? []))
  into.insert('entries', entries.map(entryValues))
  into.insert(
    'tiles',
    tiles.map(({ level, index, root, actions = null }) => ({ level, place: index, root, actions })),
  )
  into.update(
    'entries',
    (nouns.entry ?? []).map(({ after }) => strippedValues(after)),
  )
}

/** Stores the counters. */
export const saveCounters = (into: RowWriter, counters: Counters): void =>
  into.update('state', [{ id: 1, ...counters }])

/** Sets the places of waypoints that are still where they were found. */
export function assignPlaces(into: RowWriter, places: readonly AssignedPlace[], now: string): void {
  for (const { id, latitude, longitude, place } of places)
    into.run(assignPlace, { id, latitude, longitude, ...placeValues(place) })
  into.run(countAssigning, { now })
}
