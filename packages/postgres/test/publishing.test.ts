/** @module-tag postgres */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openRegistry, token } from '@openfountain/core'
import { folder, started } from '@openfountain/testing/command/shell'
import { emptyDatabase } from '@openfountain/testing/postgres/empty-database'
import { Proxy } from './proxy.ts'

const { port } = inject('postgres')

/** Waits until something holds. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50))
}

test('a registry that is followed is published also after its server was away, of which a line says so', async () => {
  const database = await emptyDatabase()
  const registry = await openRegistry({ database })
  onTestFinished(() => registry.close())
  await registry.waypoints.create({ name: 'Mill', latitude: 55.7, longitude: 13.19 }, token())
  const proxy = await Proxy.start(port)
  onTestFinished(() => proxy.stop())
  const cwd = await folder()
  const page = () => readFile(path.join(cwd, 'public/waypoint/1/index.html'), 'utf8').catch(() => '')
  const watch = ['publish', '--out', 'public', '--languages', 'en', '--formats', 'csv', '--watch']
  const { child, end } = started([...watch, '--every', '1', '--quiet', '0'], {
    cwd,
    env: { OPENFOUNTAIN_DB: database.replace(`:${port}`, `:${proxy.port}`) },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stderr?.on('data', (text: string) => (said += text))
  await until(async () => (await page()).includes('Mill') || child.exitCode !== null)
  expect({ exit: child.exitCode, said }).toMatchObject({ exit: null })

  proxy.isAway = true
  proxy.cut()
  await until(() => said.includes('cannot be read'))
  // It is away still, and what was published stays.
  await registry.waypoints.update(1, { name: 'Rill' }, token())
  expect(await page()).toContain('Mill')
  expect(child.exitCode).toBe(null)

  proxy.isAway = false
  await until(async () => (await page()).includes('Rill') || child.exitCode !== null)
  expect(child.exitCode).toBe(null)
  child.kill('SIGTERM')
  const { code, stderr } = await end
  expect(code).toBe(0)
  const notes = stderr.split('\n').filter((line) => /registry|database|again|failed|Error/iu.test(line))
  expect(notes.length).toBeGreaterThan(0)
  for (const note of notes)
    expect(note).toMatch(/^The registry cannot be read: .+ It is tried again in \d+ seconds?\.$/u)
}, 300_000)
