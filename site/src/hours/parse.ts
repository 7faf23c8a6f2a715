/** The usual part of OpenStreetMap's `opening_hours`: months, days, weekdays, holidays and times. Other text is shown as it is. */

/** The start or end of a span: minutes after midnight, or an event of the sun. */
export type Moment = number | SunTime
export type SunTime = (typeof sunTimes)[number]
const sunTimes = ['sunrise', 'sunset', 'dawn', 'dusk'] as const

export interface Span {
  readonly from: Moment
  /** May be before `from`: it is then on the next day. */
  readonly to: Moment
}

/** Days of the year, both included, `MM-DD`; `to` may be before `from`. A month's last day is its 31st. */
export interface Period {
  readonly from: string
  readonly to: string
  readonly isMonths: boolean
}

export interface Rule {
  readonly periods: readonly Period[]
  /** Ranges of weekdays, 0 is Monday; empty for all of them where the rule is not about holidays alone. */
  readonly days: readonly (readonly [from: number, to: number])[]
  readonly holidays: boolean
  /** Empty when it is closed. */
  readonly times: readonly Span[]
}

/** Rules; the last one that matches a day applies. */
export type Hours = readonly Rule[]

export const allDay: Span = { from: 0, to: 1440 }

const weekdays = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su']
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const day = `(?:${weekdays.join('|')})`
const daysPattern = `(?:${day}(?:-${day})?|ph)(?:,(?:${day}(?:-${day})?|ph))*`
const dayOfMonth = String.raw`(?:0?[1-9]|[12]\d|3[01])`
const date = `(?:${months.join('|')})(?: ${dayOfMonth})?`
const periodPattern = `${date}(?:-(?:${date}|${dayOfMonth}))?`
const clock = String.raw`(?:(?:[01]?\d|2[0-3]):[0-5]\d|24:00)`
const moment = `(?:${clock}|${sunTimes.join('|')})`
const span = `${moment}-${moment}`
const rulePattern = new RegExp(
  `^(?:(${periodPattern}(?:,${periodPattern})*)(?::?(?: |$)))?(?:(${daysPattern})(?: |$))?(24/7|off|closed|open|${span}(?:,${span})*)?$`,
  'u',
)

export function parseHours(text: string): Hours | undefined {
  const parts = tidied(text).split(/ ?; ?/u)
  if (parts.at(-1) === '') parts.pop()
  const rules = parts.map(ruleOf)
  return rules.length === 0 || rules.some((rule) => rule === undefined)
    ? undefined
    : rules.filter((rule) => rule !== undefined)
}

function tidied(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[–—]/gu, '-')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/ ?- ?/gu, '-')
    .replaceAll(/ ?, ?/gu, ',')
}

function ruleOf(text: string): Rule | undefined {
  const [, periods = '', days = '', times = ''] = rulePattern.exec(text) ?? []
  if (periods + days + times === '') return undefined
  return {
    periods: periods === '' ? [] : periods.split(',').map(periodOf),
    days: days
      .split(',')
      .filter((part) => part !== '' && part !== 'ph')
      .map(runOf),
    holidays: days.split(',').includes('ph'),
    times: timesOf(times),
  }
}

function timesOf(text: string): readonly Span[] {
  if (text === 'off' || text === 'closed') return []
  if (text === '' || text === 'open' || text === '24/7') return [allDay]
  return text.split(',').map((part) => {
    const [from = '', to = ''] = part.split('-')
    return { from: momentOf(from), to: momentOf(to) }
  })
}

function runOf(text: string): readonly [number, number] {
  const [from = '', to = from] = text.split('-')
  return [weekdays.indexOf(from), weekdays.indexOf(to)]
}

function periodOf(text: string): Period {
  const [from = '', to = from] = text.split('-')
  const [month = '', number] = from.split(' ')
  // “Apr 1-15” names the month once.
  const [lastMonth = '', lastNumber] = /^\d/u.test(to) ? [month, to] : to.split(' ')
  const isMonths = number === undefined && lastNumber === undefined
  return { from: dateOf(month, number ?? '1'), to: dateOf(lastMonth, lastNumber ?? '31'), isMonths }
}

const dateOf = (month: string, number: string): string =>
  `${String(months.indexOf(month) + 1).padStart(2, '0')}-${number.padStart(2, '0')}`

function momentOf(text: string): Moment {
  const sun = sunTimes.find((known) => known === text)
  if (sun !== undefined) return sun
  const [hours = NaN, minutes = NaN] = text.split(':').map(Number)
  return hours * 60 + minutes
}

export const isAlways = (hours: Hours): boolean =>
  hours.length === 1 &&
  hours.every(
    ({ periods, days, holidays, times }) =>
      periods.length + days.length === 0 && !holidays && times.some(isWholeDay),
  )

export const isWholeDay = ({ from, to }: Span): boolean => from === 0 && to === 1440
