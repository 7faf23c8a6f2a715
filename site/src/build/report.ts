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
  /** The expected total, where it is known. */
  readonly total?: number
}

/** The result of a build. */
export interface SiteReport {
  readonly out: string
  readonly pages: number
  readonly waypoints: number
  /** Waypoints with a page of their own. */
  readonly waypointPages: number
  /** Number of unchanged pages of all kinds that were reused from the earlier site. */
  readonly unchangedPages: number
  /** Whether the export was taken over from the earlier site, because its state is the same (`dataState`). */
  readonly unchangedData: boolean
  /** Whether the site was left in place, because registry, options, files and program are all unchanged. */
  readonly unchangedSite: boolean
  /** Of the whole site with downloads, without the hidden marker file. */
  readonly files: number
  readonly bytes: number
  /** The plan that the build followed. */
  readonly plan: SitePlan
  readonly languages: readonly string[]
  /** The background of the map: the bundled land, the same with streets, OpenFreeMap, or the operator's own style. */
  readonly baseMap: 'land' | 'streets' | 'openfreemap' | 'style'
  /** The policy to send as a header where the host supports it, for all pages but embed/. */
  readonly contentSecurityPolicy: string
}
