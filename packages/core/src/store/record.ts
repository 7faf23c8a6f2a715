import type { OsmObject } from '../published/osm-object.ts'
import type { WaypointPlace } from '../schemas/place.ts'
import type { Waypoint, WaypointFilter } from '../schemas/waypoint.ts'
import type { StateOfWaypoint } from '../status.ts'

interface RecordSurroundings extends OsmObject {
  /** Whether it gives water, as of the snapshot. */
  readonly state: StateOfWaypoint
  /** The first day of the state, as far as it is known; absent for `unconfirmed`. */
  readonly stateSince?: string | undefined
  /** The last day on which somebody saw that it works, here or by a source; absent when nobody did. */
  readonly lastConfirmed?: string | undefined
  /** The day of the last publication of a source that lists it, if known. Says nothing of whether it works. */
  readonly lastListed?: string | undefined
  /** The last day on which a source changed what it says of it, as the source says; absent when none does. */
  readonly sourceUpdated?: string | undefined
  /** Where its position lies; absent when no place is known there. */
  readonly place?: WaypointPlace | undefined
  readonly reviewCount: number
  /** Mean rating of live reviews, to two decimals; absent without reviews. */
  readonly rating?: number | undefined
  /** The sources that list it, by id; empty when it was contributed here. */
  readonly sources: readonly RecordSource[]
  /** Its fields as each of those sources had them when it was last imported, as JSON text. */
  readonly sourceValues?: readonly string[] | undefined
  /** The last day on which a source says that somebody saw it work. */
  readonly sourceChecked?: string | undefined
}

interface RecordSource {
  readonly sourceId: number
  readonly ref?: string | undefined
}

/** A waypoint with its reviews' figures and its sources, as exports write it. */
export interface WaypointRecord extends Waypoint, RecordSurroundings {}

/** Which records to read: those that match all given members, with the states that they have as of the snapshot. */
export interface RecordFilter extends Omit<WaypointFilter, 'near' | 'limit' | 'after'> {
  /** Only waypoints about whose state something is known; the state of all others is `unconfirmed`. Default false. */
  readonly isStated?: boolean | undefined
  readonly ids?: readonly number[] | undefined
  /** Whether to read `sourceValues` of all; default of objects of OpenStreetMap alone. */
  readonly hasValues?: boolean | undefined
}

export interface RecordChoice extends RecordFilter {
  /** The day of the statuses, `YYYY-MM-DD` in UTC. */
  readonly day: string
}
