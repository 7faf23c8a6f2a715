import type { Snapshot, Source, PropertiesSchema } from '@openfountain/core'

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

export interface Publisher {
  readonly name: string
  readonly author: string
  /** The licence that contributions to this registry carry: an SPDX id or a name. */
  readonly license: string
  /** The licence of the files, where contributions are published under it by written consent. */
  readonly consentsTo?: string
  /** The custom fields of its waypoints, as it declares them. */
  readonly properties?: PropertiesSchema | undefined
}
