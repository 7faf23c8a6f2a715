import {
  areas,
  bases,
  countChange,
  counterNames,
  entryValues,
  fold,
  imports,
  needsPlace,
  observations,
  observers,
  profiles,
  progress,
  records,
  reportChanging,
  reportsForget,
  reportValues,
  reviews,
  secretChanging,
  secretValues,
  sightings,
  sightingsForget,
  sourceCounting,
  sources,
  statuses,
  strippedValues,
  sweepAtMost,
  users,
  waypoints,
  type Askable,
  type Changes,
  type Changeset,
  type Columns,
  type Counters,
  type PlaceLookup,
  type QueryValues,
  type Replacement,
  type WaypointPlace,
  type Values,
} from '@openfountain/core/engine'
import { Statements, type Queries } from '../connection/statement.ts'
import { searchColumns } from '../search/columns.ts'
import type { TableName } from '../tables.ts'
import { insertNumbered, insertRows, updateRows, type Numbered, type Row, type Rows } from './rows.ts'

/** Rows that are written with a changeset, in the order in which they refer to each other. Nothing waits for an answer. */
class Saving {
  readonly #queries: Queries
  readonly #statements: Statements
  readonly #sent: Promise<void>[] = []

  constructor(queries: Queries) {
    this.#queries = queries
    this.#statements = new Statements(queries)
  }

  /** Sends a statement. An error of one is that of the whole, and the first is thrown. */
  #send(statement: Promise<unknown>): void {
    const sent = statement.then(() => undefined)
    sent.catch(() => undefined)
    this.#sent.push(sent)
  }

  insert(table: TableName, rows: readonly Row[]): void {
    if (areSome(rows)) this.#send(insertRows(this.#queries, table, rows))
  }

  number(table: Numbered, rows: readonly Row[]): void {
    if (areSome(rows)) this.#send(insertNumbered(this.#queries, table, rows))
  }

  update(table: TableName, rows: readonly Row[]): void {
    if (areSome(rows)) this.#send(updateRows(this.#queries, table, rows))
  }

  execute(text: string, values: readonly (string | number | null)[]): void {
    this.#send(this.#queries.query(text, values))
  }

  ask(query: Askable, values: QueryValues): void {
    this.#send(this.#statements.rows({ query, values }))
  }

  /** Saves nouns that are rows of their own: what is new, and what was there. */
  put<State>({ table, values }: Columns<State>, changed: readonly Replacement<State>[] = []): void {
    this.update(
      table,
      changed.filter(isOld).map(({ after }) => values(after)),
    )
    this.insert(
      table,
      changed.filter(isNew).map(({ after }) => values(after)),
    )
  }

  /** Sets columns of rows that are saved before. */
  set<State>({ table, values }: Columns<State>, changed: readonly Replacement<State>[] = []): void {
    this.update(
      table,
      changed.map(({ after }) => values(after)),
    )
  }

  /** Resolves once everything is written. @throws the first error, after all were answered */
  async written(): Promise<void> {
    const failed = (await Promise.allSettled(this.#sent)).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  }
}

const areSome = (rows: readonly Row[]): rows is Rows => rows.length > 0
const isNew = ({ before }: Replacement<unknown>): boolean => before === undefined
const isOld = ({ before }: Replacement<unknown>): boolean => before !== undefined

/** Inserts the new records with their merge bases, and updates the others. */
function putRecords(saving: Saving, { record = [], base = [] }: Changes): void {
  // First of all, because a new record may have a reference that another one had.
  saving.update(
    'records',
    record.filter(isOld).map(({ after }) => records.values(after)),
  )
  const ofNew = new Map(base.map(({ after }) => [after.id, after]))
  const inserted = record.filter(isNew).map(({ after }) => {
    const { values = '{}', seenIn = 0 } = ofNew.get(after.id) ?? {}
    ofNew.delete(after.id)
    return { ...records.values(after), values, seenIn }
  })
  saving.insert('records', inserted)
  saving.update('records', [...ofNew.values()].map(bases.values))
}

type WaypointReplacement = NonNullable<Changes['waypoint']>[number]

/** Saves waypoints; those that are new, moved or back with their places. */
function putWaypoints(
  saving: Saving,
  changed: readonly WaypointReplacement[],
  places: PlaceLookup | undefined,
): void {
  const placed = ({ after }: WaypointReplacement) => waypointRow(after, places?.(after) ?? null)
  const old = changed.filter(isOld)
  const stayed = old.filter((each) => !needsPlace(each))
  saving.update(
    'waypoints',
    stayed.map(({ after }) => waypointRow(after)),
  )
  saving.update('waypoints', old.filter(needsPlace).map(placed))
  saving.insert('waypoints', changed.filter(isNew).map(placed))
}

/** The row of a waypoint with what search looks in; tombstones are not found. */
function waypointRow(state: WaypointReplacement['after'], place?: WaypointPlace | null): Values {
  const foldedName = fold(state.name)
  const found =
    state.deletedAt === undefined
      ? searchColumns({
          foldedName,
          description: state.description,
          region: state.region,
        })
      : { searchText: null, searchTokens: null }
  return { ...waypoints.values({ state, foldedName, place }), ...(found as unknown as Values) }
}

function putSecrets(saving: Saving, changed: NonNullable<Changes['secret']>, at: string): void {
  const gone = changed.filter(({ after }) => after.isGone === true).map(({ after }) => after.id)
  if (gone.length > 0)
    saving.execute(
      'delete from "secrets" where "id" = any (array(select json_array_elements_text($1::text::json)))',
      [JSON.stringify(gone)],
    )
  const kept = changed.filter(({ after }) => after.isGone !== true)
  const changing = ({ after }: (typeof kept)[number]) =>
    picked(secretValues(after), ['id', ...secretChanging])
  saving.update('secrets', kept.filter(isOld).map(changing))
  saving.number(
    'secrets',
    kept.filter(isNew).map(({ after }) => secretValues(after)),
  )
  saving.execute(
    `delete from "secrets" where "number" in
      (select "number" from "secrets" where "expiresAt" <= $1 order by "expiresAt" limit ${sweepAtMost})`,
    [at],
  )
}

function putReports(saving: Saving, changed: NonNullable<Changes['report']>, at: string): void {
  const changing = ({ after }: (typeof changed)[number]) =>
    picked(reportValues(after), ['id', ...reportChanging])
  saving.update('reports', changed.filter(isOld).map(changing))
  saving.number(
    'reports',
    changed.filter(isNew).map(({ after }) => reportValues(after)),
  )
  const { today, before } = reportsForget(at)
  saving.execute('update "reports" set "network" = null where "network" is not null and "createdAt" < $1', [
    today,
  ])
  saving.execute(
    `update "reports" set "by" = null, "comment" = null, "note" = null
      where "decidedAt" is not null and "decidedAt" < $1 and num_nonnulls("by", "comment", "note") > 0`,
    [before],
  )
}

/** Removes what is no longer needed of what passers-by saw. */
function forgetSightings(saving: Saving, at: string): void {
  const { today, before } = sightingsForget(at)
  saving.execute('update "sightings" set "network" = null where "network" is not null and "day" < $1', [
    today,
  ])
  saving.execute('delete from "sightings" where "day" < $1', [before])
}

const picked = (row: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.map((name) => [name, row[name]]))

/** Saves changesets in one transaction. The statements are sent, and answered later: whoever commits waits for them. */
export function saves(queries: Queries, places?: PlaceLookup) {
  const setCounters = `update "state" set ${[...counterNames, 'peaks']
    .map(
      (name, index) => `"${name}" = ${name === 'peaks' ? `decode($${index + 1}, 'hex')` : `$${index + 1}`}`,
    )
    .join(', ')} where "id" = 1`
  let saving = new Saving(queries)

  return {
    /** Saves a changeset; the counters follow, and are stored by the caller. */
    save({ entries, tiles, nouns: changed, at }: Changeset, counters: Counters): void {
      const counted = countChange(changed)
      if (counted.old) saving.ask(sourceCounting.without, { ...counted.old })
      saving.put(users, changed.user)
      saving.set(profiles, changed.profile)
      if (changed.secret) putSecrets(saving, changed.secret, at)
      saving.put(sources, changed.source)
      saving.put(imports, changed.import)
      saving.set(progress, changed.progress)
      putWaypoints(saving, changed.waypoint ?? [], places)
      for (const { after } of changed.waypoint ?? [])
        counters.lastWaypointId = Math.max(counters.lastWaypointId, after.id)
      saving.put(reviews, changed.review)
      saving.put(observations, changed.observation)
      saving.put(observers, changed.observer)
      saving.put(sightings, changed.sighting)
      saving.put(statuses, changed.status)
      if (changed.sighting ?? changed.status) forgetSightings(saving, at)
      saving.put(areas, changed.area)
      putRecords(saving, changed)
      if (counted.old) saving.ask(sourceCounting.with, { ...counted.old })
      for (const more of counted.more) saving.ask(sourceCounting.more, { ...more })
      if (changed.report) putReports(saving, changed.report, at)
      saving.number(
        'distinctions',
        (changed.distinction ?? []).map(({ after }) => ({ ...after })),
      )
      saving.insert('entries', entries.map(entryValues))
      saving.insert(
        'tiles',
        tiles.map(({ level, index, root, actions }) => ({
          level,
          place: index,
          root,
          actions: actions ?? null,
        })),
      )
      saving.update(
        'entries',
        (changed.entry ?? []).map(({ after }) => strippedValues(after)),
      )
    },
    /** Stores the counters. */
    count(counters: Counters): void {
      saving.execute(setCounters, [...counterNames.map((name) => counters[name]), counters.peaks])
    },
    execute: (text: string, values: readonly (string | number | null)[]) => saving.execute(text, values),
    /** Resolves once everything that was sent is written. @throws what the server refuses first */
    async written(): Promise<void> {
      const written = saving.written()
      saving = new Saving(queries)
      await written
    },
  }
}
