import { happenedWords, kindNames } from '@openfountain/core/internal'
import english from '../../site/src/languages/en.json' with { type: 'json' }
import type { Plural } from '../../site/src/messages.ts'

type Tree = { readonly [key: string]: string | Tree }

// Kinds of fountains have their names in core, and a further language has them in its file.
const en = {
  ...english,
  amenity: { ...english.amenity, ...kindNames.en },
  following: { ...happenedWords.en, ...english.following },
}

const letters = 'ابتثجحخدذرزسشصضطظعغفقكلمنه'
const letterOf = (latin: string): string => letters[(latin.toLowerCase().codePointAt(0) ?? 97) - 97] ?? ''

/** English in Arabic letters, one for each Latin letter. Placeholders in braces stay. */
const write = (text: string): string =>
  text.replaceAll(/\{\w+\}|[a-z]/giu, (part) => (part.startsWith('{') ? part : letterOf(part)))

const counts: Readonly<Record<string, Plural>> = {
  fountains: {
    zero: 'لا سبل',
    one: 'سبيل واحد',
    two: 'سبيلان',
    few: '{n} سبل',
    many: '{n} سبيلًا',
    other: '{n} سبيل',
  },
  verified: {
    zero: 'لا شيء موثق',
    one: 'واحد موثق',
    two: 'اثنان موثقان',
    few: '{n} موثقة',
    many: '{n} موثقًا',
    other: '{n} موثق',
  },
}

const { pluralCategories } = new Intl.PluralRules('ar').resolvedOptions()
const translated = (tree: Tree): Tree =>
  Object.fromEntries(
    Object.entries(tree).map(([key, value]) => {
      if (typeof value === 'string') return [key, write(value)]
      const { one, other } = value
      if (one === undefined || typeof other !== 'string') return [key, translated(value)]
      return [key, Object.fromEntries(pluralCategories.map((category) => [category, write(other)]))]
    }),
  )
const made = translated(en)
const language = { ...(made['language'] as Tree), tag: 'ar', name: 'العربية' }
const messages = { ...made, language, count: { ...(made['count'] as Tree), ...counts } }

/** The file of a language from right to left, as a translator would write it: made up, but for two real plurals. */
export const arabic = `${JSON.stringify(messages, undefined, 2)}\n`

/** Returns a function that finds the site's English in a text: a string as it is, or several words of one. */
export function englishIn(): (text: string) => boolean {
  const parts = new Set<string>()
  const walk = (tree: Tree): void => {
    for (const value of Object.values(tree)) {
      if (typeof value !== 'string') walk(value)
      else for (const part of value.split(/\{\w+\}/u)) if (/[a-z]{2}/iu.test(part)) parts.add(part.trim())
    }
  }
  const { language: _, ...strings } = en
  walk(strings)
  const sentences = [...parts].filter((part) => part.includes(' '))
  return (text) => parts.has(text) || sentences.some((sentence) => text.includes(sentence))
}
