import type { Waypoint } from '../data/records.ts'
import type { Region } from '../data/region.ts'

export const mapSize = { width: 600, height: 315 } as const

/** A picture that others show beside a link to a page: its path, and its size in pixels. */
export interface Picture {
  readonly path: string
  readonly width: number
  readonly height: number
}

export interface Pictures {
  /** The best photo of a fountain, else its map; the map of a region, else of the one around it; undefined without fountains. */
  of(subject?: Region | Waypoint): Picture | undefined
}
