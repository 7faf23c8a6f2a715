import { expect } from 'vitest'

/** Sends a request to a host, as its clients do. */
export type Ask = (path: string, init?: RequestInit) => Promise<Response>

const json = { 'content-type': 'application/json' }
const signedIn = { cookie: 'login=ada-is-signed-in' }

const review = JSON.stringify({ bubblerId: 1, rating: 5, comment: 'Cold' })

/** Requests to the API wherever it is mounted, and the responses they must get. */
const conversation: readonly (readonly [path: string, init: RequestInit, status: number, body: object])[] = [
  ['/api', {}, 200, { apiVersion: '6', license: 'ODbL-1.0' }],
  ['/api/nothing', {}, 404, { code: 'NOT_FOUND' }],
  ['/api/reviews', { method: 'POST', headers: json, body: review }, 401, { code: 'UNAUTHORIZED' }],
  [
    '/api/reviews',
    { method: 'POST', headers: { ...json, ...signedIn }, body: review },
    201,
    { review: expect.objectContaining({ userId: 'ada', rating: 5 }) },
  ],
  ['/api/user', { headers: signedIn }, 200, { user: expect.objectContaining({ id: 'ada', name: 'Ada' }) }],
  [
    '/api/reviews',
    { method: 'POST', headers: { ...json, ...signedIn }, body: '{' },
    400,
    { code: 'INVALID_INPUT' },
  ],
]

/**
 * Asks the API of a host with the accounts of `examples/accounts.ts`, over a registry with one waypoint.
 *
 * @param secret an API token of the registry
 */
export async function answersTo(ask: Ask, secret: string): Promise<(readonly [number, unknown])[]> {
  const answers: [number, unknown][] = []
  for (const [path, init] of conversation) {
    const answer = await ask(path, init)
    answers.push([answer.status, await answer.json()])
  }
  const withToken = await ask('/api/waypoints/1', {
    method: 'PATCH',
    headers: { ...json, authorization: `Bearer ${secret}` },
    body: JSON.stringify({ description: 'By the door' }),
  })
  return [...answers, [withToken.status, await withToken.json()]]
}

/** What `answersTo` returns for a host that mounts the API well. */
export const expectedAnswers = [
  ...conversation.map(([, , status, body]) => [status, expect.objectContaining(body)]),
  [200, expect.objectContaining({ id: 1, description: 'By the door' })],
]
