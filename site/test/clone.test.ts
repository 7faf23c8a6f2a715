/** @module-tag long */
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { freshFolder } from '@openfountain/testing/site/sample'
import { exportOf } from '@openfountain/testing/site/sites'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A folder like a fresh clone after `npm ci`: sources and dependencies, and no package that was built. */
async function unbuiltClone(): Promise<string> {
  const clone = await freshFolder()
  const parts = {
    'packages/core': ['package.json', 'src'],
    site: ['package.json', 'src', 'public', 'icons'],
  }
  for (const [folder, names] of Object.entries(parts)) {
    for (const name of names)
      await cp(path.join(root, folder, name), path.join(clone, folder, name), { recursive: true })
  }
  await mkdir(path.join(clone, 'node_modules/@openfountain'), { recursive: true })
  const core = 'node_modules/@openfountain/core'
  await symlink(path.join(clone, 'packages/core'), path.join(clone, core), 'junction')
  for (const name of await readdir(path.join(root, 'node_modules'))) {
    if (name.startsWith('.') || name === '@openfountain') continue
    await symlink(path.join(root, 'node_modules', name), path.join(clone, 'node_modules', name), 'junction')
  }
  return clone
}

test('the site is built where no package is built, as in a fresh clone', async () => {
  const clone = await unbuiltClone()
  const out = path.join(clone, 'out')
  const module = pathToFileURL(path.join(clone, 'site/src/index.ts')).href
  const program = `const { buildSite } = await import(${JSON.stringify(module)})
    await buildSite(${JSON.stringify({ data: await exportOf('sample'), out, languages: ['en'] })})`
  const options = ['--conditions=openfountain-source', '--input-type=module', '--eval', program]
  const { stderr } = await promisify(execFile)(process.execPath, options)
  expect(stderr).toBe('')
  expect(await readFile(path.join(out, 'index.html'), 'utf8')).toContain('Lindenau Fountains')
  expect(await readdir(path.join(out, 'map/js'))).not.toEqual([])
})
