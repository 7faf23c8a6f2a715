import { randomBytes } from 'node:crypto'
import type { HeaderPair } from './http/headers.ts'

const process = randomBytes(6).toString('base64url')
let exchanges = 0

/** One request and its response, with what was found out on the way. */
export class Exchange {
  readonly request: Request
  readonly origin: string | null
  readonly startedAt: number
  /** The declared route, once it is known. */
  route: string | undefined
  client: string | undefined
  /** Whether every origin may read the response. */
  open = false
  /** Sets the entity tag of another media type than JSON apart. */
  flavour = ''
  /** Headers of the response whatever it is, such as those of the rate limit. */
  headers: readonly HeaderPair[] = []
  #id: string | undefined

  constructor(request: Request, startedAt: number) {
    this.request = request
    this.origin = request.headers.get('origin')
    this.startedAt = startedAt
  }

  /** Finds this request in the log of the server. */
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
