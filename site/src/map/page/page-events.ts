import type { Fountain } from '../data/cell.ts'
import type { MapPage } from './map-page.ts'

/** The event by which later scripts ask for the page with the map. */
export const pageAsked = 'openfountain:page'

declare global {
  /** The events between the page with the map and the scripts loaded beside it. */
  interface DocumentEventMap {
    [pageAsked]: CustomEvent<(page: MapPage) => void>
    /** The card has shown a fountain, with a slot for its actions. */
    'openfountain:card': CustomEvent<{ readonly fountain: Fountain; readonly place: HTMLElement }>
  }
}
