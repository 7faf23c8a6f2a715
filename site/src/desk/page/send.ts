import { exchange, Refusal, request } from '../../api/request.ts'
import { siteOfPage } from '../../api/site.ts'

/** Keys of writes of which it is not known whether they arrived: the same write again must be the same act. */
const open = new Map<string, string>()

/** Whether a write may have been done although it failed. */
const isUncertain = (error: unknown): boolean =>
  !(error instanceof Refusal) || error.code === 'OFFLINE' || (error.status ?? 500) >= 500

/**
 * Sends what a moderator decided, at once, with an Idempotency-Key: when the response did not come, repeating the same
 * write does it once.
 *
 * @throws Refusal
 */
export async function send<Body>(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  { body, ifMatch }: { readonly body?: unknown; readonly ifMatch?: string | undefined } = {},
): Promise<Body> {
  const same = JSON.stringify([method, path, body, ifMatch])
  const key = open.get(same) ?? crypto.randomUUID()
  open.set(same, key)
  try {
    const { body: result } = await exchange<Body>(siteOfPage(), method, path, {
      body,
      headers: { 'idempotency-key': key, ...(ifMatch !== undefined && { 'if-match': ifMatch }) },
    })
    open.delete(same)
    return result
  } catch (error) {
    if (!isUncertain(error)) open.delete(same)
    throw error
  }
}

/** Reads from the API. @throws Refusal */
export const read = <Body>(path: string): Promise<Body> => request<Body>('GET', path)
