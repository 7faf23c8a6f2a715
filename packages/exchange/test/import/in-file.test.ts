import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { isMerged } from '../../../core/test/search-index.ts'
import { emptyRegistry, fileWith, importContent, temporaryFolder } from './fixture.ts'
import { many, stoppedAfter } from './interrupting.ts'

const child = path.join(import.meta.dirname, 'import-child.ts')
const rows = 6000

describe('an import into a file', () => {
  test('that is cut off by a full disk says so and leaves whole batches', async () => {
    const database = path.join(await temporaryFolder(), 'registry.db')
    const file = await fileWith(many(rows, 'Wasser '.repeat(20)))
    // No file of this shell's children may grow beyond 2 MB: a write then fails as on a full disk.
    const limited = [
      '-c',
      'ulimit -f 4096; exec "$0" "$@"',
      process.execPath,
      '--conditions=openfountain-source',
    ]
    const running = spawn('sh', [...limited, child, database, file], { stdio: ['ignore', 'pipe', 'inherit'] })
    let printed = ''
    running.stdout.on('data', (text: Buffer) => (printed += text.toString()))
    await once(running, 'exit')
    expect(JSON.parse(printed)).toMatchObject({
      name: 'RegistryError',
      code: expect.stringMatching(/^STORAGE_/u),
    })
    const registry = await emptyRegistry({ database })
    const { totalWaypoints } = await registry.statistics()
    expect(totalWaypoints % 200).toBe(0)
    expect(totalWaypoints).toBeLessThan(rows)
    expect(await registry.changes.verify()).toMatchObject({ ok: true, problems: [] })
  })

  test('that is stopped creates every index that the first import of a registry defers to its end', async () => {
    const database = path.join(await temporaryFolder(), 'registry.db')
    const registry = await emptyRegistry({ database, durability: 'relaxed' })
    const file = new Database(database, { readonly: true })
    const indexes = () =>
      file.prepare("select count(*) from sqlite_schema where type = 'index'").pluck().get()
    const before = indexes()
    expect(await stoppedAfter(registry, 6_000, await fileWith(many(20_000)))).toMatchObject({
      code: 'STOPPED',
    })
    expect((await registry.statistics()).totalWaypoints).toBeGreaterThan(5_000)
    expect(indexes()).toBe(before)
    file.close()
  })
})

describe('the search index after an import', () => {
  const lines = (from: number, to: number) =>
    Array.from(
      { length: to - from },
      (_, index) => `${from + index},Brunnen ${from + index},47.${from + index},8.5`,
    )
  const table = (...rows: string[]) => ['id,name,lat,lon', ...rows].join('\n')
  test('is in one piece after a large one, and is left alone after a small one', async () => {
    const database = path.join(await temporaryFolder(), 'registry.db')
    const registry = await emptyRegistry({ database })
    await importContent(registry, table(...lines(100, 400)), { batchRows: 50 })
    expect(isMerged(database, 'waypointNames')).toBe(true)
    await importContent(registry, table(...lines(100, 402)), { batchRows: 50 })
    expect(isMerged(database, 'waypointNames')).toBe(false)
    await importContent(registry, table(...lines(100, 402)), { batchRows: 50 })
    expect(isMerged(database, 'waypointNames')).toBe(false)
  })
})
