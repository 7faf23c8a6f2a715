import type { Messages } from '../src/messages.ts'

type Forms = Readonly<Record<string, string>>
type Tree = { readonly [key: string]: string | Tree }

const isPlural = (value: Tree): value is Forms =>
  Object.keys(value).every((name) => /^(?:zero|one|two|few|many|other)$/u.test(name))

/** Every string by its path, such as `nav.skip`; the forms of a plural string by the path of the string. */
function stringsOf(tree: Tree, path = ''): (readonly [key: string, given: string | Forms])[] {
  return Object.entries(tree).flatMap(([name, value]) => {
    const key = `${path}${name}`
    return typeof value === 'string' || isPlural(value)
      ? [[key, value] as const]
      : stringsOf(value, `${key}.`)
  })
}

/** Whether a category has a single number, which its form may then spell out: Arabic has two words for 1 and 2. */
const standsForOne = (rules: Intl.PluralRules, category: string): boolean =>
  Array.from({ length: 200 }, (_, n) => rules.select(n)).filter((name) => name === category).length === 1

const places = (text: string): string => [...text.matchAll(/\{\w+\}/gu)].map(String).toSorted().join(' ')

/** Single words are often the same in two languages; whole sentences never. */
const isSentence = (text: string): boolean =>
  text
    .replaceAll(/\{\w+\}/gu, '')
    .trim()
    .split(/\s+/u).length > 3

/** Missing, unknown, blank and copied strings, other placeholders than in English, and wrong plural categories. */
export function languageMistakes(messages: Messages, english: Messages): string[] {
  const { tag } = messages.language
  const given = new Map(stringsOf(messages))
  const rules = new Intl.PluralRules(tag)
  const used = new Set<string>(rules.resolvedOptions().pluralCategories)
  const mistakes: string[] = []
  const check = (key: string, text: string, model: string): void => {
    if (text.trim() === '') mistakes.push(`${key} is blank`)
    if (places(text) !== places(model))
      mistakes.push(`${key} has the places [${places(text)}], and English [${places(model)}]`)
    if (messages !== english && isSentence(text) && text === model) mistakes.push(`${key} is not translated`)
  }
  const models = stringsOf(english)
  const keys = new Set(models.map(([key]) => key))
  for (const key of given.keys()) if (!keys.has(key)) mistakes.push(`${key} is unknown`)
  for (const [key, model] of models) {
    const own = given.get(key)
    if (own === undefined) {
      mistakes.push(`${key} is missing`)
      continue
    }
    if (typeof own === 'string' || typeof model === 'string') {
      check(key, String(own), String(model))
      continue
    }
    for (const category of used)
      if (!(category in own)) mistakes.push(`${key} lacks the plural category ${category}`)
    for (const [category, text] of Object.entries(own)) {
      const isSpelt = standsForOne(rules, category) && places(text) === ''
      if (used.has(category)) check(`${key}.${category}`, text, isSpelt ? '' : (model['other'] ?? ''))
      else mistakes.push(`${key} has ${category}, which the language does not use`)
    }
  }
  return mistakes.map((mistake) => `${tag}: ${mistake}`)
}

/** A mark before which French has a space at which no line may break: narrow before `;`, `!` and `?`. */
const frenchMarks = /(?<![;!?\u202f])[;!?]|(?<!\u00a0):(?!\/\/|\d)|«(?!\u00a0)|(?<!\u00a0)»/u

/** Words of the polite form. Others with the same ending are no verbs. */
const polite = /\b(?:vous|votre|vos)\b|\b(?!assez|chez|nez)\p{L}{2,}ez\b/iu

/** The mistakes in French strings, one sentence each: the polite form, and breaking spaces before punctuation. */
export function frenchMistakes(messages: Messages): string[] {
  const all = stringsOf(messages).flatMap(([key, given]) =>
    typeof given === 'string'
      ? [[key, given] as const]
      : Object.entries(given).map(([name, form]) => [`${key}.${name}`, form] as const),
  )
  return all.flatMap(([key, text]) => [
    ...(polite.test(text) ? [`${key} is not informal`] : []),
    ...(frenchMarks.test(text) ? [`${key} lacks a no-break space`] : []),
  ])
}
