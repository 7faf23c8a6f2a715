import type { Messages } from '../src/messages.ts'

type Tree = { readonly [key: string]: string | Tree }

/** Every string by its path, such as `nav.skip`; the forms of a plural string by the path of the string. */
interface Strings {
  readonly texts: ReadonlyMap<string, string>
  readonly plurals: ReadonlyMap<string, ReadonlyMap<string, string>>
}

const categories: ReadonlySet<string> = new Set(['zero', 'one', 'two', 'few', 'many', 'other'])

function stringsOf(tree: Tree): Strings {
  const texts = new Map<string, string>()
  const plurals = new Map<string, ReadonlyMap<string, string>>()
  const walk = (branch: Tree, path: string): void => {
    for (const [key, value] of Object.entries(branch)) {
      if (typeof value === 'string') texts.set(`${path}${key}`, value)
      else if (Object.keys(value).every((name) => categories.has(name))) {
        plurals.set(
          `${path}${key}`,
          new Map(Object.entries(value).map(([name, form]) => [name, String(form)])),
        )
      } else walk(value, `${path}${key}.`)
    }
  }
  walk(tree, '')
  return { texts, plurals }
}

/** Whether a category stands for one number alone, which its form may then spell out: Arabic has two words for 1 and 2. */
function standsForOne(rules: Intl.PluralRules, category: string): boolean {
  let numbers = 0
  for (let n = 0; n < 200; n += 1) if (rules.select(n) === category) numbers += 1
  return numbers === 1
}

const places = (text: string): string => [...text.matchAll(/\{\w+\}/gu)].map(String).toSorted().join(' ')

/** Single words are often the same in two languages; whole sentences never. */
const isSentence = (text: string): boolean =>
  text
    .replaceAll(/\{\w+\}/gu, '')
    .trim()
    .split(/\s+/u).length > 3

/**
 * What is wrong with a language's strings, one sentence each: missing, blank or unknown ones, other places to fill than
 * the English string has, sentences copied from English, and plural categories other than those of the language's rules
 * in `Intl.PluralRules`.
 */
export function languageMistakes(messages: Messages, english: Messages): string[] {
  const { tag } = messages.language
  const [given, wanted] = [stringsOf(messages), stringsOf(english)]
  const rules = new Intl.PluralRules(tag)
  const used = rules.resolvedOptions().pluralCategories
  const mistakes: string[] = []
  const check = (key: string, text: string, model: string): void => {
    if (text.trim() === '') mistakes.push(`${tag}: ${key} is blank`)
    if (places(text) !== places(model)) {
      mistakes.push(`${tag}: ${key} has the places [${places(text)}], and English [${places(model)}]`)
    }
    if (messages !== english && isSentence(text) && text === model) {
      mistakes.push(`${tag}: ${key} is not translated`)
    }
  }
  for (const [key, model] of wanted.texts) {
    const text = given.texts.get(key)
    if (text === undefined) mistakes.push(`${tag}: ${key} is missing`)
    else check(key, text, model)
  }
  for (const [key, forms] of wanted.plurals) {
    const own = given.plurals.get(key) ?? new Map<string, string>()
    for (const category of used) {
      if (!own.has(category)) mistakes.push(`${tag}: ${key} lacks the plural category ${category}`)
    }
    for (const [category, text] of own) {
      const model = forms.get('other') ?? ''
      if (used.some((name) => name === category)) {
        check(`${key}.${category}`, text, standsForOne(rules, category) && places(text) === '' ? '' : model)
      } else mistakes.push(`${tag}: ${key} has ${category}, which the language does not use`)
    }
  }
  for (const key of [...given.texts.keys(), ...given.plurals.keys()]) {
    if (!wanted.texts.has(key) && !wanted.plurals.has(key)) mistakes.push(`${tag}: ${key} is unknown`)
  }
  return mistakes
}

/** A mark before which French has a space at which no line may break: narrow before `;`, `!` and `?`. */
const frenchMarks = /(?<![;!?\u202f])[;!?]|(?<!\u00a0):(?!\/\/|\d)|«(?!\u00a0)|(?<!\u00a0)»/u

/** Words of the polite form. Others with the same ending are no verbs. */
const polite = /\b(?:vous|votre|vos)\b|\b(?!assez|chez|nez)\p{L}{2,}ez\b/iu

/** What is wrong with French strings, one sentence each: the polite form, and spaces at which a line may break. */
export function frenchMistakes(messages: Messages): string[] {
  const { texts, plurals } = stringsOf(messages)
  const forms = [...plurals].flatMap(([key, all]) =>
    [...all].map(([name, text]) => [`${key}.${name}`, text] as const),
  )
  return [...texts, ...forms].flatMap(([key, text]) => [
    ...(polite.test(text) ? [`${key} is not informal`] : []),
    ...(frenchMarks.test(text) ? [`${key} lacks a no-break space`] : []),
  ])
}
