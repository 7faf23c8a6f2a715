/**
 * A part of the directory: a country, a subdivision of one, or a region, which is what waypoints name as theirs, else the place
 * around them. Each waypoint is in one part, and in those around it. The empty name is that of waypoints of which nothing is known.
 */
export interface Region {
  readonly kind: 'country' | 'subdivision' | 'region'
  /** That of a region; of a country or a subdivision its code (ISO 3166). */
  readonly name: string
  /** The region's part of an address; unique, lower case, without anything that needs escaping. */
  readonly slug: string
  readonly waypoints: number
  readonly verified: number
  /** Those of its waypoints that are in none of its parts. */
  readonly own: number
  /** Whether all of its waypoints are there because they name it. */
  readonly isGiven: boolean
  /** West, south, east, north in degrees. */
  readonly bounds: Bounds
  /** Every n-th of its waypoints, some hundreds at most, for a drawing. */
  readonly dots: readonly Dot[]
  /** What it lies in, the largest first. */
  readonly within: readonly Region[]
  /** Its parts, those with most waypoints first. */
  readonly parts: readonly Region[]
  /** What its own page shows, which is not all that its parts have. */
  toJSON(): unknown
}

/** Where a waypoint is, in degrees, and whether it is verified. */
export type Dot = readonly [longitude: number, latitude: number, verified: boolean]

export type Bounds = readonly [west: number, south: number, east: number, north: number]
