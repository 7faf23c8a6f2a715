import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { version } from '../src/version.ts'

test('the server says the version of its package', async () => {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  expect(JSON.parse(manifest)).toMatchObject({ version })
})
