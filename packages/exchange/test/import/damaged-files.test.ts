import { afterEach, beforeEach, expect, test } from 'vitest'
import { counted, seed } from '@openfountain/testing/effort'
import { goodFiles, leavingRejections, mutated } from '@openfountain/testing/import/damaged-files'
import { emptyRegistry } from '@openfountain/testing/registry'
import { guardedCommand } from '@openfountain/core/internal'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { ImportRefused } from '../../src/index.ts'
import { importContent, imported } from './fixture.ts'

const unhandled: unknown[] = []
const note = (error: unknown) => void unhandled.push(error)
beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', note)
  process.on('uncaughtException', note)
})
afterEach(() => {
  process.off('unhandledRejection', note)
  process.off('uncaughtException', note)
})

async function survives(format: string, count: number): Promise<void> {
  const good = goodFiles[format]?.() ?? new Uint8Array()
  const registry = await emptyRegistry()
  expect((await importContent(registry, good)).counts.created).toBeGreaterThan(9)
  const again = (await importContent(registry, good)).counts
  expect(again).toMatchObject({ created: 0, updated: 0, missing: 0 })
  const before = await registry.revision()
  let refused = 0
  const damaged = Array.from({ length: count }, (_, index) => mutated(good, seed + index))
  for (const [index, content] of [good.subarray(0, good.length >> 1), ...damaged].entries()) {
    try {
      // A dry run, so that all files meet the same registry.
      await importContent(registry, content, { dryRun: true })
    } catch (error) {
      if (!(error instanceof ImportRefused)) throw new Error(`Seed ${seed + index - 1}`, { cause: error })
      expect(error.message).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      refused += 1
    }
    // Node reports unhandled rejections after the microtasks of a turn.
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await registry.revision()).toBe(before)
  expect(unhandled).toEqual([])
  expect(refused).toBeGreaterThan(0)
  for (const _ of [2, 1]) await registry.imports.undo({ source: 'City' })
  expect(await registry.waypoints.list()).toEqual([])
}

const formats = Object.keys(goodFiles)
/** Formats that a separate process reads take longer. */
const isBinary = (format: string) =>
  ['geopackage', 'parquet', 'xlsx', 'ods', 'shapefile', 'osm-pbf'].includes(format)

test.each(formats)(
  'damaged files of the format %s are read or refused, and no failure is left over',
  (format) => survives(format, isBinary(format) ? 1 : 10),
)

test.each(formats)('and so are many damaged files of the format %s', { tags: ['long'] }, (format) =>
  survives(
    format,
    counted(isBinary(format) ? { quick: 4, all: 20, full: 60 } : { quick: 20, all: 100, full: 500 }),
  ),
)

test('a Parquet file of which the parser leaves rejections is refused, and no failure is left over', async () => {
  for (const content of leavingRejections()) {
    await expect(imported(content)).rejects.toBeInstanceOf(ImportRefused)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(unhandled).toEqual([])
})

test('control characters of a file do not get into a message', async () => {
  const content = '[{"lat": 47, "lon": 8}, {"lat": 47, \u001b\u202e"lon": 8}]'
  const refusal = await imported(content).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'MALFORMED', details: { row: 2 } })
  expect((refusal as Error).message).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})

test('a compression that cannot be unpacked is named', async () => {
  const columnData = [
    { name: 'lat', data: [47, 48] },
    { name: 'lon', data: [8, 9] },
  ]
  const content = parquetWriteBuffer({ codec: 'LZ4', compressors: { LZ4: (bytes) => bytes }, columnData })
  await expect(imported(new Uint8Array(content))).rejects.toMatchObject({
    name: 'ImportRefused',
    code: 'UNKNOWN_FORMAT',
    message: expect.stringContaining('compressed with LZ4'),
  })
})

test('a process of its own reads the sources of packages, as they stand, where its program is a source', () => {
  const { given } = guardedCommand('child.ts', {}, { root: '/srv/', memoryMiB: 100 })
  expect(given).toContain('--conditions=openfountain-source')
})
