import * as client from 'openid-client'
import { z } from 'zod'
import type { ProviderOptions } from './config.ts'
import { boundedFetch, ProviderFault } from './fetch.ts'
import type { Person } from './person.ts'

/** What a provider is asked with, and what it says. */
export interface Connection {
  /** @throws Error when the provider cannot be reached */
  configuration(): Promise<client.Configuration>
  /** Whom an authorization is of. @param known whether an account has this person; then nothing more is asked */
  person(
    configuration: client.Configuration,
    tokens: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers,
    known: (person: Person) => Promise<boolean>,
  ): Promise<Person>
}

const timeoutSeconds = 10
const tries = 2
const goodForMs = 60 * 60_000

/** Sends the secret as the provider takes it: by Basic authentication, if it does not say that it takes it otherwise. */
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

/** A value that is made when it is first needed, by all who wait for it together, and again after an hour. */
function lasting<Value>(make: () => Promise<Value>, now: () => number): () => Promise<Value> {
  let made: { readonly value: Promise<Value>; readonly until: number } | undefined
  return () => {
    if (made === undefined || made.until <= now()) {
      const mine = { value: make(), until: now() + goodForMs }
      made = mine
      mine.value.catch(() => {
        // What failed is tried anew by the next who needs it.
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
    // boundedFetch lets it through for this machine's own addresses alone.
    ...(server.protocol === 'http:' ? [client.allowInsecureRequests] : []),
  ]
  // Whoever waits is at a browser: a provider that hangs is not waited for twice.
  const patience = AbortSignal.timeout(timeoutSeconds * 1000)
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
      if (left === 0 || patience.aborted) throw error
    }
  }
}

function openId(options: ProviderOptions, now: () => number): Connection {
  return {
    configuration: lasting(() => discovered(options), now),
    async person(configuration, tokens, known) {
      const claims = tokens.claims()
      if (claims === undefined) throw new ProviderFault('NO_ID_TOKEN')
      const person: Person = { issuer: claims.iss, subject: claims.sub, claims }
      if (configuration.serverMetadata().userinfo_endpoint === undefined || (await known(person)))
        return person
      try {
        const more = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        return { ...person, claims: { ...more, ...claims } }
      } catch {
        // Who they are is known; their name is not needed.
        return person
      }
    },
  }
}

const GitHubUser = z.object({
  id: z.int().positive(),
  login: z.string(),
  name: z.string().nullish(),
})

function gitHub({ issuer, clientId, clientSecret }: ProviderOptions): Connection {
  const { origin } = new URL(issuer)
  const isPublic = origin === 'https://github.com'
  const server = {
    // What `iss` of a response is compared with, where there is one.
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
          // GitHub refuses requests without one.
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

export function connectionOf(options: ProviderOptions, now: () => number): Connection {
  return options.kind === 'github' ? gitHub(options) : openId(options, now)
}
