import { sql } from 'kysely'
import type { Links, StoredEntry } from '../../../log/entry.ts'
import type { Waypoint } from '../../../schemas/waypoint.ts'
import { fieldNames } from '../../../fields/waypoint.ts'
import type { Schema } from '../schema.ts'
import type { ActEntries, Burst, ModerationReading } from '../../reads.ts'
import { burstsOf, type ActivityRow } from '../../bursts.ts'
import { ofModeration, ofPeople } from '../migrations/0001-registry.ts'
import { storedEntryOf, waypointOf } from '../../rows.ts'
import { build, limitParam, param, type Statements } from '../connection/statement.ts'

/** Waypoints that are looked at in the order of their ids: in most registries most are not verified. */
const lookedAt = 4000

/** Reads what moderators look at, and what they did, on one connection. */
export function moderationReads(statements: Statements) {
  const unapproved = statements.prepare(() =>
    build
      .selectFrom(
        sql<Schema['waypoints']>`(select * from waypoints indexed by waypointsUnapproved
          where approved = 0 and deletedAt is null and id > ${param('after')}
          order by id limit ${limitParam('limit')})`.as('waypoints'),
      )
      .select(fieldNames),
  )
  const some = statements.prepare(() =>
    build
      .selectFrom(
        sql`(select id, verified, deletedAt from waypoints where id > ${param('after')}
          order by id limit ${sql.lit(lookedAt)})`.as('some'),
      )
      .select([
        sql<number>`coalesce(max(id), 0)`.as('last'),
        sql<number>`count(*)`.as('n'),
        sql<string>`json_group_array(id) filter (where verified = 0 and deletedAt is null)`.as('ids'),
      ]),
  )
  const state = statements.prepare(() =>
    build.selectFrom('state').select(['waypoints', 'approvedWaypoints', 'verifiedWaypoints', 'size']),
  )
  const timeOf = statements.prepare(() =>
    build.selectFrom('entries').select('at').where('id', '=', param<number>('id')),
  )
  const actOf = statements.prepare(() =>
    build.selectFrom('entries').select('links').where('id', '=', param<number>('id')),
  )
  const firstOfActs = statements.prepare(() =>
    build
      .selectFrom(
        sql<Schema['entries']>`(select * from entries indexed by entriesOfModeration
          where ${sql.raw(ofModeration)} and id < ${param('before')}
          order by id desc limit ${limitParam('limit')})`.as('acts'),
      )
      .selectAll(),
  )
  const ofPeopleSince = () =>
    statements.columns<ActivityRow>(
      sql`select id, by, links from entries indexed by entriesOfPeople
        where ${sql.raw(ofPeople)} and id > ${param('after')} order by id desc limit ${limitParam('limit')}`,
    )

  /** The newest entry before a time; times never go back. */
  function lastBefore(at: string, size: number): number {
    let [least, most] = [0, size]
    while (least < most) {
      const middle = Math.ceil((least + most) / 2)
      if ((timeOf.get({ id: middle })?.at ?? '') < at) least = middle
      else most = middle - 1
    }
    return least
  }

  /** The last entry of the act that begins with an entry: its entries follow one another. */
  function lastOf(first: number, size: number): number {
    const isPart = (id: number): boolean => {
      const links = id > size ? null : (actOf.get({ id })?.links ?? null)
      return links !== null && (JSON.parse(links) as Links).act === first
    }
    if (!isPart(first)) return first
    let step = 1
    while (isPart(first + step)) step *= 2
    let [least, most] = [first + Math.floor(step / 2), first + step - 1]
    while (least < most) {
      const middle = Math.ceil((least + most) / 2)
      if (isPart(middle)) least = middle
      else most = middle - 1
    }
    return least
  }

  const waypointName = statements.prepare(() =>
    build.selectFrom('waypoints').select('name').where('id', '=', param<number>('id')),
  )
  const review = statements.prepare(() =>
    build.selectFrom('reviews').select(['bubblerId', 'userId']).where('id', '=', param<number>('id')),
  )

  return {
    waypointName: (id: number): string | undefined => waypointName.get({ id })?.name,
    review: (id: number) => review.get({ id }),
    totals() {
      const { waypoints = 0, approvedWaypoints = 0, verifiedWaypoints = 0 } = state.get() ?? {}
      return { unapproved: waypoints - approvedWaypoints, unverified: waypoints - verifiedWaypoints }
    },
    unapproved: ({ after, limit }: { readonly after: number; readonly limit: number }): Waypoint[] =>
      unapproved.all({ after, limit }).map(waypointOf),
    /** Ids of waypoints after one that are not verified, among a bounded number; whether these were all. */
    unverifiedAmongSome(
      after: number,
      limit: number,
    ): { readonly ids: number[]; readonly isEnough: boolean } {
      const { ids = '[]', n = 0 } = some.get({ after }) ?? {}
      const found = JSON.parse(ids) as number[]
      return { ids: found.slice(0, limit), isEnough: found.length >= limit || n < lookedAt }
    },
    bursts(
      since: string,
      { changes, lookedAt: most }: { readonly changes: number; readonly lookedAt: number },
    ) {
      const { size = 0 } = state.get() ?? {}
      const after = lastBefore(since, size)
      return burstsOf(ofPeopleSince().all({ after, limit: most }), changes).map((found): Burst => ({
        ...found,
        since: timeOf.get({ id: found.first })?.at ?? '',
      }))
    },
    acts({ before, limit }: { readonly before: number; readonly limit: number }): ActEntries[] {
      const { size = 0 } = state.get() ?? {}
      return firstOfActs.all({ before, limit }).map((row) => {
        const first: StoredEntry = storedEntryOf(row)
        return { first, last: lastOf(first.id, size) }
      })
    },
  } satisfies Omit<ModerationReading, 'unverified' | 'duplicates'> & Record<string, unknown>
}
