import { isLive } from '../log/nouns.ts'
import type { Deciding } from './deciding.ts'
import { closedFields, rememberedBy } from './import.ts'
import { isAsImported } from './import-merge.ts'

/** Reasons against the deletion of an imported waypoint: contributions of people or of another source that it would take. */
export type Hold = 'fields' | 'reviews' | 'observations' | 'sources'

/**
 * The reasons against the deletion of an imported waypoint. Observations that it is gone are none.
 *
 * @param importer the user who is recorded for the import
 */
export function* heldBy(
  waypointId: number,
  { recordId, importer }: { readonly recordId: number; readonly importer: string },
): Deciding<Hold[]> {
  const bubblerId = waypointId
  const facts = yield [
    { noun: 'waypoint', key: waypointId },
    { noun: 'base', key: recordId },
    { noun: 'review', where: { bubblerId } },
    { noun: 'observation', where: { bubblerId } },
    { noun: 'sighting', where: { bubblerId } },
    { noun: 'record', where: { waypointId } },
    { ask: 'entriesAbout', of: { subject: 'waypoint', subjectId: waypointId } },
  ]
  const waypoint = facts.get('waypoint', waypointId)
  const entries = facts.ask('entriesAbout', { subject: 'waypoint', subjectId: waypointId })
  const holds: Readonly<Record<Hold, boolean>> = {
    fields:
      entries.some(({ by }) => by !== importer) ||
      (waypoint !== undefined &&
        !isAsImported(waypoint, rememberedBy(facts.get('base', recordId)), closedFields(waypoint))),
    reviews: facts.find('review', { bubblerId }).some(isLive),
    observations:
      facts.find('observation', { bubblerId }).some((each) => each.kind !== 'gone' && isLive(each)) ||
      facts.find('sighting', { bubblerId }).some(({ kind }) => kind !== 'gone'),
    sources: facts
      .find('record', { waypointId })
      .some(({ id, missingSince }) => id !== recordId && missingSince === undefined),
  }
  return (Object.keys(holds) as Hold[]).filter((hold) => holds[hold])
}
