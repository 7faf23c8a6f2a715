import { limits } from '@openfountain/core/rules'
import type { Position } from '../../map/page/position.ts'

/** Six decimals are about ten centimetres. */
const decimals = 6

export const roundedPosition = ({ latitude, longitude }: Position): Position => ({
  latitude: Number(latitude.toFixed(decimals)),
  longitude: Number(longitude.toFixed(decimals)),
})

/** A position for display and for typing: five decimals, about a metre. */
export const positionText = ({ latitude, longitude }: Position): string =>
  `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`

const isOnEarth = ({ latitude, longitude }: Position): boolean =>
  latitude >= limits.latitude.min &&
  latitude <= limits.latitude.max &&
  longitude >= limits.longitude.min &&
  longitude <= limits.longitude.max

/**
 * Parses a typed or pasted position: decimal degrees with points or commas, degrees with minutes and seconds,
 * hemispheres before or after (N, S, E, W, and O by its meaning in the language), `geo:` links, and addresses of map
 * sites.
 *
 * @param tag of the reader's language
 * @returns undefined when it is none, or not on the earth
 * @example
 * parsePosition('55,7029 13,1929', 'de') // { latitude: 55.7029, longitude: 13.1929 }
 */
export function parsePosition(text: string, tag: string): Position | undefined {
  const given = text.normalize('NFKC').replaceAll('\u2212', '-').trim()
  const found = fromAddress(given) ?? fromHemispheres(given, meaningOfO(tag)) ?? fromNumbers(given)
  return found && isOnEarth(found) ? roundedPosition(found) : undefined
}

const number = String.raw`[+-]?\d{1,3}(?:\.\d+)?`

/** In order of meaning: a marker before the centre of the map. */
const addresses = [
  new RegExp(`[?&]mlat=(${number})&mlon=(${number})`, 'u'),
  new RegExp(`#map=[\\d.]+/(${number})/(${number})`, 'u'),
  new RegExp(`!3d(${number})!4d(${number})`, 'u'),
  new RegExp(`[?&](?:q|query|ll|daddr|destination|at)=(${number})(?:,|%2C)(${number})`, 'iu'),
  new RegExp(`/@(${number}),(${number})`, 'u'),
  new RegExp(`^geo:(${number}),(${number})`, 'iu'),
]

function numbersIn(text: string, patterns: readonly RegExp[]): Position | undefined {
  const [, latitude, longitude] = patterns.map((one) => one.exec(text)).find(Boolean) ?? []
  if (latitude === undefined || longitude === undefined) return undefined
  return { latitude: Number(latitude.replace(',', '.')), longitude: Number(longitude.replace(',', '.')) }
}

const fromAddress = (text: string): Position | undefined =>
  /^[a-z]+:/iu.test(text) ? numbersIn(text, addresses) : undefined

const part = String.raw`\d{1,3}(?:[.,]\d+)?`
const angle = String.raw`(${part})\s*°?\s*(?:(${part})\s*['′’]?\s*(?:(${part})\s*(?:["″”]|'')?\s*)?)?`
const pairs = [`([NSEWO])\\s*${angle}`, `${angle}([NSEWO])`].map(
  (one) => new RegExp(`^${one}[,;/\\s]*${one}$`, 'iu'),
)

interface Angle {
  readonly hemisphere: string
  readonly degrees: number
}

function angleOf(texts: readonly (string | undefined)[]): Angle | undefined {
  const isLetter = (text = ''): boolean => /^[a-z]$/iu.test(text)
  const [degrees = NaN, minutes = 0, seconds = 0] = texts
    .filter((text) => !isLetter(text))
    .map((text = '0') => Number(text.replace(',', '.')))
  if (minutes >= 60 || seconds >= 60) return undefined
  const hemisphere = texts.find(isLetter)?.toUpperCase() ?? ''
  return { hemisphere, degrees: degrees + minutes / 60 + seconds / 3600 }
}

/** `O` is Ost (east) in German, Ouest (west) in French, and ambiguous elsewhere. */
function meaningOfO(tag: string): 'E' | 'W' | undefined {
  const [language = ''] = tag.split('-')
  if (['de', 'nl', 'sv', 'da', 'nb', 'et'].includes(language)) return 'E'
  return ['es', 'fr', 'it', 'pt', 'ca', 'ro'].includes(language) ? 'W' : undefined
}

function fromHemispheres(text: string, o: 'E' | 'W' | undefined): Position | undefined {
  const [, ...texts] = pairs.map((pair) => pair.exec(text)).find(Boolean) ?? []
  const angles = [angleOf(texts.slice(0, 4)), angleOf(texts.slice(4))]
  const upright = angles.find((one) => one && 'NS'.includes(one.hemisphere))
  const across = angles.find((one) => one && 'EWO'.includes(one.hemisphere))
  const side = across?.hemisphere === 'O' ? o : across?.hemisphere
  if (texts.length === 0 || !upright || !across || side === undefined) return undefined
  return {
    latitude: upright.hemisphere === 'S' ? -upright.degrees : upright.degrees,
    longitude: side === 'W' ? -across.degrees : across.degrees,
  }
}

/** Two numbers. A comma is decimal where both have one and another separator is between them: `55,7029, 13,1929`, `55,7029;13,1929`. */
function fromNumbers(text: string): Position | undefined {
  const bare = text
    .replaceAll('°', ' ')
    .replaceAll(/[()[\]]/gu, ' ')
    .trim()
  return numbersIn(bare, [
    /^([+-]?\d+(?:\.\d+)?)\s*(?:[,;/]\s*|\s+)([+-]?\d+(?:\.\d+)?)$/u,
    /^([+-]?\d+(?:,\d+)?)\s*(?:[;/]\s*|,\s+|\s+)([+-]?\d+(?:,\d+)?)$/u,
  ])
}
