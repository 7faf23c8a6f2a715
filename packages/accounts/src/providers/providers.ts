import { createHash } from 'node:crypto'
import * as client from 'openid-client'
import { type Registry, RegistryError } from '@openfountain/core'
import type { ProviderSignIn, Registration } from '@openfountain/core/internal'
import type { ReportFailure } from '../mail/outbox.ts'
import { ownPath, type PublicUrl } from '../public-url.ts'
import type { ProviderOptions } from './config.ts'
import { connectionOf, type Connection } from './connection.ts'
import { isOutage, ProviderFault, reasonOf } from './fetch.ts'
import { nameOf, wayOf, type Person } from './person.ts'

const refused = (reason: string): RegistryError => new RegistryError('UNAUTHORIZED', reason)

const longestSearch = 8192

/** State, nonce and PKCE verifier, derived from the browser's secret so that the server stores nothing. */
function checksOf(ceremony: string) {
  const derived = (purpose: string): string =>
    createHash('sha256').update(`${purpose} ${ceremony}`).digest('base64url')
  return { state: derived('state'), nonce: derived('nonce'), verifier: derived('verifier') }
}

interface Settings {
  readonly publicUrl: PublicUrl
  readonly registration: Registration
  readonly report: ReportFailure
  readonly now: () => number
}

/** OpenID Connect, or GitHub's OAuth 2, both with PKCE. */
export class Providers implements ProviderSignIn {
  readonly #registry: Registry
  readonly #options: Settings
  readonly #connections: ReadonlyMap<
    string,
    { readonly options: ProviderOptions; readonly connection: Connection }
  >

  constructor(registry: Registry, providers: readonly ProviderOptions[], options: Settings) {
    this.#registry = registry
    this.#options = options
    this.#connections = new Map(
      providers.map((each) => [each.id, { options: each, connection: connectionOf(each, options.now) }]),
    )
  }

  #provider(id: string) {
    const found = this.#connections.get(id)
    if (found === undefined)
      throw new RegistryError('NOT_FOUND', 'This provider is not configured here', { thing: 'provider', id })
    return found
  }

  async begin(id: string, { returnTo, userId, name, basePath }: Parameters<ProviderSignIn['begin']>[1]) {
    const { options, connection } = this.#provider(id)
    const configuration = await this.#configuration(options, connection)
    const ceremony = await this.#registry.accounts.beginCeremony(`provider ${id}`, {
      returnTo: ownPath(returnTo, this.#options.publicUrl),
      userId,
      name: name?.slice(0, 400),
    })
    const { state, nonce, verifier } = checksOf(ceremony)
    const address = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#callback(id, basePath),
      state,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(options.scope !== '' && { scope: options.scope }),
      ...(options.kind === 'openid' && { nonce }),
    })
    return { ceremony, address: address.href }
  }

  #callback(id: string, basePath: string = ''): string {
    return `${this.#options.publicUrl.origin}${basePath}/api/auth/providers/${id}/callback`
  }

  async end(id: string, given: Parameters<ProviderSignIn['end']>[1]): ReturnType<ProviderSignIn['end']> {
    const { options, connection } = this.#provider(id)
    const { accounts } = this.#registry
    const { returnTo = '/', userId, name } = await accounts.endCeremony(given.ceremony, `provider ${id}`)
    if (userId !== undefined && userId !== given.userId)
      throw refused('You are not signed in as who began to add this way: sign in, and begin again')
    const person = await this.#identified(options, connection, given)
    const way = wayOf(person, id)
    if (userId !== undefined) {
      await accounts.addIdentity(userId, way)
      return { returnTo }
    }
    const { registration } = this.#options
    const { device, network } = given
    const named = name ?? nameOf(person)
    const signedIn = await accounts.signIn(way, { name: named, registration, device, network })
    return { returnTo, signedIn }
  }

  /** The person whom the provider authenticated. @throws RegistryError UNAUTHORIZED, UNAVAILABLE */
  async #identified(
    options: ProviderOptions,
    connection: Connection,
    { ceremony, search, basePath }: Parameters<ProviderSignIn['end']>[1],
  ): Promise<Person> {
    if (search.length > longestSearch)
      throw refused(`The response of ${options.name} is too long: begin again`)
    const { state, nonce, verifier } = checksOf(ceremony)
    const current = new URL(this.#callback(options.id, basePath))
    current.search = search
    const configuration = await this.#configuration(options, connection)
    try {
      const tokens = await client.authorizationCodeGrant(configuration, current, {
        expectedState: state,
        pkceCodeVerifier: verifier,
        ...(options.kind === 'openid' && { expectedNonce: nonce, idTokenExpected: true }),
      })
      const known = (person: Person) => this.#registry.accounts.isKnown(wayOf(person, options.id).key)
      const person = await connection.person(configuration, tokens, known)
      // OpenID Connect Core 2: a subject has at most 255 characters of ASCII.
      if (!/^[\x21-\x7e]{1,255}$/u.test(person.subject)) throw new ProviderFault('BAD_SUBJECT')
      return person
    } catch (error) {
      throw this.#refusal(options, error)
    }
  }

  /** @throws RegistryError UNAVAILABLE when the provider cannot be reached, or its metadata are invalid */
  async #configuration(options: ProviderOptions, connection: Connection): Promise<client.Configuration> {
    try {
      return await connection.configuration()
    } catch (error) {
      this.#options.report({ part: 'provider', provider: options.id, reason: reasonOf(error) })
      throw unreachable(options)
    }
  }

  /** The refusal for an error. Foreign errors may contain secrets, so their texts are dropped. */
  #refusal(options: ProviderOptions, error: unknown): unknown {
    if (error instanceof RegistryError) return error
    const { id, name } = options
    if (error instanceof client.AuthorizationResponseError && error.error === 'access_denied')
      return refused(`You did not allow it at ${name}: nothing was changed`)
    const reason = reasonOf(error)
    this.#options.report({ part: 'provider', provider: id, reason })
    return isOutage(error)
      ? unreachable(options)
      : refused(`${name} did not confirm who you are: begin again`)
  }
}

const unreachable = ({ id, name }: ProviderOptions): RegistryError =>
  new RegistryError('UNAVAILABLE', `${name} cannot be reached: try again later, or sign in in another way`, {
    provider: id,
  })
