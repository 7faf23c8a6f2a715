import type { Fountain } from '../data/cell.ts'
import type { MapPage } from './map-page.ts'

declare global {
  /** By these the page with the map and what is loaded beside it know of each other. */
  interface DocumentEventMap {
    /** Asks the page with the map for itself. */
    'openfountain:page': CustomEvent<(page: MapPage) => void>
    /** The card has shown a fountain, with room for what can be done about it. */
    'openfountain:card': CustomEvent<{ readonly fountain: Fountain; readonly place: HTMLElement }>
  }
}
