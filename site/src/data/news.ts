/** What a row of an export says about when somebody last dealt with a waypoint. */
export interface DatedRow {
  readonly last_confirmed?: string | null | undefined
  readonly source_updated?: string | null | undefined
  readonly last_listed?: string | null | undefined
  readonly updated_at?: string | null | undefined
}

/**
 * The last day on which somebody saw a waypoint work, or its source changed what it says of it; else that as of which its
 * source listed it. One that is of no source is as new as its last change here, which of others may be an import. '' when
 * nothing is known.
 */
export function lastNews({
  last_confirmed: seen,
  source_updated: updated,
  last_listed: listed,
  updated_at: changed,
}: DatedRow): string {
  let latest = ''
  for (const day of [seen, updated, listed ? undefined : changed?.slice(0, 10)])
    if (day && day > latest) latest = day
  return latest || (listed ?? '')
}
