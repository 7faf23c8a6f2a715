import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openRegistry } from '@openfountain/core'
import { endpointsOf } from '../../packages/server/src/endpoints/all.ts'
import { root } from '../packages/folders.ts'

test('the map of routes names for every write the decision that it asks, which is one', async () => {
  const folder = path.join(root, 'packages/core/src/decide')
  const files = await readdir(folder)
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))
  const decisions = new Set(
    texts.flatMap((text) => [...text.matchAll(/^export function\* (\w+)/gmu)].map(([, name]) => name)),
  )
  const registry = await openRegistry({ database: ':memory:' })
  const writes = endpointsOf({ registry, options: {}, version: '' }).filter(({ method }) => method !== 'GET')
  await registry.close()
  expect(writes.length).toBeGreaterThan(5)
  const unknown = writes.filter(({ decision }) => decision === undefined || !decisions.has(decision))
  // A picture of a user is not supported, and always refused.
  expect(unknown.map(({ name }) => name)).toEqual(['setPicture'])
})
