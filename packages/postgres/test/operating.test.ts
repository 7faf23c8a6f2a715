/** @module-tag postgres */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, inject, test } from 'vitest'
import { openRegistry } from '@openfountain/core'
import { answered, openfountain } from '@openfountain/testing/command/shell'
import { temporaryFolder } from '@openfountain/testing/registry'
import { z } from 'zod'
import { runExample } from '../../../scripts/packages/example.ts'
import { fullHistory } from '@openfountain/testing/histories/full-history'
import { asAdmin } from '@openfountain/testing/postgres/cluster'
import { emptyDatabase } from '@openfountain/testing/postgres/empty-database'

type Finding = Readonly<Record<'subject' | 'state' | 'message', string>>

async function findingsOf(args: readonly string[]): Promise<readonly Finding[]> {
  const { stdout } = await openfountain(['doctor', ...args, '--offline', '--json'])
  return (JSON.parse(stdout) as { findings: readonly Finding[] }).findings
}

test('a folder is made for a registry on a server, whose services reach it, and the doctor looks at that', async () => {
  const cwd = await temporaryFolder()
  const address = await emptyDatabase()
  const made = await answered(z.looseObject({ link: z.string() }), ['init', 'lund', '--db', address], { cwd })
  const folder = path.join(cwd, 'lund')
  expect(made).toMatchObject({ database: address, link: expect.stringContaining('/sign-in/#ofl_') as string })
  const unit = async (name: string): Promise<string> => readFile(path.join(folder, 'systemd', name), 'utf8')
  for (const name of ['openfountain-publish.service', 'openfountain-backup.service']) {
    expect(await unit(name)).toContain('RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK')
    expect(await unit(name)).not.toContain('PrivateNetwork')
  }
  const found = await findingsOf([folder])
  expect(found.filter(({ subject }) => ['settings', 'database', 'modes'].includes(subject))).toEqual([
    { subject: 'settings', state: 'ok', message: `Read from ${folder}/openfountain.env` },
    { subject: 'database', state: 'ok', message: expect.stringContaining('0 entries in the log') as string },
    { subject: 'modes', state: 'ok', message: expect.any(String) as string },
  ])
  await asAdmin(inject('postgres'), `drop database ${new URL(address).pathname.slice(1)}`)
  const gone = await findingsOf([folder])
  expect(gone.find(({ subject }) => subject === 'database')).toMatchObject({ state: 'wrong' })
})

test('the doctor takes the password from where the settings of the folder say, as the services do', async () => {
  const cwd = await temporaryFolder()
  const cluster = inject('postgres')
  await asAdmin(cluster, `create role keeper login password 'hunter2'`)
  const own = await emptyDatabase()
  await (await openRegistry({ database: own })).close()
  const address = own.replace(/\/\/[^@]*@/u, '//keeper@')
  await asAdmin(cluster, `grant openfountain to keeper`)
  await writeFile(path.join(cwd, 'pgpass'), `*:*:*:keeper:hunter2\n`, { mode: 0o600 })
  const settings = `OPENFOUNTAIN_DB="${address}"\nPGPASSFILE=pgpass\n`
  await writeFile(path.join(cwd, 'openfountain.env'), settings, { mode: 0o600 })
  const found = await findingsOf([cwd])
  expect(found.filter(({ subject }) => ['database', 'modes'].includes(subject))).toEqual([
    { subject: 'database', state: 'ok', message: expect.stringContaining('0 entries') as string },
    { subject: 'modes', state: 'ok', message: expect.any(String) as string },
  ])
})

test('the command copies a file to a server and back, and says what it copied', async () => {
  const [cwd, database] = [await temporaryFolder(), await emptyDatabase()]
  await writeFile(path.join(cwd, 'city.db'), await fullHistory())
  const there = await answered(z.looseObject({}), ['copy', 'city.db', database], { cwd })
  expect(there).toMatchObject({ from: 'city.db', to: database, waypoints: 266, left: [] })
  const back = await openfountain(['copy', database, 'back.db'], { cwd })
  expect(back).toMatchObject({ code: 0, stderr: '' })
  expect(back.stdout).toContain('266 waypoints')
  expect(back.stdout).not.toContain('Not copied')
  expect((await openfountain(['log', 'verify', '--db', 'back.db'], { cwd })).code).toBe(0)
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
