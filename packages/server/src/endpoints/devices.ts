import { PersonalTokenInput, parse } from '@openfountain/core/internal'
import { lifetimes } from '@openfountain/core/rules'
import { z } from 'zod'
import { endpoint, Reply, type Endpoint, flag, made, pathId } from '../endpoint.ts'
import { notFound } from '../problem.ts'
import { mustBeSignedIn, type SignIns } from '../sign-ins.ts'
import { RegistryError } from '@openfountain/core'
import { TextStream } from '../http/text-stream.ts'

export const accountTag = 'Your account'
export const own = { tag: accountTag, who: 'owner' } as const
export const recently = { ...own, isRecent: true } as const

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

const Leaving = z
  .object({
    confirm: z.string().meta({ description: 'Your own name as it stands, as a safeguard' }),
    texts: z.enum(['keep', 'erase']).meta({
      description:
        'Whether what you wrote and your photos stay, or are removed from the log too; names of fountains stay in any case',
    }),
    credit: z
      .boolean()
      .optional()
      .meta({ description: 'Whether your name stays under photos that stay; false when not given' }),
  })
  .meta({ id: 'Leaving' })

export const deviceEndpoints = (signIns: SignIns): readonly Endpoint[] => [
  endpoint({
    ...own,
    route: 'GET /api/user/sessions',
    name: 'listSessions',
    summary: 'Where you are signed in',
    success: {
      description: 'Your sessions, oldest first',
      body: z.object({ sessions: z.array(Session) }),
    },
    run: async (call) => {
      const { userId, id } = mustBeSignedIn(call)
      const sessions = await call.registry.sessions.list(userId)
      return {
        sessions: sessions.map(({ userId: _own, ...each }) => ({ ...each, isCurrent: each.id === id })),
      }
    },
  }),
  endpoint({
    ...own,
    route: 'DELETE /api/user/sessions',
    name: 'endOtherSessions',
    summary: 'Sign out on all other devices',
    query: z.object({
      tokens: flag('Whether your personal tokens are revoked too; false by default').optional(),
    }),
    success: { status: 204, description: 'All sessions but this one have ended' },
    run: async (call) => {
      const { userId, id } = mustBeSignedIn(call)
      await call.registry.sessions.deleteOthers(userId, id, call.query)
    },
    repeated: () => {},
  }),
  endpoint({
    ...own,
    route: 'DELETE /api/user/sessions/{id}',
    name: 'endSession',
    summary: 'Sign out on one device',
    path: z.object({ id: pathId('session') }),
    success: { status: 204, description: 'The session has ended' },
    errors: ['NOT_FOUND'],
    run: async (call) => {
      const session = mustBeSignedIn(call)
      const { id } = call.path
      const all = await call.registry.sessions.list(session.userId)
      if (!all.some((each) => each.id === id)) throw notFound('Session', 'GET /api/user/sessions lists yours')
      await signIns.end(id)
      return new Reply(undefined, id === session.id ? [signIns.farewell(call.request)] : [])
    },
    repeated: () => {},
  }),
  endpoint({
    ...own,
    route: 'GET /api/user/tokens',
    name: 'listPersonalTokens',
    summary: 'The tokens with which programs act as you',
    success: {
      description: 'Your tokens that are good, by id, without their secrets',
      body: z.object({ tokens: z.array(PersonalToken) }),
    },
    run: async (call) => ({
      tokens: await call.registry.personalTokens.list(mustBeSignedIn(call).userId),
    }),
  }),
  endpoint({
    ...recently,
    route: 'POST /api/user/tokens',
    name: 'createPersonalToken',
    summary: 'Make a token with which a program acts as you',
    description: `Sent as \`Authorization: Bearer\`. It is good for ${defaultDays} days by default, ${maxDays} at most; it has your XP and your gates, never the rights of a moderator, and cannot change your account.`,
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
    ...own,
    route: 'DELETE /api/user/tokens/{id}',
    name: 'revokePersonalToken',
    summary: 'Revoke a token',
    path: z.object({ id: pathId('token') }),
    success: { status: 204, description: 'The token is no longer good' },
    errors: ['NOT_FOUND'],
    run: async (call) => {
      await call.registry.personalTokens.delete(mustBeSignedIn(call).userId, call.path.id)
    },
    repeated: () => {},
  }),
  endpoint({
    ...recently,
    route: 'GET /api/user/export',
    name: 'exportOwnData',
    summary: 'Everything that the registry holds about you',
    success: {
      description: 'One JSON document, as an attachment',
      media: {
        'application/json': 'Your profile, ways to sign in, sessions, tokens, reviews and log entries',
      },
    },
    run: (call) => {
      const { userId } = mustBeSignedIn(call)
      return new Reply(new TextStream(call.registry.accounts.export(userId)), [
        ['content-disposition', 'attachment; filename="my-data.json"'],
      ])
    },
  }),
  endpoint({
    ...recently,
    route: 'DELETE /api/user',
    name: 'leave',
    summary: 'Leave, and have your personal data removed',
    description:
      'Name, address, ways to sign in, sessions and tokens are gone at once. What you contributed stays under an id that says nothing of you.',
    body: { schema: Leaving },
    success: { status: 204, description: 'You have left, and the cookie `session` is cleared' },
    run: async (call) => {
      const { userId } = mustBeSignedIn(call)
      const { confirm, texts, credit } = parse(Leaving, call.body)
      try {
        await call.registry.accounts.leave(userId, { confirm, texts, credit })
      } catch (error) {
        // The account is gone; only the operator can end what still holds old pages of the file, such as a long read.
        if (!(error instanceof RegistryError) || error.code !== 'STORAGE_NOT_ERASED') throw error
        call.report(error)
      }
      return new Reply(undefined, [signIns.farewell(call.request)])
    },
    repeated: 'ignored',
  }),
]
