/** @module-tag process */
import { chmod, chown, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openRegistry, restoreDatabase, type Registry } from '@openfountain/core'
import { createNew } from '../src/store/sqlite/connection/private-file.ts'
import { placed, refusal, temporaryFolder } from '@openfountain/testing/registry'

let umask: number
beforeEach(() => {
  umask = process.umask(0)
})
afterEach(() => {
  process.umask(umask)
})

async function modeOf(file: string): Promise<string> {
  return ((await stat(file)).mode & 0o777).toString(8)
}

async function modesIn(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).toSorted()
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await modeOf(path.join(folder, name))])),
  )
}

async function opened(): Promise<{ folder: string; database: string; registry: Registry }> {
  const folder = await temporaryFolder()
  const database = path.join(folder, 'registry.db')
  const registry = await openRegistry({ database })
  await placed(registry)
  return { folder, database, registry }
}

const open = { 'registry.db': '600', 'registry.db-shm': '600', 'registry.db-wal': '600' }

describe.skipIf(process.platform === 'win32')('under a umask of 0', () => {
  test('only the owner can access a new database and the files beside it, also through a link', async () => {
    const { folder, registry } = await opened()
    expect(await modesIn(folder)).toEqual(open)
    await registry.close()
    expect(await modesIn(folder)).toEqual({ 'registry.db': '600' })
    await mkdir(path.join(folder, 'elsewhere'))
    await symlink('elsewhere/registry.db', path.join(folder, 'link.db'))
    const linked = await openRegistry({ database: path.join(folder, 'link.db') })
    expect(await modesIn(path.join(folder, 'elsewhere'))).toEqual(open)
    await linked.close()
  })

  test('a database with a wider mode is narrowed when it is opened for writing, as is its write-ahead log', async () => {
    const { folder, database, registry } = await opened()
    for (const name of await readdir(folder)) await chmod(path.join(folder, name), 0o664)
    const reader = await openRegistry({ database, readOnly: true })
    expect(new Set(Object.values(await modesIn(folder)))).toEqual(new Set(['664']))
    await reader.close()
    const writer = await openRegistry({ database })
    expect(await modesIn(folder)).toEqual(open)
    await writer.close()
    await registry.close()
  })

  test('a SQLite file that is not a registry keeps its mode', async () => {
    const file = path.join(await temporaryFolder(), 'others.db')
    const others = new Database(file)
    others.exec('create table things (id integer primary key)')
    others.close()
    await chmod(file, 0o644)
    expect((await refusal(openRegistry({ database: file }))).code).toBe('STORAGE_CORRUPT')
    expect(await modeOf(file)).toBe('644')
  })

  test('only the owner can access a backup, from its first page on', async () => {
    const { folder, registry } = await opened()
    const copy = path.join(folder, 'copy.db')
    const meanwhile: Promise<string>[] = []
    await registry.backup(copy, { onProgress: () => void meanwhile.push(modeOf(`${copy}.unfinished`)) })
    await registry.close()
    expect(new Set(await Promise.all(meanwhile))).toEqual(new Set(['600']))
    expect(await modesIn(folder)).toEqual({ 'copy.db': '600', 'copy.db.erased': '600', 'registry.db': '600' })
  })

  test('only the owner can access a restored database, even when the backup has a wider mode', async () => {
    const { folder, database, registry } = await opened()
    const copy = path.join(folder, 'copy.db')
    await registry.backup(copy)
    await registry.close()
    for (const file of [copy, database]) await chmod(file, 0o644)
    const meanwhile: Promise<string>[] = []
    const onProgress = () => void meanwhile.push(modeOf(`${database}.unfinished`))
    await restoreDatabase({ database, from: copy, replace: true, onProgress })
    expect(new Set(await Promise.all(meanwhile))).toEqual(new Set(['600']))
    expect(await modesIn(folder)).toEqual({ 'copy.db': '644', 'copy.db.erased': '600', 'registry.db': '600' })
  })
})

test.skipIf(process.platform === 'win32')(
  'a link in the place of an unfinished copy does not choose what is overwritten',
  async () => {
    const { folder, database, registry } = await opened()
    const [copy, victim] = [path.join(folder, 'copy.db'), path.join(folder, 'victim')]
    await writeFile(victim, 'precious')
    await symlink(victim, `${copy}.unfinished`)
    await registry.backup(copy)
    await registry.close()
    await symlink(victim, `${database}.unfinished`)
    await restoreDatabase({ database, from: copy, replace: true })
    expect(await readFile(victim, 'utf8')).toBe('precious')
    // A link that is created after the leftovers of an interrupted run were removed.
    const dangling = path.join(folder, 'dangling')
    await symlink(path.join(folder, 'new'), dangling)
    expect(() => createNew(dangling)).toThrow('EEXIST')
    expect(await readdir(folder)).not.toContain('new')
  },
)

test.runIf(process.getuid?.() === 0)('what root writes belongs to the owner of the folder', async () => {
  const nobodyUid = 65_534
  const folder = await temporaryFolder()
  await chown(folder, nobodyUid, nobodyUid)
  const [database, copy] = [path.join(folder, 'registry.db'), path.join(folder, 'copy.db')]
  const registry = await openRegistry({ database })
  await placed(registry)
  await registry.changes.redact(1, { fields: ['name'], reason: 'Asked for by the person' })
  await registry.backup(copy)
  const ownersIn = async () =>
    Promise.all((await readdir(folder)).map(async (name) => (await stat(path.join(folder, name))).uid))
  expect(await ownersIn()).toEqual(Array.from({ length: 6 }, () => nobodyUid))
  await registry.close()
  await restoreDatabase({ database, from: copy, replace: true })
  expect(new Set(await ownersIn())).toEqual(new Set([nobodyUid]))
})
