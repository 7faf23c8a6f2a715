import { fill, type Format } from '../messages.ts'
import { capitalised, dayOfYear, dayWords, type Strings } from './season.ts'
import { isAlways, isWholeDay, parseHours, type Hours, type Moment, type Period, type Rule } from './parse.ts'

/** Days of 2024, which began on a Monday. */
const dayOfWeek = (index: number): Date => new Date(Date.UTC(2024, 0, 1 + index))

const ranged = (strings: Strings, from: string, to: string): string =>
  from === to ? from : fill(strings['hours.range'] ?? '{from} – {to}', { from, to })

export function hoursWords(strings: Strings, format: Format, text: string): string | undefined {
  const hours = parseHours(text)
  return hours && wordsOf(strings, format, hours)
}

function wordsOf(strings: Strings, { tag }: Format, hours: Hours): string {
  const word = (key: string) => strings[`hours.${key}`] ?? key
  if (isAlways(hours)) return word('always')
  const inUtc = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' })
  const [weekday, month] = [inUtc({ weekday: 'long' }), inUtc({ month: 'long' })]

  const period = ({ from, to, isMonths }: Period): string => {
    const [first, last] = [from, to].map((each) =>
      isMonths ? month.format(dayOfYear(`${each.slice(0, 3)}01`)) : dayWords(tag, each),
    )
    return isMonths || from === to
      ? ranged(strings, first ?? '', last ?? '')
      : fill(word('dates'), { from: first, to: last })
  }
  const days = ({ days: runs, holidays, periods }: Rule): readonly string[] => {
    const named = runs.map(([from, to]) =>
      ranged(strings, weekday.format(dayOfWeek(from)), weekday.format(dayOfWeek(to))),
    )
    if (holidays) named.push(word('holidays'))
    return named.length === 0 && periods.length === 0 ? [word('daily')] : named
  }
  const moment = (given: Moment): string => (typeof given === 'number' ? clock(tag, given) : word(given))
  const times = ({ times: spans }: Rule): string =>
    spans.length === 0
      ? word('closed')
      : spans.some(isWholeDay)
        ? word('allDay')
        : spans.map(({ from, to }) => `${moment(from)}–${moment(to)}`).join(', ')

  const text = hours
    .map((rule) =>
      fill(strings['site.labelled'] ?? '{label}: {text}', {
        label: [...rule.periods.map(period), ...days(rule)].join(', '),
        text: times(rule),
      }),
    )
    .join(' · ')
  return capitalised(tag, text)
}

/** A time of day as a language writes it. @param minutes after midnight */
export function clock(tag: string, minutes: number): string {
  const time = new Intl.DateTimeFormat(tag, { timeStyle: 'short', timeZone: 'UTC' })
  return time.format(new Date(Date.UTC(2024, 0, 1, 0, minutes)))
}
