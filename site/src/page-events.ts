import type { Waypoint } from '@openfountain/core'
import type { Row } from './explore/data.ts'
import type { Fountain } from './map/data/cell.ts'
import type { MapPage } from './map/page/map-page.tsx'

interface PageEvents {
  'openfountain:page': (page: MapPage) => void
  'openfountain:chosen': (rows: readonly Row[]) => void
  'openfountain:card': { readonly fountain: Fountain; readonly place: HTMLElement }
  /** A fountain, by its id or the key of its queued creation, is new or changed; without a waypoint it is gone. */
  'openfountain:waypoint': {
    readonly id: number | string
    readonly waypoint?: Waypoint | undefined
    readonly isWaiting: boolean
  }
  'openfountain:status': {
    readonly id: number | undefined
    readonly status: unknown
    readonly isWaiting: boolean
  }
  /** The map asks for the queue, which may have been told before it listened. */
  'openfountain:live': undefined
  /** How much of the photo that is being sent has left, from 0 to 1; null at its end. */
  'openfountain:progress': number | null
  /** An own contribution has reached the server. */
  'openfountain:sent': undefined
  /** Somebody has seen a fountain for their first task. */
  'openfountain:task': undefined
  /** A view of the map was saved. */
  'openfountain:kept': undefined
}

type Events = { readonly [Name in keyof PageEvents]: CustomEvent<PageEvents[Name]> }

declare global {
  interface DocumentEventMap extends Events {}
}
