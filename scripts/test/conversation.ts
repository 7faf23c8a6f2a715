import { expect } from 'vitest'

export type Ask = (path: string, init?: RequestInit) => Promise<Response>

const json = { 'content-type': 'application/json' }
const signedIn = { cookie: 'login=ada-is-signed-in' }
const review = JSON.stringify({ bubblerId: 1, rating: 5, comment: 'Cold' })
const posted = (headers: Record<string, string>, body: string): RequestInit => ({
  method: 'POST',
  headers: { ...json, ...headers },
  body,
})

/** Requests to the API wherever it is mounted, and the responses they must get. */
const conversation: readonly (readonly [path: string, init: RequestInit, status: number, body: object])[] = [
  ['/api', {}, 200, { apiVersion: '6', license: 'ODbL-1.0' }],
  ['/api/nothing', {}, 404, { code: 'NOT_FOUND' }],
  ['/api/reviews', posted({}, review), 401, { code: 'UNAUTHORIZED' }],
  ['/api/reviews', posted(signedIn, review), 201, { review: expect.objectContaining({ comment: 'Cold' }) }],
  ['/api/user', { headers: signedIn }, 200, { user: expect.objectContaining({ name: 'Ada' }) }],
  ['/api/reviews', posted(signedIn, '{'), 400, { code: 'INVALID_INPUT' }],
]

/** @param secret an API token of the registry */
export async function responsesTo(ask: Ask, secret: string): Promise<(readonly [number, unknown])[]> {
  const headers = { authorization: `Bearer ${secret}` }
  const edit = { ...posted(headers, JSON.stringify({ description: 'By the door' })), method: 'PATCH' }
  const responses: [number, unknown][] = []
  for (const [path, init] of [...conversation, ['/api/waypoints/1', edit] as const]) {
    const response = await ask(path, init)
    responses.push([response.status, await response.json()])
  }
  return responses
}

/** The expected result of `responsesTo` for a host that mounts the API correctly. */
export const expectedResponses = [
  ...conversation.map(([, , status, body]) => [status, expect.objectContaining(body)]),
  [200, expect.objectContaining({ id: 1, description: 'By the door' })],
]
