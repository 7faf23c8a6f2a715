/** A JSON object of the API; each member is validated where it is used. */
export type Answer = Readonly<Record<string, unknown>>

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

/** Reads public data of the API, without credentials, with its entity tag. @throws {Busy} to come back later @throws {Error} */
export async function ask(address: string, signal?: AbortSignal): Promise<{ answer: Answer; tag?: string }> {
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
  const answer = record(JSON.parse(text))
  if (!answer) throw new Error(`${address} is no object`)
  return { answer, tag: response.headers.get('etag') ?? undefined }
}

export function record(value: unknown): Answer | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Answer) : undefined
}

/** The objects in a list of an answer. @throws {Error} when it has none */
export function listIn(answer: Answer, name: string): readonly Answer[] {
  const list = answer[name]
  if (!Array.isArray(list)) throw new Error(`The answer has no ${name}`)
  return list.map(record).filter((one) => one !== undefined)
}

export const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0
