import { sql, type RawBuilder } from 'kysely'
import { statusOf, type Status, type StatusFacts } from '../../../status.ts'
import type { Statements } from '../connection/statement.ts'

/** What records say of the state of a waypoint on a day. */
const members = ['state', 'since', 'lastConfirmed'] as const

/** Returns a function that gives the status on a day from condensed facts as JSON text; null when nothing is known. */
export function statusesOn(day: string): (facts: string | null) => Status {
  const unknown = statusOf({}, day)
  let last: { readonly facts: string; readonly status: Status } | undefined
  return (facts) => {
    if (facts === null) return unknown
    if (last?.facts !== facts) last = { facts, status: statusOf(JSON.parse(facts) as StatusFacts, day) }
    return last.status
  }
}

/** The SQL of each member of the status on a day, from condensed facts. */
export function statusColumns(
  statements: Statements,
  day: string,
  facts: RawBuilder<unknown>,
): Record<(typeof members)[number], RawBuilder<string>> {
  const statusOn = statusesOn(day)
  const { state } = statusOn(null)
  const member = sql.raw(
    statements.defineUnnamed((index, given) => {
      const name = members[Number(index)] ?? 'state'
      return statusOn(given === null ? null : String(given))[name] ?? null
    }),
  )
  // Most waypoints have no facts, and cost no call.
  const computed = (index: number, unknown: RawBuilder<unknown>) =>
    sql<string>`iif(${facts} is null, ${unknown}, ${member}(${sql.lit(index)}, ${facts}))`
  return {
    state: computed(0, sql.lit(state)),
    since: computed(1, sql`null`),
    lastConfirmed: computed(2, sql`null`),
  }
}
