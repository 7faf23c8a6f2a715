import { fstatSync } from 'node:fs'
import zlib from 'node:zlib'
import { PbfReader } from 'pbf'
import { Bytes, bytesOf } from './bytes.ts'
import type { Position } from './geometry.ts'
import { fountainRows, type OsmElement } from './osm.ts'
import type { FilePart } from './reading-child.ts'
import { ImportRefused } from './refusal.ts'

/** Bytes of a header and of a block, packed and unpacked, at the most (OpenStreetMap's PBF format). */
const [largestHeader, largestBlock] = [64 * 1024, 32 * 1024 * 1024]

/** The fountains of an extract in OpenStreetMap's PBF format, block by block. @throws ImportRefused */
export async function* osmPbfParts(descriptor: number): AsyncGenerator<FilePart, void> {
  let published: string | undefined
  let others = 0
  const rows = fountainRows(
    () => blocks(descriptor, (day) => (published = day)),
    (count) => (others = count),
  )
  for await (const batch of rows) {
    if (published !== undefined) yield { published }
    published = undefined
    yield { rows: batch }
  }
  if (others > 0) yield { note: { code: 'ELEMENTS_NOT_READ', elements: others } }
}

const damaged = (): ImportRefused => new ImportRefused({ code: 'MALFORMED' }, 'The extract is damaged.')

async function* blocks(descriptor: number, onDay: (day: string) => void): AsyncGenerator<OsmElement[]> {
  const bytes = new Bytes(bytesOf(descriptor, 0, fstatSync(descriptor).size))
  while (!(await bytes.isAtEnd())) {
    const length = (await bytes.take(4)).readUInt32BE()
    if (length > largestHeader) throw damaged()
    const header = fieldsOf(await bytes.take(length))
    const [type, size] = [header.text(1), header.number(3)]
    if (size > largestBlock) throw damaged()
    const block = await bytes.take(size)
    if (type === 'OSMHeader') readHeader(fieldsOf(unpacked(block)), onDay)
    else if (type === 'OSMData') yield elementsOf(fieldsOf(unpacked(block)))
  }
}

/** The fields of a message by their numbers: numbers, and bytes of texts, messages and packed lists. */
class Fields {
  readonly #values = new Map<number, (number | Uint8Array)[]>()

  constructor(bytes: Uint8Array) {
    const reader = new PbfReader(bytes)
    reader.readFields((tag, values) => {
      // Type 2 has a length, 0 is a number; others do not occur here and are skipped.
      const value =
        reader.type === 2 ? reader.readBytes() : reader.type === 0 ? reader.readVarint(true) : undefined
      if (value === undefined) return
      const list = values.get(tag)
      if (list === undefined) values.set(tag, [value])
      else list.push(value)
    }, this.#values)
    if (reader.pos !== reader.length) throw damaged()
  }

  number(tag: number, absent = 0): number {
    const [value] = this.#values.get(tag) ?? []
    return typeof value === 'number' ? value : absent
  }

  all(tag: number): Uint8Array[] {
    return (this.#values.get(tag) ?? []).filter((value) => typeof value !== 'number')
  }

  message(tag: number): Fields | undefined {
    const [bytes] = this.all(tag)
    return bytes && new Fields(bytes)
  }

  text(tag: number): string {
    return textOf(this.all(tag)[0] ?? new Uint8Array())
  }

  list(tag: number): number[] {
    return this.#packed(tag, (reader) => reader.readVarint())
  }

  /** A list in which each number is the difference from the one before. */
  differences(tag: number): number[] {
    let last = 0
    return this.#packed(tag, (reader) => (last += reader.readSVarint()))
  }

  #packed(tag: number, next: (reader: PbfReader) => number): number[] {
    const found: number[] = []
    for (const bytes of this.all(tag)) {
      const reader = new PbfReader(bytes)
      while (reader.pos < reader.length) found.push(next(reader))
    }
    return found
  }
}

const fieldsOf = (bytes: Uint8Array): Fields => new Fields(bytes)
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

function unpacked(blob: Uint8Array): Uint8Array {
  const fields = fieldsOf(blob)
  const [raw] = fields.all(1)
  if (raw !== undefined) return raw
  const [deflated] = fields.all(3)
  const [zstd] = fields.all(7)
  const limits = { maxOutputLength: largestBlock }
  try {
    if (deflated !== undefined) return zlib.inflateSync(deflated, limits)
    if (zstd !== undefined) return zlib.zstdDecompressSync(zstd, limits)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw damaged()
    throw new ImportRefused({ code: 'BOMB', bytes: blob.length, unpacked: largestBlock })
  }
  const codec = fields.all(4).length > 0 ? 'LZMA' : 'LZ4'
  throw new ImportRefused({ code: 'UNKNOWN_FORMAT', codec }, `The extract is compressed with ${codec}.`)
}

const known = new Set(['OsmSchema-V0.6', 'DenseNodes', 'HistoricalInformation'])

function readHeader(header: Fields, onDay: (day: string) => void): void {
  const other = header
    .all(4)
    .map(textOf)
    .find((feature) => !known.has(feature))
    ?.slice(0, 40)
  if (other !== undefined)
    throw new ImportRefused({ code: 'UNKNOWN_FORMAT' }, `The extract needs a reader of ${other}.`)
  const seconds = header.number(32)
  if (seconds > 0 && seconds < 1e11) onDay(new Date(seconds * 1000).toISOString().slice(0, 10))
}

function elementsOf(block: Fields): OsmElement[] {
  const texts = block.message(1)?.all(1).map(textOf) ?? []
  const granularity = block.number(17, 100)
  const place = (lat: number, lon: number): Position => [
    round(1e-9 * (block.number(20) + granularity * lon)),
    round(1e-9 * (block.number(19) + granularity * lat)),
  ]
  const timeOf = (count: number | undefined): string | undefined => {
    const time = (count ?? 0) * block.number(18, 1000)
    return time > 0 && time < 1e14 ? new Date(time).toISOString() : undefined
  }
  const tagsOf = (keys: readonly number[], values: readonly number[]): Record<string, string> =>
    Object.fromEntries(keys.map((key, at) => [texts[key] ?? '', texts[values[at] ?? 0] ?? '']))
  const found: OsmElement[] = []
  const add = (type: OsmElement['type'], fields: Fields, id: number, more: Partial<OsmElement>): void => {
    const info = fields.message(4)
    if (info !== undefined && info.number(6, 1) === 0) return
    const tags = tagsOf(fields.list(2), fields.list(3))
    const version = info?.number(1) || undefined
    found.push({ type, id, tags, timestamp: timeOf(info?.number(2)), version, nodes: [], ways: [], ...more })
  }
  for (const group of block.all(2).map(fieldsOf)) {
    for (const node of group.all(1).map(fieldsOf))
      add('node', node, zigzag(node.number(1)), {
        position: place(zigzag(node.number(8)), zigzag(node.number(9))),
      })
    const dense = group.message(2)
    if (dense !== undefined) found.push(...denseNodes(dense, tagsOf, place, timeOf))
    for (const way of group.all(3).map(fieldsOf))
      add('way', way, way.number(1), { nodes: way.differences(8) })
    for (const relation of group.all(4).map(fieldsOf)) {
      const [ids, types] = [relation.differences(9), relation.list(10)]
      const of = (type: number) => ids.filter((_, at) => types[at] === type)
      add('relation', relation, relation.number(1), { nodes: of(0), ways: of(1) })
    }
  }
  return found
}

function denseNodes(
  dense: Fields,
  tagsOf: (keys: readonly number[], values: readonly number[]) => Record<string, string>,
  place: (lat: number, lon: number) => Position,
  timeOf: (count: number | undefined) => string | undefined,
): OsmElement[] {
  const [ids = [], lats = [], lons = []] = [1, 8, 9].map((tag) => dense.differences(tag))
  const words = dense.list(10)
  const info = dense.message(5)
  const [versions, times, visible] = [info?.list(1) ?? [], info?.differences(2) ?? [], info?.list(6) ?? []]
  if (lats.length !== ids.length || lons.length !== ids.length) throw damaged()
  let at = 0
  return ids.flatMap((id, index): OsmElement[] => {
    const [keys, values]: [number[], number[]] = [[], []]
    for (; at < words.length && words[at] !== 0; at += 2) {
      keys.push(words[at] ?? 0)
      values.push(words[at + 1] ?? 0)
    }
    at += 1
    if (visible[index] === 0) return []
    const position = place(lats[index] ?? Number.NaN, lons[index] ?? Number.NaN)
    const [tags, timestamp] = [tagsOf(keys, values), timeOf(times[index])]
    return [{ type: 'node', id, tags, position, timestamp, version: versions[index], nodes: [], ways: [] }]
  })
}

/** A signed number of a field that is read as an unsigned one. */
const zigzag = (given: number): number => (given % 2 === 0 ? given / 2 : -(given + 1) / 2)

/** Seven decimals, which OpenStreetMap has. */
const round = (degrees: number): number => Math.round(degrees * 1e7) / 1e7
