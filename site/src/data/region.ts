import type { Town } from '../naming.ts'

/** A country, a subdivision, a town or a region. Each waypoint is in one part, and in those around it; the empty name has the rest. */
export interface Region {
  readonly kind: 'country' | 'subdivision' | 'town' | 'region'
  /** The name of a region or a town, or the code (ISO 3166) of a country or a subdivision. */
  readonly name: string
  readonly town?: Town
  readonly given?: string
  /** The region's part of an address; unique, lower case, and never escaped. */
  readonly slug: string
  readonly waypoints: number
  readonly verified: number
  /** The number of its waypoints that are in none of its parts. */
  readonly own: number
  readonly isGiven: boolean
  /** West, south, east, north in degrees. */
  readonly bounds: Bounds
  readonly dots: readonly Dot[]
  /** The parts around it, the largest first. */
  readonly within: readonly Region[]
  /** Its parts, those with most waypoints first. */
  readonly parts: readonly Region[]
  /** The inputs of its own page, which omit most of its parts. */
  toJSON(): unknown
}

export type Dot = readonly [longitude: number, latitude: number, verified: boolean]

/** In degrees; west > east when it crosses the antimeridian. */
export type Bounds = readonly [west: number, south: number, east: number, north: number]
