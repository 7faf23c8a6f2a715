import { addAbortSignal, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout } from 'node:timers/promises'
import { Head, RegistryError, UserPatch } from '@openfountain/core'
import { limits as lengths } from '@openfountain/core/rules'
import { z } from 'zod'
import { guardedResponse, isNamedPrivate, type Issue } from '@openfountain/core/internal'

/** Bytes after decompression and seconds, of one response and of all together. */
const defaultLimits = {
  responseBytes: 8 * 2 ** 20,
  totalBytes: 4 * 2 ** 30,
  responseSeconds: 60,
  totalSeconds: 6 * 60 * 60,
}

export interface InstanceOptions {
  readonly signal?: AbortSignal | undefined
  /** Whether its name may lead to a private network; one that is named by a private address may be asked in any case. Default false. */
  readonly allowPrivate?: boolean | undefined
  /** Default one that asks no private network, as `allowPrivate` says. */
  readonly fetch?: typeof fetch | undefined
  /** Default 8 MiB and 60 s for a response, 4 GiB and 6 hours for all. */
  readonly limits?: Readonly<Partial<typeof defaultLimits>> | undefined
}

const Hash = z.string().regex(/^[0-9a-f]{64}$/u, 'must be a SHA-256 in lower-case hexadecimal')
const InstanceHead = z.object({ head: Head.extend({ hash: Hash }) })
/** No tree that can exist has a longer proof. */
const Proof = z.object({ proof: z.array(Hash).max(128) })
/** Entries are checked one by one, so that an error names its entry. */
const Page = z.object({ changes: z.array(z.unknown()), origin: z.string().max(128) })
const People = z.object({
  users: z.array(z.object({ id: z.string().max(lengths.userId) })).max(100),
  total: z.int().min(0),
})
const Person = z.object({ user: z.object({ name: UserPatch.shape.name }) })

const Authors = z.object({ photos: z.array(z.object({ id: z.int(), author: z.string() })).max(100) })

/** Entries per response, the most that an instance returns. */
const pageSize = 1000
const attempts = 5

/** Another running registry, read over its public HTTP API, from the one address that was given. */
export class Instance {
  readonly #base: URL
  readonly #options: InstanceOptions
  readonly #limits: Readonly<typeof defaultLimits>
  readonly #until: number
  #bytesLeft: number
  #pageSize = pageSize

  /** @throws {RegistryError} INVALID_INPUT for anything but an http: or https: address */
  constructor(url: string, options: InstanceOptions = {}) {
    const base = URL.parse(url.endsWith('/') ? url : `${url}/`)
    if (!base || !/^https?:$/u.test(base.protocol)) {
      const message = 'must be the http: or https: address of an instance, such as https://fountains.example'
      throw new RegistryError('INVALID_INPUT', `url: ${message}`, { issues: [{ path: 'url', message }] })
    }
    this.#base = base
    this.#options = options
    this.#limits = { ...defaultLimits, ...options.limits }
    this.#bytesLeft = this.#limits.totalBytes
    this.#until = performance.now() + this.#limits.totalSeconds * 1000
  }

  async head(size?: number): Promise<Head> {
    const query = size === undefined ? '' : `?size=${size}`
    return (await this.#get(`api/logs/head${query}`, InstanceHead)).head
  }

  async consistency(from: number, to: number): Promise<string[]> {
    return (await this.#get(`api/logs/consistency?from=${from}&to=${to}`, Proof)).proof
  }

  async checkpoint(): Promise<string | undefined> {
    const bytes = await this.#bytesAt(new URL('api/log/checkpoint', this.#base), true, 1)
    return bytes && new TextDecoder().decode(bytes)
  }

  /** Entries after an id, oldest first and not checked, and the origin of the log. */
  async page(after: number, most: number): Promise<{ changes: unknown[]; origin: string }> {
    for (;;) {
      const limit = Math.min(this.#pageSize, most)
      try {
        const { changes, origin } = await this.#get(`api/changes?after=${after}&limit=${limit}`, Page)
        return { changes: changes.slice(0, limit), origin }
      } catch (error) {
        // Entries may be long: fewer of them fit.
        const isLong = error instanceof InstanceError && error.code === 'TOO_LARGE' && this.#bytesLeft > 0
        if (!isLong || limit === 1) throw error
        this.#pageSize = Math.ceil(limit / 8)
      }
    }
  }

  async nameOf(id: string): Promise<string | undefined> {
    // A path cannot have these segments.
    if (id === '.' || id === '..') return undefined
    const path = `api/users/${encodeURIComponent(id)}`
    return (await this.#get(path, Person.optional(), true))?.user.name
  }

  async peopleTotal(): Promise<number> {
    return (await this.#get('api/users?limit=1', People)).total
  }

  /** The ids of people with an account there, the oldest first; at most a hundred from an offset. */
  async peopleAfter(offset: number): Promise<string[]> {
    const { users } = await this.#get(`api/users?limit=100&offset=${offset}`, People)
    return users.map(({ id }) => id)
  }

  /** The names under the shown photos after an id; at most a hundred. */
  async authorsAfter(id: number): Promise<readonly { readonly id: number; readonly author: string }[]> {
    return (await this.#get(`api/photos?limit=100&after=${id}`, Authors)).photos
  }

  /** A file of a photo, not checked; undefined for one that is not there, or not shown. */
  async photo(sha256: string): Promise<Uint8Array | undefined> {
    return this.#bytesAt(new URL(`api/photos/files/${sha256}.webp`, this.#base), true, 1)
  }

  async #get<Body>(path: string, schema: z.ZodType<Body>, mayBeAbsent = false): Promise<Body> {
    const url = new URL(path, this.#base)
    const bytes = await this.#bytesAt(url, mayBeAbsent, 1)
    const text = bytes && new TextDecoder().decode(bytes)
    let body: unknown
    try {
      body = text === undefined ? undefined : JSON.parse(text)
    } catch {
      body = undefined
    }
    const { data, error } = schema.safeParse(body)
    if (error) {
      const issues = error.issues.map(({ path: where, message }) => ({ path: where.join('.'), message }))
      throw new InstanceError({ code: 'BAD_RESPONSE', url: url.href, issues: issues.slice(0, 10) })
    }
    return data
  }

  /** Retries when the instance is busy or limits requests. */
  async #bytesAt(url: URL, mayBeAbsent: boolean, attempt: number): Promise<Buffer | undefined> {
    let pause: number
    const started = performance.now()
    const left = Math.min(this.#limits.responseSeconds * 1000, this.#until - started)
    const timeout = AbortSignal.timeout(Math.max(0, Math.ceil(left)))
    const { signal, fetch: get } = this.#options
    const allowPrivate = this.#options.allowPrivate === true || isNamedPrivate(url)
    const either = signal ? AbortSignal.any([signal, timeout]) : timeout
    try {
      const headers = { accept: 'application/json' }
      const response =
        get === undefined
          ? await guardedResponse(url.href, { headers, signal: either, allowPrivate, allowPlain: true })
          : await get(url, { headers, signal: either, redirect: 'manual' })
      if (response.ok) return await this.#read(url, response, either)
      await response.body?.cancel()
      if ((response.status === 404 || response.status === 410) && mayBeAbsent) return undefined
      const isBusy = response.status === 429 || response.status === 503
      if (!isBusy || attempt === attempts) throw new InstanceError(refusal(url, response))
      pause = pauseOf(response, attempt)
    } catch (error) {
      if (error instanceof InstanceError) throw error
      signal?.throwIfAborted()
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      const failure: InstanceFailure = timeout.aborted
        ? { code: 'TOO_SLOW', url: url.href, seconds: Math.ceil((performance.now() - started) / 1000) }
        : { code: 'UNREACHABLE', url: url.href, message: cause instanceof Error ? cause.message : '' }
      throw new InstanceError(failure, { cause: error })
    }
    await setTimeout(pause, undefined, { signal })
    return this.#bytesAt(url, mayBeAbsent, attempt + 1)
  }

  /**
   * The bytes of a response, read in pieces, so that reading stops at the limit, whatever the compressed size.
   *
   * @throws {InstanceError} TOO_LARGE when it has, or all together have, more bytes than they may
   */
  async #read(url: URL, { body }: Response, signal: AbortSignal): Promise<Buffer> {
    const { responseBytes, totalBytes } = this.#limits
    const read: Uint8Array[] = []
    let left = responseBytes
    if (!body) return Buffer.concat(read)
    const pieces: AsyncIterable<Uint8Array> = addAbortSignal(signal, Readable.fromWeb(body as ReadableStream))
    for await (const piece of pieces) {
      this.#bytesLeft -= piece.length
      left -= piece.length
      const isOver = this.#bytesLeft < 0 ? totalBytes : left < 0 ? responseBytes : undefined
      if (isOver !== undefined) throw new InstanceError({ code: 'TOO_LARGE', url: url.href, bytes: isOver })
      read.push(piece)
    }
    return Buffer.concat(read)
  }
}

function refusal({ href: url }: URL, { status, headers }: Response): InstanceFailure {
  if (status < 300 || status >= 400) return { code: 'BAD_STATUS', url, status }
  return { code: 'REDIRECTED', url, location: headers.get('location') ?? '' }
}

/** As long as `Retry-After` says, a minute at most; else longer each time. */
function pauseOf(response: Response, attempt: number): number {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), 60) * 1000 : 250 * 2 ** attempt
}

/** Errors with another instance: each code with its facts. `url` is the requested address. */
export interface InstanceErrorFacts {
  /** No response came, for the reason that `message` gives in the words of the system. */
  UNREACHABLE: { readonly url: string; readonly message: string }
  /** The response has the HTTP status of an error. */
  BAD_STATUS: { readonly url: string; readonly status: number }
  /** The response leads elsewhere, which is not followed. */
  REDIRECTED: { readonly url: string; readonly location: string }
  /** The response is longer than `bytes` after decompression, or all responses together are. */
  TOO_LARGE: { readonly url: string; readonly bytes: number }
  /** The response was not complete after so long, or all responses together were not. */
  TOO_SLOW: { readonly url: string; readonly seconds: number }
  /** The response is not that of an instance's API. */
  BAD_RESPONSE: { readonly url: string; readonly issues: readonly Issue[] }
}

export type InstanceErrorCode = keyof InstanceErrorFacts

export type InstanceFailure<Code extends InstanceErrorCode = InstanceErrorCode> = {
  [One in Code]: { readonly code: One } & InstanceErrorFacts[One]
}[Code]

/** The meaning of each code, worded for callers of the library. */
export const instanceErrors = {
  UNREACHABLE: 'The instance cannot be reached. What was copied so far is kept.',
  BAD_STATUS: 'The response is an error. Is this the address of an instance?',
  REDIRECTED:
    'The response leads to another address, which is not followed: give that address if you trust it.',
  TOO_LARGE: 'The response is too large.',
  TOO_SLOW: 'The response takes too long.',
  BAD_RESPONSE: 'The response is not that of an instance.',
} as const satisfies Readonly<Record<InstanceErrorCode, string>>

/** An error of another instance. `failure` has the code and its facts; `message` is the meaning of the code, after the requested address. */
export class InstanceError extends Error {
  override readonly name = 'InstanceError'
  readonly failure: InstanceFailure

  constructor(failure: InstanceFailure, options?: ErrorOptions) {
    super(`${failure.url}: ${instanceErrors[failure.code]}`, options)
    this.failure = failure
  }

  get code(): InstanceErrorCode {
    return this.failure.code
  }

  get details(): Readonly<Record<string, unknown>> {
    const { code: _code, ...facts } = this.failure
    return facts
  }
}
