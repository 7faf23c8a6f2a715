import type { CellIndex } from './cell.ts'
import type { Bounds } from '../../data/region.ts'
import type { PageOptions } from '../../views/page.ts'

/** The inhabited land: the first view of an empty registry. */
export const inhabited: Bounds = [-170, -50, 170, 70]

/** The configuration of the map's script, as JSON in `<script type="application/json" id="map-config">`. */
export interface MapConfig {
  /** Path of the site on its host, with a slash at both ends. */
  readonly base: string
  readonly language: string
  /** Time of the data, ISO 8601 UTC. */
  readonly dataTime: string
  /** Changes with the data; part of the address of each data file, so that no cache mixes two versions. */
  readonly version: string
  readonly bounds?: Bounds
  /** Whether data/waypoints.pmtiles holds all fountains; else only the cells do. */
  readonly tiles: boolean
  /** From this day, `YYYY-MM-DD`, map/turns.json is needed: states change then. Absent when they never do. */
  readonly turns?: string
  /** The index of the cells; absent where it is long, and read from map/cells/index.json. */
  readonly cells?: CellIndex | undefined
  readonly areas: boolean
  /** Present when map/credits.json has the parties by area, with the publisher's number; absent for one party. */
  readonly credits?: { readonly own?: number }
  /** Address of the bundled base map. */
  readonly land?: string | undefined
  /** MapLibre styles that replace it. */
  readonly style?: StyleConfig
  /** Streets over the bundled base map. */
  readonly streets?: StreetConfig
  readonly icons: string
  readonly labels: Pick<PageOptions, 'prefix' | 'strings' | 'counts'>
  /** The source of changes since the build; absent without an API. */
  readonly live?: LiveConfig
}

export interface StyleConfig {
  /** Addresses; without a dark style the light one is also used in dark mode. */
  readonly light: string
  readonly dark?: string
  /** Whether the page names its makers; if not, the map does, as far as its sources have attributions. */
  readonly isCredited: boolean
  /** A font of its glyph server; default the visitor's fonts. */
  readonly font?: readonly string[]
}

export interface StreetConfig {
  readonly archive: string
  /** Of the layers, in the language of the page. */
  readonly style: string
}

export interface LiveConfig {
  /** Address of the API without a slash at its end. */
  readonly api: string
  /** The newest log entry of the site, with the root of the log; absent where the export lacks it. */
  readonly head?: { readonly id: number; readonly hash: string }
}

/** The configuration of a page. @throws {Error} when it is not a page of this site */
export function readConfig(page: Document): MapConfig {
  const text = page.querySelector('#map-config')?.textContent
  if (!text) throw new Error('This page has no #map-config: build the site again.')
  return JSON.parse(text) as MapConfig
}
