export interface DatedRow {
  readonly last_confirmed?: string | null | undefined
  readonly source_updated?: string | null | undefined
  readonly last_listed?: string | null | undefined
  readonly source?: string | null | undefined
  readonly updated_at?: string | null | undefined
}

/**
 * The last day on which a waypoint was seen working or its source changed its record; else the day of the source's last
 * listing. For a waypoint without a source, its last change here; with a source, such a change may be an import. ''
 * when no date is known.
 */
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
