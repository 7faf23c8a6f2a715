import proj4 from 'proj4'
import type { Position } from '../read/geometry.ts'
import { ImportRefused } from '../read/refusal.ts'

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
const grids: Readonly<Record<string, Grid>> = {
  'EPSG:2056': {
    proj: '+proj=somerc +lat_0=46.9524055555556 +lon_0=7.43958333333333 +k_0=1 +x_0=2600000 +y_0=1200000 +ellps=bessel +towgs84=674.374,15.056,405.346,0,0,0,0 +units=m',
    extent: [2_480_000, 1_070_000, 2_840_000, 1_300_000],
  },
  'EPSG:21781': {
    proj: '+proj=somerc +lat_0=46.9524055555556 +lon_0=7.43958333333333 +k_0=1 +x_0=600000 +y_0=200000 +ellps=bessel +towgs84=674.374,15.056,405.346,0,0,0,0 +units=m',
    extent: [480_000, 70_000, 840_000, 300_000],
  },
  'EPSG:2154': {
    proj: '+proj=lcc +lat_0=46.5 +lon_0=3 +lat_1=49 +lat_2=44 +x_0=700000 +y_0=6600000 +ellps=GRS80 +units=m',
    extent: [-360_000, 6_000_000, 1_320_000, 7_200_000],
  },
  'EPSG:27700': {
    proj: '+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy +towgs84=446.448,-125.157,542.06,0.15,0.247,0.842,-20.489 +units=m',
    extent: [0, 0, 700_000, 1_300_000],
  },
  'EPSG:28992': {
    proj: '+proj=sterea +lat_0=52.1561605555556 +lon_0=5.38763888888889 +k=0.9999079 +x_0=155000 +y_0=463000 +ellps=bessel +towgs84=565.4171,50.3319,465.5524,1.9342,-1.6677,9.1019,4.0725 +units=m',
    extent: [0, 300_000, 290_000, 630_000],
  },
  'EPSG:31370': {
    proj: '+proj=lcc +lat_0=90 +lon_0=4.36748666666667 +lat_1=51.1666672333333 +lat_2=49.8333339 +x_0=150000.013 +y_0=5400088.438 +ellps=intl +towgs84=-106.8686,52.2978,-103.7239,0.3366,-0.457,1.8422,-1.2747 +units=m',
    extent: [0, 0, 300_000, 300_000],
  },
  'EPSG:31467': {
    proj: '+proj=tmerc +lat_0=0 +lon_0=9 +k=1 +x_0=3500000 +y_0=0 +ellps=bessel +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7 +units=m',
    extent: [3_300_000, 5_200_000, 3_700_000, 6_200_000],
  },
  'EPSG:31468': {
    proj: '+proj=tmerc +lat_0=0 +lon_0=12 +k=1 +x_0=4500000 +y_0=0 +ellps=bessel +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7 +units=m',
    extent: [4_300_000, 5_200_000, 4_700_000, 6_200_000],
  },
  'EPSG:31287': {
    proj: '+proj=lcc +lat_0=47.5 +lon_0=13.3333333333333 +lat_1=49 +lat_2=46 +x_0=400000 +y_0=400000 +ellps=bessel +towgs84=577.326,90.129,463.919,5.137,1.474,5.297,2.4232 +units=m',
    extent: [100_000, 250_000, 700_000, 600_000],
  },
  'EPSG:3035': {
    proj: '+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80 +units=m',
    extent: [2_400_000, 1_300_000, 7_500_000, 6_500_000],
  },
  'EPSG:3006': {
    proj: '+proj=utm +zone=33 +ellps=GRS80 +units=m',
    extent: [200_000, 6_000_000, 1_000_000, 7_800_000],
  },
  'EPSG:3067': {
    proj: '+proj=utm +zone=35 +ellps=GRS80 +units=m',
    extent: [0, 6_500_000, 800_000, 7_900_000],
  },
  'EPSG:2180': {
    proj: '+proj=tmerc +lat_0=0 +lon_0=19 +k=0.9993 +x_0=500000 +y_0=-5300000 +ellps=GRS80 +units=m',
    extent: [100_000, 100_000, 900_000, 800_000],
  },
}

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
