import type { SealedEntry, Snapshot } from '@openfountain/core'

export type { Box as BoundingBox } from '@openfountain/core/internal'
export type {
  BoundingBox as AreaRecord,
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
  | 'changes'
  | 'contributors'
  | 'dataTime'
  | 'head'
  | 'records'
  | 'reviews'
  | 'reviewsSince'
  | 'revision'
  | 'sources'
  | 'statistics'
  | 'surroundingsChangedSince'
> &
  Partial<Pick<Snapshot, 'pages' | 'texts'>>

/** An entry of the log as exports write it. */
export interface ChangeRecord extends SealedEntry {
  /** Why an export left the changes out; the digest still holds the chain together. */
  readonly withheld?: string
}
