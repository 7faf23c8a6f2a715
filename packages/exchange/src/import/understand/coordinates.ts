import { isGeometry, type Geometry } from '../read/geometry.ts'
import { jsonOf } from '../read/json-elements.ts'

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
