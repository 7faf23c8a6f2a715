/** @module-tag long */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ImportRefused } from '../../src/import/index.ts'
import { damagedParquet, leavingRejections, rowCount, wholeParquet } from './damaged-parquet.ts'
import { emptyRegistry, importContent, imported, temporaryFolder } from './fixture.ts'

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

const codecs = ['SNAPPY', 'UNCOMPRESSED'] as const

test('a whole Parquet file is read to its end', async () => {
  for (const codec of codecs)
    expect((await imported(wholeParquet(codec))).report.counts).toMatchObject({
      rows: rowCount,
      created: rowCount,
    })
})

test.each(codecs)(
  'a damaged Parquet file (%s) is read or refused, and no failure is left over',
  async (codec) => {
    const others = Array.from({ length: 10 }, (_, at) => 20 + at)
    const seeds = new Set([...leavingRejections[codec], ...others])
    let refused = 0
    for (const seed of seeds) {
      const registry = await emptyRegistry()
      try {
        await importContent(registry, damagedParquet(codec, seed))
      } catch (error) {
        if (!(error instanceof ImportRefused)) throw new Error(`Seed ${seed}`, { cause: error })
        expect(await registry.revision()).toBe(0)
        refused += 1
      }
      // Node reports rejections that were not awaited after the microtasks of a turn.
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(unhandled).toEqual([])
    expect(refused).toBeGreaterThan(leavingRejections[codec].length)
  },
)

test('lists of whole numbers are read as numbers', async () => {
  const content = parquetWriteBuffer({
    schema: [
      { name: 'root', num_children: 3 },
      { name: 'lat', type: 'DOUBLE', repetition_type: 'REQUIRED' },
      { name: 'lon', type: 'DOUBLE', repetition_type: 'REQUIRED' },
      { name: 'visits', converted_type: 'LIST', repetition_type: 'OPTIONAL', num_children: 1 },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', type: 'INT64', repetition_type: 'OPTIONAL' },
    ],
    columnData: [
      { name: 'lat', data: [47, 95] },
      { name: 'lon', data: [8, 9] },
      { name: 'visits', data: [[1n, 2n], [3n]] },
    ],
  })
  const rejectedFile = path.join(await temporaryFolder(), 'rejected.ndjson')
  const { report } = await imported(new Uint8Array(content), { axes: 'keep', rejectedFile })
  expect(report.counts).toMatchObject({ rows: 2, created: 1, refused: 1 })
  const [line = ''] = (await readFile(rejectedFile, 'utf8')).split('\n')
  expect(line).toContain('[3]')
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
