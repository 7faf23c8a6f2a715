import { Action, type LoggedEntry } from '@openfountain/core'
import { entryFields } from '@openfountain/core/internal'

/** The kind of content that a redaction removed. */
export type Removed = 'text' | 'position'

/** The effect of an entry on a waypoint; a restoration is logged as a creation, a merge as a deletion. */
export type Effect = Action | 'restored' | 'merged'

/** A log entry about a waypoint for its page: author, time, action and fields, never the values. */
export interface Entry {
  readonly id: number
  readonly waypointId: number
  readonly userId: string
  readonly effect: Effect
  /** The waypoint that it was merged into. */
  readonly mergedInto?: number
  /** Whether it reverts an earlier entry. */
  readonly reverts: boolean
  readonly fields: readonly string[]
  readonly timestamp: string
  /** The content that a redaction removed from the entry. */
  readonly removed: readonly Removed[]
}

/** A waypoint's entry before redactions are applied; undefined for one about another subject. */
export function entryOf({
  id,
  at,
  by,
  subject,
  subjectId,
  action,
  fields,
  links,
}: LoggedEntry): Entry | undefined {
  if (subject !== 'waypoint' || typeof subjectId !== 'number') return undefined
  const { mergedInto, restores, reverts } = links
  return {
    id,
    waypointId: subjectId,
    userId: by,
    effect: restores !== undefined ? 'restored' : mergedInto !== undefined ? 'merged' : Action.parse(action),
    ...(mergedInto !== undefined && { mergedInto }),
    reverts: reverts !== undefined,
    fields: action === 'edited' ? Object.keys(fields).filter((field) => !entryFields.has(field)) : [],
    timestamp: at,
    removed: [],
  }
}
