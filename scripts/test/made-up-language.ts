import { en } from '../../site/src/languages/en.ts'
import type { Plural } from '../../site/src/messages.ts'

/** A language whose strings are made from the English ones, each different from its English form. */
export interface MadeUp {
  readonly tag: string
  readonly name: string
  /** What becomes of a text without places to fill. */
  readonly write: (text: string) => string
  /** The real forms of some plural strings by their key in `count`; the others are made from English. */
  readonly counts: Readonly<Record<string, Plural>>
}

type Tree = { readonly [key: string]: string | Tree }

/** The file of the language, as a translator would write it. */
export function languageFile({ tag, name, write, counts }: MadeUp): string {
  const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions()
  const outsidePlaces = (text: string): string =>
    text
      .split(/(\{\w+\})/u)
      .map((part, index) => (index % 2 === 0 ? write(part) : part))
      .join('')
  const translated = (tree: Tree): Tree =>
    Object.fromEntries(
      Object.entries(tree).map(([key, value]) => [
        key,
        typeof value === 'string'
          ? outsidePlaces(value)
          : 'one' in value && typeof value['other'] === 'string'
            ? Object.fromEntries(
                pluralCategories.map((category) => [category, outsidePlaces(String(value['other']))]),
              )
            : translated(value),
      ]),
    )
  const made = translated(en)
  const messages = {
    ...made,
    language: { ...(made['language'] as Tree), tag, name },
    count: { ...(made['count'] as Tree), ...counts },
  }
  return `import type { Messages } from '../messages.ts'

/** Made up: ${tag}. */
export const ${tag}: Messages = ${JSON.stringify(messages, undefined, 2)}
`
}

/** English with a Polish letter before every word. */
export const polish: MadeUp = {
  tag: 'pl',
  name: 'Polski',
  write: (text) => text.replaceAll(/[\p{L}\p{N}][\p{L}\p{N}’-]*/gu, (word) => `ż${word}`),
  counts: {
    fountains: { one: '{n} źródełko', few: '{n} źródełka', many: '{n} źródełek', other: '{n} źródełka' },
  },
}

const arabicLetters = 'ابتثجحخدذرزسشصضطظعغفقكلمنه'

/** English in Arabic letters, one for each Latin one. */
export const arabic: MadeUp = {
  tag: 'ar',
  name: 'العربية',
  write: (text) =>
    text.replaceAll(
      /[a-z]/giu,
      (letter) => arabicLetters[(letter.toLowerCase().codePointAt(0) ?? 97) - 97] ?? '',
    ),
  counts: {
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
  },
}

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
  const sentence = new RegExp(
    sentences.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`)).join('|'),
    'u',
  )
  return (text) => parts.has(text) || sentence.test(text)
}
