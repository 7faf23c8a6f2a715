import { randomBytes } from 'node:crypto'
import { anonymous, type Actor, type Registry } from '@openfountain/core'
import type { CurrentSession } from '@openfountain/core/internal'
import type { Call } from './endpoint.ts'
import type { FileOptions } from './http/file.ts'
import type { HeaderPair } from './http/headers.ts'
import type { Origins } from './http/origins.ts'
import { addressPrefix } from './http/security-log.ts'

const process = randomBytes(6).toString('base64url')
let exchanges = 0

/** The parts of an app that its exchanges use. */
export interface Service {
  readonly registry: Registry
  readonly basePath: string
  readonly origins: Pick<Origins, 'proxies'>
  readonly responses: {
    opening(exchange: Exchange): string
    note(exchange: Exchange, error: unknown): void
    fileOptions(exchange: Exchange): FileOptions
  }
}

/** A request and its response, filled in as they are handled; endpoints see it as a `Call`. */
export class Exchange implements Call<unknown, unknown> {
  readonly #service: Service
  readonly request: Request
  /** Whether the response has the members of the v6 envelope (specification, section 9). */
  readonly enveloped: boolean
  /** Origin of the requesting page; null also when no page may read the response. */
  origin: string | null
  readonly startedAt: number
  /** The declared route, once matched. */
  route: string | undefined
  client: string | undefined
  actor: Actor = anonymous
  /** The id of the authenticated user, once known. */
  user: string | undefined
  session: CurrentSession | undefined
  /** The kind of credential presented, where one is needed. */
  credential: 'session' | 'token' | undefined
  /** Whether it is a sign-in. */
  isSigningIn = false
  /** Whether every origin may read the response. */
  open = false
  path: unknown
  query: unknown
  body: unknown
  media = 'application/json'
  /** What an entity tag depends on beside the data: another media type than JSON, the day. */
  tagSuffix = ''
  /** Headers of every outcome, such as Strict-Transport-Security and those of the rate limit. */
  headers: readonly HeaderPair[]
  #id: string | undefined

  constructor(service: Service, request: Request, headers: readonly HeaderPair[], startedAt: number) {
    this.#service = service
    this.request = request
    this.headers = headers
    this.startedAt = startedAt
    this.origin = request.headers.get('origin')
    this.enveloped = request.headers.get('api-version')?.trim() === '6'
  }

  /** The id of this request in the server's log. */
  get id(): string {
    if (this.#id === undefined) {
      exchanges += 1
      this.#id = `${process}-${exchanges.toString(36)}`
    }
    return this.#id
  }

  get isHead(): boolean {
    return this.request.method === 'HEAD'
  }

  get registry(): Registry {
    return this.#service.registry
  }

  get basePath(): string {
    return this.#service.basePath
  }

  get opening(): string {
    return this.#service.responses.opening(this)
  }

  network(bits?: 56 | 64): string | undefined {
    const client = this.client ?? this.#service.origins.proxies.clientOf(this.request)
    return client === undefined ? undefined : addressPrefix(client, bits)
  }

  isFromThisMachine(): boolean {
    return this.#service.origins.proxies.isFromThisMachine(this.request)
  }

  identified(userId: string): void {
    this.user = userId
  }

  report(error: unknown): void {
    this.#service.responses.note(this, error)
  }

  files(): FileOptions {
    return this.#service.responses.fileOptions(this)
  }
}
