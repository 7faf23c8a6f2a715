/** A part of every year, as `MM-DD/MM-DD`: its first day and its last. It may run across New Year. */

const day = String.raw`(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|[12]\d))`

/** Matches seasons, all of whose days exist; 02-29 is one. */
export const seasonPattern = new RegExp(`^${day}/${day}$`, 'u')

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * A season in the form that OpenStreetMap has for days of the year, that of `opening_hours`.
 *
 * @example
 * seasonTag('04-01/10-31') // 'Apr 01-Oct 31'
 */
export function seasonTag(season: string): string {
  return season
    .split('/')
    .map((date) => `${months[Number(date.slice(0, 2)) - 1]} ${date.slice(3)}`)
    .join('-')
}

/** The season in a value of `seasonal` such as `Apr 01-Oct 31` or `Apr-Oct`; undefined for any other, such as `summer`. */
export function seasonInTag(text: string): string | undefined {
  const found = /^([a-z]{3})(?: (\d{1,2}))?\s?[-–]\s?([a-z]{3})(?: (\d{1,2}))?$/iu.exec(text.trim())
  if (found === null) return undefined
  const [, fromMonth = '', fromDay = '1', toMonth = '', toDay = ''] = found
  const from = dated(fromMonth, fromDay)
  const to = dated(toMonth, toDay)
  const season = `${from}/${to}`
  return seasonPattern.test(season) ? season : undefined
}

/** @param number of the day; an empty text is the last of the month */
function dated(name: string, number: string): string {
  const month = months.findIndex((known) => known.toLowerCase() === name.toLowerCase()) + 1
  // The days of a leap year.
  const last = new Date(Date.UTC(2000, month, 0)).getUTCDate()
  const padded = (value: number | string) => String(value).padStart(2, '0')
  return `${padded(month)}-${padded(number === '' ? last : number)}`
}

/** Whether a day, `MM-DD` or `YYYY-MM-DD`, is in a season. */
export function isInSeason(season: string, date: string): boolean {
  const [from = '', to = ''] = season.split('/')
  const given = date.slice(-5)
  return from <= to ? from <= given && given <= to : from <= given || given <= to
}

/** The days `YYYY-MM-DD` on which seasons begin and end around a day, and the day after each end, ascending. */
function turnsAround(season: string, date: string): { readonly begins: string[]; readonly ends: string[] } {
  const [from = '', to = ''] = season.split('/')
  const year = Number(date.slice(0, 4))
  const years = [year - 1, year, year + 1]
  // A day that a year does not have is the first of March, which comes after it anyway.
  const begins = years.map((each) => dayOf(each, from))
  const ends = years.map((each) => {
    const last = dayOf(each, to)
    return last.slice(5) === to ? addDays(last, 1) : last
  })
  return { begins, ends }
}

const dayOf = (year: number, date: string): string => {
  const [month, number] = date.split('-')
  return new Date(Date.UTC(year, Number(month) - 1, Number(number))).toISOString().slice(0, 10)
}

/** A day `YYYY-MM-DD`, some days later. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)
}

/** The first day since which it is out of season, of a day that is. */
export function outOfSeasonSince(season: string, date: string): string {
  return turnsAround(season, date).ends.findLast((day) => day <= date) ?? date
}

/** The first day after a day on which the season may begin or be over. */
export function nextTurn(season: string, date: string): string | undefined {
  const { begins, ends } = turnsAround(season, date)
  return [...begins, ...ends].toSorted().find((day) => day > date)
}
