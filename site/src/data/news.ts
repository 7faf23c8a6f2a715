/** What a row of an export says about when somebody last dealt with a waypoint. */
export interface DatedRow {
  readonly last_confirmed?: string | null | undefined
  readonly last_listed?: string | null | undefined
  readonly updated_at?: string | null | undefined
}

/** The last day on which a waypoint was changed here, seen by somebody, or listed by a source; '' when nothing is known. */
export function lastNews({
  last_confirmed: seen,
  last_listed: listed,
  updated_at: changed,
}: DatedRow): string {
  const days = [seen, listed, changed].flatMap((time) => (time ? [time.slice(0, 10)] : []))
  return days.toSorted().at(-1) ?? ''
}
