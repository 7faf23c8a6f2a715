const pad = (number: string): string => number.padStart(2, '0')

/** Days as sources write them without doubt. */
const forms: readonly RegExp[] = [
  // 2022-05-01T04:00:00+02:00 is the first of May there; OpenStreetMap also has 2022-05 and 2022.
  /^(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<day>\d{1,2})(?![\d/-])/u,
  /^(?<year>\d{4})-(?<month>\d{2})$/u,
  /^(?<year>\d{4})$/u,
  /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})(?:\d{6})?$/u,
  /^(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.\s?(?<year>\d{4})(?!\d)/u,
]

/** With slashes, it is the month that comes first in some countries. */
const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/u

/** Which comes first in days with slashes. */
export type DayOrder = 'day' | 'month'

/** The order of days with slashes, by values that are a day in only one order; undefined when none tells. */
export function dayOrderIn(values: readonly unknown[]): DayOrder | undefined {
  const found = values.flatMap((value) => (typeof value === 'string' ? [slashed.exec(value.trim())] : []))
  const isBeyond = (place: 1 | 2) => found.some((parts) => Number(parts?.[place] ?? 0) > 12)
  const [first, second] = [isBeyond(1), isBeyond(2)]
  return first === second ? undefined : first ? 'day' : 'month'
}

function slashedDay(value: string, order: DayOrder | undefined): Day {
  const [, one = '', other = '', year = ''] = slashed.exec(value) ?? []
  const known = dayOrderIn([value]) ?? (one === other ? 'day' : order)
  if (known === undefined) return {}
  return known === 'day' ? { year, month: other, day: one } : { year, month: one, day: other }
}

function dayOf(text: string, order?: DayOrder): string | undefined {
  const value = text.trim()
  if (slashed.test(value)) return existing(slashedDay(value, order))
  const form = forms.find((each) => each.test(value))
  return form && existing(form.exec(value)?.groups ?? {})
}

type Day = Readonly<Partial<Record<'year' | 'month' | 'day', string>>>

function existing({ year = '', month = '1', day = '1' }: Day): string | undefined {
  const text = `${year}-${pad(month)}-${pad(day)}`
  const isDay = new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true
  return isDay && year >= '1900' ? text : undefined
}

/**
 * The latest of days in a source's words, as `YYYY-MM-DD`; a month or a year is its first day. Undefined when none
 * exists, or none is unambiguous.
 *
 * @param order of day and month in days with slashes, where it is known from others
 */
export function dayIn(values: readonly string[], order?: DayOrder): string | undefined {
  return values
    .flatMap((value) => dayOf(value, order) ?? [])
    .toSorted()
    .at(-1)
}
