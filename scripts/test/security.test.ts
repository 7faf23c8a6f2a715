import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { securityEvents } from '@openfountain/core'
import { refusalEvents } from '@openfountain/server'
import { expect, test } from 'vitest'
import { root } from '../packages/folders.ts'

const page = await readFile(join(root, 'docs/security.md'), 'utf8')

test('docs/security.md has every security event with its meaning, and no other', () => {
  const rows = [...page.matchAll(/^\| `([a-z]+\.[a-z]+)` +\| (.+?) +\|$/gmu)].map(([, name, meaning]) => [
    name,
    meaning,
  ])
  expect(rows).toEqual(Object.entries({ ...refusalEvents, ...securityEvents }))
})
