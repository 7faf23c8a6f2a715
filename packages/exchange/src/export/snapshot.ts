import type { Snapshot, Source } from '@openfountain/core'

export type { Box as BoundingBox, WaypointRecord } from '@openfountain/core/internal'
export type {
  BoundingBox as AreaRecord,
  LoggedEntry as ChangeRecord,
  PublicUser as ContributorRecord,
  Review as ReviewRecord,
  Statistics as StatisticsRecord,
} from '@openfountain/core'

/** A source, with the licence of the files where it is published under that by written consent. */
export type SourceRecord = Source & { readonly consentsTo?: string }

/** The input of an export: a consistent view of a registry, or anything of that shape. */
export type ExportSnapshot = Omit<Snapshot, 'changes' | 'close' | 'extent'> &
  Partial<Pick<Snapshot, 'extent'>>
