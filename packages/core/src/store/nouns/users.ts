import { sql } from 'kysely'
import { apiUserId, observerUserId, type Links } from '../../log/entry.ts'
import type { Removal, UserState } from '../../schemas/user.ts'
import type { Paging } from '../answers.ts'
import { shownName, userStateOf, type Row } from '../rows.ts'
import {
  asId,
  asSubject,
  build,
  differing,
  query,
  type QueryValues,
  type Reading,
  rowCount,
  shaped,
  text,
  whole,
} from '../sql/query.ts'

const people = sql`users where id <> ${sql.lit(apiUserId)} and "leftAt" is null`
const page = sql`limit ${rowCount('limit')} offset ${rowCount('offset')}`
const byId = query(() => build.selectFrom('users').selectAll().where('id', '=', text('id'))).map(userStateOf)
const byXp = query<Row<'users'>>(
  () => sql`select * from ${people} order by xp desc, "createdAt", id ${page}`,
).map(userStateOf)
const byAge = query<Row<'users'>>(() => sql`select * from ${people} order by "createdAt", id ${page}`).map(
  userStateOf,
)
const former = query(() =>
  build.selectFrom('users').select('id').where('leftAt', 'is not', null).where('id', '!=', observerUserId),
).map(({ id }) => id)
const changed = query<{ people: number; latest: string | null }>(
  () => sql`select count(*) as people, max("updatedAt") as latest from users where "updatedAt" > "createdAt"`,
)
const total = query(() => build.selectFrom('state').select('users'))

/** The awards of an entry, one row each. */
const awards = differing({
  sqlite: sql`json_each(entries.awards) as award`,
  postgres: sql`jsonb_array_elements(entries.awards::jsonb) as award (value)`,
})
/** The waypoint of an entry about one, or about a review. */
const waypointOfEntry = sql`case entries.subject when 'waypoint' then ${asId(sql.ref('entries.subjectId'))}
  when 'review' then (select "bubblerId" from reviews where id = ${asId(sql.ref('entries.subjectId'))}) end`
const ofRegion = sql`and ${waypointOfEntry} in
  (select id from waypoints where coalesce(region, "placeName") = ${text('region')})`
/** People by the XP of their contributions: without reverted ones and without grants of the operator. */
const earners = (hasRegion: boolean) => sql`(
  select award.value ->> 0 as "userId", sum(cast(award.value ->> 2 as integer)) as earned
    from entries cross join ${awards}
    where entries.awards is not null and entries.id > ${whole('after')} and award.value ->> 1 <> 'grant'
    ${hasRegion ? ofRegion : sql``}
    group by 1)`
const inLead = (hasRegion: boolean) => sql`${earners(hasRegion)} as earners
  join (select * from ${people}) as people on people.id = earners."userId" where earned > 0`
const leading = shaped(
  (hasRegion: boolean) => sql<Row<'users'> & { earned: number }>`select people.*, earned
    from ${inLead(hasRegion)} order by earned desc, "createdAt", id ${page}`,
)
const leaders = shaped(
  (hasRegion: boolean) => sql<{ n: number }>`select count(*) as n from ${inLead(hasRegion)}`,
)

const deletionOf = (subject: 'waypoint' | 'review', id: string) =>
  sql<number>`(select max(id) from entries where ${subject === 'waypoint' ? sql`` : sql`subject <> 'waypoint' and `}
    subject = ${sql.lit(subject)} and "subjectId" = ${asSubject(sql.ref(id))} and action = 'deleted')`
/** A user's tombstones whose newest deletion is by somebody else, newest first. */
const removals = query<RemovalRow>(
  () => sql`select r.*, e.at, e.fields, e.links from (
      select ${deletionOf('waypoint', 'waypoints.id')} as entry, 'waypoint' as subject, waypoints.id,
          waypoints.id as "bubblerId", ${shownName} as name from waypoints
        where "deletedAt" is not null and "addedByUserId" = ${text('userId')}
      union all
      select ${deletionOf('review', 'reviews.id')}, 'review', reviews.id, "bubblerId", ${shownName}
        from reviews join waypoints on waypoints.id = reviews."bubblerId"
        where reviews."deletedAt" is not null and reviews."userId" = ${text('userId')}
    ) r join entries e on e.id = r.entry where e."by" <> ${text('userId')}
    order by e.id desc limit ${rowCount('limit')} offset ${rowCount('offset')}`,
)

interface RemovalRow extends Pick<Removal, 'subject' | 'id' | 'bubblerId' | 'name'> {
  readonly at: string
  readonly fields: string
  readonly links: string | null
}

export interface Lead extends Paging {
  readonly after: number
  readonly region?: string | undefined
}

export const userReads = {
  get: (id: string): Reading<UserState | undefined> => byId.get({ id }),
  byXp: ({ limit, offset }: Paging): Reading<UserState[]> => byXp.all({ limit, offset }),
  /** The same by the XP that contributions earned, with how many people that are. */
  *leading(lead: Lead): Reading<{ people: (UserState & { readonly earned: number })[]; total: number }> {
    const hasRegion = lead.region !== undefined
    const values: QueryValues = { ...lead }
    const rows = yield* leading(hasRegion).all(values)
    const { n = 0 } = (yield* leaders(hasRegion).get(values)) ?? {}
    return {
      people: rows.map(({ earned, ...row }) => ({ ...userStateOf(row), earned: Number(earned) })),
      total: Number(n),
    }
  },
  /** A user's waypoints and reviews that others removed, newest first. */
  *removals(page: Paging & { readonly userId: string }): Reading<Removal[]> {
    return (yield* removals.all({ ...page })).map(({ subject, id, bubblerId, name, at, fields, links }) => {
      const { reason } = JSON.parse(fields) as { reason?: string }
      const { mergedInto } = JSON.parse(links ?? '{}') as Links
      return {
        subject,
        id: Number(id),
        bubblerId: Number(bubblerId),
        name,
        removedAt: at,
        reason,
        mergedInto,
      }
    })
  },
  /** Oldest first. */
  list: ({ limit, offset }: Paging): Reading<UserState[]> => byAge.all({ limit, offset }),
  former: (): Reading<string[]> => former.all(),
  /** How many people have another name or address than when they joined, those who left included, and when one changed last. */
  *changed(): Reading<{ readonly people: number; readonly latest: string | null }> {
    return (yield* changed.get()) ?? { people: 0, latest: null }
  },
  *total(): Reading<number> {
    return (yield* total.get())?.users ?? 0
  },
}
