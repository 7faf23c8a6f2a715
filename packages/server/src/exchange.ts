import { randomBytes } from 'node:crypto'
import type { CurrentSession } from '@openfountain/core/internal'
import type { HeaderPair } from './http/headers.ts'

const process = randomBytes(6).toString('base64url')
let exchanges = 0

/** One request and its response, with what is known of them so far. */
export class Exchange {
  readonly request: Request
  /** Of the page that asks; null also where no page may read the response. */
  origin: string | null
  readonly startedAt: number
  /** The declared route, once it is known. */
  route: string | undefined
  client: string | undefined
  /** The id of the user who sends it, once that is known. */
  user: string | undefined
  /** The session of the registry in which it is sent, once that is known. */
  session: CurrentSession | undefined
  /** Which kind of credential it presents, where one is needed. */
  credential: 'session' | 'token' | undefined
  /** Whether it is a sign-in. */
  isSigningIn = false
  /** Whether every origin may read the response. */
  open = false
  /** The end of the entity tag of other media types than JSON. */
  tagSuffix = ''
  /** Headers of the response in any case, such as Strict-Transport-Security and those of the rate limit. */
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
