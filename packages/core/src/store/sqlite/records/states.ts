import { sql, type RawBuilder } from 'kysely'
import { statusOf, type Status, type StatusFacts } from '../../../status.ts'
import type { Statements } from '../connection/statement.ts'

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

/** The SQL of the state on a day, from condensed facts. */
export function stateOn(statements: Statements, day: string, facts: RawBuilder<unknown>): RawBuilder<string> {
  const statusOn = statusesOn(day)
  const computed = sql.raw(statements.defineUnnamed((given) => statusOn(String(given)).state))
  // Most waypoints have no facts, and cost no call.
  return sql`iif(${facts} is null, ${sql.lit(statusOn(null).state)}, ${computed}(${facts}))`
}
