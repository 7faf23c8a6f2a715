import { z } from 'zod'
import { isOfPosition } from './fields/waypoint.ts'
import type { Entry } from './log/entry.ts'
import { distanceMetres, isInside } from './places/geodesy.ts'
import { limits } from './rules.ts'
import { Near, WaypointFilter } from './schemas/waypoint.ts'

export const waypointEvents = [
  'created',
  'edited',
  'moved',
  'removed',
  'restored',
  'merged',
  'approved',
  'unapproved',
  'verified',
  'unverified',
  'broken',
  'works',
  'off',
  'gone',
  'closed',
  'photo',
  'review',
] as const
export type WaypointEvent = (typeof waypointEvents)[number]

type EventOf = (entry: Pick<Entry, 'fields' | 'links'>) => WaypointEvent | undefined

const eventOfState: Readonly<Record<string, WaypointEvent>> = {
  works: 'works',
  broken: 'broken',
  dry: 'broken',
  dirty: 'broken',
  blocked: 'broken',
  off: 'off',
  gone: 'gone',
  closed: 'closed',
}
const ofState = (state: unknown) => (typeof state === 'string' ? eventOfState[state] : undefined)

/** The event of each kind of entry; the others are none. */
const events: Readonly<Record<string, EventOf>> = {
  'waypoint created': ({ links }) => (links.restores === undefined ? 'created' : 'restored'),
  'waypoint edited': ({ fields }) => (Object.keys(fields).some(isOfPosition) ? 'moved' : 'edited'),
  'waypoint deleted': ({ links }) => (links.mergedInto === undefined ? 'removed' : 'merged'),
  'waypoint approved': () => 'approved',
  'waypoint unapproved': () => 'unapproved',
  'waypoint verified': () => 'verified',
  'waypoint unverified': () => 'unverified',
  'observation created': ({ fields }) => ofState(fields['kind']),
  'record edited': ({ fields }) => ofState(fields['state']),
  'photo created': ({ fields }) => (fields['state'] === 'shown' ? 'photo' : undefined),
  'photo shown': () => 'photo',
  'review created': () => 'review',
}

export const eventOf = (
  entry: Pick<Entry, 'subject' | 'action' | 'fields' | 'links'>,
): WaypointEvent | undefined => events[`${entry.subject} ${entry.action}`]?.(entry)

/** Which waypoints and events somebody is told of: those that match all members. */
export const Watched = WaypointFilter.pick({
  bbox: true,
  region: true,
  country: true,
  subdivision: true,
  source: true,
  maintainer: true,
}).extend({
  bubblerId: z.int().positive().optional(),
  near: Near.required().optional(),
  userId: z.string().max(limits.userId).optional(),
  events: z.array(z.enum(waypointEvents)).min(1).optional(),
})
export type Watched = z.infer<typeof Watched>

/** An event of a waypoint, which may be removed since; the rest is as it is now. */
export interface HappenedEvent {
  readonly id: number
  readonly event: WaypointEvent
  /** ISO 8601 in UTC. */
  readonly at: string
  /** The id of the user who did it. */
  readonly by: string
  readonly byName: string
  /** Whether that person is a moderator now. */
  readonly byModerator: boolean
  /** The public reason, or the comment of the operator. */
  readonly reason?: string | undefined
  readonly waypoint: {
    readonly id: number
    readonly name: string
    readonly latitude: number
    readonly longitude: number
    /** The given region, else the place around it. */
    readonly region?: string | undefined
    readonly country?: string | undefined
    readonly subdivision?: string | undefined
    readonly maintainer?: string | undefined
    readonly sources: readonly string[]
    readonly isRemoved: boolean
  }
}

/** Whether somebody may be told of an entry, as far as it says itself. */
export function mayBeWatched({ bubblerId, userId, events }: Watched, entry: Entry): boolean {
  const event = eventOf(entry)
  return (
    event !== undefined &&
    (events?.includes(event) ?? true) &&
    (userId === undefined || userId === entry.by) &&
    (bubblerId === undefined || entry.subject !== 'waypoint' || entry.subjectId === bubblerId)
  )
}

/** Whether somebody is told of the event of an entry that they may be told of. */
export function isWatched(watched: Watched, { waypoint }: HappenedEvent): boolean {
  const { bubblerId, bbox, near, source } = watched
  const alike = (name: 'region' | 'country' | 'subdivision' | 'maintainer') =>
    watched[name] === undefined || watched[name] === waypoint[name]
  return (
    (bubblerId === undefined || bubblerId === waypoint.id) &&
    (bbox === undefined || isInside(bbox, waypoint)) &&
    (near === undefined || distanceMetres(near, waypoint) <= near.radius) &&
    (source === undefined || waypoint.sources.includes(source)) &&
    alike('region') &&
    alike('country') &&
    alike('subdivision') &&
    alike('maintainer')
  )
}
