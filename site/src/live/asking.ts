/** A response of the API. */
export interface ApiResponse {
  readonly json: unknown
  /** The entity tag, where the server sends one. */
  readonly tag: string | undefined
}

/** The server asks for a pause. */
export class Busy extends Error {
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super('The server is busy')
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A longer response is an error of the server. */
const longestResponse = 8_000_000
const longestWaitSeconds = 3600
const timeoutMilliseconds = 20_000

/**
 * Reads public data from the API, without credentials.
 *
 * @throws {Busy} when the server asks to come back later
 * @throws {Error} when it cannot be read
 */
export async function getJson(address: string, signal?: AbortSignal): Promise<ApiResponse> {
  const response = await fetch(address, {
    // The browser itself sends If-None-Match; a header set here would need a preflight request on other origins.
    cache: 'no-cache',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.any([AbortSignal.timeout(timeoutMilliseconds), ...(signal ? [signal] : [])]),
  })
  const seconds = Number(response.headers.get('retry-after') ?? NaN)
  if ((response.status === 429 || response.status === 503) && seconds > 0)
    throw new Busy(Math.min(seconds, longestWaitSeconds))
  if (!response.ok) throw new Error(`${address} returned ${response.status}`)
  const text = await response.text()
  if (text.length > longestResponse) throw new Error(`${address} is too long`)
  return {
    json: JSON.parse(text),
    tag: response.headers.get('etag') ?? undefined,
  }
}
