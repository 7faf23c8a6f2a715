/** @module-tag postgres */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { openRegistry, token, type Registry, type RegistryOptions } from '@openfountain/core'
import { tickingClock } from '@openfountain/testing/registry'
import { latest } from '../src/connection/migrating.ts'
import { administer, emptyDatabase } from '@openfountain/testing/postgres/empty-database'

const run = promisify(execFile)

const opened = (database: string, options: Partial<RegistryOptions> = {}): Promise<Registry> =>
  openRegistry({ database, clock: tickingClock(), ...options })

async function refusal(opening: Promise<Registry>): Promise<unknown> {
  try {
    await (await opening).close()
  } catch (error) {
    return error
  }
  throw new Error('it was opened')
}

describe('a registry on a server', () => {
  test('is created by several that open it at once, and has one line of history', async () => {
    const url = await emptyDatabase()
    const registries = await Promise.all([opened(url), opened(url), opened(url), opened(url)])
    const origins = await Promise.all(registries.map(async (each) => (await each.version()).origin))
    expect(new Set(origins).size).toBe(1)
    const [one, other] = registries
    await one?.waypoints.create({ name: 'Well', latitude: 1, longitude: 2 }, token())
    expect(await other?.waypoints.get(1)).toMatchObject({ name: 'Well' })
    await Promise.all(registries.map((each) => each.close()))
  })

  test('of a newer version is refused, as is one of an earlier format, and what is not a registry', async () => {
    const url = await emptyDatabase()
    await (await opened(url)).close()
    await administer(url, 'update "registry" set "schema" = "schema" + 1')
    expect(await refusal(opened(url))).toMatchObject({ code: 'STORAGE_NEWER', details: { known: latest } })
    await administer(url, 'update "registry" set "schema" = 599')
    expect(await refusal(opened(url))).toMatchObject({ code: 'STORAGE_OLDER', details: { found: 599 } })
    const others = await emptyDatabase()
    await administer(others, 'set role openfountain; create table "waypoints" (id integer)')
    expect(await refusal(opened(others))).toMatchObject({ code: 'STORAGE_CORRUPT' })
  })

  test('is not created where nothing may be, and not written where nothing may be written', async () => {
    const url = await emptyDatabase()
    expect(await refusal(opened(url, { create: false }))).toMatchObject({ code: 'STORAGE_MISSING' })
    expect(await refusal(opened(url, { readOnly: true }))).toMatchObject({ code: 'STORAGE_MISSING' })
    await (await opened(url)).close()
    await using registry = await opened(url, { readOnly: true })
    const writing = registry.waypoints.create({ name: 'Well', latitude: 1, longitude: 2 }, token())
    await expect(writing).rejects.toMatchObject({ code: 'STORAGE_READ_ONLY' })
  })

  test('that a newer version migrated while it was open is written no more, and can be read', async () => {
    const url = await emptyDatabase()
    await using registry = await opened(url)
    const place = { latitude: 1, longitude: 2 }
    await registry.waypoints.create({ name: 'Well', ...place }, token())
    await administer(
      url,
      `begin; lock table "state" in access exclusive mode; alter table "waypoints" add "depth" bigint not null default 7;
      update "registry" set "schema" = "schema" + 1; commit`,
    )
    const refused = { code: 'STORAGE_NEWER', details: { found: latest + 1, known: latest } }
    await expect(registry.waypoints.create({ name: 'Spring', ...place }, token())).rejects.toMatchObject(
      refused,
    )
    expect(await registry.waypoints.list()).toMatchObject([{ id: 1, name: 'Well' }])
    expect((await registry.changes.head()).id).toBe(1)
  })

  test('finds nothing under what can be no id', async () => {
    await using registry = await opened(await emptyDatabase())
    await registry.waypoints.create({ name: 'Well', latitude: 1, longitude: 2 }, token())
    for (const id of [1.5, Number.NaN, 1e300, -1, Number.MAX_SAFE_INTEGER])
      await expect(registry.waypoints.get(id), String(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    for (const id of ['a\0b', '\0', '\ud800'])
      await expect(registry.users.profile(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('does not keep a process running that has nothing to do', async () => {
    const program = `import { openRegistry } from '@openfountain/core'
      const registry = await openRegistry({ database: '${await emptyDatabase()}' })
      console.log((await registry.statistics()).totalWaypoints)`
    const { stdout } = await run(
      process.execPath,
      ['--conditions=openfountain-source', '--input-type=module', '--eval', program],
      { cwd: import.meta.dirname, timeout: 60_000 },
    )
    expect(stdout).toBe('0\n')
  })
})
