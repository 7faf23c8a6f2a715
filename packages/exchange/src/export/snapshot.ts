import type { Snapshot, Source } from '@openfountain/core'

export type { Box as BoundingBox } from '@openfountain/core/internal'
export type {
  BoundingBox as AreaRecord,
  LoggedEntry as ChangeRecord,
  PublicUser as ContributorRecord,
  Review as ReviewRecord,
  Statistics as StatisticsRecord,
  WaypointRecord,
} from '@openfountain/core'

/** A source, with the licence of the files where it is published under that by written consent. */
export type SourceRecord = Source & { readonly consentsTo?: string }

/** What an export reads: a consistent view of a registry, or anything of that shape. */
export type ExportSnapshot = Pick<
  Snapshot,
  | 'areas'
  | 'asOf'
  | 'contributors'
  | 'dataTime'
  | 'entries'
  | 'erasures'
  | 'head'
  | 'headAt'
  | 'headBefore'
  | 'headWith'
  | 'origin'
  | 'records'
  | 'reviews'
  | 'reviewsAfter'
  | 'revision'
  | 'sources'
  | 'statistics'
  | 'surroundingsChangedAfter'
> &
  Partial<Pick<Snapshot, 'extent'>>
