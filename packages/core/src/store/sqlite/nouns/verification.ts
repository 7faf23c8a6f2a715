import { sql } from 'kysely'
import { apiUserId } from '../../../actor.ts'
import type { Action } from '../../../log/entry.ts'
import type { WaypointState } from '../../../schemas/waypoint.ts'
import { changeReads } from './changes.ts'
import { waypointStateOf } from '../writing/rows.ts'
import { build, type Statements } from '../connection/statement.ts'

/** A row of the log, as verification reads it. */
export interface LoggedRow {
  readonly id: number
  readonly bubblerId: number
  readonly userId: string
  readonly action: Action
  readonly changes: string
  readonly timestamp: string
  readonly salt: Uint8Array | null
  readonly digest: Uint8Array
  readonly hash: Uint8Array
  readonly redacted: 0 | 1
}

/** Reads everything that is verified, row by row. */
export function verificationReads(statements: Statements) {
  const rows = () =>
    build
      .selectFrom('changes')
      .leftJoin('redactions', 'redactions.changeId', 'changes.id')
      .selectAll('changes')
      .select(sql<0 | 1>`redactions.changeId is not null`.as('redacted'))
  const chain = statements.prepare(() => rows().orderBy('changes.id'))
  const byWaypoint = statements.prepare(() => rows().orderBy('bubblerId').orderBy('changes.id'))
  const waypoints = statements.prepare(() => build.selectFrom('waypoints').selectAll().orderBy('id'))
  const xp = statements.prepare(() =>
    build
      .selectFrom('users')
      .leftJoin(
        build
          .selectFrom('xpLedger')
          .select(({ fn }) => ['userId', fn.sum<number>('amount').as('total')])
          .groupBy('userId')
          .as('earned'),
        'earned.userId',
        'users.id',
      )
      .select(({ fn }) => ['users.id', 'users.xp', fn.coalesce('total', sql<number>`0`).as('sum')])
      .where(({ eb, fn }) => eb('users.xp', '!=', fn.coalesce('total', sql<number>`0`))),
  )
  const state = statements.prepare(() => build.selectFrom('state').selectAll())
  const counted = statements.prepare(() =>
    build.selectNoFrom([
      build
        .selectFrom('waypoints')
        .where('deletedAt', 'is', null)
        .select(sql<number>`count(*)`.as('n'))
        .as('waypoints'),
      build
        .selectFrom('waypoints')
        .where('deletedAt', 'is', null)
        .where('verified', '=', 1)
        .select(sql<number>`count(*)`.as('n'))
        .as('verifiedWaypoints'),
      build
        .selectFrom('users')
        .where('id', '!=', apiUserId)
        .select(sql<number>`count(*)`.as('n'))
        .as('users'),
      build
        .selectFrom('reviews')
        .where('deletedAt', 'is', null)
        .select(sql<number>`count(*)`.as('n'))
        .as('reviews'),
      build
        .selectFrom('reviews')
        .select(sql<number>`count(*)`.as('n'))
        .as('reviewsPosted'),
    ]),
  )

  return {
    head: () => changeReads(statements).head(),
    chain: (): IterableIterator<LoggedRow> => chain.iterate(),
    byWaypoint: (): IterableIterator<LoggedRow> => byWaypoint.iterate(),
    /** All waypoints by id, with their cell in the index of places. */
    *waypoints(): Generator<{ readonly state: WaypointState; readonly cell: number | null }> {
      for (const row of waypoints.iterate()) yield { state: waypointStateOf(row), cell: row.cell }
    },
    /** Messages for counters and sums that differ from the rows. */
    *sums(): Generator<string> {
      for (const { id, xp: stored, sum } of xp.all())
        yield `user ${id} has ${stored} XP, the ledger has ${sum}`
      const stored = state.get()
      const real = counted.get()
      if (stored === undefined || real === undefined) return yield 'the row of the table state is missing'
      for (const [name, n] of Object.entries(real)) {
        const counter = stored[name as keyof typeof real]
        if (counter !== n) yield `the counter ${name} is ${counter}, the count is ${n}`
      }
    },
  }
}
