import createFetchClient, { type Client, type ClientOptions } from 'openapi-fetch'
import type { components, paths } from './api.ts'

/** The names of the data of the API. */
type Schemas = components['schemas']

export type Waypoint = Schemas['Waypoint']
export type Review = Schemas['Review']
export type Photo = Schemas['Photo']
export type Observation = Schemas['Observation']
export type LogEntry = Schemas['LogEntry']
export type Source = Schemas['Source']

/** The body of an error: `code` tells which one it is, and with it the type of `details`. */
export type ApiFailure = Schemas['Error']
export type ApiFailureCode = ApiFailure['code']

export interface ApiClientOptions extends Omit<ClientOptions, 'headers'> {
  /** The address of the server, without `/api`. Default that of the page. */
  readonly baseUrl?: string
  /** A personal token (`ofp_…`) or an API token (`oft_…`), sent as `Authorization: Bearer`. Default none. */
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** A client with a method for each of HTTP: `GET`, `POST`, `PATCH` and `DELETE`. */
export type ApiClient = Client<paths>

/**
 * A client of a server. Each call returns `data` or `error`, and the `response`; it rejects only where there was no response.
 *
 * @example
 * const api = createApiClient({ baseUrl: 'https://fountains.example' })
 * const { data, error } = await api.GET('/api/waypoints/{id}', { params: { path: { id: 1 } } })
 */
export function createApiClient({ token, headers, ...options }: ApiClientOptions = {}): ApiClient {
  return createFetchClient<paths>({
    ...options,
    headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
  })
}

/** A refused call: `failure` is the body of the response, told apart by its `code`. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly failure: ApiFailure

  constructor(status: number, failure: ApiFailure) {
    super(failure.error)
    this.status = status
    this.failure = failure
  }
}

/** Whether the body of a response is an error of the API; a proxy before the server has others. */
export const isApiFailure = (body: unknown): body is ApiFailure =>
  typeof body === 'object' && body !== null && 'code' in body && 'error' in body && 'details' in body

/**
 * The data of a call.
 *
 * @throws ApiError for a refused one; Error for an error that is none of the API
 * @example
 * const { waypoint } = dataOf(await api.GET('/api/waypoints/{id}', { params: { path: { id: 1 } } }))
 */
export function dataOf<Data>(answer: {
  readonly data?: Data | undefined
  readonly error?: unknown
  readonly response: Response
}): Data {
  const { data, error, response } = answer
  if (response.ok) return data as Data
  if (isApiFailure(error)) throw new ApiError(response.status, error)
  throw new Error(`${response.url} answered ${response.status}`)
}

type QueryOf<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Query } } }
  ? NonNullable<Query>
  : never

type PageOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Page } } } }
}
  ? Page
  : never

/** The lists that are read in pages, by the ids of their entries. */
export type PagedPath = {
  [Path in keyof paths]: 'after' extends keyof QueryOf<Path>
    ? 'limit' extends keyof QueryOf<Path>
      ? Path
      : never
    : never
}[keyof paths]

type EntryOf<Page> = {
  [Name in keyof Page]-?: Page[Name] extends readonly (infer Entry)[] ? Entry : never
}[keyof Page]

/** How pages are read. */
export interface PagingOptions<Path extends PagedPath> {
  /** Filters, and with `limit` how large pages are. */
  readonly query?: QueryOf<Path> | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * The pages of a list, as long as a page names the next one (`Link`, `rel="next"`); without `limit` most lists come whole. Pages
 * of waypoints and reviews name it up to 250 entries.
 *
 * @throws ApiError
 * @example
 * for await (const { waypoints } of pages(api, '/api/waypoints', { query: { region: 'Lund', limit: 250 } }))
 *   console.log(waypoints.length)
 */
export async function* pages<Path extends PagedPath>(
  api: ApiClient,
  path: Path,
  { query, signal }: PagingOptions<Path> = {},
): AsyncGenerator<PageOf<Path>, void> {
  // The types of calls are checked by those of this function.
  const get = api.GET as unknown as (
    path: Path,
    options: object,
  ) => Promise<{ readonly data?: PageOf<Path>; readonly error?: unknown; readonly response: Response }>
  for (let asked: object = { ...query }; ;) {
    signal?.throwIfAborted()
    const answer = await get(path, { params: { query: asked }, ...(signal && { signal }) })
    yield dataOf(answer)
    const [, next] = /<([^>]*)>; rel="next"/u.exec(answer.response.headers.get('link') ?? '') ?? []
    const after = next === undefined ? null : new URL(next, 'http://localhost').searchParams.get('after')
    if (after === null) return
    asked = { ...query, after: Number(after) }
  }
}

/**
 * The entries of a list, one by one, page by page.
 *
 * @throws ApiError
 * @example
 * for await (const waypoint of entries(api, '/api/waypoints', { query: { limit: 250 } })) console.log(waypoint.name)
 */
export async function* entries<Path extends PagedPath>(
  api: ApiClient,
  path: Path,
  options: PagingOptions<Path> = {},
): AsyncGenerator<EntryOf<PageOf<Path>>, void> {
  for await (const page of pages(api, path, options)) {
    const list = Object.values(page as object).find((member) => Array.isArray(member))
    yield* (list ?? []) as EntryOf<PageOf<Path>>[]
  }
}
