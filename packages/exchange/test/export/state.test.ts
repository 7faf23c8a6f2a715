import path from 'node:path'
import { defaultRules, openRegistry, token, type RegistryOptions } from '@openfountain/core'
import { expect, test } from 'vitest'
import { newFolder } from '@openfountain/testing/folder'
import { emptyRegistry, placed } from '@openfountain/testing/registry'
import { exportState, type RegistryExportOptions } from '../../src/index.ts'

const lund = { name: 'Lund', author: 'City', clock: () => new Date('2026-03-01T08:00:00Z') }

test('the state of an export is another one after each change of what it would contain, and only then', async () => {
  const registry = await emptyRegistry(lund)
  const state = (options: RegistryExportOptions | object = {}) => exportState(registry, options)
  const states = [await state()]
  expect(await state({ onProgress: () => {}, asOf: '2026-03-01' })).toBe(states[0])
  const changes: readonly (() => Promise<unknown>)[] = [
    () => registry.users.create({ id: 'ada', name: 'Ada', xp: 200 }),
    () => placed(registry, { description: 'Call 0171 1234' }),
    () => registry.waypoints.update(1, { description: 'Cold' }, token()),
    async () => {
      const { logs } = await registry.changes.list()
      await registry.changes.redact(logs[0]?.id ?? 0, { fields: ['description'], reason: 'A number' })
    },
    () => registry.users.update('ada', { name: 'Ada L.' }),
    () => registry.waypoints.delete(1, token()),
  ]
  for (const change of changes) {
    await change()
    states.push(await state())
  }
  const last = states.at(-1)
  for (const options of [
    { asOf: '2026-03-02' },
    { formats: ['csv'] },
    { license: 'CC0-1.0' },
    { fictional: true },
    { precompress: true },
    { where: { country: 'SE' } },
  ])
    states.push(await state(options))
  expect(new Set(states).size).toBe(states.length)
  expect(await state()).toBe(last)
})

test('who publishes a registry and its rules are part of the state, and being opened again is not', async () => {
  const database = path.join(newFolder(), 'lund.db')
  const stateWith = async (options: Partial<RegistryOptions>) => {
    const registry = await openRegistry({ ...lund, database, ...options })
    return exportState(registry, {}).finally(() => registry.close())
  }
  const first = await stateWith({})
  expect(await stateWith({})).toBe(first)
  const { levels } = defaultRules
  const others: Partial<RegistryOptions>[] = [
    { name: 'Malmö' },
    { author: 'People' },
    { license: 'CC0-1.0' },
    { rules: { ...defaultRules, levels: { ...levels, starts: levels.starts.slice(0, -1) } } },
    { properties: { type: 'object', properties: { height: { type: 'number', title: 'Height' } } } },
  ]
  for (const more of others) expect(await stateWith(more), Object.keys(more).join()).not.toBe(first)
})
