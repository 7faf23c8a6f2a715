import { siteOfPage, type SiteAddress } from './site.ts'

export interface RefusalOptions {
  readonly status?: number | undefined
  readonly retryAfterSeconds?: number | undefined
  /** A repetition under one Idempotency-Key, whose first result is gone since. */
  readonly isRepetition?: boolean
}

/** A request that the server refused, or that did not reach it (`OFFLINE`), which then has no status. */
export class Refusal extends Error implements RefusalOptions {
  declare readonly status?: number | undefined
  declare readonly retryAfterSeconds?: number | undefined
  declare readonly isRepetition?: boolean
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: string, details: Refusal['details'] = {}, options: RefusalOptions = {}) {
    super(code)
    this.code = code
    this.details = details
    Object.assign(this, options)
  }

  get fields(): readonly string[] {
    const { issues } = this.details
    return Array.isArray(issues) ? issues.map(({ path }: { path?: unknown }) => String(path)) : []
  }
}

export const isRefusal = (error: unknown, code: string): error is Refusal =>
  error instanceof Refusal && error.code === code

export interface RequestOptions {
  /** Sent as JSON, but a form as it is. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Whether to send no cookie, so that the request is anonymous. Default false. */
  readonly isAnonymous?: boolean
  readonly site?: SiteAddress | undefined
  /** Is told how much of a form has left, from 0 to 1. Needs a page. */
  readonly onProgress?: ((share: number) => void) | undefined
  /** Gives up after this time with `OFFLINE`; default never. */
  readonly timeoutMilliseconds?: number
}

export interface Answer<Body> {
  readonly body: Body
  readonly etag: string | undefined
}

/** Sends a request to the API of a site, with the visitor's cookie unless `isAnonymous`. @throws Refusal */
export async function exchange<Body>(
  method: string,
  path: string,
  {
    body,
    headers,
    timeoutMilliseconds,
    onProgress,
    isAnonymous = false,
    site = siteOfPage(),
  }: RequestOptions = {},
): Promise<Answer<Body>> {
  const { api, tag } = site
  const offline = (): never => {
    throw new Refusal('OFFLINE')
  }
  const isJson = body !== undefined && !(body instanceof FormData)
  const asked = onProgress ? uploading(onProgress) : fetch
  const response = await asked(`${api}${path}`, {
    method,
    credentials: isAnonymous ? 'omit' : 'include',
    cache: 'no-store',
    // Mails are in the language of the page.
    headers: {
      accept: 'application/json',
      'accept-language': tag,
      ...(isJson && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as FormData) }),
    ...(timeoutMilliseconds !== undefined && { signal: AbortSignal.timeout(timeoutMilliseconds) }),
  }).catch(offline)
  const text = await response.text().catch(offline)
  const content = parsed(text)
  const { status } = response
  if (response.ok) {
    // The sign-in page of a captive portal.
    if (content === undefined && text !== '') offline()
    return { body: content as Body, etag: response.headers.get('etag') ?? undefined }
  }
  const { code, details } = (content ?? {}) as { code?: unknown; details?: unknown }
  const seconds = Number(response.headers.get('retry-after') ?? NaN)
  throw new Refusal(
    typeof code === 'string' ? code : 'INTERNAL',
    typeof details === 'object' && details !== null ? { ...details } : {},
    {
      status,
      retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
      isRepetition: response.headers.get('idempotency-replayed') === 'true',
    },
  )
}

/** Asks as fetch does, which does not tell what has left. */
const uploading =
  (onProgress: (share: number) => void) =>
  (
    address: string,
    { method = 'POST', headers, body, credentials, signal }: RequestInit,
  ): Promise<Response> =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(method, address)
      request.withCredentials = credentials === 'include'
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
      request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total))
      request.addEventListener('load', () => {
        const lines = request.getAllResponseHeaders().trim().split('\r\n')
        const given = lines.map((line) => line.split(/: ?(.*)/su, 2) as [string, string])
        resolve(new Response(request.responseText, { status: request.status, headers: given }))
      })
      for (const end of ['error', 'abort'] as const) request.addEventListener(end, reject)
      signal?.addEventListener('abort', () => request.abort())
      request.send(body as FormData)
    })

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    // A proxy's page.
    return undefined
  }
}

/** A new Idempotency-Key, of letters, digits and hyphens: `crypto.randomUUID` only exists over https and on localhost. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')

/** Sends a request with the visitor's cookie to the API of this page's site. @throws Refusal */
export async function request<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  return (await exchange<Body>(method, path, { body })).body
}
