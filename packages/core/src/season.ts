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

/**
 * The season in a value of OpenStreetMap's `seasonal`: from a day or a month to another, as `Apr 01-Oct 31` or `Apr-Oct`;
 * undefined for any other, such as `yes` or `summer`.
 */
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
