/** @module-tag postgres */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { runExample } from '../../../scripts/packages/example.ts'
import { answered, openfountain } from '@openfountain/testing/command/shell'
import { temporaryFolder } from '@openfountain/testing/registry'
import { fullHistory } from '@openfountain/testing/histories/full-history'
import { emptyDatabase } from '@openfountain/testing/postgres/empty-database'

const Copied = z.strictObject({
  from: z.string(),
  to: z.string(),
  waypoints: z.int(),
  entries: z.int(),
  rows: z.record(z.string(), z.int()),
  continued: z.int(),
  left: z.array(z.string()),
})

test('the command copies a file to a server and back, and says what it copied', async () => {
  const [cwd, database] = [await temporaryFolder(), await emptyDatabase()]
  await writeFile(path.join(cwd, 'city.db'), await fullHistory())
  const there = await answered(Copied, ['copy', 'city.db', database], { cwd })
  expect(there).toMatchObject({ from: 'city.db', to: database, waypoints: 266, continued: 0 })
  const back = await openfountain(['copy', database, 'back.db'], { cwd })
  expect(back).toMatchObject({ code: 0, stderr: '' })
  expect(back.stdout).toContain('266 waypoints')
  expect(back.stdout).not.toContain('Not copied')
  const verified = await openfountain(['log', 'verify', '--db', 'back.db'], { cwd })
  expect(verified.code).toBe(0)
})

test('the command refuses an address with a password, which others could read, and repeats nothing of it', async () => {
  const cwd = await temporaryFolder()
  for (const address of [
    'postgres://fountains:hunter2@127.0.0.1:1/fountains',
    'postgresql://fountains@127.0.0.1:1/fountains?password=hunter2',
  ]) {
    const { code, stdout, stderr } = await openfountain(['copy', address, 'copy.db'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('PGPASSWORD')
    expect(stdout + stderr).not.toContain('hunter2')
  }
  expect(existsSync(path.join(cwd, 'copy.db'))).toBe(false)
})

test('the command says that a server cannot be reached, with an exit code of its own', async () => {
  const cwd = await temporaryFolder()
  const address = 'postgres://fountains@127.0.0.1:1/fountains?connect_timeout=1'
  const { code, stderr } = await openfountain(['copy', address, 'copy.db'], { cwd })
  expect(code).toBe(19)
  expect(stderr).toContain('refuses connections')
})

test('an example of a host keeps its own table on both engines, and the command names what it leaves', async () => {
  const [cwd, database] = [await temporaryFolder(), await emptyDatabase()]
  const added = (code: string): string =>
    `Allotments has key A 113\nStadium was not added: ${code}\n1 fountain\n`
  expect(await runExample('own-tables.ts', ['city.db'], cwd)).toBe(added('SQLITE_CONSTRAINT_PRIMARYKEY'))
  expect(await runExample('own-tables.ts', [database], cwd)).toBe(added('23505'))
  for (const [from, to] of [
    ['city.db', 'there.db'],
    [database, 'back.db'],
  ] as const) {
    const { stdout } = await openfountain(['copy', from, to], { cwd })
    expect(stdout).toContain("Not copied, since they are not the registry's: host_keys")
  }
})
