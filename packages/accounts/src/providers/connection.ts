import * as client from 'openid-client'
import { z } from 'zod'
import type { ProviderOptions } from './config.ts'
import { boundedFetch, ProviderFault } from './fetch.ts'
import type { Person } from './person.ts'

export interface Connection {
  /** @throws Error when the provider cannot be reached */
  configuration(): Promise<client.Configuration>
  /** @param known whether an account has this person; then no further request is made */
  person(
    configuration: client.Configuration,
    tokens: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers,
    known: (person: Person) => Promise<boolean>,
  ): Promise<Person>
}

const timeoutSeconds = 10
const tries = 2
const lifetimeMs = 60 * 60_000

function authentication(secret: string): client.ClientAuth {
  const [post, basic] = [client.ClientSecretPost(secret), client.ClientSecretBasic(secret)]
  return (server, metadata, body, headers) => {
    const takesPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true
    return (takesPost ? post : basic)(server, metadata, body, headers)
  }
}

const fetchForClient: client.CustomFetch = (address, { method, headers, body, signal }) =>
  boundedFetch(address, { method, headers, body: body as RequestInit['body'], signal })

function prepared(configuration: client.Configuration): client.Configuration {
  configuration[client.customFetch] = fetchForClient
  configuration.timeout = timeoutSeconds
  return configuration
}

/** A value made on first use, shared by concurrent callers, and renewed after an hour. */
function cached<Value>(make: () => Promise<Value>, now: () => number): () => Promise<Value> {
  let made: { readonly value: Promise<Value>; readonly until: number } | undefined
  return () => {
    if (made === undefined || made.until <= now()) {
      const mine = { value: make(), until: now() + lifetimeMs }
      made = mine
      mine.value.catch(() => {
        // The next caller retries after a failure.
        if (made === mine) made = undefined
      })
    }
    return made.value
  }
}

async function discovered({
  issuer,
  clientId,
  clientSecret,
}: ProviderOptions): Promise<client.Configuration> {
  const server = new URL(issuer)
  const execute = [
    client.enableNonRepudiationChecks,
    // boundedFetch allows http for this machine's own addresses only.
    ...(server.protocol === 'http:' ? [client.allowInsecureRequests] : []),
  ]
  // A person waits in a browser: no second try after a timeout.
  const timeout = AbortSignal.timeout(timeoutSeconds * 1000)
  for (let left = tries - 1; ; left--) {
    try {
      return prepared(
        await client.discovery(server, clientId, {}, authentication(clientSecret), {
          [client.customFetch]: fetchForClient,
          timeout: timeoutSeconds,
          execute,
        }),
      )
    } catch (error) {
      if (left === 0 || timeout.aborted) throw error
    }
  }
}

const openId = (options: ProviderOptions, now: () => number): Connection => ({
  configuration: cached(() => discovered(options), now),
  async person(configuration, tokens, known) {
    const claims = tokens.claims()
    if (claims === undefined) throw new ProviderFault('NO_ID_TOKEN')
    const person: Person = { issuer: claims.iss, subject: claims.sub, claims }
    if (configuration.serverMetadata().userinfo_endpoint === undefined || (await known(person))) return person
    try {
      const more = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      return { ...person, claims: { ...more, ...claims } }
    } catch {
      // The person is authenticated; the profile is optional.
      return person
    }
  },
})

const GitHubUser = z.object({
  id: z.int().positive(),
  login: z.string(),
  name: z.string().nullish(),
})

function gitHub({ issuer, clientId, clientSecret }: ProviderOptions): Connection {
  const { origin } = new URL(issuer)
  const isPublic = origin === 'https://github.com'
  const server = {
    // Compared with `iss` of a response, if present.
    issuer: `${origin}/login/oauth`,
    authorization_endpoint: `${origin}/login/oauth/authorize`,
    token_endpoint: `${origin}/login/oauth/access_token`,
    token_endpoint_auth_methods_supported: ['client_secret_post'],
  }
  const api = isPublic ? 'https://api.github.com/user' : `${origin}/api/v3/user`
  const configuration = prepared(new client.Configuration(server, clientId, {}, authentication(clientSecret)))
  if (origin.startsWith('http:')) client.allowInsecureRequests(configuration)
  return {
    configuration: async () => configuration,
    async person(_configuration, { access_token }) {
      const response = await boundedFetch(api, {
        headers: {
          Accept: 'application/vnd.github+json',
          Authorization: `Bearer ${access_token}`,
          // Required by GitHub.
          'User-Agent': 'openfountain',
        },
      })
      if (response.status !== 200) throw new ProviderFault(`STATUS_${response.status}`)
      const user = GitHubUser.safeParse(await response.json())
      if (!user.success) throw new ProviderFault('MALFORMED')
      const { id, login, name } = user.data
      return { issuer: origin, subject: String(id), claims: { login, name } }
    },
  }
}

export const connectionOf = (options: ProviderOptions, now: () => number): Connection =>
  options.kind === 'github' ? gitHub(options) : openId(options, now)
