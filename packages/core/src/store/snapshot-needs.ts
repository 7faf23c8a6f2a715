/** What is read from a snapshot, so that an engine that has to copy copies no more. */
export interface SnapshotNeeds {
  /**
   * Records of waypoints alone, without the log, people and areas: of all waypoints, or of those with these ids. Default
   * everything.
   */
  readonly records?: 'all' | readonly number[] | undefined
}
