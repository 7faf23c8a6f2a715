import { directionOf, isolated, type Direction } from './direction.ts'
import type { HappenedWords } from '@openfountain/core/internal'
import type { LoggedField } from '@openfountain/core/fields'
import type { Rules } from '@openfountain/core/rules'
import type { StateOfWaypoint } from '@openfountain/core/status'
import type { KnownAmenity } from '@openfountain/core/vocabulary'
import type { Choice, Fact } from './data/facts.ts'
import type { FacetColumn } from './explore/selection.ts'
import type english from './languages/en.json'
import type { CheckName } from './map/list/filter.ts'

/** A string by the plural categories of Unicode's CLDR that its language has: English `one` and `other`, Arabic six, Japanese `other`. */
export type Plural = { readonly other: string } & {
  readonly [Category in Exclude<Intl.LDMLPluralRule, 'other'>]?: string
}

type Shape<T> = {
  readonly [Key in keyof T]: T[Key] extends string
    ? string
    : T[Key] extends Required<Pick<Plural, 'one' | 'other'>>
      ? Plural
      : Shape<T[Key]>
}

/** Texts for each entry of a list elsewhere; English does not compile without them. */
interface Listed {
  readonly map: { readonly only: Record<CheckName, string> }
  readonly fact: Record<Fact | Choice, string>
  readonly field: Record<LoggedField, string>
  readonly explore: {
    readonly columns: Record<FacetColumn, string>
    readonly states: Record<StateOfWaypoint, string>
  }
  readonly contribute: {
    readonly hint: Record<
      Exclude<LoggedField, 'latitude' | 'longitude' | 'amenities' | 'properties' | 'addedByUserId'>,
      string
    >
  }
  readonly rules: { readonly events: Record<keyof Rules['xp'], string> }
}
type Complete<Texts extends Listed> = Texts

/** All strings of one language, by the keys of English (languages/en.json). */
export type Messages = Shape<Complete<typeof english>> & {
  /** With the kinds of fountains, which core names too, and `unknown`. */
  readonly amenity: Record<KnownAmenity | 'unknown', string>
  /** With events and their authors, which core names too. */
  readonly following: HappenedWords
}

export const picked = <Section extends object, Key extends keyof Section>(
  section: Section,
  ...keys: readonly Key[]
): Pick<Section, Key> => Object.fromEntries(keys.map((key) => [key, section[key]])) as Pick<Section, Key>

/**
 * Replaces the `{name}` placeholders of a string. A placeholder without a value stays, so that the mistake is visible.
 *
 * @example
 * fill('Page {page} of {pages}', { page: '2', pages: '9' }) // 'Page 2 of 9'
 */
export function fill(text: string, values: Readonly<Record<string, string | number | undefined>>): string {
  if (!text.includes('{')) return text
  return text.replaceAll(/\{(\w+)\}/gu, (place, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return value === undefined ? place : String(value)
  })
}

/** A text of at most some characters; a longer one is cut, and ends with `…`. */
export function shortened(text: string, most: number): string {
  const characters = Array.from(text.slice(0, 2 * most + 2))
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text
}

/** Formats of numbers, dates and plurals in one language. Dates are in UTC, as everywhere in the data. */
export interface Format {
  readonly tag: string
  readonly direction: Direction
  number(value: number): string
  percent(share: number): string
  /** A day such as 3 March 2026. */
  date(iso: string): string
  /** A month such as Mar 2026. */
  month(iso: string): string
  /** A time of day in UTC. */
  time(iso: string): string
  /** A plural string with its formatted number; `other` stands for a category that the language's file lacks. */
  count(plural: Plural, n: number): string
  /** A distance, to ten metres below a kilometre, to a hundred below 100 km and to a kilometre above, in the words of `map.distance…`. */
  distance(strings: Readonly<Record<string, string>>, metres: number): string
  compare(a: string, b: string): number
  /** A country by its code (ISO 3166-1); unknown ones are returned unchanged. */
  country(code: string): string
  /** Isolates user text for a sentence of this language, so that its direction cannot reorder the sentence. */
  isolate(text: string): string
  withName(sentence: string, name: string): string
}

/** Formats of Intl take milliseconds to make, on a phone before the first paint. */
const once =
  <Made>(make: () => Made, made?: Made): (() => Made) =>
  () =>
    (made ??= make())

export function formatFor(tag: string): Format {
  const number = once(() => new Intl.NumberFormat(tag))
  const percent = once(() => new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 0 }))
  const dates = (shape: Intl.DateTimeFormatOptions) =>
    once(() => new Intl.DateTimeFormat(tag, { ...shape, timeZone: 'UTC' }))
  const date = dates({ dateStyle: 'long' })
  const month = dates({ month: 'short', year: 'numeric' })
  const time = dates({ timeStyle: 'short' })
  const rules = once(() => new Intl.PluralRules(tag))
  const countries = once(() => new Intl.DisplayNames(tag, { type: 'region' }))
  const collator = once(() => new Intl.Collator(tag, { numeric: true }))
  const direction = directionOf(tag)
  // Pages tell the same few days again and again.
  const days = new Map<string, string>()
  return {
    tag,
    direction,
    number: (value) => number().format(value),
    percent: (share) => percent().format(share),
    date(iso) {
      const day = iso.slice(0, 'YYYY-MM-DD'.length)
      const text = days.get(day) ?? date().format(new Date(iso))
      days.set(day, text)
      return text
    },
    month: (iso) => month().format(new Date(iso)),
    time: (iso) => `${time().format(new Date(iso))} UTC`,
    count: (plural, n) => fill(plural[rules().select(n)] ?? plural.other, { n: number().format(n) }),
    distance(strings, metres) {
      const near = metres < 995
      const text = strings[near ? 'map.distanceMetres' : 'map.distanceKilometres'] ?? '{n}'
      const step = near ? 10 : metres < 99_950 ? 100 : 1000
      return fill(text, {
        n: number().format(Math.max(step, Math.round(metres / step) * step) / (near ? 1 : 1000)),
      })
    },
    compare: (a, b) => collator().compare(a, b),
    country: (code) => (/^[A-Z]{2}$/u.test(code) ? (countries().of(code) ?? code) : code),
    isolate: (text) => isolated(text, direction),
    withName: (sentence, name) => fill(sentence, { name: isolated(name, direction) }),
  }
}
