import type { NounName, Nouns } from '../log/nouns.ts'
import {
  areaStateOf,
  distinctionOf,
  knownStatusOf,
  mergeBaseOf,
  observationStateOf,
  observerOf,
  personOf,
  profileOf,
  progressOf,
  recordStateOf,
  reportOf,
  reviewStateOf,
  runStateOf,
  secretOf,
  sightingOf,
  sourceFactsOf,
  storedEntryOf,
  waypointStateOf,
} from './rows.ts'

/** Tables of which nouns are rows. */
export type NounTable =
  | 'secrets'
  | 'reports'
  | 'distinctions'
  | 'users'
  | 'waypoints'
  | 'reviews'
  | 'observations'
  | 'observers'
  | 'sightings'
  | 'statuses'
  | 'areas'
  | 'sources'
  | 'imports'
  | 'records'
  | 'entries'

/** Where a noun is stored, and how a row becomes it. */
export interface Storing<Noun extends NounName> {
  readonly table: NounTable
  readonly from: (row: never) => Nouns[Noun]
}

/** Where each noun is stored, on every engine. */
export const storing: { readonly [Noun in NounName]: Storing<Noun> } = {
  user: { table: 'users', from: personOf },
  profile: { table: 'users', from: profileOf },
  source: { table: 'sources', from: sourceFactsOf },
  import: { table: 'imports', from: runStateOf },
  progress: { table: 'imports', from: progressOf },
  waypoint: { table: 'waypoints', from: waypointStateOf },
  review: { table: 'reviews', from: reviewStateOf },
  observation: { table: 'observations', from: observationStateOf },
  observer: { table: 'observers', from: observerOf },
  sighting: { table: 'sightings', from: sightingOf },
  status: { table: 'statuses', from: knownStatusOf },
  area: { table: 'areas', from: areaStateOf },
  record: { table: 'records', from: recordStateOf },
  base: { table: 'records', from: mergeBaseOf },
  entry: { table: 'entries', from: storedEntryOf },
  secret: { table: 'secrets', from: secretOf },
  report: { table: 'reports', from: reportOf },
  distinction: { table: 'distinctions', from: distinctionOf },
}
