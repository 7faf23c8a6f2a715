import {
  HistoryEntry,
  type Registry,
  RatingSummary,
  Status,
  Waypoint,
  WaypointPlace,
  WaypointSource,
  WaypointPatch,
} from '@openfountain/core'
import { pages } from '@openfountain/core/rules'
import { z } from 'zod'
import { conditionOf, waypointResource, written, writtenBefore } from '../conditions.ts'
import { endpoint, type Endpoint } from '../endpoint.ts'
import { deletionReason, pathId } from '../parameters.ts'
import { rowTerms } from '../row-terms.ts'

const tag = 'Waypoints'

/** A waypoint, with its licence terms if they differ from the registry's. */
export const ListedWaypoint: z.ZodObject = Waypoint.extend(rowTerms).meta({ id: 'ListedWaypoint' })
const Id = z.object({ id: pathId('waypoint') })

/** The body, without custom fields if the registry declares none: unknown members are ignored. */
export function ofRegistry<Body>({ properties }: Pick<Registry, 'properties'>, body: unknown): Body {
  if (properties !== undefined || typeof body !== 'object' || body === null || !('properties' in body))
    return body as Body
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'properties')) as Body
}

/** One waypoint by its id. */
export const waypointByIdEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    route: '/api/waypoints/{id}',
    name: 'getWaypoint',
    tag,
    summary: 'One waypoint with its status, its log and its sources',
    description: `\`logs\` has the newest ${pages.logs.max} entries. When there are more, \`moreLogs\` leads to those before them, newest first. \`place\` says where its position lies, beside the \`region\` that people gave. \`status\` says whether it gives water today. With \`include=rating\` there is also what its reviews say together. The entity tag stays good until the end of the day (UTC) while other waypoints change.`,
    who: 'anyone',
    path: Id,
    query: z.object({
      include: z
        .enum(['rating'], { error: 'must be rating' })
        .meta({ description: 'What else the response is to have: `rating`' })
        .optional(),
    }),
    success: {
      status: 200,
      description: 'The waypoint, what happened to it (oldest first), and where it came from',
      body: z.object({
        waypoint: ListedWaypoint,
        place: WaypointPlace.optional(),
        status: Status,
        rating: RatingSummary.optional(),
        logs: z.array(HistoryEntry),
        sources: z.array(WaypointSource),
        logsTotal: z.int().min(1).meta({ description: 'How many entries there are about it' }),
        moreLogs: z
          .string()
          .meta({
            description: 'Path and query of the entries before those in `logs`; absent when there are none',
          })
          .optional(),
      }),
    },
    errors: ['NOT_FOUND'],
    freshness: 'result',
    run: (call) => waypointResource(call, call.path.id, call.query),
  }),
  endpoint({
    method: 'PATCH',
    route: '/api/waypoints/{id}',
    name: 'updateWaypoint',
    tag,
    summary: 'Change fields of a waypoint',
    description:
      'Only fields that are given change; `null` clears an optional one. `properties` are merged member by member (RFC 7396): `null` removes one. Users need enough XP and earn some when something changed. `approved` and `verified` count only from API tokens and moderators, `addedByUserId` only from API tokens.',
    who: 'contributor',
    path: Id,
    body: { schema: WaypointPatch },
    success: { status: 200, description: 'The waypoint', body: Waypoint },
    errors: ['INVALID_COORDINATES', 'INSUFFICIENT_XP', 'NOT_FOUND', 'RATE_LIMITED'],
    isConditional: true,
    run: async (call) => {
      const { registry, request, path, body, actor } = call
      const condition = await conditionOf(registry, request)
      const patch = ofRegistry<WaypointPatch>(registry, body)
      return written(call, await registry.waypoints.update(path.id, patch, actor, condition))
    },
    repeated: (call) => writtenBefore(call, call.path.id),
  }),
  endpoint({
    method: 'DELETE',
    route: '/api/waypoints/{id}',
    name: 'deleteWaypoint',
    tag,
    summary: 'Delete a waypoint',
    description: 'For API tokens and moderators. Its log and its reviews stay.',
    who: 'steward',
    path: Id,
    query: z.object({ reason: deletionReason }),
    success: {
      status: 200,
      description: 'The waypoint as it was',
      body: z.object({ waypoint: Waypoint }),
    },
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
    isConditional: true,
    run: async ({ registry, request, path, query, actor }) => {
      const condition = await conditionOf(registry, request)
      return { waypoint: await registry.waypoints.delete(path.id, actor, { ...condition, ...query }) }
    },
    repeated: async ({ registry, path }) => ({
      waypoint: await registry.waypoints.getEvenDeleted(path.id),
    }),
  }),
]
