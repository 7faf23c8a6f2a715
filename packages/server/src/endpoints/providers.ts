import { RegistryError } from '@openfountain/core'
import { lifetimes, limits } from '@openfountain/core/rules'
import { z } from 'zod'
import { mustBeRecent } from '../exchange.ts'
import { CeremonyCookie } from '../http/cookies.ts'
import { type Call, endpoint, type Endpoint, Reply, flag, pathId, words } from '../endpoint.ts'
import { deviceOf } from '../http/device.ts'
import type { AppOptions } from '../options.ts'
import { malformed, Problem } from '../problem.ts'
import { mustBeSignedIn, type SignIns } from '../sign-ins.ts'
import { siteOf } from '../site.ts'
import { signingIn } from './auth.ts'
import { Instant, own, recently } from './devices.ts'

const Identity = z
  .object({
    id: z.int(),
    provider: z.string().meta({ description: 'The id of a provider, or `email` for an address' }),
    label: z.string().meta({ description: 'What you recognise it by: a name there, or the address' }),
    addedAt: Instant,
    lastUsedAt: Instant.optional(),
  })
  .meta({ id: 'Identity' })

const Provider = z.object({ id: words(64, 'The id of the provider') })

export function providerEndpoints(
  signIns: SignIns,
  options: Pick<AppOptions, 'site' | 'basePath'>,
): readonly Endpoint[] {
  const { basePath } = signIns
  const site = siteOf(options)
  const cookie = new CeremonyCookie('provider', {
    path: `${basePath}/api/auth/providers`,
    seconds: lifetimes.ceremonyMinutes * 60,
  })
  /** Redirects people to the page that explains the refusal. */
  const explained = async (call: Call<unknown, unknown>, work: () => Promise<Reply>): Promise<Reply> => {
    try {
      return await work()
    } catch (error) {
      const isPerson = (call.request.headers.get('accept') ?? '').includes('text/html')
      const isRefusal = error instanceof Problem || error instanceof RegistryError
      if (site === undefined || !isPerson || !isRefusal) throw error
      call.report(error)
      // A visitor sent by another site's page has made no failed attempt.
      const isSent = error instanceof Problem && error.event === 'origin.refused'
      const problem = isSent ? '' : `?problem=${error.code}`
      return redirect(`/${site.base ?? ''}/sign-in/${problem}`.replaceAll(/\/{2,}/gu, '/'))
    }
  }
  return [
    endpoint({
      ...signingIn,
      route: 'GET /api/auth/providers/{id}',
      name: 'beginProviderSignIn',
      summary: 'Sign in with a provider',
      description:
        'For browsers, which it leads to the provider, and back to `returnTo`. Where the server has a site, a refusal leads to its page for signing in. A link on the page of another site is refused, so that nobody is signed in without asking for it.',
      path: Provider,
      query: z.object({
        returnTo: words(
          2000,
          'The path on this server to which the browser comes back; / by default',
        ).optional(),
        add: flag(
          'Whether the provider is added to the account in which you are signed in since at most 10 minutes, instead of signing in',
        ).optional(),
        name: words(
          limits.userName,
          'The name of a new account; what the provider says by default',
        ).optional(),
      }),
      success: { status: 303, description: 'To the provider; sets a cookie for ten minutes' },
      errors: ['NOT_FOUND', 'FORBIDDEN', 'RATE_LIMITED', 'REAUTHENTICATION_REQUIRED', 'UNAUTHORIZED'],
      run: (call) =>
        explained(call, async () => {
          const { provider } = signIns.ways
          const { request, path, query } = call
          const { returnTo = '/', add = false, name } = query
          if (!isPathHere(returnTo))
            throw malformed('returnTo', 'must be a path on this server, such as /map/')
          const userId = add ? adding(call, signIns) : undefined
          if (signIns.origins.isFromElsewhere(request))
            throw new Problem('FORBIDDEN', {
              event: 'origin.refused',
              message: 'A sign-in begins on the pages of this site: open its page for signing in',
            })
          signIns.attempts.byClient('provider', call.network())
          const beginning = { returnTo, userId, name, basePath }
          const { ceremony: secret, address } = await provider.begin(path.id, beginning)
          signIns.attempts.remember(secret)
          const purpose = stateIn(URL.parse(address)?.searchParams)
          const isSecure = signIns.isSecure(request)
          return redirect(address, [cookie.remember(request, { secret, purpose, isSecure })])
        }),
    }),
    endpoint({
      ...signingIn,
      route: 'GET /api/auth/providers/{id}/callback',
      name: 'endProviderSignIn',
      summary: 'Where a provider sends the browser back',
      path: Provider,
      success: {
        status: 303,
        description: 'Signed in, or the provider was added; sets the cookie `session`',
      },
      errors: [
        'NOT_FOUND',
        'FORBIDDEN',
        'RATE_LIMITED',
        'CONFLICT',
        'UNAUTHORIZED',
        'REAUTHENTICATION_REQUIRED',
      ],
      run: (call) =>
        explained(call, async () => {
          const { provider } = signIns.ways
          const { request, path, session } = call
          const { search, searchParams } = new URL(request.url)
          const ceremony = cookie.recall(request, stateIn(searchParams))
          signIns.attempts.byBrowserOrClient('provider', ceremony, call.network())
          if (ceremony === undefined)
            throw new Problem('UNAUTHORIZED', {
              message: 'This took too long, or was begun in another browser: begin again',
            })
          const { returnTo, signedIn } = await provider.end(path.id, {
            ceremony,
            search,
            basePath,
            userId: session?.userId,
            device: deviceOf(request),
            network: call.network(56),
          })
          const forget = cookie.forget(request, ceremony, signIns.isSecure(request))
          const target = isPathHere(returnTo) ? returnTo : '/'
          if (signedIn === undefined) return redirect(target, [forget])
          return redirect(target, [await signIns.begin(call, signedIn), forget])
        }),
    }),
    endpoint({
      ...own,
      route: 'GET /api/user/identities',
      name: 'listIdentities',
      summary: 'The providers and addresses with which you sign in',
      success: {
        description: 'Oldest first',
        body: z.object({ identities: z.array(Identity) }),
      },
      run: async (call) => ({
        identities: await call.registry.accounts.identities(mustBeSignedIn(call).userId),
      }),
    }),
    endpoint({
      ...recently,
      route: 'DELETE /api/user/identities/{id}',
      name: 'removeIdentity',
      summary: 'Remove a provider or an address',
      description: 'Never the last way to sign in.',
      path: z.object({ id: pathId('identity') }),
      success: { status: 204, description: 'It is removed' },
      errors: ['NOT_FOUND', 'CONFLICT'],
      run: async (call) => {
        await call.registry.accounts.removeIdentity(mustBeSignedIn(call).userId, call.path.id)
      },
      repeated: () => {},
    }),
  ]
}

/**
 * The user who adds a provider. Another site's page must not begin it: it could be in a browser signed in to the
 * attacker's account at the provider, who could then sign in here.
 *
 * @throws Problem UNAUTHORIZED, REAUTHENTICATION_REQUIRED, FORBIDDEN
 */
function adding(call: Call<unknown, unknown>, { origins }: SignIns): string {
  const session = mustBeSignedIn(call)
  mustBeRecent(session)
  if (!origins.isFromHere(call.request))
    throw new Problem('FORBIDDEN', {
      event: 'origin.refused',
      message: 'A way to sign in is added from the page of your account alone',
    })
  return session.userId
}

const stateIn = (parameters: URLSearchParams | undefined): string => parameters?.get('state') ?? ''

/** Other sites do not learn the referring page. */
const redirect = (address: string, headers: Reply['headers'] = []): Reply =>
  new Reply(undefined, [['location', address], ['referrer-policy', 'no-referrer'], ...headers])

const here = 'http://here.invalid'

/** Whether a text is a path of this origin, also for browsers that read backslashes as slashes and drop tabs. */
function isPathHere(text: string): boolean {
  if (!text.startsWith('/') || /[\\\p{Cc}]/u.test(text)) return false
  return URL.parse(text, here)?.origin === here && !text.startsWith('//')
}
