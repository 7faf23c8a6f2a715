import { parse, type JsonObject } from '@openfountain/core/internal'
import { lifetimes } from '@openfountain/core/rules'
import { z } from 'zod'
import { CeremonyCookie } from '../http/cookies.ts'
import { type Call, endpoint, type Endpoint, made, Reply, pathId } from '../endpoint.ts'
import { deviceOf } from '../http/device.ts'
import { notFound, Problem } from '../problem.ts'
import { mustBeSignedIn, type SignIns } from '../sign-ins.ts'
import { signingIn, Welcome } from './auth.ts'
import { Instant, own, recently } from './devices.ts'

const Passkey = z
  .object({
    id: z.int(),
    name: z.string(),
    isSynced: z.boolean().meta({ description: 'Whether it is copied to other devices of its owner' }),
    addedAt: Instant,
    lastUsedAt: Instant.optional(),
  })
  .meta({ id: 'Passkey' })

const Credential = z
  .record(z.string(), z.unknown())
  .meta({ description: 'The credential as JSON (WebAuthn Level 3, `toJSON()`)' })
const PasskeySignIn = z.object({ response: Credential }).meta({ id: 'PasskeySignIn' })
const PasskeyAddition = z
  .object({ response: Credential, name: z.string().meta({ description: 'What you recognise it by' }) })
  .meta({ id: 'PasskeyAddition' })
const PasskeyName = z.object({ name: z.string() }).meta({ id: 'PasskeyName' })
const Options = z.object({
  options: z.record(z.string(), z.unknown()).meta({ description: 'Options of WebAuthn as JSON' }),
})

const seconds = lifetimes.ceremonyMinutes * 60
const noCeremony = 'This took too long, or was begun elsewhere: begin again'

const challengeIn = (options: JsonObject): string => {
  const { challenge } = options
  return typeof challenge === 'string' ? challenge : ''
}

const ClientData = z.object({ challenge: z.string() })
const WithClientData = z.object({ response: z.object({ clientDataJSON: z.string() }) })

/** The challenge named by a credential, which is verified elsewhere. */
function challengeOf(credential: unknown): string {
  const { data } = WithClientData.safeParse(credential)
  if (data === undefined) return ''
  try {
    const text = Buffer.from(data.response.clientDataJSON, 'base64url').toString()
    return ClientData.parse(JSON.parse(text)).challenge
  } catch {
    return ''
  }
}

export function passkeyEndpoints(signIns: SignIns): readonly Endpoint[] {
  const signInCookie = new CeremonyCookie('passkey', {
    path: `${signIns.basePath}/api/auth/passkeys`,
    seconds,
  })
  const adding = new CeremonyCookie('passkey', { path: `${signIns.basePath}/api/user/passkeys`, seconds })
  return [
    endpoint({
      ...signingIn,
      route: 'POST /api/auth/passkeys/options',
      name: 'getPasskeySignInOptions',
      summary: 'Options for signing in with a passkey',
      description: 'For `navigator.credentials.get`; nobody is named, since passkeys know whose they are.',
      success: { description: 'The options; sets a cookie for ten minutes', body: Options },
      errors: ['NOT_FOUND', 'RATE_LIMITED', 'UNAUTHORIZED'],
      run: async (call) => {
        const { passkeys } = signIns.ways
        const { request } = call
        signIns.attempts.byClient('passkey', call.network())
        const { ceremony: secret, options } = await passkeys.signInOptions()
        signIns.attempts.remember(secret)
        const beginning = { secret, purpose: challengeIn(options), isSecure: signIns.isSecure(request) }
        return new Reply({ options }, [signInCookie.remember(request, beginning)])
      },
    }),
    endpoint({
      ...signingIn,
      route: 'POST /api/auth/passkeys/sign-in',
      name: 'signInWithPasskey',
      summary: 'Sign in with a passkey',
      body: { schema: PasskeySignIn },
      success: { description: 'Your profile; sets the cookie `session`', body: Welcome },
      errors: ['NOT_FOUND', 'RATE_LIMITED', 'UNAUTHORIZED'],
      run: async (call) => {
        const { passkeys } = signIns.ways
        const { body, request } = call
        const { response } = parse(PasskeySignIn, body)
        const ceremony = signInCookie.recall(request, challengeOf(response))
        signIns.attempts.byBrowserOrClient('passkey', ceremony, call.network())
        if (ceremony === undefined) throw new Problem('UNAUTHORIZED', { message: noCeremony })
        const signedIn = await passkeys.signIn(ceremony, response, deviceOf(request))
        return signIns.welcome(call, signedIn, [
          signInCookie.forget(request, ceremony, signIns.isSecure(request)),
        ])
      },
    }),
    endpoint({
      ...own,
      route: 'GET /api/user/passkeys',
      name: 'listPasskeys',
      summary: 'Your passkeys',
      success: {
        description: 'The passkeys, oldest first',
        body: z.object({ passkeys: z.array(Passkey) }),
      },
      run: async (call) => {
        const all = await call.registry.accounts.passkeys(mustBeSignedIn(call).userId)
        return { passkeys: all.map(({ credentialId: _private, ...passkey }) => passkey) }
      },
    }),
    endpoint({
      ...recently,
      route: 'POST /api/user/passkeys/options',
      name: 'getPasskeyAdditionOptions',
      summary: 'Options for adding a passkey',
      description: 'For `navigator.credentials.create`.',
      success: { description: 'The options; sets a cookie for ten minutes', body: Options },
      errors: ['NOT_FOUND', 'RATE_LIMITED'],
      run: async (call) => {
        const { passkeys } = signIns.ways
        const { request } = call
        const { userId } = mustBeSignedIn(call)
        signIns.attempts.byAccount(userId)
        const { ceremony: secret, options } = await passkeys.additionOptions(userId)
        const beginning = { secret, purpose: challengeIn(options), isSecure: signIns.isSecure(request) }
        return new Reply({ options }, [adding.remember(request, beginning)])
      },
      repeated: 'ignored',
    }),
    endpoint({
      ...recently,
      route: 'POST /api/user/passkeys',
      name: 'addPasskey',
      summary: 'Add a passkey',
      body: { schema: PasskeyAddition },
      success: {
        status: 201,
        description: 'The passkey',
        body: z.object({ passkey: Passkey }),
        located: true,
      },
      errors: ['NOT_FOUND', 'CONFLICT', 'RATE_LIMITED'],
      run: async (call) => {
        const { passkeys } = signIns.ways
        const { request } = call
        const { userId } = mustBeSignedIn(call)
        signIns.attempts.byAccount(userId)
        const { response, name } = parse(PasskeyAddition, call.body)
        const ceremony = adding.recall(request, challengeOf(response))
        if (ceremony === undefined) throw new Problem('UNAUTHORIZED', { message: noCeremony })
        const passkey = await passkeys.add(userId, { ceremony, response, name })
        const { headers } = made(call, `/api/user/passkeys/${passkey.id}`, undefined)
        const forget = adding.forget(request, ceremony, signIns.isSecure(request))
        return new Reply({ passkey }, [...headers, forget])
      },
      repeated: 'ignored',
    }),
    endpoint({
      ...recently,
      route: 'PATCH /api/user/passkeys/{id}',
      name: 'renamePasskey',
      summary: 'Rename a passkey',
      path: z.object({ id: pathId('passkey') }),
      body: { schema: PasskeyName },
      success: { description: 'The passkey', body: z.object({ passkey: Passkey }) },
      errors: ['NOT_FOUND'],
      run: async (call) => {
        const { userId } = mustBeSignedIn(call)
        const { accounts } = call.registry
        await accounts.renamePasskey(userId, call.path.id, call.body as { readonly name: string })
        return passkeyOf(call, call.path.id)
      },
      repeated: (call) => passkeyOf(call, call.path.id),
    }),
    endpoint({
      ...recently,
      route: 'DELETE /api/user/passkeys/{id}',
      name: 'removePasskey',
      summary: 'Remove a passkey',
      description: 'Never the last way to sign in.',
      path: z.object({ id: pathId('passkey') }),
      success: { status: 204, description: 'The passkey is removed' },
      errors: ['NOT_FOUND', 'CONFLICT'],
      run: async (call) => {
        await call.registry.accounts.removePasskey(mustBeSignedIn(call).userId, call.path.id)
      },
      repeated: () => {},
    }),
  ]
}

async function passkeyOf(call: Call<unknown, unknown>, wanted: number) {
  const all = await call.registry.accounts.passkeys(mustBeSignedIn(call).userId)
  const found = all.find(({ id }) => id === wanted)
  if (found === undefined) throw notFound('Passkey', 'GET /api/user/passkeys lists yours')
  const { credentialId: _private, ...passkey } = found
  return { passkey }
}
