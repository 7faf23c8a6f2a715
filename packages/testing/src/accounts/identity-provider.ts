import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import { once } from 'node:events'
import Provider, { type Adapter, type AdapterPayload, type Configuration } from 'oidc-provider'
import { listening } from '../listening.ts'

export interface IdentityProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Requested paths with methods, such as `GET /me`. */
  readonly requests: string[]
  /** The person at the browser; undefined refuses to sign in. */
  person: { readonly sub: string; readonly [claim: string]: unknown } | undefined
  /** Changes the issued ID tokens; default unchanged. */
  forgeIdToken: (token: string) => string
  isUp: boolean
  end(): Promise<void>
  /** Follows a redirect to the provider, and signs in there. @returns the query of the redirect back */
  visit(address: string): Promise<string>
}

const { privateKey: keyOfSignatures } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** An ID token with changed claims, signed by the provider itself. */
export function resigned(token: string, change: (claims: Record<string, unknown>) => object): string {
  const [header = '', claims = ''] = token.split('.')
  const changed = JSON.stringify(change(JSON.parse(Buffer.from(claims, 'base64url').toString())))
  const made = Buffer.from(changed).toString('base64url')
  const signature = sign('sha256', Buffer.from(`${header}.${made}`), keyOfSignatures)
  return `${header}.${made}.${signature.toString('base64url')}`
}

const clientId = 'openfountain'
const clientSecret = 'a secret of the client, which nobody else may see'

/** @param options GitHub has its own paths and claims */
export async function identityProvider(
  origin: string,
  {
    id,
    path = '',
    configuration = {},
  }: { readonly id: string; readonly path?: string; readonly configuration?: Partial<Configuration> },
): Promise<IdentityProvider> {
  const server = createServer()
  const issuer = `http://127.0.0.1:${await listening(server)}`
  const requests: string[] = []
  const callback = `${origin}/api/auth/providers/${id}/callback`
  const made: IdentityProvider = {
    issuer,
    clientId,
    clientSecret,
    requests,
    person: { sub: 'ada' },
    isUp: true,
    forgeIdToken: (token) => token,
    end: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
    visit: (address) => visit(address, callback),
  }
  const provider = new Provider(`${issuer}${path}`, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [callback] }],
    // Profile claims are in the userinfo alone, as at OpenStreetMap, except those that `conformIdTokenClaims` moves.
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'], email: ['email', 'email_verified'] },
    findAccount: async (_context, sub) => ({ accountId: sub, claims: async () => ({ ...made.person, sub }) }),
    pkce: { required: () => true },
    cookies: { keys: ['a key of the test'] },
    jwks: { keys: [{ ...keyOfSignatures.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    adapter: () => inMemory(),
    ttl: {
      Interaction: 600,
      Session: 600,
      Grant: 600,
      AccessToken: 600,
      IdToken: 600,
      AuthorizationCode: 60,
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    loadExistingGrant: async (context) => {
      const { account, client, params } = context.oidc
      const { Grant } = context.oidc.provider
      const grant = new Grant({
        ...(account !== undefined && { accountId: account.accountId }),
        ...(client !== undefined && { clientId: client.clientId }),
      })
      const scope = params?.['scope']
      if (typeof scope === 'string') grant.addOIDCScope(scope)
      await grant.save()
      return grant
    },
    ...configuration,
  })
  provider.use(async (context, next) => {
    if (context.path === '/token') {
      await next()
      const { body } = context
      if (typeof body === 'object' && body !== null && 'id_token' in body)
        context.body = { ...body, id_token: made.forgeIdToken(String(body.id_token)) }
      return undefined
    }
    if (!context.path.startsWith('/interaction/')) return next()
    const result =
      made.person === undefined
        ? { error: 'access_denied', error_description: 'a text of the provider' }
        : { login: { accountId: made.person.sub } }
    return provider.interactionFinished(context.req, context.res, result)
  })
  const handle = provider.callback()
  server.on('request', (request, response) => {
    requests.push(`${request.method} ${request.url?.replace(/\?.*/u, '')}`)
    if (!made.isUp) request.socket.destroy()
    else void handle(request, response)
  })
  return made
}

function inMemory(): Adapter {
  const kept = new Map<string, AdapterPayload>()
  return {
    upsert: async (id, payload) => void kept.set(id, payload),
    find: async (id) => kept.get(id),
    findByUid: async (uid) => [...kept.values()].find((payload) => payload.uid === uid),
    findByUserCode: async () => undefined,
    consume: async (id) =>
      void Object.assign(kept.get(id) ?? {}, { consumed: Math.floor(Date.now() / 1000) }),
    destroy: async (id) => void kept.delete(id),
    revokeByGrantId: async (grantId) => {
      for (const [id, payload] of kept) if (payload.grantId === grantId) kept.delete(id)
    },
  }
}

async function visit(address: string, callback: string): Promise<string> {
  const cookies = new Map<string, string>()
  for (let at = address; ;) {
    if (at.startsWith(callback)) return new URL(at).search
    const headers = { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
    const response = await fetch(at, { redirect: 'manual', headers })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const next = response.headers.get('location')
    if (next === null) throw new Error(`${at} sends nowhere: ${response.status} ${await response.text()}`)
    at = new URL(next, at).href
  }
}
