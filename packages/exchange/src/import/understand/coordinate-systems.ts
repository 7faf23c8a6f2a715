import proj4 from 'proj4'
import type { Position } from '../read/geometry.ts'
import { ImportRefused } from '../read/refusal.ts'
import data from './grids.json' with { type: 'json' }

/** A coordinate system, and how its coordinates become longitude and latitude of WGS 84. */
export interface CoordinateSystem {
  /** `EPSG:25833`, or the PROJ text that was given. */
  readonly name: string
  readonly degrees: boolean
  toDegrees(position: Position): Position
  /** Whether coordinates can be of this system: within the area where it is used. */
  covers(position: Position): boolean
}

/** A national grid: its PROJ definition (EPSG registry) and the coordinates it is used for. */
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
 * national grids of several European countries.
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
  if (given.trim().startsWith('+proj=')) return projected(given.trim(), given.trim(), () => true)
  throw new ImportRefused(
    { code: 'CRS_UNKNOWN', crs: given },
    `The coordinate system "${given.slice(0, 100)}" is not known.`,
  )
}

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

function projected(
  name: string,
  definition: string,
  covers: (position: Position) => boolean,
): CoordinateSystem {
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
function isUtm([x, y]: Position): boolean {
  return x >= 100_000 && x <= 900_000 && y >= 0 && y <= 10_000_000
}

function within([west, south, east, north]: Grid['extent']): (position: Position) => boolean {
  return ([x, y]) => x >= west && x <= east && y >= south && y <= north
}
