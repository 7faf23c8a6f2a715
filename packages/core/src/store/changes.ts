import type { Action, LogEntry } from '../log/entry.ts'

/** Which actions on waypoints a list returns. */
export interface ChangeFilter {
  readonly bubblerId?: number | undefined
  readonly userId?: string | undefined
  readonly action?: Action | undefined
  readonly order: 'asc' | 'desc'
  readonly after: number
}

/** An action with its user and waypoint, for single reads and the recent feed. */
export interface DescribedRow {
  readonly entry: LogEntry
  readonly user: { id: string; name: string; xp: number; isModerator: boolean }
  readonly waypoint: { id: number; name: string; latitude: number; longitude: number }
}
