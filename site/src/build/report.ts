import type { MapEngine } from '../map/build/bundle.ts'
import type { SitePlan } from './plan.ts'

export interface SiteProgress {
  readonly step:
    | 'waypoints'
    | 'changes'
    | 'reviews'
    | 'contributors'
    | 'pages'
    | 'files'
    | 'search'
    | 'basemap'
  readonly done: number
  /** How many there will be, where that is known. */
  readonly total?: number
}

/** What was built. */
export interface SiteReport {
  readonly out: string
  readonly pages: number
  readonly waypoints: number
  /** Waypoints that got a page of their own. */
  readonly waypointPages: number
  /** Pages of all kinds that were taken over from the site that was there before, because they would have come out the same. */
  readonly unchangedPages: number
  /** Whether its export was taken over from that site, too, because it would have come out the same (`dataState`). */
  readonly unchangedData: boolean
  /** Whether it was left where it is, because all of it would have come out the same: neither the registry nor an option, a file or the program has changed. */
  readonly unchangedSite: boolean
  /** Of the whole site, downloads included, without the hidden file in which the site says what it was built from. */
  readonly files: number
  readonly bytes: number
  /** What was expected of it. */
  readonly plan: SitePlan
  readonly languages: readonly string[]
  /** The map engine that was used. */
  readonly engine: MapEngine
  /** What is drawn below the fountains: the bundled land, with streets or without, or what somebody else has drawn. */
  readonly baseMap: 'land' | 'streets' | 'openfreemap' | 'style'
  /** The policy to send as a header where the host allows it, for all pages but embed/. */
  readonly contentSecurityPolicy: string
}
