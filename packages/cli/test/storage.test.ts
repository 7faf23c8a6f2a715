/** @module-tag process */
import { spawnSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openRegistry, token } from '@openfountain/core'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { answered, folder, openfountain } from '@openfountain/testing/command/shell'

const isRoot = process.getuid?.() === 0
const nobody = 65_534

async function registryIn(cwd: string): Promise<string> {
  const database = path.join(cwd, 'openfountain.db')
  const registry = await openRegistry({ database })
  for (let count = 1; count <= 20; count++)
    await registry.waypoints.create({ name: `Fountain ${count}`, latitude: count, longitude: 7 }, token())
  await registry.close()
  return database
}

/** Refused with a code, a message in one line, the code of the catalogue with --json, and nothing on standard output. */
async function isRefused(
  args: readonly string[],
  { cwd, uid }: { cwd: string; uid?: number },
  { code, name, message }: { code: number; name: string; message: string },
): Promise<void> {
  const options = { cwd, ...(uid !== undefined && { uid }) }
  const told = await openfountain(args, options)
  expect({ code: told.code, stdout: told.stdout }).toEqual({ code, stdout: '' })
  expect(told.stderr).toContain(message)
  expect(told.stderr.trim().split('\n')).toHaveLength(1)
  const json = await openfountain([...args, '--json'], options)
  expect(json.code).toBe(code)
  expect(JSON.parse(json.stderr)).toMatchObject({ code: name })
}

describe('a database that is not there or is no registry', () => {
  test.each([['stats'], ['user list'], ['log verify'], ['log head'], ['token list'], ['user show ada']])(
    '%s begins no new registry by mistake',
    async (name) => {
      const cwd = await folder()
      const refusal = {
        code: 14,
        name: 'STORAGE_MISSING',
        message: 'There is no database at openfountain.db',
      }
      await isRefused(name.split(' '), { cwd }, refusal)
      expect(await readdir(cwd)).toEqual([])
    },
  )

  test('a missing folder is named', async () => {
    const cwd = await folder()
    const refusal = { code: 14, name: 'STORAGE_MISSING', message: 'does not exist: create it first' }
    await isRefused(['user', 'add', '--name', 'Ada', '--db', 'nowhere/x.db'], { cwd }, refusal)
    expect(await readdir(cwd)).toEqual([])
  })

  test('a text file is not taken for a registry, and left alone', async () => {
    const cwd = await folder()
    await writeFile(path.join(cwd, 'notes.txt'), 'milk, bread '.repeat(1000))
    for (const args of [['stats'], ['user', 'add', '--name', 'Ada']])
      await isRefused(
        [...args, '--db', 'notes.txt'],
        { cwd },
        { code: 13, name: 'STORAGE_CORRUPT', message: 'notes.txt' },
      )
    expect(await readFile(path.join(cwd, 'notes.txt'), 'utf8')).toBe('milk, bread '.repeat(1000))
  })

  test('another program’s SQLite file is not taken for a registry, and left alone', async () => {
    const cwd = await folder()
    const other = new Database(path.join(cwd, 'other.db'))
    other.exec('create table songs (title)')
    other.close()
    const refusal = { code: 13, name: 'STORAGE_CORRUPT', message: 'not an openfountain registry' }
    await isRefused(['user', 'add', '--name', 'Ada', '--db', 'other.db'], { cwd }, refusal)
    const again = new Database(path.join(cwd, 'other.db'))
    expect(again.prepare('select name from sqlite_schema').pluck().all()).toEqual(['songs'])
    again.close()
  })

  test('a folder is no database', async () => {
    const cwd = await folder()
    await mkdir(path.join(cwd, 'openfountain.db'))
    const { code, stderr } = await openfountain(['user', 'add', '--name', 'Ada'], { cwd })
    expect([13, 14]).toContain(code)
    expect(stderr).toContain('openfountain.db')
  })

  test('a registry of a newer version is left alone', async () => {
    const cwd = await folder()
    const database = await registryIn(cwd)
    const sqlite = new Database(database)
    sqlite.pragma('user_version = 999')
    sqlite.close()
    const refusal = { code: 15, name: 'STORAGE_NEWER', message: 'update openfountain' }
    const before = await readFile(database)
    await isRefused(['stats'], { cwd }, refusal)
    await isRefused(['user', 'add', '--name', 'Ada'], { cwd }, refusal)
    expect(before.equals(await readFile(database))).toBe(true)
  })

  test('damage in the middle of the file is reported, never ignored', async () => {
    const cwd = await folder()
    const database = await registryIn(cwd)
    const bytes = await readFile(database)
    bytes.fill(0xa5, 4096, bytes.length - 4096)
    await writeFile(database, bytes)
    const { code, stderr } = await openfountain(['log', 'verify'], { cwd })
    expect(code).toBe(13)
    expect(stderr).toContain('restore a backup')
  })
})

describe('a database that cannot be written', () => {
  test('another process that holds it for long is waited for, then reported', async () => {
    const cwd = await folder()
    const database = await registryIn(cwd)
    const holder = new Database(database)
    holder.exec('begin immediate')
    const { code, stderr } = await openfountain(['user', 'add', '--name', 'Ada'], { cwd })
    expect(code).toBe(10)
    expect(stderr).toContain('Another process holds the database')
    expect((await openfountain(['stats'], { cwd })).code).toBe(0)
    holder.exec('rollback')
    holder.close()
    expect((await openfountain(['user', 'add', '--name', 'Ada'], { cwd })).code).toBe(0)
  })

  test('a missing permission is reported, and a backup can be read', async () => {
    const cwd = await folder()
    const database = await registryIn(cwd)
    expect((await openfountain(['backup', 'copy.db'], { cwd })).code).toBe(0)
    for (const suffix of ['-wal', '-shm']) await rm(database + suffix, { force: true })
    for (const file of [database, path.join(cwd, 'copy.db')]) await chmod(file, 0o444)
    await chmod(cwd, 0o555)
    onTestFinished(() => chmod(cwd, 0o755))
    const refusal = (message: string) => ({ code: 12, name: 'STORAGE_READ_ONLY', message })
    // Permissions bind everybody but root.
    const bound = { cwd, ...(isRoot && { uid: nobody }) }
    const unwritable = 'cannot be written: check the permissions'
    await isRefused(['user', 'add', '--name', 'Ada'], bound, refusal(unwritable))
    await isRefused(['user', 'add', '--name', 'Ada', '--db', 'new.db'], bound, refusal(unwritable))
    await isRefused(['stats'], bound, refusal('make its folder writable for you, or read a backup'))
    const { code, stderr } = await openfountain(['stats', '--db', 'copy.db'], bound)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })
})

describe('a dry run of an import where nothing can be written', () => {
  /** A folder with a file to import and one with databases, neither of which can be written. */
  async function unwritable(): Promise<{
    readonly options: { cwd: string; uid?: number }
    readonly data: string
  }> {
    const [cwd, data] = [await folder(), await folder()]
    await writeFile(path.join(cwd, 'harbour.csv'), 'name,lat,lon\nHarbour,55.6,13\nNowhere,x,y\n')
    const copy = path.join(data, 'copy.db')
    await registryIn(data)
    expect((await openfountain(['backup', copy], { cwd: data })).code).toBe(0)
    for (const suffix of ['-wal', '-shm'])
      await rm(path.join(data, `openfountain.db${suffix}`), { force: true })
    for (const name of await readdir(data)) await chmod(path.join(data, name), 0o444)
    for (const closed of [cwd, data]) {
      await chmod(closed, 0o555)
      onTestFinished(() => chmod(closed, 0o755))
    }
    // Permissions bind everybody but root.
    return { options: { cwd, ...(isRoot && { uid: nobody }) }, data }
  }
  const dryRun = ['import', 'harbour.csv', '--dry-run', '--source', 'City', '--license', 'CC0-1.0', '--db']

  test.each(['new.db', 'copy.db'])('shows what it would do with %s, and leaves nothing', async (name) => {
    const { options, data } = await unwritable()
    const before = [await readdir(options.cwd), await readdir(data)]
    const args = [...dryRun, path.join(data, name)]
    const { code, stdout, stderr } = await openfountain([...args, '--json'], options)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ dryRun: true, counts: { created: 1, refused: 1 } })
    expect((await openfountain(args, options)).stdout).toContain('Dry run: nothing was written')
    expect([await readdir(options.cwd), await readdir(data)]).toEqual(before)
  })

  test('says what helps for a database that others write, and what cannot be written of what was asked for', async () => {
    const { options, data } = await unwritable()
    const refusal = (message: string) => ({ code: 12, name: 'STORAGE_READ_ONLY', message })
    const helps = 'make its folder writable for you, or read a backup'
    await isRefused([...dryRun, path.join(data, 'openfountain.db')], options, refusal(helps))
    const named = [...dryRun, path.join(data, 'new.db'), '--rejected', 'rejected.ndjson']
    const { code, stderr } = await openfountain(named, options)
    expect(code).not.toBe(0)
    expect(stderr).toContain('rejected.ndjson')
  })
})

/** Mounts a disk of so many kilobytes in a folder until the test is over. */
async function smallDisk(kilobytes: number): Promise<string> {
  const disk = await folder()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', disk])
  if (mounted.status !== 0) throw new Error(mounted.stderr.toString())
  onTestFinished(() => void spawnSync('umount', ['-l', disk]))
  return disk
}

describe.skipIf(!isRoot || process.platform !== 'linux')(
  `a disk that fills up ${isRoot ? '' : '(skipped: only root can mount one)'}`,
  () => {
    test('an import stops with the code of a full disk, and what was written before is whole', async () => {
      const disk = await smallDisk(9000)
      const database = await registryIn(disk)
      const rows = Array.from(
        { length: 30_000 },
        (_row, index) => `${index},"Fountain of a long name ${index}",${40 + index / 1e4},9`,
      )
      const work = await folder()
      await writeFile(path.join(work, 'many.csv'), `id,name,latitude,longitude\n${rows.join('\n')}\n`)
      const args = ['import', 'many.csv', '--source', 'Many', '--license', 'CC0-1.0', '--db', database]
      const { code, stderr } = await openfountain(args, { cwd: work })
      expect(code).toBe(11)
      expect(stderr).toContain('disk is full')
      const registry = await openRegistry({ database })
      expect(await registry.changes.verify()).toMatchObject({ ok: true })
      expect((await registry.statistics()).totalWaypoints).toBeGreaterThanOrEqual(20)
      await registry.close()
    })

    test('a backup leaves nothing half written', async () => {
      const cwd = await folder()
      await registryIn(cwd)
      const disk = await smallDisk(100)
      const { code, stderr } = await openfountain(['backup', path.join(disk, 'copy.db')], { cwd })
      expect(code).toBe(11)
      expect(stderr).toContain('full')
      expect(await readdir(disk)).toEqual([])
    })

    test('an export leaves the former one as it was', async () => {
      const cwd = await folder()
      await registryIn(cwd)
      const disk = await smallDisk(60)
      const out = path.join(disk, 'exports')
      await answered(z.unknown(), ['export', '--out', out, '--formats', 'geojson'], { cwd })
      const before = await readFile(path.join(out, 'waypoints.geojson'), 'utf8')
      const { size } = await stat(path.join(out, 'waypoints.geojson'))
      const { code, stderr } = await openfountain(['export', '--out', out], { cwd })
      expect(code).toBe(11)
      expect(stderr).toMatch(/full/u)
      expect(await readFile(path.join(out, 'waypoints.geojson'), 'utf8')).toBe(before)
      expect(size).toBeGreaterThan(0)
    })
  },
)
