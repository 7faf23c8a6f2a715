import type { Snapshot } from '@openfountain/core'

export type { Box as BoundingBox } from '@openfountain/core/internal'
export type {
  BoundingBox as AreaRecord,
  LoggedEntry as ChangeRecord,
  PublicUser as ContributorRecord,
  Review as ReviewRecord,
  Source as SourceRecord,
  Statistics as StatisticsRecord,
  WaypointRecord,
} from '@openfountain/core'

/** What an export reads: a consistent view of a registry, or anything of that shape. */
export type ExportSnapshot = Pick<
  Snapshot,
  | 'areas'
  | 'asOf'
  | 'contributors'
  | 'dataTime'
  | 'entries'
  | 'head'
  | 'headAt'
  | 'headBefore'
  | 'headWith'
  | 'records'
  | 'reviews'
  | 'reviewsAfter'
  | 'revision'
  | 'sources'
  | 'statistics'
  | 'surroundingsChangedAfter'
> &
  Partial<Pick<Snapshot, 'pages' | 'texts'>>
