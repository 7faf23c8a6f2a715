import type { Waypoint } from '../data/records.ts'
import type { Region } from '../data/region.ts'

/** Width and height of the pictures of pages, which others show beside links. */
export const pictureSize = { width: 600, height: 315 } as const

/** The pictures of a site's pages, each with its path. */
export interface Pictures {
  /** The picture of a fountain or a region, else of its region or the registry; undefined without fountains. */
  of(subject?: Region | Waypoint): string | undefined
}
