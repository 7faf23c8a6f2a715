import assert from 'node:assert/strict'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOnPostgres } from '@openfountain/testing/database'
import { hostileRequests } from '@openfountain/testing/server/hostile'
import { openStage } from '@openfountain/testing/server/stage'

// What is in front of the registry is the same on every engine.
const requests = Number(process.env['OPENFOUNTAIN_REQUESTS'] ?? (isOnPostgres() ? 2000 : 10_000))
const seed = Number(process.env['OPENFOUNTAIN_SEED'] ?? Date.now() % 1_000_000)

test(`${requests} hostile requests of seed ${seed} get declared responses, break nothing, and leave a registry that verifies`, async () => {
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
    { numRuns: requests, seed, endOnFailure: true },
  )
  expect(stage.failures).toEqual([])
  // The requests come far enough to mean something: some are let through, some are refused in each way.
  for (const status of [200, 201, 304, 400, 401, 403, 404, 405, 413, 415]) {
    assert.ok((seen.get(status) ?? 0) > 0, `nothing was answered ${status}`)
  }
  const found = await stage.registry.changes.verify()
  expect(found.problems).toEqual([])
  expect(Object.prototype).not.toHaveProperty('name')
  await stage.close()
}, 600_000)
