import { OwnUser } from '@openfountain/core'
import { parse } from '@openfountain/core/internal'
import { attempts, limits, lifetimes } from '@openfountain/core/rules'
import { z } from 'zod'
import { mustBeRecent } from '../exchange.ts'
import { CeremonyCookie } from '../ceremony-cookies.ts'
import { type Call, endpoint, type Endpoint, Reply } from '../endpoint.ts'
import { deviceOf } from '../http/device.ts'
import { languageOf } from '../http/negotiation.ts'
import { notFound, Problem } from '../problem.ts'
import { mustBeSignedIn, type SignIns } from '../sign-ins.ts'
import { Name, signInTag } from './auth.ts'

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

/** The user adding an address; undefined for a sign-in. */
function addingUser(call: Call<unknown, unknown>, isAdding: boolean): string | undefined {
  if (!isAdding) return undefined
  const { userId, session } = mustBeSignedIn(call)
  mustBeRecent(session)
  return userId
}

export function codeEndpoints(signIns: SignIns): readonly Endpoint[] {
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
      route: 'POST /api/auth/codes',
      name: 'sendCode',
      tag: signInTag,
      summary: 'Send a code to an address',
      description:
        'The response is the same, and takes the same time, whether or not somebody has the address. The code is good in this browser alone, which the cookie `signin` makes known.',
      who: 'visitor',
      isSignIn: true,
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
      route: 'POST /api/auth/codes/redeem',
      name: 'redeemCode',
      tag: signInTag,
      summary: 'Sign in with a code, or add the address that it was sent to',
      description: `Within ${lifetimes.code.minutes} minutes, in the browser that asked, with ${lifetimes.code.tries} tries, and ${attempts.codesPerAddress.times} wrong ones for the address in a day. One network makes a few new accounts a day.`,
      who: 'visitor',
      isSignIn: true,
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
