import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { publicExports } from '../generate/exports.ts'
import { root } from '../packages/folders.ts'

test('packages export what docs/reference/exports.md lists; npm run generate accepts a change', async () => {
  expect(publicExports()).toBe(await readFile(join(root, 'docs/reference/exports.md'), 'utf8'))
})
