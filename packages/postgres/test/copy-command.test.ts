/** @module-tag postgres */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { runExample } from '../../../scripts/packages/example.ts'
import { answered, openfountain } from '@openfountain/testing/command/shell'
import { temporaryFolder } from '@openfountain/testing/registry'
import { fullHistory } from '@openfountain/testing/histories/full-history'
import { emptyDatabase } from '@openfountain/testing/postgres/empty-database'

test('the command copies a file to a server and back, and says what it copied', async () => {
  const [cwd, database] = [await temporaryFolder(), await emptyDatabase()]
  await writeFile(path.join(cwd, 'city.db'), await fullHistory())
  const there = await answered(z.looseObject({}), ['copy', 'city.db', database], { cwd })
  expect(there).toMatchObject({ from: 'city.db', to: database, waypoints: 266, continued: 0, left: [] })
  const back = await openfountain(['copy', database, 'back.db'], { cwd })
  expect(back).toMatchObject({ code: 0, stderr: '' })
  expect(back.stdout).toContain('266 waypoints')
  expect(back.stdout).not.toContain('Not copied')
  expect((await openfountain(['log', 'verify', '--db', 'back.db'], { cwd })).code).toBe(0)
  // A server that cannot be reached has an exit code of its own.
  const away = 'postgres://fountains@127.0.0.1:1/fountains?connect_timeout=1'
  const { code, stderr } = await openfountain(['copy', away, 'copy.db'], { cwd })
  expect([code, stderr]).toEqual([19, expect.stringContaining('refuses connections')])
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
