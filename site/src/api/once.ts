import { exchange, newKey, Refusal } from './request.ts'

/** Idempotency keys of writes with an unknown outcome: a retry must reuse the key. */
const open = new Map<string, string>()

const isUncertain = (error: unknown): boolean =>
  !(error instanceof Refusal) || error.code === 'OFFLINE' || (error.status ?? 500) >= 500

/** Sends a moderator's write at once, with an Idempotency-Key: after a lost response, a retry is done once. @throws Refusal */
export async function send<Body>(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  ifMatch?: string,
): Promise<Body> {
  const same = JSON.stringify([method, path, body, ifMatch])
  const key = open.get(same) ?? newKey()
  open.set(same, key)
  try {
    const { body: result } = await exchange<Body>(method, path, {
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
