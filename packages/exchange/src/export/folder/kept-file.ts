/** The moment of an export, as data packages have it. */
export interface Moment {
  readonly revision: number
  /** Both ISO 8601 in UTC. */
  readonly data_time: string
  readonly as_of: string
  readonly log: { readonly id: number; readonly hash: string }
}

/** A file of an earlier export that is taken over, as its data package describes it. */
export interface KeptFile {
  readonly bytes: number
  /** Lower-case hexadecimal. */
  readonly sha256: string
  readonly rows: number
  readonly moment: Moment
  /** The resource in the data package. */
  readonly described: object
}

/** What daily files of an edition follow from, and what of an earlier export follows from the same. */
export interface DailyFiles {
  /** Digest of everything but the records that they follow from: they are taken over by an export with the same. */
  readonly basis: string
  /** Where those are that are taken over. */
  readonly folder: string
  readonly kept: ReadonlyMap<string, KeptFile>
}
