/** @module-tag process */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

function importedUnder(version: string, nodeApi: string): string {
  const program = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, napi: '${nodeApi}' } })
    Object.defineProperty(process, 'version', { value: '${version}' })
    console.log(await import('@openfountain/core').then(() => 'loaded', ({ message }) => message))`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=openfountain-source', '--input-type=module', '--eval', program],
    { cwd: import.meta.dirname, encoding: 'utf8' },
  )
  return stdout + stderr
}

test.each([
  ['v20.20.2', '9'],
  ['v22.12.0', '9'],
  ['v23.5.0', '9'],
])('under Node %s the library says in one line which Node it needs', (version, nodeApi) => {
  expect(importedUnder(version, nodeApi)).toBe(
    `openfountain needs Node 22.14 or newer (not 23.0 to 23.5), this is ${version}: install one from https://nodejs.org\n`,
  )
})

test('the library loads under a Node with the interface that the database needs', () => {
  expect(importedUnder('v22.14.0', '10')).toBe('loaded\n')
})
