import { PersonalTokenInput } from '@openfountain/core/internal'
import { lifetimes } from '@openfountain/core/rules'
import { z } from 'zod'
import { endpoint, Reply, type Endpoint, flag, made, pathId } from '../endpoint.ts'
import { notFound } from '../problem.ts'
import { mustBeSignedIn, type SignIns } from '../sign-ins.ts'

export const accountTag = 'Your account'

export const Instant = z.iso.datetime()

const Session = z
  .object({
    id: z.int(),
    device: z
      .string()
      .optional()
      .meta({ description: 'The browser and the system, such as Firefox on Linux' }),
    createdAt: Instant,
    lastUsedAt: Instant.meta({ description: 'To the hour' }),
    expiresAt: Instant,
    isCurrent: z.boolean().meta({ description: 'Whether it is the one in which you ask' }),
  })
  .meta({ id: 'Session' })

const PersonalToken = z
  .object({
    id: z.int(),
    name: z.string(),
    createdAt: Instant,
    expiresAt: Instant,
    lastUsedAt: Instant.optional().meta({ description: 'To the hour; absent when it was never used' }),
  })
  .meta({ id: 'PersonalToken' })

const { defaultDays, maxDays } = lifetimes.personalToken

/** Sessions of an account, and its personal tokens. */
export const deviceEndpoints = (signIns: SignIns): readonly Endpoint[] => [
  endpoint({
    route: 'GET /api/user/sessions',
    name: 'listSessions',
    tag: accountTag,
    summary: 'Where you are signed in',
    who: 'owner',
    success: {
      description: 'Your sessions, oldest first',
      body: z.object({ sessions: z.array(Session) }),
    },
    run: async (call) => {
      const { userId, session } = mustBeSignedIn(call)
      const sessions = await call.registry.sessions.list(userId)
      return {
        sessions: sessions.map(({ userId: _own, ...each }) => ({
          ...each,
          isCurrent: each.id === session.id,
        })),
      }
    },
  }),
  endpoint({
    route: 'DELETE /api/user/sessions',
    name: 'endOtherSessions',
    tag: accountTag,
    summary: 'Sign out on all other devices',
    who: 'owner',
    query: z.object({
      tokens: flag('Whether your personal tokens are revoked too; false by default').optional(),
    }),
    success: { status: 204, description: 'All sessions but this one have ended' },
    run: async (call) => {
      const { userId, session } = mustBeSignedIn(call)
      await call.registry.sessions.deleteOthers(userId, session.id, call.query)
    },
    repeated: () => {},
  }),
  endpoint({
    route: 'DELETE /api/user/sessions/{id}',
    name: 'endSession',
    tag: accountTag,
    summary: 'Sign out on one device',
    who: 'owner',
    path: z.object({ id: pathId('session') }),
    success: { status: 204, description: 'The session has ended' },
    errors: ['NOT_FOUND'],
    run: async (call) => {
      const { userId, session } = mustBeSignedIn(call)
      const { id } = call.path
      const all = await call.registry.sessions.list(userId)
      if (!all.some((each) => each.id === id)) throw notFound('Session', 'GET /api/user/sessions lists yours')
      await signIns.end(id)
      return new Reply(undefined, id === session.id ? [signIns.farewell(call.request)] : [])
    },
    repeated: () => {},
  }),
  endpoint({
    route: 'GET /api/user/tokens',
    name: 'listPersonalTokens',
    tag: accountTag,
    summary: 'The tokens with which programs act as you',
    who: 'owner',
    success: {
      description: 'Your tokens that are good, by id, without their secrets',
      body: z.object({ tokens: z.array(PersonalToken) }),
    },
    run: async (call) => ({
      tokens: await call.registry.personalTokens.list(mustBeSignedIn(call).userId),
    }),
  }),
  endpoint({
    route: 'POST /api/user/tokens',
    name: 'createPersonalToken',
    tag: accountTag,
    summary: 'Make a token with which a program acts as you',
    description: `Sent as \`Authorization: Bearer\`. It is good for ${defaultDays} days by default, ${maxDays} at most; it has your XP and your gates, never the rights of a moderator, and cannot change your account.`,
    who: 'owner',
    isRecent: true,
    body: { schema: PersonalTokenInput },
    success: {
      status: 201,
      description: 'The token; its secret is shown this once and is not stored',
      body: z.object({ token: PersonalToken, secret: z.string() }),
      located: true,
    },
    errors: ['RATE_LIMITED'],
    run: async (call) => {
      const { userId } = mustBeSignedIn(call)
      signIns.attempts.byAccount(userId)
      const { token: secret, ...token } = await call.registry.personalTokens.create(
        userId,
        call.body as PersonalTokenInput,
      )
      return made(call, `/api/user/tokens/${token.id}`, { token, secret })
    },
    repeated: 'ignored',
  }),
  endpoint({
    route: 'DELETE /api/user/tokens/{id}',
    name: 'revokePersonalToken',
    tag: accountTag,
    summary: 'Revoke a token',
    who: 'owner',
    path: z.object({ id: pathId('token') }),
    success: { status: 204, description: 'The token is no longer good' },
    errors: ['NOT_FOUND'],
    run: async (call) => {
      await call.registry.personalTokens.delete(mustBeSignedIn(call).userId, call.path.id)
    },
    repeated: () => {},
  }),
]
