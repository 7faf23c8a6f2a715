import { folded, showsNothing, withoutTurns } from '@openfountain/core/letters'
import { isGeometry, type Geometry } from '../read/geometry.ts'
import { jsonOf } from '../read/json-elements.ts'

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
  (
    'yes y ja j oui o si s sim true t 1 wahr vrai vero verdadero tak kylla ano da x designated available ' +
    'vorhanden'
  ).split(' '),
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
  text = text
    .replaceAll(/<(?:br|\/p|\/div|\/li|\/tr)\b[^<>]*>/giu, '\n')
    .replaceAll(/<\/?[a-z][^<>]*>/giu, ' ')
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

/**
 * A number as people write it: `48.85`, `48,85` (decimal comma), `1 234,5`, `+2.3`, `−3` with a real minus sign.
 * Undefined for anything else, the empty text included.
 */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || value.length > 40) return undefined
  const text = value.trim()
  if (plainNumber.test(text)) return Number(text)
  const tidy = text.replaceAll(/[\s'\u00A0\u202F]/gu, '').replace('\u2212', '-')
  if (/^[-+]?\d+,\d+$/u.test(tidy)) return Number(tidy.replace(',', '.'))
  if (/^[-+]?\d{1,3}(?:\.\d{3})+,\d+$/u.test(tidy)) return Number(tidy.replaceAll('.', '').replace(',', '.'))
  if (/^[-+]?\d{1,3}(?:,\d{3})+\.\d+$/u.test(tidy)) return Number(tidy.replaceAll(',', ''))
  return plainNumber.test(tidy) ? Number(tidy) : undefined
}

const plainNumber = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/u

/** An angle, in degrees, and the axis that its letter names. */
export interface Angle {
  readonly degrees: number
  readonly axis?: 'latitude' | 'longitude'
}

const letter = String.raw`[NSEWOÖ]|Nord|North|Süd|South|Sud|Ost|East|Est|West|Ouest|Oeste|Ovest`
const angle = new RegExp(
  String.raw`^(${letter})?\s*([-+]?\d{1,3}(?:[.,]\d+)?)\s*(?:°|º|d|deg|grad)?` +
    String.raw`\s*(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:'|′|’|m|min))?` +
    String.raw`\s*(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:"|″|”|''|s|sec)?)?\s*(${letter})?$`,
  'iu',
)

/**
 * An angle in degrees, decimal or as degrees, minutes and seconds, with a letter before or after it:
 * `E8°35'57.31`, `47° 22' 11.10" N`, `-2.35`. Undefined for anything else.
 */
export function angleOf(value: unknown): Angle | undefined {
  const number = numberOf(value)
  if (number !== undefined) return { degrees: number }
  if (typeof value !== 'string' || value.length > 60) return undefined
  const found = angle.exec(value.trim())
  if (found === null) return undefined
  const [, before, degreesText = '', minutesText, secondsText, after] = found
  const compass = (before ?? after ?? '').charAt(0).toUpperCase()
  // A lone O is Ost in German and Oeste or Ouest elsewhere: it is ambiguous.
  if (compass === 'O' && (before ?? after ?? '').length === 1) return undefined
  const degrees = Number(degreesText.replace(',', '.'))
  const minutes = Number((minutesText ?? '0').replace(',', '.'))
  const seconds = Number((secondsText ?? '0').replace(',', '.'))
  if (minutes >= 60 || seconds >= 60 || (minutesText === undefined && secondsText !== undefined))
    return undefined
  const size = Math.abs(degrees) + minutes / 60 + seconds / 3600
  const isWest = compass === 'W' || /^(?:ouest|oeste|ovest)$/iu.test(before ?? after ?? '')
  const negative = degreesText.startsWith('-') || compass === 'S' || isWest
  const axis = compass === '' ? undefined : /[NS]/u.test(compass) ? 'latitude' : 'longitude'
  return { degrees: negative ? -size : size, axis }
}

/**
 * Two coordinates in one value: `48.85, 2.29`, `48,85; 2,29`, `N48°51'… E2°17'…`, `[48.85, 2.29]`, `(48.85 2.29)`.
 * In the order of the text, unless letters say which is which (then latitude first).
 */
export function pairOf(value: unknown): readonly [number, number] | undefined {
  if (Array.isArray(value)) {
    const [a, b] = value as unknown[]
    return typeof a === 'number' && typeof b === 'number' ? [a, b] : undefined
  }
  if (typeof value !== 'string' || value.length > 200) return undefined
  const text = value.trim().replaceAll(/^[[(]|[\])]$/gu, '')
  for (const separator of [/\s*;\s*/u, /\s*,\s+/u, /\s*,\s*/u, /\s+/u]) {
    const parts = text.split(separator)
    if (parts.length < 2 || parts.length > 3) continue
    const [first, second] = [angleOf(parts[0]), angleOf(parts[1])]
    if (first === undefined || second === undefined) continue
    if (parts.length === 3 && numberOf(parts[2]) === undefined) continue
    const swapped = first.axis === 'longitude' || second.axis === 'latitude'
    return swapped ? [second.degrees, first.degrees] : [first.degrees, second.degrees]
  }
  return undefined
}

/** A geometry in a cell: well-known text (with or without `SRID=4326;`) or GeoJSON. Undefined when it is neither. */
export function geometryIn(value: unknown): Geometry | undefined {
  if (isGeometry(value)) return value
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (!text.startsWith('{')) return wktGeometry(text)
  const parsed = jsonOf(text)
  return isGeometry(parsed) ? parsed : undefined
}

const wkt = /^(?:SRID=\d+;)?\s*(MULTI)?(POINT|LINESTRING|POLYGON)\s*(?:Z|M|ZM)?\s*(EMPTY|\([\s\S]*\))\s*$/iu
const names = { point: 'Point', linestring: 'LineString', polygon: 'Polygon' } as const

function wktGeometry(text: string): Geometry | undefined {
  const found = wkt.exec(text)
  if (found === null) return undefined
  const [, multi, kind = '', body = ''] = found
  const name = names[kind.toLowerCase() as keyof typeof names]
  const type = multi === undefined ? name : `Multi${name}`
  if (/^empty$/iu.test(body)) return { type, coordinates: [] }
  // WKT's lists differ from JSON's in nothing but brackets and the commas between numbers.
  const json = body
    .replaceAll(/\(\s*(?=[-+.\d])/gu, '([')
    .replaceAll(/([\d.])\s*\)/gu, '$1])')
    .replaceAll(/([\d.])\s*,\s*(?=[-+.\d])/gu, '$1],[')
    .replaceAll(/([\d.])\s+(?=[-+.\d])/gu, '$1,')
    .replaceAll('(', '[')
    .replaceAll(')', ']')
  const list = jsonOf(json)
  return list === undefined ? undefined : { type, coordinates: unwrapped(type, list) }
}

/** A point's brackets are one pair too many, and a MultiPoint's points may have brackets of their own. */
function unwrapped(type: string, list: unknown): unknown {
  if (!Array.isArray(list)) return list
  if (type === 'Point') return list[0] as unknown
  if (type !== 'MultiPoint') return list
  return list.map((entry: unknown) =>
    Array.isArray(entry) && Array.isArray(entry[0]) ? (entry[0] as unknown) : entry,
  )
}

/** Days as sources write them without doubt. */
const forms: readonly RegExp[] = [
  // 2022-05-01T04:00:00+02:00 is the first of May there; OpenStreetMap also has 2022-05 and 2022.
  /^(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<day>\d{1,2})(?![\d/-])/u,
  /^(?<year>\d{4})-(?<month>\d{2})$/u,
  /^(?<year>\d{4})$/u,
  /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})(?:\d{6})?$/u,
  /^(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.\s?(?<year>\d{4})(?!\d)/u,
]

/** With slashes, it is the month that comes first in some countries. */
const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/u

export type DayOrder = 'day' | 'month'

/** The order of days with slashes, by values that are a day in only one order; undefined when none tells. */
export function dayOrderIn(values: readonly unknown[]): DayOrder | undefined {
  const found = values.flatMap((value) => (typeof value === 'string' ? [slashed.exec(value.trim())] : []))
  const isBeyond = (place: 1 | 2) => found.some((parts) => Number(parts?.[place] ?? 0) > 12)
  const [first, second] = [isBeyond(1), isBeyond(2)]
  return first === second ? undefined : first ? 'day' : 'month'
}

function slashedDay(value: string, order: DayOrder | undefined): Day {
  const [, one = '', other = '', year = ''] = slashed.exec(value) ?? []
  const known = dayOrderIn([value]) ?? (one === other ? 'day' : order)
  if (known === undefined) return {}
  return known === 'day' ? { year, month: other, day: one } : { year, month: one, day: other }
}

function dayOf(text: string, order?: DayOrder): string | undefined {
  const value = text.trim()
  if (slashed.test(value)) return existing(slashedDay(value, order))
  const form = forms.find((each) => each.test(value))
  return form && existing(form.exec(value)?.groups ?? {})
}

type Day = Readonly<Partial<Record<'year' | 'month' | 'day', string>>>

function existing({ year = '', month = '1', day = '1' }: Day): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const isDay = new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true
  return isDay && year >= '1900' ? text : undefined
}

/**
 * The latest of days in a source's words, as `YYYY-MM-DD`; a month or a year is its first day. Undefined when none
 * exists, or none is unambiguous.
 *
 * @param order of day and month in days with slashes, where it is known from others
 */
export function dayIn(values: readonly string[], order?: DayOrder): string | undefined {
  return values
    .flatMap((value) => dayOf(value, order) ?? [])
    .toSorted()
    .at(-1)
}
