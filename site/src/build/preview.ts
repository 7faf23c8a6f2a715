import type { Waypoint } from '../data/records.ts'
import type { Region } from '../data/region.ts'

/** Width and height of the pictures of pages, which others show beside links. */
export const pictureSize = { width: 600, height: 315 } as const

/** The pictures of a site's pages, each with its path. */
export interface Pictures {
  /** That of a fountain or a region, else that of what is around it; undefined where there are no fountains. */
  of(subject?: Region | Waypoint): string | undefined
}
