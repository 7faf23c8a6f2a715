/** Which run is undone, and how. */
export interface UndoOptions {
  readonly run?: number | undefined
  /** The name of a source. */
  readonly source?: string | undefined
  /** Default that the import of the source is undone. */
  readonly reason?: string | undefined
  /** Default false. */
  readonly dryRun?: boolean | undefined
  /** Called after each page of entries. Default: nothing. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
  /** Ends it after the page that is being undone; calling it again goes on. */
  readonly signal?: AbortSignal | undefined
}

/** A waypoint that was not undone completely, because somebody changed it since. */
export interface KeptWaypoint {
  readonly waypointId: number
  /** Names of fields; `reviews`, `observations` and `sources` for data that would be lost with a waypoint. */
  readonly changed: readonly string[]
}

/** The result of undoing a run. */
export interface UndoneImport {
  readonly run: number
  readonly source: string
  /** Waypoints that became tombstones. */
  readonly removed: number
  /** Edits that were taken back. */
  readonly reverted: number
  /** Waypoints that the run had removed, and that are back. */
  readonly restored: number
  /** Waypoints that were here before, and that the source no longer lists. */
  readonly delisted: number
  readonly kept: readonly KeptWaypoint[]
}
