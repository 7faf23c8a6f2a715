import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Registry } from '@openfountain/core'
import { isOnPostgres, sharedDatabase } from '@openfountain/testing/database'
import { newFolder } from '@openfountain/testing/folder'
import { emptyRegistry } from '@openfountain/testing/registry'
import { importFile, type ImportProgress } from '../../src/index.ts'
import { fileWith, importContent, source } from './fixture.ts'

const tableOf = (count: number): string => {
  const row = (at: number) =>
    `F${at},Brunnen ${at},${(40 + at / 1000).toFixed(4)},8,${'Wasser '.repeat(20)}\n`
  return `id,name,lat,lon,description\n${Array.from({ length: count }, (_, at) => row(at)).join('')}`
}

const child = ['--conditions=openfountain-source', path.join(import.meta.dirname, 'import-child.ts')]
const rows = 6000

async function wholeBatches(registry: Registry): Promise<number> {
  const { totalWaypoints } = await registry.statistics()
  expect(totalWaypoints % 200).toBe(0)
  expect(totalWaypoints).toBeLessThan(rows)
  expect(await registry.changes.verify()).toMatchObject({ ok: true, problems: [] })
  return totalWaypoints
}

test(
  'an import that is cut off by SIGKILL leaves whole batches with a log that verifies, and continues with resume',
  { tags: ['process'] },
  async () => {
    const database = await sharedDatabase()
    const file = fileWith(tableOf(rows))
    const [, signal] = await once(spawn(process.execPath, [...child, database, file, '600']), 'exit')
    expect(signal).toBe('SIGKILL')
    const registry = await emptyRegistry({ database })
    const written = await wholeBatches(registry)
    expect(written).toBeGreaterThanOrEqual(600)
    const { counts, resumed } = await importFile(registry, { file, source, resume: true })
    expect(resumed).toBe(true)
    expect(counts).toMatchObject({ rows, created: rows - written, unchanged: written })
    expect((await registry.changes.list({})).total).toBe(rows)
  },
)

test.skipIf(isOnPostgres())(
  'an import that is cut off by a full disk says so and leaves whole batches',
  { tags: ['process'] },
  async () => {
    const database = path.join(newFolder(), 'registry.db')
    // The shell limits its children's files to 2 MB: a write then fails as on a full disk.
    const limited = ['-c', 'ulimit -f 4096; exec "$0" "$@"', process.execPath, ...child, database]
    const running = spawn('sh', [...limited, fileWith(tableOf(rows))], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    running.stdout.on('data', (text: Buffer) => (printed += text.toString()))
    await once(running, 'exit')
    expect(JSON.parse(printed)).toMatchObject({
      name: 'RegistryError',
      code: expect.stringMatching(/^STORAGE_/u),
    })
    await wholeBatches(await emptyRegistry({ database }))
  },
)

test('an import that is stopped leaves whole batches, and continues where it was', async () => {
  const registry = await emptyRegistry()
  const file = fileWith(tableOf(rows))
  const stop = new AbortController()
  const options = { file, source, batchRows: 200, signal: stop.signal }
  const outcome = importFile(registry, options).catch((error: unknown) => error)
  while ((await registry.statistics()).totalWaypoints < 1000) await nextTurn()
  stop.abort()
  expect(await outcome).toMatchObject({ code: 'STOPPED' })
  const written = await wholeBatches(registry)
  expect(readdirSync(path.dirname(file))).toEqual(['fountains'])
  const { counts } = await importFile(registry, { file, source, resume: true })
  expect(counts).toMatchObject({ rows, created: rows - written, unchanged: written })
  expect(await registry.imports.list()).toMatchObject([{ finishedAt: expect.any(String) }])
})

test('an import that is stopped before it wrote anything leaves nothing', async () => {
  const registry = await emptyRegistry()
  const stop = new AbortController()
  const onProgress = ({ phase }: ImportProgress) => phase === 'importing' && stop.abort()
  const stopped = importContent(registry, tableOf(50), { signal: stop.signal, onProgress })
  await expect(stopped).rejects.toMatchObject({ code: 'STOPPED' })
  expect(await registry.sources.list()).toEqual([])
})

test('an import that is stopped cannot be resumed when there is none, or with another file', async () => {
  const registry = await emptyRegistry()
  const resumed = () => importContent(registry, tableOf(10), { resume: true })
  await expect(resumed()).rejects.toMatchObject({ code: 'NOTHING_TO_RESUME' })
  await importContent(registry, tableOf(10))
  await expect(resumed()).rejects.toMatchObject({ code: 'NOTHING_TO_RESUME' })
})
