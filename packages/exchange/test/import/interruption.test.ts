/** @module-tag process */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { importFile } from '../../src/import/index.ts'
import { emptyRegistry, fileWith, importContent, source, sharedDatabase } from './fixture.ts'
import { inBatches, many, stoppedAfter } from './interrupting.ts'

const child = path.join(import.meta.dirname, 'import-child.ts')
const rows = 6000

describe('an import that is cut off', () => {
  test('by SIGKILL leaves whole batches with a log that verifies, and continues with resume', async () => {
    const database = await sharedDatabase()
    const file = await fileWith(many(rows, 'Wasser '.repeat(20)))
    const command = ['--conditions=openfountain-source', child, database, file, '600']
    const [, signal] = (await once(spawn(process.execPath, command), 'exit')) as [unknown, unknown]
    expect(signal).toBe('SIGKILL')
    const registry = await emptyRegistry({ database })
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
})

describe('an import that is stopped', () => {
  test('leaves whole batches, and continues where it was', async () => {
    const registry = await emptyRegistry()
    const content = await fileWith(many(8_000))
    const stop = new AbortController()
    const apply = importFile(registry, { ...inBatches, file: content, signal: stop.signal }).catch(
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
    const resumed = await importFile(registry, { ...inBatches, file: content, resume: true })
    expect(resumed).toMatchObject({
      resumed: true,
      counts: { rows: 8_000, created: 8_000 - written, unchanged: written },
    })
    expect((await registry.statistics()).totalWaypoints).toBe(8_000)
    expect(await registry.imports.list()).toHaveLength(1)
    expect((await registry.imports.list())[0]).toHaveProperty('finishedAt')
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
