import type { OwnUser } from '@openfountain/core'
import { config } from './config.ts'

/** What GET /auth returns. */
export interface SignInOffer {
  readonly methods: readonly ('link' | 'passkey' | 'code' | 'provider')[]
  readonly providers: readonly { readonly id: string; readonly name: string }[]
  readonly registration: 'open' | 'invite' | 'closed'
  readonly user: OwnUser | null
}

/** A request that the server refused, or that did not reach it (`OFFLINE`). */
export class Refusal extends Error {
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>
  /** How long to wait, where the server says so. */
  readonly retryAfterSeconds: number | undefined

  constructor(code: string, details: Readonly<Record<string, unknown>> = {}, retryAfterSeconds?: number) {
    super(code)
    this.code = code
    this.details = details
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** The fields that were wrong. */
  get fields(): readonly string[] {
    const { issues } = this.details
    return Array.isArray(issues) ? issues.map(({ path }: { path?: unknown }) => String(path)) : []
  }
}

/** Sends a request with the visitor's cookie. @throws Refusal */
export async function request<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const response = await fetch(`${config.api}${path}`, {
    method,
    credentials: 'include',
    cache: 'no-store',
    // Mails are in the language of the page.
    headers: {
      accept: 'application/json',
      'accept-language': config.tag,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Refusal('OFFLINE')
  })
  const text = await response.text().catch(() => {
    throw new Refusal('OFFLINE')
  })
  const content: unknown = parsed(text)
  if (response.ok) return content as Body
  const { code, details } = (content ?? {}) as { code?: unknown; details?: unknown }
  const seconds = Number(response.headers.get('retry-after') ?? NaN)
  throw new Refusal(
    typeof code === 'string' ? code : 'INTERNAL',
    typeof details === 'object' && details !== null ? { ...details } : {},
    Number.isFinite(seconds) ? seconds : undefined,
  )
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    // A proxy's page.
    return undefined
  }
}

/** How people sign in here, and who is signed in. @throws Refusal */
export const signInOffer = (): Promise<SignInOffer> => request('GET', '/auth')
