import { sql } from 'kysely'
import {
  burstsOf,
  fieldNames,
  waypointOf,
  type ActEntries,
  type Burst,
  type Links,
  type ModerationReading,
  type QueuePlace,
  type Waypoint,
} from '@openfountain/core/engine'
import { ofModeration, ofPeople } from '../migrations/0001-log.ts'
import { entryOf } from './entries.ts'
import { build, text, whole, type Statements } from '../connection/statement.ts'

/** Reads what moderators look at, and what they did. */
export function moderationReads(statements: Statements): Omit<ModerationReading, 'duplicates'> {
  const queue = (flag: 'approved' | 'verified') =>
    statements.prepare(() =>
      build
        .selectFrom('waypoints')
        .select(fieldNames)
        // Written out, so that the partial index of those that are not approved is used.
        .where(sql<boolean>`${sql.ref(flag)} = 0`)
        .where('deletedAt', 'is', null)
        .where('id', '>', whole('after'))
        .orderBy('id')
        .limit(whole('limit')),
    )
  const unapproved = queue('approved')
  const unverified = queue('verified')
  const state = statements.prepare(() =>
    build.selectFrom('state').select(['waypoints', 'approvedWaypoints', 'verifiedWaypoints', 'size']),
  )
  const timeOf = statements.prepare(() =>
    build.selectFrom('entries').select('at').where('id', '=', whole('id')),
  )
  const linksOf = statements.prepare(() =>
    build.selectFrom('entries').select('links').where('id', '=', whole('id')),
  )
  const firstOfActs = statements.prepare(() =>
    build
      .selectFrom('entries')
      .selectAll()
      .where(sql<boolean>`${sql.raw(ofModeration)}`)
      .where('id', '<', whole('before'))
      .orderBy('id', 'desc')
      .limit(whole('limit')),
  )
  const ofPeopleSince = statements.written<{ id: number; by: string; links: string | null }>(
    () => sql`select id, "by", links from entries
      where ${sql.raw(ofPeople)} and id > ${whole('after')} order by id desc limit ${whole('limit')}`,
  )
  /** The newest entry before a time: the log is halved, since times never go back. */
  const lastBefore = statements.written<{ id: number }>(
    () => sql`with recursive halves (least, most) as (
        select 0::bigint, size::bigint from state
        union all
        select case when e.at < ${text('since')} then e.id else h.least end,
            case when e.at < ${text('since')} then h.most else e.id - 1 end
          from halves h join entries e on e.id = (h.least + h.most + 1) / 2 where h.least < h.most)
      select least as id from halves where least >= most limit 1`,
  )
  const waypointName = statements.prepare(() =>
    build.selectFrom('waypoints').select('name').where('id', '=', whole('id')),
  )
  const review = statements.prepare(() =>
    build.selectFrom('reviews').select(['bubblerId', 'userId']).where('id', '=', whole('id')),
  )

  const page = async (statement: typeof unapproved, { after, limit }: QueuePlace): Promise<Waypoint[]> =>
    (await statement.all({ after, limit })).map(waypointOf)

  /** The last entry of the act that begins with an entry: its entries follow one another. */
  async function lastOf(first: number): Promise<number> {
    const isPart = async (id: number): Promise<boolean> => {
      const links = (await linksOf.get({ id }))?.links ?? null
      return links !== null && (JSON.parse(links) as Links).act === first
    }
    if (!(await isPart(first))) return first
    let step = 1
    while (await isPart(first + step)) step *= 2
    let [least, most] = [first + Math.floor(step / 2), first + step - 1]
    while (least < most) {
      const middle = Math.ceil((least + most) / 2)
      if (await isPart(middle)) least = middle
      else most = middle - 1
    }
    return least
  }

  return {
    waypointName: async (id) => (await waypointName.get({ id }))?.name,
    review: (id) => review.get({ id }),
    async totals() {
      const { waypoints = 0, approvedWaypoints = 0, verifiedWaypoints = 0 } = (await state.get()) ?? {}
      return { unapproved: waypoints - approvedWaypoints, unverified: waypoints - verifiedWaypoints }
    },
    unapproved: (place) => page(unapproved, place),
    unverified: (place) => page(unverified, place),
    async bursts(since, { changes, lookedAt }): Promise<Burst[]> {
      const after = (await lastBefore.get({ since }))?.id ?? 0
      const rows = await ofPeopleSince.all({ after, limit: lookedAt })
      const found = burstsOf(
        rows.map(({ id, by, links }) => [id, by, links]),
        changes,
      )
      return Promise.all(
        found.map(async (burst) => ({ ...burst, since: (await timeOf.get({ id: burst.first }))?.at ?? '' })),
      )
    },
    async acts({ before, limit }): Promise<ActEntries[]> {
      const rows = await firstOfActs.all({ before, limit })
      return Promise.all(
        rows.map(async (row) => {
          const first = entryOf(row)
          return { first, last: await lastOf(first.id) }
        }),
      )
    },
  }
}
