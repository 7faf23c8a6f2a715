import { fill, type Format } from '../messages.ts'

/** Strings by their section and key, such as `hours.daily`. */
export type Strings = Readonly<Record<string, string>>

/** A day of 2024, a leap year. @param date `MM-DD` */
export const dayOfYear = (date: string): Date => new Date(`2024-${date}T00:00Z`)

/** A text as it begins a line. */
export const capitalised = (tag: string, text: string): string =>
  text.replace(/^./u, (letter) => letter.toLocaleUpperCase(tag))

/** A day of the year in words. @param date `MM-DD` */
export function dayWords(tag: string, date: string): string {
  const form = new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'long', timeZone: 'UTC' })
  const text = form.format(dayOfYear(date))
  // The first of a month is an ordinal in French, which Unicode's data do not have.
  return /^fr\b/u.test(tag) ? text.replace(/^1 /u, '1er ') : text
}

/** A season `MM-DD/MM-DD` in words; another text is returned unchanged. */
export function seasonWords(strings: Strings, { tag }: Pick<Format, 'tag'>, season: string): string {
  if (!/^\d\d-\d\d\/\d\d-\d\d$/u.test(season)) return season
  const [from, to] = season.split('/').map((date) => dayWords(tag, date))
  const text = fill(strings['hours.dates'] ?? '{from} – {to}', { from, to })
  return capitalised(tag, text)
}
