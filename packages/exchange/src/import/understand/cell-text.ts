import { showsNothing, withoutTurns } from '@openfountain/core/letters'
import { folded } from '@openfountain/core/letters'

/** Values for absence, folded. */
const placeholders = new Set(
  (
    'null|none|nil|nan|na|n a|n d|nd|k a|undefined|unknown|unbekannt|unbenannt|inconnu|sconosciuto|desconocido|' +
    'desconegut|onbekend|okand|ukendt|ukjent|tuntematon|nieznany|keine angabe|keine angaben|ohne name|namenlos|' +
    'sans nom|senza nome|sin nombre|sense nom|sem nome|no name|noname|unnamed|not available|name not available|' +
    'not applicable|no data|no value|keine|kein name|value|tbd|xxx'
  ).split('|'),
)

/** In characters, with room for brackets and quotes around the word. */
const longestPlaceholder = 30

/** Whether a value means absence: empty, a dash, "null", "NA", "n/a", "#N/A", "?", "Name not available". */
export function isPlaceholder(value: unknown): boolean {
  if (value === null || value === undefined) return true
  if (typeof value === 'number') return Number.isNaN(value)
  if (typeof value !== 'string') return false
  // Most names of a file have a number in them; no placeholder has.
  if (value.length > longestPlaceholder || /\d/u.test(value)) return value.trim() === ''
  const plain = folded(value)
  return plain === '' ? !/[^\s\-–—_.?*#/\\]/u.test(value) : placeholders.has(plain)
}

const yes = new Set(
  'yes|y|ja|j|oui|o|si|s|sim|true|t|1|wahr|vrai|vero|verdadero|tak|kylla|ano|da|x|designated|available|vorhanden'.split(
    '|',
  ),
)
const no = new Set(
  'no|n|nein|non|nao|false|f|0|falsch|faux|falso|nie|ei|ne|nej|nei|nee|none|keine|kein|sans|without|not available'.split(
    '|',
  ),
)

/** Yes or no in the languages of Europe, from true/false, 1/0, words and their initials; else undefined. */
export function yesOrNo(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (value === 1 || value === 0) return value === 1
  if (typeof value !== 'string' || value.length > 20) return undefined
  const plain = folded(value)
  if (yes.has(plain)) return true
  return no.has(plain) ? false : undefined
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

/** In characters before it is tidied; no field of a waypoint takes a tenth of it. */
const longestText = 20_000

const markup = /<\/?[a-z][^<>]*>/iu
/** Lengths as RFC 5321 bounds them; without bounds a long word would be scanned again from each letter. */
const address = /[^\s@<>()]{1,64}@[^\s@<>()]{1,255}\.[a-z]{2,24}/giu

/**
 * A foreign text as plain text: HTML's breaks become lines and its tags go, white space is tidied, control
 * characters, those that turn the direction of text, and e-mail addresses are removed. Undefined for placeholders and
 * texts of which nothing can be seen.
 */
export function plainText(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string' || isPlaceholder(value)) return undefined
  let text = value.length > longestText ? value.slice(0, longestText) : value
  if (text.length > 1 && simple.test(text)) return text
  if (markup.test(text)) {
    text = text
      .replaceAll(/<(?:br|\/p|\/div|\/li|\/tr)\b[^<>]*>/giu, '\n')
      .replaceAll(/<\/?[a-z][^<>]*>/giu, ' ')
  }
  text = text
    .replaceAll(/&(#x?[\da-f]+|\w+);/giu, decodedEntity)
    .replaceAll(address, '')
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, (mark) => (mark === '\n' ? '\n' : ' '))
    .replaceAll(/[^\S\n]+/gu, ' ')
    .replaceAll(/ *\n[\s]*/gu, '\n')
    .trim()
  text = withoutTurns(text)
  return showsNothing(text) ? undefined : text
}

/** Texts with nothing to tidy, as most are. */
const simple = /^[\p{L}\p{N}'’.,:()/-]+(?: [\p{L}\p{N}'’.,:()/-]+)*$/u

function decodedEntity(whole: string, name: string): string {
  if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? whole
  const code =
    name.charAt(1).toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return Number.isInteger(code) && code > 31 && code <= 0x10ffff ? String.fromCodePoint(code) : ' '
}

const small = new Set(
  'de|du|des|la|le|les|et|en|sur|sous|aux|au|d|l|di|del|della|dei|da|do|von|und|am|der|the|of'.split('|'),
)

/** Text in capitals in ordinary case: `RUE DE LA PAIX` becomes `Rue de la Paix`. Other text stays as it is. */
export function ordinaryCase(text: string): string {
  if (!/\p{Lu}{3}/u.test(text) || /\p{Ll}/u.test(text)) return text
  let first = true
  return text.toLowerCase().replaceAll(/[\p{L}\p{M}\p{N}]+/gu, (word) => {
    const keep = !first && small.has(word)
    first = false
    return keep ? word : word.charAt(0).toUpperCase() + word.slice(1)
  })
}

/** Cuts a text at a length, at a word where it can, with an ellipsis. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text
  const cut = text.slice(0, length - 1)
  const space = cut.lastIndexOf(' ')
  const end = space > length * 0.8 ? cut.slice(0, space) : cut
  return `${end.isWellFormed() ? end : end.slice(0, -1)}…`
}
