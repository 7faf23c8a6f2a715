import { optionalFields } from '../../../fields.ts'
import { canonicalJson } from '../../../log/canonical-json.ts'
import type {
  AreaState,
  Person,
  RecordState,
  ReviewState,
  RunState,
  SourceFacts,
} from '../../../log/nouns.ts'
import { cellOf } from '../../../places/z-order.ts'
import type { WaypointState } from '../../../schemas/waypoint.ts'
import type { Values } from '../connection/value.ts'

/** How each noun of the log is stored: the columns of its row. Writing and verifying use it. */

/** A table with its columns, of which `id` is one. */
export interface Columns<State> {
  readonly table: 'users' | 'waypoints' | 'reviews' | 'areas' | 'sources' | 'imports' | 'records'
  readonly values: (state: State) => Values
}

const flag = (value: boolean): 0 | 1 => (value ? 1 : 0)

export const users: Columns<Person> = {
  table: 'users',
  values: ({ id, isModerator, xp, stats, actions, block, createdAt }) => ({
    id,
    isModerator: flag(isModerator),
    xp,
    waypointsCreated: stats.waypointsCreated,
    waypointsEdited: stats.waypointsEdited,
    reviewsPosted: stats.reviewsPosted,
    actions: canonicalJson(actions),
    blockReason: block?.reason ?? null,
    blockUntil: block?.until ?? null,
    createdAt,
  }),
}

export const sources: Columns<SourceFacts> = {
  table: 'sources',
  values: ({ id, name, url, license, attribution, listedAt, createdAt, updatedAt }) => ({
    id,
    name,
    url: url ?? null,
    license,
    attribution: attribution ?? null,
    listedAt: listedAt ?? null,
    createdAt,
    updatedAt,
  }),
}

export const imports: Columns<RunState> = {
  table: 'imports',
  values: ({ id, sourceId, file, startedAt, finishedAt }) => ({
    id,
    sourceId,
    fileName: file?.name ?? null,
    fileSha256: file?.sha256 ?? null,
    fileBytes: file?.bytes ?? null,
    startedAt,
    finishedAt: finishedAt ?? null,
  }),
}

function optionalColumns(state: WaypointState): Record<string, string | null> {
  const columns: Record<string, string | null> = {}
  for (const name of optionalFields) columns[name] = state[name] ?? null
  return columns
}

export interface PlacedWaypoint {
  readonly state: WaypointState
  readonly foldedName: string
}

export const waypoints: Columns<PlacedWaypoint> = {
  table: 'waypoints',
  values: ({ state, foldedName }) => ({
    id: state.id,
    name: state.name,
    latitude: state.latitude,
    longitude: state.longitude,
    amenities: JSON.stringify(state.amenities),
    ...optionalColumns(state),
    approved: flag(state.approved),
    verified: flag(state.verified),
    verifiedOnce: flag(state.verifiedOnce),
    addedByUserId: state.addedByUserId,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    deletedAt: state.deletedAt ?? null,
    mergedInto: state.mergedInto ?? null,
    redactedFields: state.redactedFields === undefined ? null : JSON.stringify(state.redactedFields),
    version: state.version,
    foldedName,
    cell: state.deletedAt === undefined ? cellOf(state) : null,
  }),
}

export const reviews: Columns<ReviewState> = {
  table: 'reviews',
  values: ({ id, bubblerId, userId, rating, comment, createdAt, updatedAt, deletedAt }) => ({
    id,
    bubblerId,
    userId,
    rating,
    comment: comment ?? null,
    createdAt,
    updatedAt,
    deletedAt: deletedAt ?? null,
  }),
}

export const areas: Columns<AreaState> = {
  table: 'areas',
  values: (area) => ({
    id: area.id,
    name: area.name,
    description: area.description ?? null,
    color: area.color,
    coordinates: JSON.stringify(area.coordinates),
    properties: canonicalJson(area.properties),
    active: flag(area.active),
    createdAt: area.createdAt,
    updatedAt: area.updatedAt,
    deletedAt: area.deletedAt ?? null,
  }),
}

export const records: Columns<RecordState> = {
  table: 'records',
  values: ({ id, sourceId, ref, waypointId, state, firstSeen, lastSeen, missingSince }) => ({
    id,
    sourceId,
    ref: ref ?? null,
    waypointId,
    state: state ?? null,
    firstSeen,
    lastSeen,
    missingSince: missingSince ?? null,
  }),
}
