import type { Fountain } from '../data/cell.ts'
import type { MapPage } from './map-page.ts'

/** The event with which what is loaded later asks the page with the map for itself. */
export const pageAsked = 'openfountain:page'

declare global {
  /** By these the page with the map and what is loaded beside it know of each other. */
  interface DocumentEventMap {
    [pageAsked]: CustomEvent<(page: MapPage) => void>
    /** The card has shown a fountain, with room for what can be done about it. */
    'openfountain:card': CustomEvent<{ readonly fountain: Fountain; readonly place: HTMLElement }>
  }
}
