import proj4 from 'proj4'
import data from './grids.json' with { type: 'json' }
import land from './land.json' with { type: 'json' }
import type { Position, Representative } from '../read/geometry.ts'
import type { ImportNote } from '../reasons.ts'
import { ImportRefused, type SwapEvidence } from '../read/refusal.ts'
import type { Registry } from '@openfountain/core'
import type { ReadWaypoint } from './waypoint-reading.ts'
import { inflateRawSync } from 'node:zlib'

/** Metres around 0, 0 with only sea: numbers as small as this are degrees, whatever the declared system. */
const nullIsland = 200

/**
 * Turns coordinates into degrees. The declared system holds when the numbers can be of it; else the numbers are believed when
 * they are on Earth in exactly one other system; else the row is refused.
 *
 * @param declared by the file, the map or the caller; else degrees, as RFC 7946 has it
 * @param alternative the system that the file declares when the caller gives another one
 */
export class Placing {
  /** Rows whose numbers contradict the declared coordinate system, by the code of their note. */
  readonly #rows = { DEGREES_BELIEVED: 0, METRES_BELIEVED: 0, BEYOND_POLE: 0 }
  readonly #system: CoordinateSystem
  readonly #alternative: CoordinateSystem | undefined
  readonly #swap: boolean
  #mercator: CoordinateSystem | undefined

  constructor(
    declared: CoordinateSystem | undefined,
    { alternative, swap }: { readonly alternative: CoordinateSystem | undefined; readonly swap: boolean },
  ) {
    this.#system = declared ?? degrees
    this.#alternative = alternative
    this.#swap = swap
  }

  place([first, second]: Position): Representative {
    const given: Position = this.#swap ? [second, first] : [first, second]
    const [x, y] = given
    if (!Number.isFinite(x) || !Number.isFinite(y)) return { reason: { code: 'NOT_NUMBERS' } }
    if (x === 0 && y === 0) return { reason: { code: 'ZERO' } }
    return this.#system.degrees ? this.#fromDegrees(given) : this.#fromMetres(given)
  }

  #fromDegrees(given: Position): Representative {
    const [x, y] = given
    if (degrees.covers(given)) return { position: given }
    if (Math.abs(x) <= 90 && Math.abs(y) <= 180) {
      this.#rows.BEYOND_POLE += 1
      return { reason: { code: 'BEYOND_POLE', latitude: y } }
    }
    const other = this.#alternative
    if (other !== undefined && !other.degrees && other.covers(given)) return this.#believeMetres(other, given)
    const possible = possibleSystems(given)
    if (possible.length === 1 && possible[0] === 'EPSG:3857')
      return this.#believeMetres((this.#mercator ??= coordinateSystem('EPSG:3857')), given)
    return { reason: { code: 'NOT_DEGREES', x, y, possible } }
  }

  #believeMetres(system: CoordinateSystem, given: Position): Representative {
    const position = system.toDegrees(given)
    const [x, y] = given
    if (!degrees.covers(position)) return { reason: { code: 'NOT_ON_EARTH', x, y } }
    this.#rows.METRES_BELIEVED += 1
    return { position }
  }

  #fromMetres(given: Position): Representative {
    const [x, y] = given
    const looksLikeDegrees = Math.abs(x) <= nullIsland && Math.abs(y) <= nullIsland
    if (!looksLikeDegrees && this.#system.covers(given)) {
      const position = this.#system.toDegrees(given)
      if (degrees.covers(position)) return { position }
    }
    if (degrees.covers(given)) {
      this.#rows.DEGREES_BELIEVED += 1
      return { position: given }
    }
    return { reason: { code: 'OUTSIDE_SYSTEM', x, y, crs: this.#system.name } }
  }

  notes(): ImportNote[] {
    const { DEGREES_BELIEVED, METRES_BELIEVED, BEYOND_POLE } = this.#rows
    const notes = [
      { code: 'DEGREES_BELIEVED', rows: DEGREES_BELIEVED, crs: this.#system.name },
      { code: 'METRES_BELIEVED', rows: METRES_BELIEVED },
      { code: 'BEYOND_POLE', rows: BEYOND_POLE },
    ] as const
    return notes.filter(({ rows }) => rows > 0)
  }
}

/** A coordinate system, and how its coordinates become longitude and latitude of WGS 84. */
export interface CoordinateSystem {
  /** `EPSG:25833`, or the PROJ text that was given. */
  readonly name: string
  readonly degrees: boolean
  toDegrees(position: Position): Position
  /** Whether coordinates can be of this system: within the area where it is used. */
  covers(position: Position): boolean
}

interface Grid {
  readonly proj: string
  /** Eastings and northings of the area of use: west, south, east, north. */
  readonly extent: readonly [number, number, number, number]
}

/** Grids that European cities publish in. Definitions and areas follow the EPSG registry (https://epsg.org). */
const grids = data as unknown as Readonly<Record<string, Grid>>

/** Degrees: WGS 84 and systems that differ from it by less than a fountain's width (ETRS89, NAD83, CRS84). */
const inDegrees = new Set(['EPSG:4326', 'EPSG:4258', 'EPSG:4269', 'EPSG:4979', 'OGC:CRS84', 'CRS84'])
const webMercator = new Set(['EPSG:3857', 'EPSG:900913', 'EPSG:3785', 'EPSG:102100'])

/** Half the circumference of Web Mercator's world, in metres. */
const worldEdge = 20_037_508.35
const isMercator = ([x, y]: Position): boolean => Math.abs(x) <= worldEdge && Math.abs(y) <= worldEdge

export const degrees: CoordinateSystem = {
  name: 'EPSG:4326',
  degrees: true,
  toDegrees: (position) => position,
  covers: ([x, y]) => Math.abs(x) <= 180 && Math.abs(y) <= 90,
}

/**
 * The coordinate system of a name: `EPSG:25833`, `urn:ogc:def:crs:EPSG::25833`, `25833`,
 * `http://www.opengis.net/def/crs/EPSG/0/25833`, or a PROJ text. Known: degrees (4326, 4258, 4269, CRS84),
 * Web Mercator (3857), every UTM zone of WGS 84 (326xx, 327xx), ETRS89 (258xx) and NAD83 (269xx), and the
 * national grids of several European countries. Well-known text, as in the `.prj` of a shapefile, is
 * one of these where their projections agree, else itself where its datum is WGS 84 or one within a fountain's width of it.
 *
 * @throws ImportRefused CRS_UNKNOWN
 */
export function coordinateSystem(given: string): CoordinateSystem {
  const name = nameOf(given)
  if (inDegrees.has(name)) return degrees
  if (webMercator.has(name)) return projected('EPSG:3857', 'EPSG:3857', isMercator)
  const grid = grids[name]
  if (grid !== undefined) return projected(name, grid.proj, within(grid.extent))
  const zone = utmZone(name)
  if (zone !== undefined) return projected(name, zone, isUtm)
  const known = /^(?:GEOG|PROJ)(?:CS|CRS)\s*\[/u.test(name) ? ofWellKnownText(name) : undefined
  if (known !== undefined) return known
  if (given.trim().startsWith('+proj=')) return projected(given.trim(), given.trim(), () => true)
  throw new ImportRefused(
    { code: 'CRS_UNKNOWN', crs: given },
    `The coordinate system "${given.slice(0, 100)}" is not known.`,
  )
}

/** Geographic datums within a fountain's width of WGS 84, by the names of EPSG and Esri. */
const nearDatum =
  /^D?(?:WGS_?(?:19)?84|WORLDGEODETICSYSTEM1984|ETRS_?(?:19)?89|EUROPEANTERRESTRIALREFERENCESYSTEM1989|NORTH_?AMERICAN_?(?:DATUM_?)?1983|NAD_?(?:19)?83|GDA_?(?:19)?94|GDA_?2020|RGF_?1993|RESEAUGEODESIQUEFRANCAIS1993|SWEREF99|ITRF.*|IGS.*)/iu

/**
 * The system of a definition in well-known text (WKT 1, of OGC or Esri, or 2). Esri writes no codes: the definition is that
 * of a known system which has the same place for the middle of its area.
 */
function ofWellKnownText(text: string): CoordinateSystem | undefined {
  const datum = /DATUM\s*\[\s*"(?:D_)?([^"]*)"/u.exec(text)?.[1]?.replaceAll(/[\s_]/gu, '') ?? ''
  const isNear = nearDatum.test(datum)
  if (text.startsWith('GEOG')) return isNear ? degrees : undefined
  const code = /(?:AUTHORITY|ID)\s*\[\s*"EPSG"\s*,\s*"?(\d{4,6})"?\s*\]\s*\]\s*$/u.exec(text)?.[1]
  try {
    if (code !== undefined) return coordinateSystem(code)
  } catch {
    // Of a code that is not known the definition remains.
  }
  try {
    const given = new proj4.Proj(text)
    const zones = isNear ? utm.slice(0, 2) : []
    const candidates = [
      ...zones.flatMap(([series, first, last]) =>
        Array.from({ length: last - first + 1 }, (_, at) => `EPSG:${series * 100 + first + at}`).map(
          (name) => [name, utmZone(name) ?? '', { x: 400_000, y: 5_000_000 }] as const,
        ),
      ),
      ...Object.entries(grids).map(([name, { proj, extent }]) => [name, proj, middleOf(extent)] as const),
      ['EPSG:3857', 'EPSG:3857', { x: 1_000_000, y: 6_000_000 }] as const,
    ]
    for (const [name, definition, point] of candidates) {
      // Without the change of datum, which Esri's definitions do not have.
      const [one, other] = [given, new proj4.Proj(definition)].map((each) => each.inverse({ ...point }))
      if (one === undefined || other === undefined) continue
      if (Math.hypot(one.x - other.x, one.y - other.y) < sameRadians) return coordinateSystem(name)
    }
    const title = /\[\s*"([^"]*)"/u.exec(text)?.[1] ?? ''
    return isNear || /TOWGS84/u.test(text) ? projected(title, text, () => true) : undefined
  } catch {
    return undefined
  }
}

/** Twenty centimetres: Swisstopo's projection and Esri's name for it differ by ten. */
const sameRadians = 3e-8

const middleOf = ([west, south, east, north]: Grid['extent']) => ({
  x: (west + east) / 2,
  y: (south + north) / 2,
})

/**
 * The systems in metres that coordinates can be of, among those known here: in each of them they are on Earth.
 * Zones of UTM count as one, since the numbers do not distinguish them.
 */
export function possibleSystems(position: Position): string[] {
  const found = Object.entries(grids).flatMap(([name, grid]) => (within(grid.extent)(position) ? [name] : []))
  if (isUtm(position)) found.push('UTM')
  if (isMercator(position)) found.push('EPSG:3857')
  return found
}

function projected(name: string, definition: string, covers: CoordinateSystem['covers']): CoordinateSystem {
  const converter = proj4(definition, 'EPSG:4326')
  return {
    name,
    degrees: false,
    toDegrees([x, y]) {
      const [longitude = Number.NaN, latitude = Number.NaN] = converter.forward([x, y])
      return [longitude, latitude]
    },
    covers,
  }
}

function nameOf(given: string): string {
  const text = given.trim()
  if (/CRS:?84/iu.test(text)) return 'OGC:CRS84'
  const code = /(?:EPSG[:/]+(?:[\d.]*[:/]+)?)?(\d{4,6})$/iu.exec(text)?.[1]
  return code === undefined ? text : `EPSG:${code}`
}

/** Zones of UTM by the first three digits of their codes; the last two digits are the zone. */
const utm: readonly (readonly [series: number, first: number, last: number, datum: string])[] = [
  [326, 1, 60, '+datum=WGS84'],
  [327, 1, 60, '+south +datum=WGS84'],
  [258, 28, 38, '+ellps=GRS80'],
  [269, 1, 23, '+ellps=GRS80'],
]

function utmZone(name: string): string | undefined {
  const code = Number(name.replace('EPSG:', ''))
  const zone = code % 100
  const found = utm.find(([of, first, last]) => of * 100 + zone === code && zone >= first && zone <= last)
  return found && `+proj=utm +zone=${zone} ${found[3]} +units=m`
}

/** Eastings within a zone and its overlaps, northings of the hemisphere. */
const isUtm = ([x, y]: Position): boolean => x >= 100_000 && x <= 900_000 && y >= 0 && y <= 10_000_000

const within =
  ([west, south, east, north]: Grid['extent']) =>
  ([x, y]: Position): boolean =>
    x >= west && x <= east && y >= south && y <= north

const examined = 200

/**
 * The evidence that latitude and longitude are swapped, or undefined without any: rows are beyond the poles, or in the sea and
 * on land when swapped, or far from all waypoints of the registry and near them when swapped.
 *
 * @param beyond rows of the sample that are on Earth only when swapped
 */
export async function swapEvidence(
  registry: Registry,
  places: readonly Pick<ReadWaypoint, 'latitude' | 'longitude'>[],
  beyond: number,
): Promise<SwapEvidence | undefined> {
  if (beyond > 0 && beyond * 20 >= places.length)
    return { evidence: 'beyond-pole', rows: beyond, of: places.length + beyond }
  const step = Math.max(1, Math.floor(places.length / examined))
  const sample = places.filter((_, index) => index % step === 0).slice(0, examined)
  const of = sample.length
  const onLand = sample.filter(({ latitude, longitude }) => isLand(latitude, longitude)).length
  const onLandSwapped = sample.filter(
    ({ latitude, longitude }) => Math.abs(longitude) <= 90 && isLand(longitude, latitude),
  ).length
  if (onLand * 10 <= of && onLandSwapped * 10 >= of * 9 && of > 0)
    return { evidence: 'in-sea', rows: of - onLand, swapped: onLandSwapped, of }
  const turned = sample.map((place) => ({ latitude: place.longitude, longitude: place.latitude }))
  if ((await registry.imports.closeToKnown(sample)) > 0) return undefined
  const swapped = await registry.imports.closeToKnown(
    turned.filter(({ latitude }) => Math.abs(latitude) <= 90),
  )
  return swapped >= 3 && swapped * 2 > of ? { evidence: 'far-from-known', swapped, of } : undefined
}

export function evidenceText(given: SwapEvidence): string {
  switch (given.evidence) {
    case 'beyond-pole':
      return `${given.rows} of ${given.of} rows have a latitude beyond the poles.`
    case 'in-sea':
      return `${given.rows} of ${given.of} rows lie in the sea; swapped, ${given.swapped} are on land.`
    case 'far-from-known':
      return `None of the rows is near a known fountain; swapped, ${given.swapped} of ${given.of} are.`
  }
}

/** The squares of land.json, inflated when first asked. */
let squares: Buffer | undefined

/** Whether there is land in the square degree of a place. */
function isLand(latitude: number, longitude: number): boolean {
  squares ??= inflateRawSync(Buffer.from(land.squares, 'base64'))
  const row = Math.min(179, Math.max(0, Math.floor(latitude + 90)))
  const column = Math.min(359, Math.max(0, Math.floor(longitude + 180)))
  const square = row * 360 + column
  return (((squares[square >> 3] ?? 0) >> (square & 7)) & 1) === 1
}
