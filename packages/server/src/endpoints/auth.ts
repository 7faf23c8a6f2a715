import { OwnUser } from '@openfountain/core'
import { parse } from '@openfountain/core/internal'
import { z } from 'zod'
import { endpoint, Reply, type Endpoint, type Call } from '../endpoint.ts'
import { deviceOf } from '../http/device.ts'
import type { AppOptions } from '../options.ts'
import { mustBeSignedIn, type SignIns } from '../sign-ins.ts'
import { attempts, limits, lifetimes } from '@openfountain/core/rules'
import { mustBeRecent } from '../exchange.ts'
import { CeremonyCookie } from '../http/cookies.ts'
import { languageOf } from '../http/negotiation.ts'
import { notFound, Problem } from '../problem.ts'

const tag = 'Signing in'
export const signingIn = { tag, who: 'visitor', isSignIn: true } as const

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

export const Welcome = z.object({ user: OwnUser })

const Name = z.string().optional().meta({ description: 'The name of a new account' })
const LinkRedemption = z.object({ secret: z.string(), name: Name }).meta({ id: 'LinkRedemption' })

export const authEndpoints = (
  signIns: SignIns,
  { passersBy = false, openObservations = false, contact }: AppOptions,
): readonly Endpoint[] => [
  endpoint({
    route: 'GET /api/auth',
    name: 'getSignInOffer',
    tag,
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
    ...signingIn,
    route: 'POST /api/auth/links/redeem',
    name: 'redeemLink',
    summary: 'Sign in with a link',
    description:
      'A link works once, within 24 hours; the other sessions of its user end. Whoever is invited by it gets an account of the name that the link or the body has; where registration is closed nobody does, which is 403 with `registration` in `details`, and the link stays good.',
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
    tag,
    summary: 'Sign out on this device',
    who: 'owner',
    success: { status: 204, description: 'The session has ended, and the cookie `session` is cleared' },
    run: async (call) => {
      await signIns.end(mustBeSignedIn(call).id)
      return new Reply(undefined, [signIns.farewell(call.request)])
    },
    repeated: 'ignored',
  }),
  ...codeEndpoints(signIns),
]

const Email = z.string().max(limits.email)
const Adding = z.boolean().default(false).meta({
  description:
    'Whether the address is added to the account in which you are signed in since at most 10 minutes, instead of signing in',
})
const CodeRequest = z.object({ email: Email, add: Adding }).meta({ id: 'CodeRequest' })
const CodeRedemption = z
  .object({ email: Email, code: z.string(), name: Name, add: Adding })
  .meta({ id: 'CodeRedemption' })

const noCode = 'This browser has asked for no code, or too long ago: ask for a new one'

function addingUser(call: Call<unknown, unknown>, isAdding: boolean): string | undefined {
  if (!isAdding) return undefined
  const session = mustBeSignedIn(call)
  mustBeRecent(session)
  return session.userId
}

function codeEndpoints(signIns: SignIns): readonly Endpoint[] {
  const cookie = new CeremonyCookie('signin', {
    path: `${signIns.basePath}/api/auth/codes`,
    seconds: lifetimes.code.minutes * 60,
  })
  const configured = () => {
    const { codes } = signIns.ways
    if (codes === undefined) throw notFound('Way to sign in', 'this server sends no mail')
    return codes
  }
  return [
    endpoint({
      ...signingIn,
      route: 'POST /api/auth/codes',
      name: 'sendCode',
      summary: 'Send a code to an address',
      description:
        'The response is the same, and takes the same time, whether or not somebody has the address. The code is good in this browser alone, which the cookie `signin` makes known.',
      body: { schema: CodeRequest },
      success: {
        status: 202,
        description: 'Sent, where the address may be used; sets the cookie `signin`',
        body: z.object({ sent: z.literal(true) }),
      },
      errors: ['NOT_FOUND', 'RATE_LIMITED', 'REAUTHENTICATION_REQUIRED'],
      run: async (call) => {
        const codes = configured()
        const { body, request } = call
        const { email, add } = parse(CodeRequest, body)
        const userId = addingUser(call, add)
        signIns.attempts.byClient('mail', call.network())
        const { browser: secret } = await codes.send(email, {
          userId,
          language: languageOf(request),
          network: call.network(),
        })
        signIns.attempts.remember(secret)
        const isSecure = signIns.isSecure(request)
        return new Reply({ sent: true }, [
          cookie.remember(request, { secret, purpose: codes.keyOf(email), isSecure }),
        ])
      },
    }),
    endpoint({
      ...signingIn,
      route: 'POST /api/auth/codes/redeem',
      name: 'redeemCode',
      summary: 'Sign in with a code, or add the address that it was sent to',
      description: `Within ${lifetimes.code.minutes} minutes, in the browser that asked, with ${lifetimes.code.tries} tries, and ${attempts.codesPerAddress.times} wrong ones for the address in a day. One network makes a few new accounts a day.`,
      body: { schema: CodeRedemption },
      success: {
        description: 'Your profile; sets the cookie `session`, unless an address is added',
        body: z.object({ user: OwnUser }),
      },
      errors: ['NOT_FOUND', 'RATE_LIMITED', 'CONFLICT', 'REAUTHENTICATION_REQUIRED', 'UNAUTHORIZED'],
      run: async (call) => {
        const codes = configured()
        const { body, request, registry } = call
        const { email, code, name, add } = parse(CodeRedemption, body)
        const userId = addingUser(call, add)
        const browser = cookie.recall(request, codes.keyOf(email))
        signIns.attempts.byBrowserOrClient('code', browser, call.network())
        if (browser === undefined) throw new Problem('UNAUTHORIZED', { message: noCode })
        const forget = cookie.forget(request, browser, signIns.isSecure(request))
        if (userId !== undefined) {
          await codes.add(userId, browser, { email, code })
          return new Reply({ user: await registry.users.profile(userId) }, [forget])
        }
        const device = deviceOf(request)
        return signIns.welcome(
          call,
          await codes.signIn(browser, { email, code, name }, device, call.network(56)),
          [forget],
        )
      },
    }),
  ]
}
