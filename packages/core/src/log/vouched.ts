import { areaFields } from '../fields/area.ts'
import { observationFields } from '../fields/observation.ts'
import { reviewFields } from '../fields/review.ts'
import { sourceFields } from '../fields/source.ts'
import { userCountNames } from '../fields/user.ts'
import { waypointFields } from '../fields/waypoint.ts'
import { copiedTables } from '../store/copying/tables.ts'

const ofWaypoints = 'verifiedOnce deletedAt mergedInto redactedFields version foldedName cell'
const ofRecords =
  'id sourceId ref waypointId state checked updated since until tags firstSeen lastSeen missingSince'
const ofState = `lastWaypointId lastReviewId lastAreaId lastSourceId lastImportId waypoints approvedWaypoints verifiedWaypoints
  users reviews reviewsPosted size actions actionCounts peaks headAt`

/** The columns that `verify` compares with the log, by table; of entries and the tree it compares all. */
const vouched: Readonly<Record<string, readonly string[]>> = {
  users: [...'id isModerator xp actions blockReason blockUntil createdAt'.split(' '), ...userCountNames],
  sources: [...Object.keys(sourceFields), 'listedAt', 'published', 'waypoints'],
  imports: 'id sourceId fileName fileSha256 fileBytes startedAt finishedAt published'.split(' '),
  waypoints: [...Object.keys(waypointFields), ...ofWaypoints.split(' ')],
  reviews: [...Object.keys(reviewFields), 'deletedAt'],
  observations: [...Object.keys(observationFields), 'deletedAt'],
  areas: [...Object.keys(areaFields), 'deletedAt'],
  records: ofRecords.split(' '),
  state: ofState.split(/\s+/),
}
const whole: ReadonlySet<string> = new Set(['entries', 'tiles'])

/** Tables and columns (`table.column`) that `verify` does not compare with the log. */
export const unvouched: { readonly tables: readonly string[]; readonly columns: readonly string[] } = {
  tables: copiedTables.flatMap(({ name }) => (name in vouched || whole.has(name) ? [] : [name])),
  columns: copiedTables.flatMap(({ name: table, columns }) =>
    columns.flatMap(({ name }) => (vouched[table]?.includes(name) === false ? [`${table}.${name}`] : [])),
  ),
}
