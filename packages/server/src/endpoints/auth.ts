import { OwnUser } from '@openfountain/core'
import { parse } from '@openfountain/core/internal'
import { z } from 'zod'
import { endpoint, Reply, type Endpoint } from '../endpoint.ts'
import { deviceOf } from '../http/device.ts'
import type { AppOptions } from '../options.ts'
import { mustBeSignedIn, type SignIns } from '../sign-ins.ts'

export const signInTag = 'Signing in'

const SignInOffer = z
  .object({
    methods: z
      .array(z.enum(['link', 'passkey', 'code', 'provider']))
      .meta({ description: 'Those that this server is configured for' }),
    providers: z.array(z.object({ id: z.string(), name: z.string() })),
    registration: z
      .enum(['open', 'invite', 'closed'])
      .meta({ description: 'Who may have a new account: anybody, whoever is invited, nobody' }),
    user: z.union([OwnUser, z.null()]).meta({ description: 'Whoever is signed in' }),
    passersBy: z
      .literal(true)
      .optional()
      .meta({ description: 'Only where people who are not signed in may say `works` and `broken`' }),
    openObservations: z
      .literal(true)
      .optional()
      .meta({ description: 'Only where people who are not signed in may report and observe' }),
    photos: z.literal(true).optional().meta({ description: 'Only where the server has a place for photos' }),
    xpTonight: z
      .int()
      .positive()
      .optional()
      .meta({ description: 'XP that the observations of whoever is signed in earn once the day is over' }),
    contact: z
      .string()
      .optional()
      .meta({ description: 'The e-mail address of those who run the registry, where they name one' }),
  })
  .meta({ id: 'SignInOffer' })

/** The response body after a sign-in. */
export const Welcome = z.object({ user: OwnUser })

export const Name = z.string().optional().meta({ description: 'The name of a new account' })
const LinkRedemption = z.object({ secret: z.string(), name: Name }).meta({ id: 'LinkRedemption' })

/** Available ways to sign in, sign-in links, and signing out. */
export const authEndpoints = (
  signIns: SignIns,
  { passersBy = false, openObservations = false, contact }: AppOptions,
): readonly Endpoint[] => [
  endpoint({
    route: 'GET /api/auth',
    name: 'getSignInOffer',
    tag: signInTag,
    summary: 'How to sign in, and who is signed in',
    who: 'visitor',
    success: { description: 'What is configured', body: SignInOffer },
    errors: ['UNAUTHORIZED'],
    run: async ({ registry, session }) => {
      const { methods, providers, registration } = signIns.offered
      const user = session === undefined ? null : await registry.users.profile(session.userId)
      const xpTonight = session === undefined ? 0 : await registry.observations.owedTo(session.userId)
      return {
        methods,
        providers: providers.map(({ id, name }) => ({ id, name })),
        registration,
        user,
        ...(passersBy && { passersBy }),
        ...(openObservations && { openObservations }),
        ...(registry.photos.areKept && { photos: true as const }),
        ...(xpTonight > 0 && { xpTonight }),
        ...(contact !== undefined && { contact }),
      }
    },
  }),
  endpoint({
    route: 'POST /api/auth/links/redeem',
    name: 'redeemLink',
    tag: signInTag,
    summary: 'Sign in with a link',
    description:
      'A link works once, within 24 hours; the other sessions of its user end. Whoever is invited by it gets an account of the name that the link or the body has; where registration is closed nobody does, which is 403 with `registration` in `details`, and the link stays good.',
    who: 'visitor',
    isSignIn: true,
    body: { schema: LinkRedemption },
    success: { description: 'Your profile; sets the cookie `session`', body: Welcome },
    errors: ['RATE_LIMITED'],
    run: async (call) => {
      const { registry, body, request } = call
      signIns.attempts.byClient('link', call.network())
      const { secret, name } = parse(LinkRedemption, body)
      return signIns.welcome(
        call,
        await registry.accounts.redeemLink(secret.trim(), {
          name,
          device: deviceOf(request),
          registration: signIns.offered.registration,
        }),
      )
    },
  }),
  endpoint({
    route: 'POST /api/auth/sign-out',
    name: 'signOut',
    tag: signInTag,
    summary: 'Sign out on this device',
    who: 'owner',
    success: { status: 204, description: 'The session has ended, and the cookie `session` is cleared' },
    run: async (call) => {
      await signIns.end(mustBeSignedIn(call).session.id)
      return new Reply(undefined, [signIns.farewell(call.request)])
    },
    repeated: 'ignored',
  }),
]
