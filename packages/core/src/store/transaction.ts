import type { Answers, Job, Need, Questions } from '../decide/deciding.ts'
import { apiUserId, loggedEntry, type LoggedEntry } from '../log/entry.ts'
import { script, type Changeset, type LoadedFacts, type Outcome } from '../log/script.ts'
import {
  count,
  countChange,
  isOfRegistry,
  lastWriteOf,
  logStateOf,
  sourceCounting,
  type Counters,
} from './counters.ts'
import type { WritingOptions } from './write-queue.ts'
import type { Alongside } from './host-statements.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Changes, NounName, Nouns, Replacement, Where } from '../log/nouns.ts'
import { recordRowsOf } from './nouns/imports.ts'
import { entryReads } from './nouns/entries.ts'
import { waypointReads } from './nouns/waypoints.ts'
import {
  entryValues,
  needsPlace,
  placeValues,
  storedEntryOf,
  storing,
  strippedValues,
  type Columns,
  type NounTable,
  type PlacedWaypoint,
  type Row,
  type Storing,
} from './rows.ts'
import {
  subject,
  unindexed,
  rowCount,
  differing,
  greater,
  isAmong,
  build,
  query,
  real,
  shaped,
  text,
  texts,
  together,
  whole,
  wholes,
  type Askable,
  type QueryValues,
  type Reading,
} from './sql/query.ts'
import { tables, type Columns as Described, type TableName, type Values } from './tables.ts'
import type { Kept } from '../schemas/user.ts'
import { harvesting, observing, reporting } from '../rules.ts'
import { inEnglish } from '../places/labels.ts'
import { fold } from '../search/letters.ts'
import { addDays } from '../season.ts'
import { minutesAfter, minutesOf } from '../secrets.ts'
import type { AssignedPlace } from './answers.ts'

export interface Ending {
  readonly outcomes: readonly Outcome<unknown>[]
  /** The time of the write, ISO 8601 in UTC. */
  readonly at: string
  /** Whether the change is visible to readers of the registry, so that its state is stored. */
  readonly isChanged: boolean
  readonly isSaved: boolean
  /** Statements of the host to run, with their entries; not for refused writes. */
  readonly alongside: Alongside | undefined
  readonly entries: readonly LoggedEntry[]
}

type Naming = Pick<WritingOptions, 'places' | 'labelling'>

export interface TransactionOptions extends Naming, Pick<WritingOptions, 'clock' | 'acceptClock'> {
  readonly into: RowWriter
  readonly seed: () => string
}

/** The transaction of some jobs: loads what their script needs, and saves its changes. @throws RegistryError CLOCK_BEHIND */
export function* transaction(
  jobs: readonly Job<unknown>[],
  counters: Counters,
  { into, clock, acceptClock, seed, ...naming }: TransactionOptions,
): Reading<Ending> {
  const { groupSize } = into
  const circumstances = { now: clock(), seed, acceptClock, lastWrite: lastWriteOf(counters), groupSize }
  const { facts, steps } = script(jobs, logStateOf(counters), circumstances)
  const alongside = jobs[0]?.alongside
  const entries: LoggedEntry[] = []
  let at = ''
  let [isChanged, isSaved] = [false, false]
  let next = steps.next()
  for (; next.done !== true; next = steps.next()) {
    const step = next.value
    if (step.step === 'load') {
      yield* load(facts, step.needs)
      continue
    }
    const { changes } = step
    save(into, changes, counters, naming)
    count(counters, changes)
    at = changes.at
    isSaved = true
    isChanged ||= isOfRegistry(changes)
    if (alongside !== undefined)
      entries.push(
        ...changes.entries.map(({ entry, seed, leaf, hole }) => loggedEntry({ ...entry, seed, leaf, hole })),
      )
  }
  const outcomes = next.value
  const isAccepted = outcomes[0]?.ok === true
  return { outcomes, at, isChanged, isSaved, alongside: isAccepted ? alongside : undefined, entries }
}

type Key = number | string

const isText = (table: NounTable, name: string): boolean =>
  (tables[table].columns as Described)[name]?.kind === 'text'

/** A row without the engine's own columns. */
const rowsOf = (table: NounTable) =>
  build.selectFrom(table as 'reviews').select(Object.keys(tables[table].columns) as 'id'[])

const idsOf = (table: NounTable) => (isText(table, 'id') ? texts('ids') : wholes('ids'))
const one = shaped((table: NounTable) =>
  rowsOf(table).where('id', '=', (isText(table, 'id') ? text('id') : whole('id')) as RawBuilder<never>),
)
const some = shaped((table: NounTable) => rowsOf(table).where(isAmong(sql.ref('id'), idsOf(table))))
const having = shaped((table: NounTable, names: string) =>
  names
    .split(' ')
    .reduce(
      (query, name) =>
        query.where(sql<boolean>`${sql.ref(name)} = ${isText(table, name) ? text(name) : whole(name)}`),
      rowsOf(table).orderBy('id'),
    ),
)

const about = shaped((isOfWaypoint: boolean) =>
  entriesOf(sql`subject ${sql.raw(isOfWaypoint ? '=' : '<>')} 'waypoint'
  and subject = ${text('subject')} and "subjectId" = ${subject('subjectId')} order by id`),
)
const entriesOf = (rest: RawBuilder<unknown>) => sql<Row<'entries'>>`select * from entries where ${rest}`
const by = (userId: RawBuilder<unknown>) =>
  entriesOf(sql`${userId} = ${text('userId')}
  and "at" >= ${text('since')} and id < ${whole('before')}`)
const newest = sql`order by id desc limit ${rowCount('limit')}`
// Most entries are of imports, whose author is the built-in user: they are read in the order of the log, unsorted.
const byBuiltIn = query(() => sql<Row<'entries'>>`${by(unindexed(sql.ref('by')))} ${newest}`)
// One person's entries are found first: in the order of the log, PostgreSQL would read all others too.
const byPerson = query(
  () => sql<Row<'entries'>>`select * from (${by(sql.ref('by'))}
  ${differing({ sqlite: sql``, postgres: sql`offset 0` })}) as theirs ${newest}`,
)
const moderators = query(
  () => sql<Row<'users'>>`select name from users where "isModerator" = 1 and "leftAt" is null`,
)
const keepers = query(
  () => sql<Row<'users'>>`select keeps from users where keeps is not null and "leftAt" is null`,
)

const questionReads: {
  readonly [Question in keyof Questions]: (of: Questions[Question]) => Reading<Answers[Question]>
} = {
  *entriesAbout(of) {
    return (yield* about(of.subject === 'waypoint').all({ ...of })).map(storedEntryOf)
  },
  entriesAfter: ({ after, limit }) => entryReads.after(after, limit),
  *entriesBy(of) {
    return (yield* (of.userId === apiUserId ? byBuiltIn : byPerson).all({ ...of })).map(storedEntryOf)
  },
  *keepers() {
    return (yield* keepers.all()).flatMap(({ keeps }) => JSON.parse(keeps ?? '[]') as Kept[])
  },
  *moderators() {
    return (yield* moderators.all()).map(({ name }) => name)
  },
  *near({ latitude, longitude, metres, limit }) {
    const near = { latitude, longitude, radius: metres }
    return (yield* waypointReads.near({ near, limit })).map(({ id }) => id)
  },
}

function* ask<Q extends keyof Questions>(facts: LoadedFacts, question: Q, of: Questions[Q]): Reading<void> {
  facts.answer(question, of, yield* questionReads[question](of))
}

function* loadKeys(
  facts: LoadedFacts,
  table: NounTable,
  needs: readonly (readonly [NounName, Key])[],
): Reading<void> {
  const ids = [...new Set(needs.map(([, key]) => key))]
  const [id = ''] = ids
  const rows = yield* ids.length === 1 ? one(table).all({ id }) : some(table).all({ ids })
  const found = new Map<Key, object>(rows.map((row) => [row.id, row]))
  for (const [noun, key] of needs) {
    const row = found.get(key)
    facts.of(noun).load(key as never, row && (storing[noun].from(row as never) as never))
  }
}

function* loadAll<Noun extends NounName>(facts: LoadedFacts, noun: Noun, where: Where<Noun>): Reading<void> {
  const { table, from } = storing[noun] as unknown as Storing<Nouns[Noun]>
  const rows = yield* having(table, Object.keys(where).join(' ')).all(where as QueryValues)
  const found = rows.map((row) => from(row as never))
  facts.of(noun).loadAll(where, found)
}

function* loadRecords(facts: LoadedFacts, sourceId: number, refs: readonly string[]): Reading<void> {
  const rows = yield* recordRowsOf.all({ sourceId, refs })
  const found = Map.groupBy(rows.map(storing.record.from), ({ ref }) => ref)
  for (const ref of refs) facts.of('record').loadAll({ sourceId, ref }, found.get(ref) ?? [])
}

/** Whether records are asked for by the reference that their source gives them. */
function isByRef(where: Where<'record'>): where is { readonly sourceId: number; readonly ref: string } {
  return where.ref !== undefined && where.sourceId !== undefined && Object.keys(where).length === 2
}

/** Loads the facts for decisions: one query a table, all at the same time. */
function* load(facts: LoadedFacts, needs: readonly Need[]): Reading<void> {
  const keys: (readonly [NounName, Key])[] = []
  const refs = new Map<number, string[]>()
  const work: Reading<void>[] = []
  for (const need of needs) {
    if ('ask' in need) work.push(ask(facts, need.ask, need.of))
    else if ('key' in need) keys.push([need.noun, need.key])
    else if (need.noun === 'record' && isByRef(need.where)) {
      const { sourceId, ref } = need.where
      const some = refs.get(sourceId)
      if (some === undefined) refs.set(sourceId, [ref])
      else some.push(ref)
    } else work.push(loadAll(facts, need.noun, need.where))
  }
  for (const [table, some] of Map.groupBy(keys, ([noun]) => storing[noun].table))
    work.push(loadKeys(facts, table, some))
  for (const [sourceId, some] of refs) work.push(loadRecords(facts, sourceId, some))
  yield* together(...work)
}

/** How an engine writes, inside a running transaction; statements that are executed later fail with it, in order. */
export interface RowWriter {
  readonly waypoints: Columns<PlacedWaypoint>
  readonly groupSize?: number
  /** Saves nouns with rows of their own: existing ones first, since a new noun may take over the former name of one. */
  put<State>(columns: Columns<State>, changed: readonly Replacement<State>[]): void
  /** Adds rows with the same columns; bytes are given in hexadecimal. Rows of a table with numbers get the next. */
  insert(table: TableName, rows: readonly Values[]): void
  update(table: TableName, rows: readonly Values[]): void
  run(query: Askable, values: QueryValues): void
  /** Updates the search index after a saved waypoint, where it has more than columns. */
  follow?(saved: Replacement<PlacedWaypoint>, counters: Counters): void
}

/** How many secrets that have ended by themselves one write removes at most. */
const sweepAtMost = 100

const removing = shaped(
  (table: NounTable) => sql`delete from ${sql.table(table)} where ${isAmong(sql.ref('id'), idsOf(table))}`,
)
const sweepSecrets = query(
  () => sql`delete from secrets where number in (select number from secrets
  where "expiresAt" <= ${text('at')} order by "expiresAt" limit ${sql.lit(sweepAtMost)})`,
)
const forgetReporters = query(
  () => sql`update reports set network = null where network is not null and "createdAt" < ${text('today')}`,
)
const forgetReports = query(
  () => sql`update reports set "by" = null, comment = null, note = null
  where "decidedAt" is not null and "decidedAt" < ${text('before')} and coalesce("by", comment, note) is not null`,
)
const forgetNetworks = query(
  () => sql`update sightings set network = null where network is not null and day < ${text('today')}`,
)
const forgetSightings = query(() => build.deleteFrom('sightings').where('day', '<', text('before')))
const forgetHarvests = query(() => build.deleteFrom('harvests').where('endedAt', '<', text('before')))
const assignPlace = query(
  () => sql`update waypoints set country = ${text('country')},
    subdivision = ${text('subdivision')}, "placeName" = ${text('placeName')},
    label = case when name = '' then ${text('label')} end, "placedAfter" = (select size from state)
  where id = ${whole('id')} and latitude = ${real('latitude')} and longitude = ${real('longitude')}`,
)
const countAssigning = query(
  () => sql`update state set revision = revision + 1,
  "changedAt" = ${greater(sql.ref('changedAt'), text('now'))}`,
)

const valuesOf = <State>(
  { values }: Pick<Columns<State>, 'values'>,
  changed: readonly Replacement<State>[],
) => changed.map(({ after }) => values(after))

function putOrDelete<State extends { readonly id: Key; readonly isGone?: boolean | undefined }>(
  into: RowWriter,
  columns: Columns<State>,
  changed: readonly Replacement<State>[],
): void {
  const { kept = [], gone = [] } = Object.groupBy(changed, ({ after }) => (after.isGone ? 'gone' : 'kept'))
  const ids = gone.map(({ after }) => after.id)
  if (ids.length > 0) into.run(removing(columns.table), { ids })
  into.put(columns, kept)
}

/** Saves waypoints with their labels; new, moved and restored ones with their places. */
function putWaypoints(
  into: RowWriter,
  changed: NonNullable<Changes['waypoint']>,
  counters: Counters,
  { places, labelling = inEnglish }: Naming,
): void {
  const rows = changed.map((replacement) => {
    const { before, after } = replacement
    const place = needsPlace(replacement) ? (places?.(after) ?? null) : undefined
    return {
      before: before && {
        state: before,
        foldedName: fold(before.name),
        label: labelling(before, before.placeName),
      },
      after: {
        state: after,
        foldedName: fold(after.name),
        label: labelling(after, place === undefined ? after.placeName : place?.name),
        ...(place !== undefined && { place }),
      },
    }
  })
  into.put(into.waypoints, rows)
  for (const row of rows) {
    counters.lastWaypointId = Math.max(counters.lastWaypointId, row.after.state.id)
    into.follow?.(row, counters)
  }
}

function putRecords(into: RowWriter, { record = [], base = [] }: Changes): void {
  const remembered = new Map(base.map(({ after }) => [after.id, after]))
  const isOld = ({ before }: (typeof record)[number]): boolean => before !== undefined
  const added = record
    .filter((each) => !isOld(each))
    .map(({ after }) => {
      const { values = '{}', seenIn = 0 } = remembered.get(after.id) ?? {}
      remembered.delete(after.id)
      return { ...storing.record.values(after), values, seenIn }
    })
  // First of all, because a new record may have a reference that another one had.
  into.put(storing.record, record.filter(isOld))
  into.insert('records', added)
  into.update('records', Array.from(remembered.values(), storing.base.values))
}

/** Saves a changeset; the counters follow, and are stored by the caller. */
function save(
  into: RowWriter,
  { entries, tiles, nouns, at }: Changeset,
  counters: Counters,
  naming: Naming,
): void {
  const put = (...names: readonly Exclude<NounName, 'entry' | 'waypoint'>[]): void => {
    // The compiler cannot relate a noun to its columns.
    for (const noun of names) into.put(storing[noun] as Columns<unknown>, nouns[noun] ?? [])
  }
  const today = at.slice(0, 10)
  const daysAgo = (days: number): string => minutesAfter(at, -days * minutesOf.day)
  const counted = countChange(nouns)
  if (counted.old) into.run(sourceCounting.without, { ...counted.old })
  put('user')
  into.update('users', valuesOf(storing.profile, nouns.profile ?? []))
  if (nouns.secret) {
    putOrDelete(into, storing.secret, nouns.secret)
    into.run(sweepSecrets, { at })
  }
  put('source', 'import')
  if (nouns.schedule) putOrDelete(into, storing.schedule, nouns.schedule)
  put('harvest')
  if (nouns.harvest) into.run(forgetHarvests, { before: daysAgo(harvesting.keptDays) })
  if (nouns.webhook) putOrDelete(into, storing.webhook, nouns.webhook)
  put('worker')
  into.update('imports', valuesOf(storing.progress, nouns.progress ?? []))
  if (nouns.waypoint) putWaypoints(into, nouns.waypoint, counters, naming)
  put('review', 'observation', 'photo')
  into.update('photos', valuesOf(storing.credit, nouns.credit ?? []))
  put('observer', 'sighting', 'status')
  if (nouns.sighting ?? nouns.status) {
    into.run(forgetNetworks, { today })
    into.run(forgetSightings, { before: addDays(today, -observing.passersByDays) })
  }
  put('area')
  putRecords(into, nouns)
  if (counted.old) into.run(sourceCounting.with, { ...counted.old })
  for (const more of counted.more) into.run(sourceCounting.more, { ...more })
  put('report')
  if (nouns.report) {
    into.run(forgetReporters, { today })
    into.run(forgetReports, { before: daysAgo(reporting.keptDays) })
  }
  into.insert('distinctions', valuesOf(storing.distinction, nouns.distinction ?? []))
  if (nouns.doubt) putOrDelete(into, storing.doubt, nouns.doubt)
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

export const saveCounters = (into: RowWriter, counters: Counters): void =>
  into.update('state', [{ id: 1, ...counters }])

export function assignPlaces(into: RowWriter, places: readonly AssignedPlace[], now: string): void {
  for (const { place, ...found } of places) into.run(assignPlace, { ...found, ...placeValues(place) })
  into.run(countAssigning, { now })
}
