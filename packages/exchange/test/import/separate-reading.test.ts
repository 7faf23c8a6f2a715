/** @module-tag process */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { newFolder } from '@openfountain/testing/folder'
import { endlessParquet, geoPackage, wholeParquet } from '@openfountain/testing/import/damaged-files'
import { emptyRegistry } from '@openfountain/testing/registry'
import type { FileToRead } from '../../src/import/read/reading-child.ts'
import { readingLines, type ReadingLimits } from '../../src/import/read/reading-process.ts'
import { readSeparately } from '../../src/import/read/separate-rows.ts'
import type { SourceRow } from '../../src/import/read/source-row.ts'
import { importFile } from '../../src/index.ts'
import { fileWith, source } from './fixture.ts'

type Format = FileToRead['format']

async function rowsOf(format: Format, content: Uint8Array, limits: ReadingLimits = {}): Promise<SourceRow[]> {
  const rows: SourceRow[] = []
  const file = { format, path: fileWith(content) }
  for await (const batch of readSeparately(file, { notes: [] }, { limits })) rows.push(...batch)
  return rows
}

const withColumn = (name: string, data: unknown[], type: 'STRING' | 'JSON' = 'STRING') =>
  new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'lat', data: data.map((_, at) => 47 + at / 1e6), type: 'DOUBLE' },
        { name: 'lon', data: data.map(() => 8), type: 'DOUBLE' },
        { name, data, type },
      ],
    }),
  )

test.each([
  [{ stallMilliseconds: 2000 }, 'made no progress for 2 seconds'],
  [{ totalMilliseconds: 2000 }, 'more than 2 seconds in all'],
])('a file that makes the parser loop is refused: %j', async (limits, said) => {
  await expect(rowsOf('parquet', endlessParquet(), limits)).rejects.toMatchObject({
    name: 'ImportRefused',
    refusal: { code: 'MALFORMED', seconds: 2 },
    message: expect.stringContaining(said),
  })
})

const generated = Array.from({ length: 8 }, (_, at) => `c${at} text as (printf('%.*c', 90000000 + id, 'x'))`)
const longTexts = Array.from({ length: 40_000 }, (_, at) => `${at} ${'x'.repeat(2000)}`)

test.each<[string, Format, number, () => Uint8Array]>([
  [
    'a small GeoPackage whose columns SQLite generates',
    'geopackage',
    256,
    () => geoPackage(`id integer primary key, geom blob, name text, ${generated.join()}`, [`'A'`]),
  ],
  ['a Parquet file for which the heap does not suffice', 'parquet', 192, () => withColumn('name', longTexts)],
])('%s takes no more memory than is allowed', async (_, format, memoryMiB, content) => {
  await expect(rowsOf(format, content(), { memoryMiB })).rejects.toMatchObject({
    name: 'ImportRefused',
    refusal: { code: 'MALFORMED', memoryMiB },
    message: expect.stringContaining(`more than ${memoryMiB} MiB of memory`),
  })
})

test('a small file that becomes far more rows than it has bytes is refused as a bomb', async () => {
  const content = withColumn(
    'name',
    Array.from({ length: 100 }, () => 'x'.repeat(200_000)),
  )
  expect(content.length).toBeLessThan(15_000)
  await expect(rowsOf('parquet', content, { rowsMiB: 2 })).rejects.toMatchObject({
    refusal: { code: 'BOMB', bytes: content.length },
  })
  expect(await rowsOf('parquet', content)).toHaveLength(100)
})

test('a record that is larger than any fountain, or nested deeper, is refused with its number', async () => {
  const long = withColumn('name', ['A', 'x'.repeat(5_000_000)])
  await expect(rowsOf('parquet', long)).rejects.toMatchObject({ refusal: { code: 'TOO_LARGE', row: 2 } })
  const nested: unknown[] = []
  let innermost = nested
  for (let level = 0; level < 100; level++) innermost.push((innermost = []))
  const deep = withColumn('tags', [['A'], nested], 'JSON')
  await expect(rowsOf('parquet', deep)).rejects.toMatchObject({ refusal: { code: 'TOO_DEEP', row: 2 } })
  const wide = geoPackage('id integer primary key, geom blob, name text', [`printf('%.*c', 5000000, 'x')`])
  await expect(rowsOf('geopackage', wide)).rejects.toMatchObject({ refusal: { code: 'TOO_LARGE', row: 1 } })
})

test('values that JSON does not have arrive as what they are', async () => {
  const [first, second] = await rowsOf('parquet', wholeParquet('SNAPPY'))
  expect(first).toMatchObject({ row: 1, fields: { ref: 0, checked: '2025-01-01T00:00:00.000Z' } })
  expect(second).toMatchObject({
    row: 2,
    fields: { lat: 47.01, wheelchair: false, tags: { visits: [1, 1] } },
  })
})

test('views and virtual tables of a GeoPackage are not read', async () => {
  const columns = 'id integer primary key, geom blob, name text'
  const view = geoPackage(columns, [`'A'`], (database) =>
    database.exec('alter table fountains rename to other; create view fountains as select * from other'),
  )
  expect(await rowsOf('geopackage', view)).toEqual([])
  const virtual = geoPackage(columns, [], (database) =>
    database.exec(`drop table fountains; create virtual table fountains using fts5(name, geom);
      insert into fountains values ('A', null)`),
  )
  expect(await rowsOf('geopackage', virtual)).toEqual([])
  const described = geoPackage(columns, [`'A'`], (database) =>
    database.exec(
      'alter table gpkg_contents rename to other; create view gpkg_contents as select * from other',
    ),
  )
  await expect(rowsOf('geopackage', described)).rejects.toMatchObject({ code: 'UNKNOWN_FORMAT' })
})

test.skipIf(process.platform !== 'linux')('an import that is stopped ends the process at once', async () => {
  const registry = await emptyRegistry()
  const controller = new AbortController()
  const file = fileWith(endlessParquet())
  const running = importFile(registry, { file, source, signal: controller.signal })
  const outcome = running.catch((error: unknown) => error)
  const child = await readerOf(process.pid)
  controller.abort()
  expect(await outcome).toMatchObject({ code: 'STOPPED' })
  await gone(child)
})

test.skipIf(process.platform !== 'linux')(
  'a process that reads ends with the one that started it',
  async () => {
    const file = fileWith(endlessParquet())
    const program = path.join(import.meta.dirname, 'import-child.ts')
    const database = path.join(newFolder(), 'fountains.db')
    const command = ['--conditions=openfountain-source', program, database, file]
    const parent = spawn(process.execPath, command, { stdio: 'ignore' })
    const child = await readerOf(parent.pid ?? 0)
    parent.kill('SIGKILL')
    await once(parent, 'exit')
    await gone(child)
  },
)

test.skipIf(process.platform !== 'linux')(
  'the process has an empty environment, and limits of the system',
  async () => {
    const file = fileWith(endlessParquet())
    process.env['SECRET'] = 'xyzzy'
    const stop = new AbortController()
    const lines = readingLines({ format: 'parquet', path: file }, 'Parquet file', {}, stop.signal)
    try {
      lines.next().catch(() => {})
      const child = await readerOf(process.pid)
      const read = (name: string) => readFile(`/proc/${child}/${name}`, 'latin1')
      expect(await read('environ')).not.toContain('xyzzy')
      expect(await read('limits')).toMatch(/Max core file size\s+0\s/u)
      expect(await read('limits')).toMatch(/Max data size\s+\d+/u)
      expect(await readdir(`/proc/${child}/fd`)).toContain('3')
    } finally {
      delete process.env['SECRET']
      stop.abort()
    }
  },
)

async function readerOf(parent: number): Promise<number> {
  for (;;) {
    const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    const found = new RegExp(`^ *(\\d+) +${parent} .*reading-child`, 'mu').exec(processes)
    if (found) return Number(found[1])
    await sleep(50)
  }
}

async function gone(pid: number): Promise<void> {
  while (existsSync(`/proc/${pid}`)) await sleep(50)
}
