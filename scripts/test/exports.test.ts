import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { publicExports } from '../generate/exports.ts'
import { root } from '../packages/folders.ts'

// Most tests here wait for other programs, however long those take.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 })

test('packages export what docs/reference/exports.md lists; npm run generate accepts a change', async () => {
  expect(publicExports()).toBe(await readFile(join(root, 'docs/reference/exports.md'), 'utf8'))
})
