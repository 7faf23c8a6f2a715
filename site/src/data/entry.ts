import type { Action } from '@openfountain/core/internal'
import type { IconName } from '../build/icons.ts'

/** The effect of an entry on a waypoint; a restoration is logged as a creation, a merge as a deletion. */
export type Effect = Action | 'restored' | 'merged'

export const effectIcons: Readonly<Record<Effect, IconName>> = {
  created: 'created',
  edited: 'edited',
  approved: 'approved',
  unapproved: 'unapproved',
  verified: 'verified',
  unverified: 'unapproved',
  deleted: 'deleted',
  restored: 'created',
  merged: 'deleted',
}

export type Removed = 'text' | 'position'

export const removedText = {
  text: 'waypoint.redacted',
  position: 'waypoint.positionRemoved',
} as const satisfies Readonly<Record<Removed, string>>

/** A log entry about a waypoint for its page: author, time, action and fields, never the values. */
export interface Entry {
  readonly id: number
  readonly waypointId: number
  readonly userId: string
  readonly effect: Effect
  readonly mergedInto?: number
  readonly reverts: boolean
  readonly fields: readonly string[]
  readonly timestamp: string
  readonly removed: readonly Removed[]
}

export interface AnyEntry {
  readonly id: number
  readonly at: string
  readonly by: string
  readonly subject: string
  readonly subjectId: number | string
  readonly action: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly links: {
    readonly mergedInto?: number | undefined
    readonly restores?: unknown
    readonly reverts?: unknown
  }
}

const entryFields: ReadonlySet<string> = new Set(['via', 'reason', 'tags', 'attested'])

export function entryOf(entry: AnyEntry): Entry | undefined {
  const { id, at, by, subject, subjectId, action, fields, links } = entry
  if (subject !== 'waypoint' || typeof subjectId !== 'number') return undefined
  const { mergedInto, restores, reverts } = links
  const known = Object.hasOwn(effectIcons, action) ? (action as Action) : 'edited'
  return {
    id,
    waypointId: subjectId,
    userId: by,
    effect: restores !== undefined ? 'restored' : mergedInto !== undefined ? 'merged' : known,
    mergedInto,
    reverts: reverts !== undefined,
    fields: action === 'edited' ? Object.keys(fields).filter((field) => !entryFields.has(field)) : [],
    timestamp: at,
    removed: [],
  }
}

const positions: ReadonlySet<string> = new Set(['latitude', 'longitude'])

export function redacted(entry: Entry, fields: Iterable<string>): Entry {
  const names = [...fields].filter((name) => !entryFields.has(name))
  if (names.length === 0) return entry
  const removed: Removed[] = []
  if (names.some((name) => !positions.has(name))) removed.push('text')
  if (names.some((name) => positions.has(name))) removed.push('position')
  const changed = entry.effect === 'edited' ? [...new Set([...entry.fields, ...names])] : entry.fields
  return { ...entry, fields: changed, removed }
}
