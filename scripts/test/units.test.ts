/** @module-tag process */
import { execFile } from 'node:child_process'
import { glob } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from '../packages/folders.ts'

const run = promisify(execFile)
const units = (await Array.fromAsync(glob('examples/self-hosting/*.service', { cwd: root }))).toSorted()

/** The most exposure that a unit may have, of 10. */
const most = 2.5

test.each(units)('what %s may do is confined, by settings that systemd knows', async (file) => {
  expect(units).toHaveLength(6)
  const args = ['security', '--offline=true', '--no-pager', path.join(root, file)]
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  const { stdout, stderr } = await run('systemd-analyze', args, { env })
  const [, exposure] = /^→ Overall exposure level for \S+: (\d+\.\d) /mu.exec(stdout) ?? []
  expect(Number(exposure)).toBeLessThanOrEqual(most)
  expect(stderr).toBe('')
})
