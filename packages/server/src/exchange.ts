import { randomBytes } from 'node:crypto'
import type { CurrentSession } from '@openfountain/core/internal'
import type { HeaderPair } from './http/headers.ts'

const process = randomBytes(6).toString('base64url')
let exchanges = 0

/** A request and its response, filled in as they are handled. */
export class Exchange {
  readonly request: Request
  /** Origin of the requesting page; null also when no page may read the response. */
  origin: string | null
  readonly startedAt: number
  /** The declared route, once matched. */
  route: string | undefined
  client: string | undefined
  /** The id of the authenticated user, once known. */
  user: string | undefined
  /** The caller's session in the registry, once known. */
  session: CurrentSession | undefined
  /** The kind of credential presented, where one is needed. */
  credential: 'session' | 'token' | undefined
  /** Whether it is a sign-in. */
  isSigningIn = false
  /** Whether every origin may read the response. */
  open = false
  /** Suffix of the entity tag of media types other than JSON. */
  tagSuffix = ''
  /** Headers of every outcome, such as Strict-Transport-Security and those of the rate limit. */
  headers: readonly HeaderPair[] = []
  #id: string | undefined

  constructor(request: Request, startedAt: number) {
    this.request = request
    this.origin = request.headers.get('origin')
    this.startedAt = startedAt
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

  /** Whether the response has the members of the v6 envelope (specification, section 9). */
  get enveloped(): boolean {
    return this.request.headers.get('api-version')?.trim() === '6'
  }
}
