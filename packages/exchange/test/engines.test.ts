import { token, type Registry } from '@openfountain/core'
import { describe, expect, test } from 'vitest'
import { mirrorRegistry } from '../src/index.ts'
import { contentOf, logOf, opened, original, served } from './mirror/stage.ts'

const on = (engine: 'SQLite' | 'PostgreSQL') => opened(engine === 'SQLite' ? ':memory:' : undefined)

async function mustBeCopied(copy: Registry, registry: Registry): Promise<void> {
  expect(await logOf(copy)).toEqual(await logOf(registry))
  expect(await contentOf(copy)).toEqual(await contentOf(registry))
  expect(await copy.changes.verify()).toMatchObject({ ok: true, problems: [] })
}

describe.each([
  ['SQLite', 'PostgreSQL'],
  ['PostgreSQL', 'SQLite'],
] as const)('a mirror of a registry on %s is on %s', (from, to) => {
  test('and has its log and its content, what is changed and redacted later as well', async () => {
    const [registry, copy] = [await original(await on(from)), await on(to)]
    const url = await served(registry)
    await mirrorRegistry(url, copy)
    await mustBeCopied(copy, registry)
    await registry.waypoints.update(1, { name: 'Renamed 💧', latitude: 55 }, token())
    const [creation] = (await registry.changes.list({ order: 'asc', bubblerId: 1 })).logs
    await registry.changes.redact(creation?.id ?? 0, { reason: 'asked for by the author' })
    await registry.accounts.leave('ada', { texts: 'erase' })
    await mirrorRegistry(url, copy)
    await mustBeCopied(copy, registry)
  })
})
