const pad = (number: string): string => number.padStart(2, '0')

/** Days as sources write them without doubt, each with what makes its year, month and day of it. */
const forms: readonly (readonly [pattern: RegExp, parts: (...found: string[]) => string[]])[] = [
  // 2022-05-01T04:00:00+02:00 is the first of May there; OpenStreetMap also has 2022-05 and 2022.
  [/^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?![\d/-])/u, (year = '', month = '', day = '') => [year, month, day]],
  [/^(\d{4})-(\d{2})$/u, (year = '', month = '') => [year, month, '1']],
  [/^(\d{4})$/u, (year = '') => [year, '1', '1']],
  [/^(\d{4})(\d{2})(\d{2})(?:\d{6})?$/u, (year = '', month = '', day = '') => [year, month, day]],
  [/^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)/u, (day = '', month = '', year = '') => [year, month, day]],
]

/** With slashes, it is the month that comes first in some countries. */
const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/u

/** Which comes first in days with slashes. */
export type DayOrder = 'day' | 'month'

/** What comes first in days with slashes, by those among them that only one order makes a day of; undefined when none tells. */
export function dayOrderIn(values: readonly unknown[]): DayOrder | undefined {
  const found = values.flatMap((value) => (typeof value === 'string' ? [slashed.exec(value.trim())] : []))
  const isBeyond = (place: 1 | 2) => found.some((parts) => Number(parts?.[place] ?? 0) > 12)
  const [first, second] = [isBeyond(1), isBeyond(2)]
  return first === second ? undefined : first ? 'day' : 'month'
}

function slashedDay(value: string, order: DayOrder | undefined): string[] {
  const [, one = '', other = '', year = ''] = slashed.exec(value) ?? []
  const known = dayOrderIn([value]) ?? (one === other ? 'day' : order)
  return known === undefined ? [] : known === 'day' ? [year, other, one] : [year, one, other]
}

function dayOf(value: string, order?: DayOrder): string | undefined {
  if (slashed.test(value.trim())) return existing(slashedDay(value.trim(), order))
  for (const [pattern, parts] of forms) {
    const found = pattern.exec(value.trim())
    if (found === null) continue
    return existing(parts(...found.slice(1)))
  }
  return undefined
}

function existing([year = '', month = '', day = '']: readonly string[]): string | undefined {
  const text = `${year}-${pad(month)}-${pad(day)}`
  const isDay = new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true
  return isDay && year >= '1900' ? text : undefined
}

/**
 * The latest of days in a source's words, as `YYYY-MM-DD`; a month or a year is its first day. Undefined when there is none
 * that exists, or that is one for certain.
 *
 * @param order of day and month in days with slashes, where it is known from others
 */
export function dayIn(values: readonly string[], order?: DayOrder): string | undefined {
  return values
    .flatMap((value) => dayOf(value, order) ?? [])
    .toSorted()
    .at(-1)
}
