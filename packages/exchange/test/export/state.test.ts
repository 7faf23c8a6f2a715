import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultRules, openRegistry, token, type RegistryOptions } from '@openfountain/core'
import { expect, onTestFinished, test } from 'vitest'
import { exportState } from '../../src/index.ts'

const lund = { name: 'Lund', author: 'City', clock: () => new Date('2026-03-01T08:00:00Z') }

test('the state of an export is another one after each change of what it would contain, and only then', async () => {
  const registry = await openRegistry({ ...lund, database: ':memory:' })
  onTestFinished(() => registry.close())
  const states = [await exportState(registry, {})]
  expect(await exportState(registry, { onProgress: () => {}, asOf: '2026-03-01' })).toBe(states[0])
  const { id } = await registry.users.create({ name: 'Ada', xp: 200 })
  states.push(await exportState(registry, {}))
  const { id: waypoint } = await registry.waypoints.create(
    { name: 'Mill', latitude: 55.7, longitude: 13.2, description: 'Call 0171 1234' },
    token(),
  )
  states.push(await exportState(registry, {}))
  await registry.waypoints.update(waypoint, { description: 'Cold' }, token())
  states.push(await exportState(registry, {}))
  const { logs } = await registry.changes.list()
  await registry.changes.redact(logs[0]?.id ?? 0, { fields: ['description'], reason: 'A number' })
  states.push(await exportState(registry, {}))
  await registry.users.update(id, { name: 'Ada L.' })
  states.push(await exportState(registry, {}))
  await registry.waypoints.delete(waypoint, token())
  states.push(await exportState(registry, {}))
  for (const options of [
    { asOf: '2026-03-02' },
    { formats: ['csv'] },
    { license: 'CC0-1.0' },
    { fictional: true },
    { precompress: true },
    { country: 'SE' },
  ])
    states.push(await exportState(registry, options))
  expect(new Set(states).size).toBe(states.length)
  expect(await exportState(registry, {})).toBe(states[6])
})

test('who publishes a registry and its rules are part of the state, and being opened again is not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'openfountain-state-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const stateWith = async (options: Partial<RegistryOptions>) => {
    const registry = await openRegistry({ ...lund, database: join(folder, 'lund.db'), ...options })
    const state = await exportState(registry, {})
    await registry.close()
    return state
  }
  const first = await stateWith({})
  expect(await stateWith({})).toBe(first)
  const { levels } = defaultRules
  const rules = { ...defaultRules, levels: { ...levels, starts: levels.starts.slice(0, -1) } }
  const others: Partial<RegistryOptions>[] = [
    { name: 'Malmö' },
    { author: 'People' },
    { license: 'CC0-1.0' },
    { rules },
    { properties: { type: 'object', properties: { height: { type: 'number', title: 'Height' } } } },
  ]
  for (const more of others) expect(await stateWith(more), JSON.stringify(Object.keys(more))).not.toBe(first)
})
