import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { newFolder, textIn } from '@openfountain/testing/folder'
import { writeBlocks, type Growth } from '../../src/export/blocks/write-blocks.ts'
import { editionOf } from '../../src/export/edition.ts'
import { Pieces } from '../../src/export/folder/pieces.ts'
import type { ExportSnapshot } from '../../src/export/snapshot.ts'
import { changes } from '../../src/export/text/changes.ts'
import { publisher, sampleEntry, snapshotOf } from './sample-snapshot.ts'

const name = 'lines.ndjson.gz'

/** A line of about 300 bytes that no other begins like. */
const line = (id: number) => `{"id":${id},"name":"💧 ${String(id * 7919).repeat(30)}"}\n`

const range = (length: number, first = 1) => Array.from({ length }, (_, index) => first + index)

interface Written {
  readonly from?: string
  readonly growth?: Growth
  readonly basis?: string
  /** Called before the first line is read. */
  readonly before?: () => void
}

/** Writes lines into a folder and what is kept of them beside it. @returns the file, what was counted, and the ids that were read */
async function written(folder: string, out: string, ids: readonly number[], given: Written = {}) {
  const { from, growth, basis = 'program', before } = given
  const [into, to] = [path.join(folder, out), path.join(folder, `${out}-kept`)]
  mkdirSync(into)
  mkdirSync(to)
  const earlier =
    from === undefined ? {} : { from: path.join(folder, `${from}-kept`), earlier: path.join(folder, from) }
  const tally: { rows: number; takenOver?: number } = { rows: 0 }
  const read: number[] = []
  const file = {
    name,
    growth,
    pieces: new Pieces({ basis, to, ...earlier }),
    *lines(counted: { rows: number }, first = 0) {
      before?.()
      for (const id of ids) {
        if (id < first) continue
        read.push(id)
        counted.rows += 1
        yield line(id)
      }
    },
  }
  await writeBlocks(path.join(into, name), file, tally)
  return { bytes: readFileSync(path.join(into, name)), ...tally, read }
}

const anew = (folder: string, ids: readonly number[]) =>
  written(folder, `anew${readdirSync(folder).length}`, ids)

const textOf = (ids: readonly number[]) => ids.map((id) => line(id)).join('')

/** The blocks of which something is kept, by their digests and lengths. */
const blocksOf = (folder: string, out: string): [digest: string, length: number][] =>
  JSON.parse(
    readFileSync(path.join(folder, `${out}-kept`, name))
      .subarray(32)
      .toString(),
  ).blocks

test('a file of blocks is one gzip member, which other programs read, whose end says how long its text is', async () => {
  const folder = newFolder()
  const ids = range(3000)
  const { bytes, rows } = await written(folder, 'first', ids)
  const text = textOf(ids)
  expect(rows).toBe(ids.length)
  expect(gunzipSync(bytes).toString()).toBe(text)
  const file = path.join(folder, 'first', name)
  expect(execFileSync('gzip', ['-dc', file], { encoding: 'utf8', maxBuffer: 1 << 26 })).toBe(text)
  // The length is that of all of the text, so that there is no second member.
  expect(bytes.readUInt32LE(bytes.length - 4)).toBe(Buffer.byteLength(text))
})

test('no lines are a member without text, from which nothing is taken over', async () => {
  const folder = newFolder()
  const { bytes } = await written(folder, 'first', [])
  expect(gunzipSync(bytes).toString()).toBe('')
  const second = await written(folder, 'second', range(3), { from: 'first' })
  expect(second.bytes).toEqual((await anew(folder, range(3))).bytes)
  expect(await written(folder, 'third', [], { from: 'second' })).toMatchObject({ bytes, rows: 0 })
})

const alterations: Record<string, [ids: readonly number[], changed: number]> = {
  'one that was added in front': [range(6001, 0), 1],
  'one that was removed in the middle': [range(6000).filter((id) => id !== 2500), 1],
  'many that were added at the end': [range(9000), 1],
}

test.each(Object.entries(alterations))(
  'of %s all other blocks are taken over, and the bytes are those of a file that is made anew',
  async (_, [ids, changed]) => {
    const folder = newFolder()
    await written(folder, 'first', range(6000))
    const again = await written(folder, 'second', ids, { from: 'first' })
    const fresh = await anew(folder, ids)
    expect(again.bytes.equals(fresh.bytes)).toBe(true)
    expect([again.rows, fresh.rows, fresh.takenOver]).toEqual([ids.length, ids.length, undefined])
    const known = new Map(blocksOf(folder, 'first'))
    const taken = blocksOf(folder, 'second').filter(([digest]) => known.has(digest))
    expect(taken.length).toBeGreaterThanOrEqual(known.size - 1 - changed)
    expect(again.takenOver).toBe(taken.reduce((sum, [, length]) => sum + length, 0))
    // What is kept is the same, too, so that the next export finds as much.
    const third = await written(folder, 'third', ids, { from: 'second' })
    expect(third).toMatchObject({ bytes: fresh.bytes, takenOver: fresh.bytes.length - 20 })
  },
)

interface Log {
  readonly size: number
  readonly origin?: string
  readonly redactions?: number
  /** What the roots of its tree begin with. */
  readonly root?: string
}

/** Writes a log as the format does. @returns the first entry that was read */
async function writtenLog(
  folder: string,
  out: string,
  { size, origin = 'o', redactions = 0, root = 'r' }: Log,
) {
  const to = path.join(folder, `${out}-kept`)
  mkdirSync(to)
  let first: number | undefined
  const snapshot: ExportSnapshot = {
    ...snapshotOf({}),
    origin,
    head: { id: size, hash: `${root}${size}` },
    erasures: () => ({ redactions, people: 0, latest: null }),
    headAt: async (id) => (id <= size ? { id, hash: `${root}${id}` } : undefined),
    *entries(after = 0) {
      first = after + 1
      for (let id = first; id <= size; id++)
        yield { ...sampleEntry, id, fields: { name: `${root} ${redactions} `.repeat(30) } }
    },
  }
  const pieces = new Pieces({ basis: 'program', from: path.join(folder, 'first-kept'), earlier: folder, to })
  const file = out === 'first' ? 'changes.ndjson.gz' : `${out}.gz`
  const tally = { rows: 0 }
  await changes.write(path.join(folder, file), { ...editionOf({ snapshot, publisher }), pieces }, tally)
  expect(textIn(folder, file).split('\n').length - 1).toBe(size)
  expect(tally.rows).toBe(size)
  return first
}

test('a log is read from its last block on, unless it is another one or something was erased', async () => {
  const folder = newFolder()
  expect(await writtenLog(folder, 'first', { size: 3000 })).toBe(1)
  expect(await writtenLog(folder, 'grown', { size: 3100 })).toBe(2560)
  expect(await writtenLog(folder, 'same', { size: 3000 })).toBe(2560)
  expect(await writtenLog(folder, 'erased', { size: 3100, redactions: 1 })).toBe(1)
  expect(await writtenLog(folder, 'restored', { size: 3100, origin: 'other' })).toBe(1)
  expect(await writtenLog(folder, 'other', { size: 3100, root: 's' })).toBe(1)
  expect(await writtenLog(folder, 'shorter', { size: 2999 })).toBe(1)
})

/** Changes one bit of a file. */
function flip(file: string, at: number): void {
  const bytes = readFileSync(file)
  const place = at < 0 ? bytes.length + at : at
  bytes[place] = (bytes[place] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

const damages: Record<string, (file: string, kept: string) => void> = {
  'the file is missing': (file) => rmSync(file),
  'the file is cut off': (file) => truncateSync(file, statSync(file).size - 1),
  'the file is longer': (file) => writeFileSync(file, 'more', { flag: 'a' }),
  'a byte of the file is another': (file) => flip(file, 100),
  'the file is a folder': (file) => {
    rmSync(file)
    mkdirSync(file)
  },
  'nothing was kept': (_, kept) => rmSync(kept),
  'what was kept is empty': (_, kept) => writeFileSync(kept, ''),
  'what was kept is cut off': (_, kept) => truncateSync(kept, statSync(kept).size - 1),
  'what was kept is garbage': (_, kept) => writeFileSync(kept, Buffer.alloc(4096, '{"blocks":[')),
  'one digit of what was kept is another': (_, kept) => flip(kept, -4),
}

test.each(Object.entries(damages))('all is made anew when %s', async (_, damage) => {
  const folder = newFolder()
  const growth: Growth = { state: 1, continues: async (earlier) => earlier === 1 }
  const { bytes } = await written(folder, 'first', range(3000), { growth })
  damage(path.join(folder, 'first', name), path.join(folder, 'first-kept', name))
  const again = await written(folder, 'second', range(3000), { from: 'first', growth })
  expect(again.bytes.equals(bytes)).toBe(true)
  expect(again.takenOver).toBeUndefined()
})

test('all is made anew after another program, and when the earlier file is cut off while it is read', async () => {
  const folder = newFolder()
  const { bytes } = await written(folder, 'first', range(3000))
  const other = await written(folder, 'second', range(3000), { from: 'first', basis: 'another' })
  expect(other.takenOver).toBeUndefined()
  const before = () => truncateSync(path.join(folder, 'first', name), 50)
  const lost = await written(folder, 'third', range(3000), { from: 'first', before })
  expect(lost.bytes.equals(bytes)).toBe(true)
  expect(lost).toMatchObject({ rows: 3000, read: [...range(3000), ...range(3000)] })
  expect(lost.takenOver).toBeUndefined()
})
