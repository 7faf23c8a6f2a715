import type english from './languages/en.json'
import type { Messages, Plural } from './messages.ts'

type Keys<Section, Path extends string> = {
  [Key in keyof Section & string]: Section[Key] extends string
    ? `${Path}${Key}`
    : Section[Key] extends { readonly other: string }
      ? never
      : Keys<Section[Key], `${Path}${Key}.`>
}[keyof Section & string]

export type TextKey = Keys<typeof english, ''>

/** The key of a plural: that in the section `count`, or its path in another. */
export type CountKey =
  | keyof Messages['count']
  | 'desk.acts.entries'
  | 'map.inView'
  | 'map.results'
  | 'map.unusable'

export type Texts = Readonly<Record<string, string>>

export type Counts = Readonly<Record<string, Plural>>

type Sections = Readonly<Record<string, unknown>>

const known = new WeakMap<object, { readonly texts: Texts; readonly counts: Counts }>()

export function flattened(sections: Sections): { readonly texts: Texts; readonly counts: Counts } {
  const found = known.get(sections)
  if (found) return found
  const texts: Record<string, string> = {}
  const counts: Record<string, Plural> = {}
  const collect = (section: Sections, path: string): void => {
    for (const [key, value] of Object.entries(section)) {
      if (typeof value === 'string') texts[`${path}${key}`] = value
      else if (isPlural(value)) counts[`${path}${key}`.replace(/^count\./u, '')] = value
      else if (typeof value === 'object' && value !== null) collect(value as Sections, `${path}${key}.`)
    }
  }
  collect(sections, '')
  known.set(sections, { texts, counts })
  return { texts, counts }
}

const isPlural = (value: unknown): value is Plural =>
  typeof value === 'object' &&
  value !== null &&
  'other' in value &&
  Object.keys(value).every((key) => categories.has(key))

const categories: ReadonlySet<string> = new Set(['zero', 'one', 'two', 'few', 'many', 'other'])

/** Texts or plurals by names: those of whole sections, and single ones. */
export const chosen = <Text>(
  of: Readonly<Record<string, Text>>,
  names: ReadonlySet<string>,
): Readonly<Record<string, Text>> =>
  Object.fromEntries(
    Object.entries(of).filter(([key]) => names.has(key) || names.has(key.split('.', 1)[0] ?? '')),
  )
