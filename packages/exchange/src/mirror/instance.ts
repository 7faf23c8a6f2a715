import { Head, PublicUser, RegistryError, SealedEntry, Source, WaypointSource } from '@openfountain/core'
import { z } from 'zod'
import { InstanceError } from './instance-error.ts'

const Page = z.object({ logs: z.array(SealedEntry) })

export interface InstanceOptions {
  readonly signal?: AbortSignal | undefined
  /** Default the global fetch. */
  readonly fetch?: typeof fetch | undefined
}

/** Entries per response, the most that an instance returns. */
const pageSize = 100
const attempts = 5
const timeoutMilliseconds = 60_000

/** Another running registry, read over its public HTTP API. */
export class Instance {
  readonly #base: URL
  readonly #options: InstanceOptions

  /** @throws {RegistryError} INVALID_INPUT for anything but an http: or https: address */
  constructor(url: string, options: InstanceOptions = {}) {
    const base = URL.parse(url.endsWith('/') ? url : `${url}/`)
    if (!base || !/^https?:$/u.test(base.protocol)) {
      const message = 'must be the http: or https: address of an instance, such as https://fountains.example'
      throw new RegistryError('INVALID_INPUT', `url: ${message}`, { issues: [{ path: 'url', message }] })
    }
    this.#base = base
    this.#options = options
  }

  async head(): Promise<Head> {
    return (await this.#get('api/logs/head', z.object({ head: Head }))).head
  }

  /** Sealed entries after an id, oldest first, a hundred at most. */
  async entries(after: number, limit = pageSize): Promise<SealedEntry[]> {
    return (await this.#get(`api/logs?order=asc&after=${after}&limit=${limit}`, Page)).logs
  }

  /** One sealed entry, or undefined when the log ends before it. */
  async entry(id: number): Promise<SealedEntry | undefined> {
    return (await this.entries(id - 1, 1)).find((entry) => entry.id === id)
  }

  async person(id: string): Promise<PublicUser> {
    return (await this.#get(`api/users/${encodeURIComponent(id)}`, z.object({ user: PublicUser }))).user
  }

  async sources(): Promise<Source[]> {
    return (await this.#get('api/sources', z.object({ sources: z.array(Source) }))).sources
  }

  /** Where a waypoint came from; undefined when it has been deleted. */
  async sourcesOf(waypointId: number): Promise<WaypointSource[] | undefined> {
    const Dossier = z.object({ sources: z.array(WaypointSource).optional() })
    const found = await this.#get(`api/waypoints/${waypointId}`, Dossier.optional(), true)
    return found && (found.sources ?? [])
  }

  async #get<Body>(path: string, schema: z.ZodType<Body>, mayBeAbsent = false): Promise<Body> {
    const url = new URL(path, this.#base)
    const response = await this.#fetched(url)
    if (response.status === 404 && mayBeAbsent) {
      await response.body?.cancel()
      return schema.parse(undefined)
    }
    if (!response.ok) {
      throw new InstanceError({ code: 'BAD_STATUS', url: url.href, status: response.status })
    }
    const body: unknown = await response.json().catch(() => undefined)
    const { data, error } = schema.safeParse(body)
    if (error) {
      const issues = error.issues.map(({ path: where, message }) => ({ path: where.join('.'), message }))
      throw new InstanceError({ code: 'BAD_RESPONSE', url: url.href, issues })
    }
    return data
  }

  /** Fetches, and retries when the instance is busy or limits requests. */
  async #fetched(url: URL): Promise<Response> {
    const { signal, fetch: get = fetch } = this.#options
    for (let attempt = 1; ; attempt += 1) {
      const timeout = AbortSignal.timeout(timeoutMilliseconds)
      const response = await get(url, {
        headers: { accept: 'application/json' },
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      }).catch((error: unknown) => {
        signal?.throwIfAborted()
        const message =
          error instanceof Error ? (error.cause instanceof Error ? error.cause : error).message : ''
        throw new InstanceError({ code: 'UNREACHABLE', url: url.href, message }, { cause: error })
      })
      const isBusy = response.status === 429 || response.status === 503
      if (!isBusy || attempt === attempts) return response
      await response.body?.cancel()
      await new Promise((resolve) => setTimeout(resolve, pauseOf(response, attempt)))
      signal?.throwIfAborted()
    }
  }
}

/** As long as `Retry-After` says, a minute at most; else longer each time. */
function pauseOf(response: Response, attempt: number): number {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), 60) * 1000 : 250 * 2 ** attempt
}
