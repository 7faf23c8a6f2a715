import { sql, type RawBuilder } from 'kysely'
import type { Changeset, SavedEntry } from '../../../log/script.ts'
import type { MergeBase, RecordState } from '../../../log/nouns.ts'
import type { Replacement } from '../../../log/working-set.ts'
import type { WaypointState } from '../../../schemas/waypoint.ts'
import { fold } from '../../../search/letters.ts'
import { reportWrites } from './reports.ts'
import { secretWrites } from './secrets.ts'
import type { PlaceLookup } from '../../../schemas/place.ts'
import { build, param, params, type Statement, type Statements } from '../connection/statement.ts'
import type { Value } from '../../value.ts'
import type { searchUpkeep } from '../search/upkeep.ts'
import {
  areas,
  bases,
  entryColumns,
  entryValues,
  imports,
  needsPlace,
  observations,
  observers,
  profiles,
  progress,
  recordColumns,
  records,
  reviews,
  sightings,
  sources,
  statuses,
  strippedValues,
  users,
  waypoints,
  type Columns,
  type PlacedWaypoint,
} from '../../rows.ts'
import type { Counters } from '../../counters.ts'
import { distinctionColumns, sightingsForget } from '../../kept-rows.ts'
import { countChange, sourceCounting } from '../../source-counts.ts'
import type { Inserts } from '../connection/inserts.ts'

/** Bytes that are bound in hexadecimal, which is faster than as buffers. */
const bytes = (hex: RawBuilder<unknown>) => sql<Uint8Array>`unhex(${hex})`

/** Writes rows of one table, each under its id: new ones many at a time. */
function rowWrites<State>(statements: Statements, { table, values }: Columns<State>) {
  let inserts: Inserts<string> | undefined
  const updates = new Map<string, Statement<unknown>>()

  function update(before: State, after: State): void {
    const [was, is] = [values(before), values(after)]
    // SQLite writes every index of a column that a statement sets, even when its value stays the same.
    const changed = Object.keys(is).filter((name) => is[name] !== was[name])
    if (changed.length === 0) return
    const shape = changed.join(' ')
    let statement = updates.get(shape)
    if (statement === undefined) {
      statement = overwrites(statements, table, changed)
      updates.set(shape, statement)
    }
    statement.run(is)
  }

  return {
    save(changed: readonly Replacement<State>[] = []): void {
      for (const { before, after } of changed) {
        if (before !== undefined) {
          update(before, after)
          continue
        }
        const row = values(after)
        inserts ??= statements.inserts(Object.keys(row), (rows) =>
          build.insertInto(table as 'areas').values(rows as never),
        )
        inserts.add(row as Record<string, Value>)
      }
      inserts?.flush()
    },
    discard: () => inserts?.discard(),
  }
}

/** Sets some columns of a row. */
function overwrites(statements: Statements, table: Columns<never>['table'], names: readonly string[]) {
  return statements.prepare(() =>
    build
      .updateTable(table as 'areas')
      .set(params(names) as never)
      .where('id', '=', param<number>('id')),
  )
}

/** Returns a function that removes what is no longer needed of what passers-by saw. */
function forgettingSightings(statements: Statements) {
  const forgetNetworks = statements.prepare(() =>
    build
      .updateTable('sightings')
      .set({ network: null })
      .where('network', 'is not', null)
      .where('day', '<', param<string>('today')),
  )
  const forget = statements.prepare(() =>
    build.deleteFrom('sightings').where('day', '<', param<string>('before')),
  )
  return (at: string): void => {
    const { today, before } = sightingsForget(at)
    forgetNetworks.run({ today })
    forget.run({ before })
  }
}

/** Saves changesets on SQLite, inside the caller's transaction. @internal */
export function saves(statements: Statements, upkeep: ReturnType<typeof searchUpkeep>, places?: PlaceLookup) {
  const put = {
    user: rowWrites(statements, users),
    source: rowWrites(statements, sources),
    import: rowWrites(statements, imports),
    waypoint: rowWrites(statements, waypoints),
    review: rowWrites(statements, reviews),
    observation: rowWrites(statements, observations),
    observer: rowWrites(statements, observers),
    sighting: rowWrites(statements, sightings),
    status: rowWrites(statements, statuses),
    area: rowWrites(statements, areas),
    record: rowWrites(statements, records),
  }
  // These have columns of their own in the row of a person, a run or a record, which is saved before.
  const putProfile = overwrites(statements, 'users', ['name', 'email', 'updatedAt', 'leftAt'])
  const putProgress = overwrites(statements, 'imports', ['updatedAt', 'checkpoint', 'counts'])
  const putBase = overwrites(statements, 'records', ['values', 'seenIn'])
  const putSecrets = secretWrites(statements)
  const putReports = reportWrites(statements)
  const forgetSightings = forgettingSightings(statements)
  const putDistinction = statements.prepare(() =>
    build.insertInto('distinctions').values(params(distinctionColumns)),
  )
  const withBytes = ({ seed, leaf, ...row }: Record<(typeof entryColumns)[number], never>) => ({
    ...row,
    seed: bytes(seed),
    leaf: bytes(leaf),
  })
  const newEntries = statements.inserts(entryColumns, (rows) =>
    build.insertInto('entries').values(rows.map(withBytes)),
  )
  const countSources = {
    without: statements.prepare(() => sourceCounting.without.built),
    with: statements.prepare(() => sourceCounting.with.built),
    more: statements.prepare(() => sourceCounting.more.built),
  }
  const newRecords = statements.inserts(recordColumns, (rows) => build.insertInto('records').values(rows))
  const strip = statements.prepare(() =>
    build
      .updateTable('entries')
      .set({
        fields: param('fields'),
        seed: null,
        salts: param('salts'),
        commitments: param('commitments'),
      })
      .where('id', '=', param<number>('id')),
  )
  const putTile = statements.prepare(() =>
    build
      .insertInto('tiles')
      .values({ ...params(['level', 'place', 'actions']), root: bytes(param('root')) }),
  )

  /** Saves waypoints, and then what search reads of them. */
  function putWaypoints(changed: readonly Replacement<WaypointState>[], counters: Counters): void {
    const placed = (state: WaypointState): PlacedWaypoint => ({ state, foldedName: fold(state.name) })
    const rows = changed.map((replacement) => {
      const { before, after } = replacement
      const row = placed(after)
      return {
        before: before && placed(before),
        after: needsPlace(replacement) ? { ...row, place: places?.(after) ?? null } : row,
      }
    })
    put.waypoint.save(rows)
    for (const { before, after } of rows) {
      const { state, foldedName } = after
      counters.lastWaypointId = Math.max(counters.lastWaypointId, state.id)
      upkeep.follow({ before: before?.state, after: state, foldedName }, counters)
    }
  }

  /** Inserts the new records with their merge bases, and updates the others. */
  function putRecords(
    changed: readonly Replacement<RecordState>[],
    remembered: readonly Replacement<MergeBase>[],
  ): void {
    // First of all, because a new record may have a reference that another one had.
    put.record.save(changed.filter(({ before }) => before !== undefined))
    const ofNew = new Map(remembered.map(({ after }) => [after.id, after]))
    for (const { before, after } of changed) {
      if (before !== undefined) continue
      const { values = '{}', seenIn = 0 } = ofNew.get(after.id) ?? {}
      ofNew.delete(after.id)
      newRecords.add({
        ...(records.values(after) as Record<(typeof recordColumns)[number], Value>),
        values,
        seenIn,
      })
    }
    newRecords.flush()
    for (const after of ofNew.values()) putBase.run(bases.values(after))
  }

  /** Appends entries, with the roots of the tiles that they complete. */
  function append(entries: readonly SavedEntry[], tiles: Changeset['tiles']): void {
    for (const entry of entries) newEntries.add(entryValues(entry))
    newEntries.flush()
    for (const { level, index, root, actions } of tiles)
      putTile.run({ level, place: index, root, actions: actions ?? null })
  }

  return {
    /** Saves a changeset; the counters of search follow, and are stored by the caller. */
    save(changes: Changeset, counters: Counters): void {
      const { entries, tiles, nouns: changed, at } = changes
      const counted = countChange(changed)
      if (counted.old) countSources.without.run({ ...counted.old })
      put.user.save(changed.user)
      for (const { after } of changed.profile ?? []) putProfile.run(profiles.values(after))
      if (changed.secret) putSecrets(changed.secret, at)
      put.source.save(changed.source)
      put.import.save(changed.import)
      for (const { after } of changed.progress ?? []) putProgress.run(progress.values(after))
      if (changed.waypoint) putWaypoints(changed.waypoint, counters)
      put.review.save(changed.review)
      put.observation.save(changed.observation)
      put.observer.save(changed.observer)
      put.sighting.save(changed.sighting)
      put.status.save(changed.status)
      if (changed.sighting ?? changed.status) forgetSightings(at)
      put.area.save(changed.area)
      if (changed.record ?? changed.base) putRecords(changed.record ?? [], changed.base ?? [])
      if (counted.old) countSources.with.run({ ...counted.old })
      for (const more of counted.more) countSources.more.run({ ...more })
      if (changed.report) putReports(changed.report, at)
      for (const { after } of changed.distinction ?? []) putDistinction.run({ ...after })
      append(entries, tiles)
      for (const { after } of changed.entry ?? []) strip.run(strippedValues(after))
    },
    /** Forgets rows that wait to be inserted, because their transaction failed. */
    discard(): void {
      newEntries.discard()
      newRecords.discard()
      for (const writes of Object.values(put)) writes.discard()
    },
  }
}
