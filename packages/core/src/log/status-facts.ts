import { daysOf } from '../fields/source.ts'
import type { ListedFact, StatusFacts } from '../status.ts'
import type { WaypointState } from '../schemas/waypoint.ts'
import { isLive, type ObservationState, type RecordState, type Sighting, type SourceFacts } from './nouns.ts'
import { saidOn } from './states.ts'
import type { Changes } from './working-set.ts'

/** Facts on which the state of a waypoint depends. */

/** The fact of a record about the state of its waypoint, if any. */
export function listedFact(
  record: {
    readonly [Name in 'state' | 'checked' | 'since' | 'until' | 'missingSince']?: RecordState[Name] | null
  },
  lastSeen: string,
): ListedFact | undefined {
  const { state = null, checked = null, missingSince = null } = record
  if ((state ?? checked) === null || missingSince !== null) return undefined
  const { updated: _updated, ...says } = daysOf(record)
  return {
    seen: lastSeen.slice(0, 10),
    state: state ?? undefined,
    ...says,
  }
}

/** Whether a source says anything on which the state depends. */
const saysSomething = (record: RecordState | undefined): boolean =>
  (record?.state ?? record?.checked) !== undefined

/** The facts of a live waypoint, from all data about it. */
export function statusFactsOf(
  waypoint: Pick<WaypointState, 'season'>,
  about: {
    readonly observations: readonly ObservationState[]
    readonly sightings: readonly Sighting[]
    readonly records: readonly RecordState[]
    readonly sourceOf: (record: RecordState) => SourceFacts | undefined
  },
): StatusFacts {
  return {
    season: waypoint.season,
    observations: about.observations.filter(isLive),
    passersBy: about.sightings,
    sources: about.records.flatMap((record) => {
      const source = about.sourceOf(record)
      return listedFact(record, source === undefined ? record.lastSeen : saidOn(record, source)) ?? []
    }),
  }
}

/** The waypoints whose state may be another after a write, and the sources that listed everything anew. */
export function touchedByChanges(changes: Changes): {
  readonly waypoints: ReadonlySet<number>
  readonly sources: readonly number[]
} {
  const waypoints = new Set<number>()
  for (const { before, after } of changes.observation ?? []) {
    waypoints.add(after.bubblerId)
    if (before !== undefined) waypoints.add(before.bubblerId)
  }
  for (const { after } of changes.sighting ?? []) waypoints.add(after.bubblerId)
  for (const { after } of changes.status ?? []) waypoints.add(after.id)
  for (const { before, after } of changes.record ?? []) {
    if (!saysSomething(before) && !saysSomething(after)) continue
    waypoints.add(after.waypointId)
    if (before !== undefined) waypoints.add(before.waypointId)
  }
  for (const { before, after } of changes.waypoint ?? []) {
    const isGone = after.deletedAt !== undefined
    const wasGone = before !== undefined && before.deletedAt !== undefined
    if (before?.season !== after.season || (before !== undefined && isGone !== wasGone))
      waypoints.add(after.id)
  }
  const sources = (changes.source ?? []).filter(
    ({ before, after }) => after.listedAt !== undefined && before?.listedAt !== after.listedAt,
  )
  return { waypoints, sources: sources.map(({ after }) => after.id) }
}
