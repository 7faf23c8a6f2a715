export interface DatedRow {
  readonly last_confirmed?: string | null | undefined
  readonly source_updated?: string | null | undefined
  readonly last_listed?: string | null | undefined
  readonly source?: string | null | undefined
  readonly updated_at?: string | null | undefined
}

/** The last day on which a waypoint was seen working or its source told of it, else of its last change; '' when unknown. */
export function lastNews({
  last_confirmed: seen,
  source_updated: updated,
  last_listed: listed,
  source,
  updated_at: changed,
}: DatedRow): string {
  let latest = ''
  for (const day of [seen, updated, source ? undefined : changed?.slice(0, 10)])
    if (day && day > latest) latest = day
  return latest || (listed ?? '')
}
