import assert from 'node:assert/strict'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { counted, seed } from '@openfountain/testing/effort'
import { hostileRequests } from '@openfountain/testing/server/hostile'
import { openStage } from '@openfountain/testing/server/stage'

const runs = 3000

/** Sends hostile requests. The layers in front of the registry are the same on every engine. */
async function fuzz(numRuns: number, from: number): Promise<void> {
  const stage = await openStage()
  const routes = Object.entries(stage.document.paths).flatMap(([route, operations]) =>
    Object.keys(operations).map((method) => [method.toUpperCase(), route] as const),
  )
  const seen = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(hostileRequests(routes), async ({ method, path, as, headers, body }) => {
      const request = new Request(`http://fountains.test${path}`, {
        method,
        headers: { ...headers, ...stage.secrets[as] },
        ...(body === undefined ? {} : { body }),
      })
      const response = await stage.app.fetch(request)
      seen.set(response.status, (seen.get(response.status) ?? 0) + 1)
      assert.ok(response.status < 500, `${method} ${path} answered ${response.status}`)
      // In a URL `/api/user/%2E` is `/api/user/`.
      const { pathname, search } = new URL(request.url)
      await stage.conformance.check(method, pathname + search, response)
      await response.body?.cancel()
    }),
    { numRuns, seed: from, endOnFailure: true },
  )
  expect(stage.failures).toEqual([])
  // The requests cover all outcomes: some pass, some are refused in each way.
  for (const status of [200, 201, 304, 400, 401, 403, 404, 405, 413, 415]) {
    assert.ok((seen.get(status) ?? 0) > 0, `nothing was answered ${status}`)
  }
  const found = await stage.registry.changes.verify()
  expect(found.problems).toEqual([])
  expect(Object.prototype).not.toHaveProperty('name')
  await stage.close()
}

const what = 'hostile requests get declared responses, break nothing, and leave a registry that verifies'

test(`${runs} ${what}`, () => fuzz(runs, seed))

test(`many ${what}`, { tags: ['long'] }, () =>
  fuzz(counted({ quick: 5000, all: 20_000, full: 200_000 }), seed + 1),
)
