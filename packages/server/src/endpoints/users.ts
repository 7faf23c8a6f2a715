import {
  FormerUser,
  LeaderboardEntry,
  Observation,
  OwnUser,
  Photo,
  PublicUser,
  Removal,
  Status,
  Waypoint,
  UserPatch,
  type Actor,
  type Registry,
} from '@openfountain/core'
import { KeptReport, userIdOf } from '@openfountain/core/internal'
import { pages, limits } from '@openfountain/core/rules'
import { z } from 'zod'
import { mustBeRecent } from '../exchange.ts'
import { endpoint, type Endpoint, flag, integerOr, nextPage, Reply, words } from '../endpoint.ts'
import { Problem } from '../problem.ts'
import { Instant } from './devices.ts'
import { located } from './photos.ts'

const tag = 'Users'
const read = { tag, who: 'anyone' } as const
const own = { tag, who: 'owner' } as const
const offset = integerOr(0, {}, 'How many to leave out at the beginning')
const Id = z.object({ id: words(limits.userId, 'The id of the user') })
const PublicProfile = z.object({ user: z.union([PublicUser, FormerUser]) })
const OwnProfile = z.object({ user: OwnUser })

function callerId(actor: Actor): string {
  const id = userIdOf(actor)
  if (id === undefined) throw new Problem('UNAUTHORIZED')
  return id
}

async function changesAddress(registry: Registry, id: string, body: unknown): Promise<boolean> {
  const { success, data } = UserPatch.safeParse(body)
  if (!success || data.email === undefined) return false
  return (data.email ?? undefined) !== (await registry.users.profile(id)).email
}

const publicProfile = (route: 'GET /api/user/{id}' | 'GET /api/users/{id}', name: string): Endpoint =>
  endpoint({
    ...read,
    route,
    name,
    summary: 'The public profile of a user',
    path: Id,
    success: {
      description: 'The profile, without e-mail address; without a name for somebody who has left',
      body: PublicProfile,
    },
    errors: ['NOT_FOUND'],
    run: async ({ registry, path }) => ({ user: await registry.users.get(path.id) }),
  })

const editProfile = (route: 'PATCH /api/user' | 'PATCH /api/account', name: string): Endpoint =>
  endpoint({
    ...own,
    route,
    name,
    summary: 'Change your own name or e-mail address',
    description:
      'Tokens cannot. `null` forgets the e-mail address, which nobody checks; to change it needs a sign-in within the last 10 minutes.',
    body: { schema: UserPatch },
    success: { description: 'Your own profile', body: OwnProfile },
    errors: ['REAUTHENTICATION_REQUIRED'],
    run: async ({ registry, body, actor, session }) => {
      const id = callerId(actor)
      if (session?.isRecent === false && (await changesAddress(registry, id, body))) mustBeRecent(session)
      return { user: await registry.users.update(id, body as UserPatch, { isOwn: true }) }
    },
    repeated: async ({ registry, actor }) => ({ user: await registry.users.profile(callerId(actor)) }),
  })

export const userEndpoints: readonly Endpoint[] = [
  endpoint({
    route: 'GET /api/user',
    name: 'getOwnUser',
    tag,
    summary: 'Your own profile',
    description: 'With a personal token its owner; with an API token its owner, or the built-in user.',
    who: 'contributor',
    success: { description: 'The profile, with e-mail address', body: OwnProfile },
    run: async ({ registry, actor }) => ({ user: await registry.users.profile(callerId(actor)) }),
  }),
  editProfile('PATCH /api/user', 'updateOwnUser'),
  editProfile('PATCH /api/account', 'updateAccount'),
  endpoint({
    ...read,
    route: 'POST /api/account',
    name: 'setPicture',
    summary: 'Set your profile picture',
    documented: false,
    success: { description: 'Not offered yet' },
    run: () => {
      throw new Problem('NOT_FOUND', { message: 'Not found: profile pictures are not supported' })
    },
  }),
  endpoint({
    ...read,
    route: 'GET /api/user/leaderboard',
    name: 'getLeaderboard',
    summary: 'Users by XP, highest first',
    query: z.object({
      limit: integerOr(pages.leaderboard.default, { min: 1, max: pages.leaderboard.max }, 'How many'),
      offset,
      since: z
        .literal('week', { error: 'must be week' })
        .optional()
        .meta({ description: 'By what was earned since Monday, 0:00 UTC, instead of all XP' }),
      region: words(
        limits.region,
        'By what was earned at the fountains of this region, or of the place with this name; without observations, whose XP is one sum a day for all places',
      ).optional(),
    }),
    success: {
      description:
        'A page of it, and how many users there are: all, or those who earned something then and there',
      body: z.object({
        leaderboard: z.array(LeaderboardEntry),
        total: z.int().min(0),
        since: Instant.optional().meta({ description: 'With `since`: from when on it counts' }),
      }),
    },
    run: ({ registry, query }) => registry.users.leaderboard(query),
  }),
  endpoint({
    ...own,
    route: 'GET /api/user/removals',
    name: 'listOwnRemovals',
    summary: 'What others removed of your fountains and reviews, and why',
    description: 'Newest first; not what was restored since.',
    query: z.object({
      limit: integerOr(pages.removals.default, { min: 1, max: pages.removals.max }, 'How many'),
      offset,
    }),
    success: {
      description: 'A page of them',
      body: z.object({ removals: z.array(Removal) }),
    },
    run: async ({ registry, query, actor }) => ({
      removals: await registry.users.removals(callerId(actor), query),
    }),
  }),
  endpoint({
    ...own,
    route: 'GET /api/user/observations',
    name: 'listOwnObservations',
    summary: 'What you saw at waypoints',
    description: 'By id. Nobody else can read who saw it.',
    query: z.object({
      limit: integerOr(pages.observations.default, { min: 1, max: pages.observations.max }, 'How many'),
      after: integerOr(0, {}, 'Only with a greater id, to go through the list in pages'),
    }),
    success: {
      description: 'A page of them',
      body: z.object({ observations: z.array(Observation) }),
    },
    run: async (call) => {
      const observations = await call.registry.observations.by(callerId(call.actor), call.query)
      return new Reply({ observations }, nextPage(call, observations))
    },
  }),
  endpoint({
    route: 'GET /api/user/fountains',
    name: 'listKeptWaypoints',
    tag,
    summary: 'The waypoints that you keep',
    description:
      'By id, each with its state today, its open reports without who made them, and its photos. Empty for who is no keeper.',
    who: 'user',
    query: z.object({
      faults: flag('Only those that are reported, broken or gone today').optional(),
      limit: integerOr(pages.queue.default, { min: 1, max: pages.queue.max }, 'How many'),
      after: integerOr(0, {}, 'Only with a greater id, to go through the list in pages'),
    }),
    success: {
      description: 'A page of them',
      body: z.object({
        fountains: z.array(
          z.object({
            waypoint: Waypoint,
            status: Status,
            reports: z.array(KeptReport),
            photos: z.array(Photo),
          }),
        ),
      }),
    },
    errors: ['FORBIDDEN'],
    async run(call) {
      const { registry, actor, query } = call
      const { faults = false, ...page } = query
      const keeper = callerId(actor)
      const status = faults ? { status: ['reported', 'broken', 'gone'] as const } : {}
      const kept = await registry.waypoints.list({ keeper, ...status, ...page })
      const fountains = await Promise.all(
        kept.map(async (waypoint) => ({
          waypoint,
          status: await registry.observations.status(waypoint.id),
          reports: await registry.reports.of(waypoint.id, actor),
          photos: (await registry.photos.of(waypoint.id)).map((each) => located(each, call)),
        })),
      )
      return new Reply({ fountains }, nextPage(call, kept))
    },
  }),
  publicProfile('GET /api/user/{id}', 'getUser'),
  endpoint({
    ...read,
    route: 'GET /api/users',
    name: 'listUsers',
    summary: 'All users, in the order in which they came',
    query: z.object({
      limit: integerOr(pages.users.default, { min: 1, max: pages.users.max }, 'How many'),
      offset,
    }),
    success: {
      description: 'A page of public profiles, and how many users there are',
      body: z.object({
        users: z.array(PublicUser),
        total: z.int().min(0),
        limit: z.int(),
        offset: z.int(),
      }),
    },
    run: ({ registry, query }) => registry.users.list(query),
  }),
  publicProfile('GET /api/users/{id}', 'getUserById'),
]
