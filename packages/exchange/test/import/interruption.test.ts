import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import type { Registry } from '@openfountain/core'
import { importFile, type ImportProgress } from '../../src/import/index.ts'
import { emptyRegistry, fileWith, importContent, source, temporaryFolder } from './fixture.ts'

const child = path.join(import.meta.dirname, 'import-child.ts')
const rows = 6000
const content = `id,name,lat,lon,description\n${Array.from({ length: rows }, (_, index) => `F${index},Brunnen ${index},${(40 + index / 1000).toFixed(4)},8,${'Wasser '.repeat(20)}`).join('\n')}\n`

const many = (count: number) =>
  `id,name,lat,lon\n${Array.from({ length: count }, (_, index) => `F${index},Brunnen ${index},${(40 + index / 1000).toFixed(4)},8`).join('\n')}\n`

async function filled(database: string): Promise<Registry> {
  return emptyRegistry({ database })
}

describe('an import that is cut off', () => {
  test('by SIGKILL leaves whole batches with a log that verifies, and continues with resume', async () => {
    const database = path.join(await temporaryFolder(), 'registry.db')
    const file = await fileWith(content)
    const command = ['--conditions=openfountain-source', child, database, file, '600']
    const [, signal] = (await once(spawn(process.execPath, command), 'exit')) as [unknown, unknown]
    expect(signal).toBe('SIGKILL')
    const registry = await filled(database)
    const { totalWaypoints } = await registry.statistics()
    expect(totalWaypoints % 200).toBe(0)
    expect(totalWaypoints).toBeGreaterThanOrEqual(600)
    expect(totalWaypoints).toBeLessThan(rows)
    expect(await registry.changes.verify()).toMatchObject({ ok: true, problems: [] })
    const { counts, resumed } = await importFile(registry, { file, source, resume: true })
    expect(resumed).toBe(true)
    expect(counts).toMatchObject({ rows, created: rows - totalWaypoints, unchanged: totalWaypoints })
    expect((await registry.changes.list({})).total).toBe(rows)
  })

  test('by a full disk says so and leaves whole batches', async () => {
    const database = path.join(await temporaryFolder(), 'registry.db')
    const file = await fileWith(content)
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
    const registry = await filled(database)
    const { totalWaypoints } = await registry.statistics()
    expect(totalWaypoints % 200).toBe(0)
    expect(totalWaypoints).toBeLessThan(rows)
    expect(await registry.changes.verify()).toMatchObject({ ok: true, problems: [] })
  })
})

describe('an import that is stopped', () => {
  const options = { source, batchRows: 100 }

  async function stoppedAfter(registry: Registry, at: number, path: string): Promise<unknown> {
    const stop = new AbortController()
    const onProgress = ({ phase, rows }: ImportProgress) => {
      if (phase === 'importing' && rows >= at) stop.abort()
    }
    return importFile(registry, { ...options, file: path, signal: stop.signal, onProgress }).catch(
      (error: unknown) => error,
    )
  }

  test('leaves whole batches, and continues where it was', async () => {
    const registry = await emptyRegistry()
    const content = await fileWith(many(8_000))
    const stop = new AbortController()
    const apply = importFile(registry, { ...options, file: content, signal: stop.signal }).catch(
      (error: unknown) => error,
    )
    while ((await registry.statistics()).totalWaypoints < 1000) await nextTurn()
    stop.abort()
    expect(await apply).toMatchObject({ code: 'STOPPED' })
    const { totalWaypoints: written } = await registry.statistics()
    expect(written).toBeLessThan(8_000)
    expect(written % 100).toBe(0)
    expect(await registry.changes.verify()).toMatchObject({ ok: true, problems: [] })
    expect(readdirSync(path.dirname(content))).toEqual(['fountains'])
    const resumed = await importFile(registry, { ...options, file: content, resume: true })
    expect(resumed).toMatchObject({
      resumed: true,
      counts: { rows: 8_000, created: 8_000 - written, unchanged: written },
    })
    expect((await registry.statistics()).totalWaypoints).toBe(8_000)
    expect(await registry.imports.list()).toHaveLength(1)
    expect((await registry.imports.list())[0]).toHaveProperty('finishedAt')
  })

  test('creates every index that the first import of a registry defers to its end', async () => {
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

  test('before it wrote anything leaves nothing', async () => {
    const registry = await emptyRegistry()
    expect(await stoppedAfter(registry, 0, await fileWith(many(50)))).toMatchObject({ code: 'STOPPED' })
    expect(await registry.sources.list()).toEqual([])
  })

  test('cannot be resumed when there is none, or with another file', async () => {
    const registry = await emptyRegistry()
    await expect(importContent(registry, many(10), { resume: true })).rejects.toMatchObject({
      code: 'NOTHING_TO_RESUME',
    })
    await importContent(registry, many(10))
    await expect(importContent(registry, many(10), { resume: true })).rejects.toMatchObject({
      code: 'NOTHING_TO_RESUME',
    })
  })
})
