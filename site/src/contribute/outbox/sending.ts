import type { Waypoint } from '@openfountain/core'
import { exchange, Refusal } from '../../api/request.ts'
import type { SiteAddress } from '../../api/site.ts'
import type { KeptRefusal, StoredAct } from './act.ts'

/** What came of sending an act. */
export type Sent =
  | { readonly state: 'done'; readonly answer: unknown; readonly etag: string | undefined }
  | { readonly state: 'conflict'; readonly theirs?: Waypoint; readonly mergedInto?: number }
  | { readonly state: 'refused'; readonly refusal: KeptRefusal }
  | { readonly state: 'signed out' }
  /** There is no network, or the server is busy; whether it has the act is not known. */
  | { readonly state: 'later'; readonly afterSeconds: number | undefined }

const timeoutMilliseconds = 30_000

/** Sends an act once. Never rejects. */
export async function send(site: SiteAddress, act: StoredAct): Promise<Sent> {
  const { method, path, body, key, ifMatch } = act
  try {
    const { body: answer, etag } = await exchange(site, method, path, {
      body,
      headers: { 'idempotency-key': key, ...(ifMatch !== undefined && { 'if-match': ifMatch }) },
      timeoutMilliseconds,
    })
    return { state: 'done', answer, etag }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return classified(act, error)
  }
}

function classified({ kind, path }: StoredAct, refusal: Refusal): Sent {
  const { code, details, status, retryAfterSeconds } = refusal
  if (code === 'UNAUTHORIZED') return { state: 'signed out' }
  // An error of a proxy has no code of the API, which is then not reached.
  if (status === undefined || status >= 500 || status === 429 || code === 'INTERNAL')
    return { state: 'later', afterSeconds: retryAfterSeconds }
  if (code === 'PRECONDITION_FAILED') {
    const { waypoint } = details
    return { state: 'conflict', ...(isWaypoint(waypoint) && { theirs: waypoint }) }
  }
  if (code === 'NOT_FOUND' && path.startsWith('/waypoints/')) {
    // It is gone, as was wanted.
    if (kind === 'delete') return { state: 'done', answer: undefined, etag: undefined }
    const { mergedInto } = details
    return { state: 'conflict', ...(typeof mergedInto === 'number' && { mergedInto }) }
  }
  return { state: 'refused', refusal: { code, details, status } }
}

const isWaypoint = (value: unknown): value is Waypoint =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'
