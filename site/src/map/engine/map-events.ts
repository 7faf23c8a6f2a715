import type { PlaceEntry } from '../build/places.ts'
import type { Cells } from '../data/cells.ts'
import type { MapConfig } from '../data/config.ts'
import type { Filter } from '../list/filter.ts'
import type { Position } from '../page/position.ts'
import type { RangeSource } from './range-source.ts'
import type { Place } from '../data/state.ts'
import type { Page } from '../../views/page.ts'

/** A fountain that was clicked on the map. */
export interface FountainPick extends Position {
  readonly id: number
  readonly name?: string
}

/** A marked area that was clicked. */
export interface AreaPick {
  readonly name: string
  readonly description: string
}

/** The map's callbacks to the page. */
export interface MapEvents {
  /** The map came to rest, or its fountains changed. */
  onIdle(): void
  /** The visitor moved the map. */
  onUserMove(): void
  onFountain(fountain: FountainPick): void
  onArea(area: AreaPick): void
  /** Nothing was under the click. */
  onNothing(): void
  /** A file could not be read; the map continues without it. */
  onFailure(): void
}

export interface FountainMapOptions {
  readonly config: MapConfig
  readonly words: Page
  readonly container: HTMLElement
  readonly cells: Cells
  /** The largest regions, for names on the map. */
  places(): Promise<readonly PlaceEntry[]>
  /** Absent offline: then the cached cells are shown. */
  readonly tiles: RangeSource | undefined
  /** The first view; default all fountains. */
  readonly at?: Place
  readonly filter: Filter
  readonly events: MapEvents
  /** In a frame, scrolling the page takes precedence. */
  readonly framed: boolean
}
