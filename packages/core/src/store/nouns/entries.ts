import { sql } from 'kysely'
import type { Loss } from '../../erasures.ts'
import type { Head, StoredEntry } from '../../log/entry.ts'
import type { LogState } from '../../log/script.ts'
import { Frontier } from '@openfountain/tlog/frontier'
import { known, logStateOf } from '../counters.ts'
import type { OpenHole } from '../answers.ts'
import { storedEntryOf, type Row } from '../rows.ts'
import {
  asSubject,
  hexOf,
  build,
  paged,
  query,
  type Reading,
  rowCount,
  shaped,
  Stream,
  type Streaming,
  subject,
  text,
  together,
  whole,
} from '../sql/query.ts'

const entries = () => build.selectFrom('entries').selectAll()
const after = query(() => paged(entries(), 'id')).map(storedEntryOf)
const byId = query(() => entries().where('id', '=', whole('id'))).map(storedEntryOf)
// In the order of the index of users.
const by = query<Row<'entries'>>(
  () => sql`select * from entries where "by" = ${text('userId')}
    and (subject, action, id) > (${text('subject')}, ${text('action')}, ${whole('id')})
    order by subject, action, id limit ${rowCount('limit')}`,
).map(storedEntryOf)
// A partial index is used where its condition is written out.
const about = query<Row<'entries'>>(
  () => sql`select * from entries where subject <> 'waypoint' and subject = 'user'
    and "subjectId" = ${text('userId')} and id > ${whole('after')} order by id limit ${rowCount('limit')}`,
).map(storedEntryOf)
const parts = {
  reviews: ['review', 'bubblerId'],
  observations: ['observation', 'bubblerId'],
  photos: ['photo', 'bubblerId'],
  records: ['record', 'waypointId'],
} as const
const ofWaypoint = query<{ id: number }>(
  () => sql`with own (id) as (
      select id from entries where subject = 'waypoint' and "subjectId" = ${subject('waypointId')}
      ${sql.join(
        Object.entries(parts).map(
          ([table, [noun, about]]) => sql`union all select e.id from ${sql.table(table)} part join entries e
            on e.subject <> 'waypoint' and e.subject = ${sql.lit(noun)} and e."subjectId" = ${asSubject(sql.ref('part.id'))}
            where part.${sql.ref(about)} = ${whole('waypointId')}`,
        ),
        sql` `,
      )})
    select id from own union
    select e.id from own join entries e
      on e.subject <> 'waypoint' and e.subject = 'entry' and e."subjectId" = ${asSubject(sql.ref('own.id'))}
    order by id`,
)
const state = query(() => build.selectFrom('state').selectAll().select(hexOf('peaks').as('hexPeaks')))
const leaves = query<{ leaf: string }>(
  () => sql`select ${hexOf('leaf')} as leaf from entries where id > ${whole('from')}
    order by id limit ${rowCount('count')}`,
).map(({ leaf }) => leaf)
const tiles = query<{ root: string }>(
  () => sql`select ${hexOf('root')} as root from tiles where level = ${whole('level')}
    and place >= ${whole('from')} order by place limit ${rowCount('count')}`,
).map(({ root }) => root)
const time = query(() => build.selectFrom('entries').select('at').where('id', '=', whole('id'))).map(
  ({ at }) => at,
)
/** The newest entry before a time: the log is halved, since times never go back. */
const before = query<{ id: number }>(
  () => sql`with recursive halves (least, most) as (
      select cast(0 as bigint), cast(size as bigint) from state
      union all
      select case when e.at < ${text('at')} then e.id else h.least end,
          case when e.at < ${text('at')} then h.most else e.id - 1 end
        from halves h join entries e on e.id = (h.least + h.most + 1) / 2 where h.least < h.most)
    select least as id from halves where least >= most limit 1`,
)
const ofRedactions = sql`r.subject <> 'waypoint' and r.subject = 'entry'`
/** Entries that lost fields, with the fields of the entries that redact them as a JSON array; by their index. */
const lost = query<
  Pick<Row<'entries'>, 'id' | 'subject' | 'subjectId'> & Record<'leaf' | 'commitments' | 'redactions', string>
>(
  () => sql`select id, subject, "subjectId", ${hexOf('leaf')} as leaf, commitments,
      '[' || coalesce((select string_agg(r.fields, ',' order by r.id) from entries r
        where ${ofRedactions} and r."subjectId" = ${asSubject(sql.ref('entries.id'))}), '') || ']' as redactions
    from entries where seed is null and commitments is not null order by id`,
)
const redactions = query<{ n: number }>(() => sql`select count(*) as n from entries r where ${ofRedactions}`)
const later = shaped(
  (isOfWaypoint: boolean) => sql<{ fields: string }>`select fields from entries
    where subject ${sql.raw(isOfWaypoint ? '=' : '<>')} 'waypoint' and subject = ${text('subject')}
      and "subjectId" = ${subject('subjectId')} and id > ${whole('id')}`,
)

const membersOf = (json: string): string[] => Object.keys(JSON.parse(json) as object)

export const entryReads = {
  tree: {
    leaves: (from: number, count: number): Reading<string[]> => leaves.all({ from, count }),
    tiles: (level: number, from: number, count: number): Reading<string[]> =>
      tiles.all({ level, from, count }),
  },
  *head(): Reading<Head> {
    const { size, hexPeaks, headAt } = yield* known(state.get())
    return {
      id: size,
      hash: new Frontier(size, hexPeaks).root(),
      timestamp: headAt ?? undefined,
    }
  },
  /** Which line of history this is: renewed when a backup without its newest entries is restored. */
  *origin(): Reading<string> {
    return (yield* known(state.get())).origin
  },
  timeOf: (id: number): Reading<string | undefined> => time.get({ id }),
  /** The newest entry before a time, ISO 8601 in UTC; 0 when there is none. */
  *idBefore(at: string): Reading<number> {
    return (yield* before.get({ at }))?.id ?? 0
  },
  /** The leaf hashes of all entries, oldest first, a thousand at a time. */
  leaves: new Stream(function* (): Streaming<string[]> {
    for (let from = 0, read = 1; read > 0; from += read) {
      const page = yield* leaves.all({ from, count: 1000 })
      yield { piece: page }
      read = page.length
    }
  }),
  get: (id: number): Reading<StoredEntry | undefined> => byId.get({ id }),
  *losses(): Reading<Loss[]> {
    return (yield* lost.all()).flatMap(({ id, leaf, commitments }) =>
      membersOf(commitments).map((field) => ({ id, leaf, field })),
    )
  },
  /** How many entries say that others lost fields. */
  *redactions(): Reading<number> {
    return (yield* redactions.get())?.n ?? 0
  },
  after: (id: number, limit: number): Reading<StoredEntry[]> => after.all({ after: id, limit }),
  by: (
    userId: string,
    place: { readonly subject: string; readonly action: string; readonly id: number },
    limit: number,
  ): Reading<StoredEntry[]> => by.all({ userId, ...place, limit }),
  aboutUser: (userId: string, afterId: number, limit: number): Reading<StoredEntry[]> =>
    about.all({ userId, after: afterId, limit }),
  /** The ids of entries about a waypoint, about its reviews, observations, photos and records, and of their redactions. */
  *aboutWaypoint(waypointId: number): Reading<number[]> {
    return (yield* ofWaypoint.all({ waypointId })).map(({ id }) => Number(id))
  },
  /** Fields lost by entries without a redaction that names them: an interrupted mirror has such for a while. */
  *openHoles(): Reading<OpenHole[]> {
    const holes = (yield* lost.all()).flatMap((row) => {
      const redactions = JSON.parse(row.redactions) as { names: string[] }[]
      const named = new Set(redactions.flatMap(({ names }) => names))
      return membersOf(row.commitments)
        .filter((field) => !named.has(field))
        .map((field) => ({
          id: row.id,
          subject: row.subject,
          subjectId: row.subject === 'user' ? row.subjectId : Number(row.subjectId),
          field,
        }))
    })
    const following = yield* together(
      ...holes.map(({ id, subject: of, subjectId }) =>
        later(of === 'waypoint').all({ subject: of, subjectId, id }),
      ),
    )
    return holes.map((hole, index) => ({
      ...hole,
      isLast: !(following[index] ?? []).some(({ fields }) => membersOf(fields).includes(hole.field)),
    }))
  },
  *state(): Reading<Omit<LogState, 'totals'>> {
    const { hexPeaks, ...row } = yield* known(state.get())
    const { totals: _totals, ...rest } = logStateOf({ ...row, peaks: hexPeaks })
    return rest
  },
}
