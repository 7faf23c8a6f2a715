import * as zlib from 'node:zlib'
import type { SchemaElement } from 'hyparquet'
import { creditOfFile } from '../credit.ts'
import { curveKey, orderOf } from '../curve.ts'
import type { Edition } from '../edition.ts'
import { waypointFields, type Field, type FieldType } from '../fields.ts'
import type { Format, Tally } from '../format.ts'
import type { BoundingBox, WaypointRecord } from '../snapshot.ts'
import { waypointTable, type ListedWaypoint } from '../tables/waypoints.ts'

/** Rows of a group, which readers read or skip as a whole by its bounding box. */
export const rowGroupSize = 5_000

/** GeoParquet 1.1: https://geoparquet.org/releases/v1.1.0/ */
export const geoparquet: Format = {
  name: 'parquet',
  file: 'waypoints.parquet',
  mediaType: 'application/vnd.apache.parquet',
  title: 'GeoParquet for DuckDB, GeoPandas and others',
  subject: 'waypoints',
  isDaily: true,
  holds:
    'Every column with its type, the position as well-known binary, and a bbox column; rows in groups of ' +
    'neighbours, so that a reader skips what is far away; compressed with Zstandard.',
  loses: 'Nothing; the order of rows is that of space, not of ids.',
  fields: waypointFields,
  write: async (path, edition, tally) => {
    const ids: number[] = []
    const keys: number[] = []
    for (const { id, longitude, latitude } of edition.waypoints()) {
      keys.push(curveKey(longitude, latitude))
      ids.push(id)
      if (ids.length % rowGroupSize === 0) await new Promise(setImmediate)
    }
    const ordered = Array.from(orderOf(keys), (index) => ids[index] ?? 0)
    await writeGroups(path, edition, ordered, tally)
  },
}

/** Smaller than Snappy by a third and as fast to read; Node has it since 22.15. */
const compression =
  typeof zlib.zstdCompressSync === 'function'
    ? { codec: 'ZSTD' as const, compressors: { ZSTD: (bytes: Uint8Array) => zlib.zstdCompressSync(bytes) } }
    : { codec: 'SNAPPY' as const }

async function writeGroups(
  path: string,
  edition: Edition,
  ids: readonly number[],
  tally: Tally,
): Promise<void> {
  // Loaded with the first file: a server that writes none has 4 MB less.
  const { fileWriter, ParquetWriter } = await import('hyparquet-writer')
  const parquet = new ParquetWriter({
    writer: fileWriter(path),
    schema: parquetSchema,
    ...compression,
    createdBy: 'openfountain',
    kvMetadata: [
      { key: 'geo', value: JSON.stringify(geoMetadata(edition.extent())) },
      { key: 'openfountain', value: JSON.stringify(registryMetadata(edition)) },
    ],
  })
  for (let start = 0; start < ids.length; start += rowGroupSize) {
    const group = ids.slice(start, start + rowGroupSize)
    const found = new Map(Array.from(edition.waypoints(group), (record) => [record.id, record]))
    const rows = group
      .flatMap((id) => found.get(id) ?? [])
      .map((record) => ({ record, terms: edition.terms(record) }))
    await parquet.write({ columnData: columnsOf(rows), rowGroupSize })
    tally.rows += rows.length
    await new Promise(setImmediate)
  }
  await parquet.finish()
}

const columnsOf = (rows: readonly ListedWaypoint[]) => [
  ...waypointTable.columns.map(({ name, type, value }) => ({
    name,
    data: rows.map((row) => parquetValue(type, value(row))),
  })),
  {
    name: 'bbox',
    data: rows.map(({ record: { longitude: x, latitude: y } }) => ({ xmin: x, ymin: y, xmax: x, ymax: y })),
  },
  { name: 'geometry', data: rows.map(({ record }) => wellKnownBinary(record)), statistics: false },
]

function parquetValue(type: FieldType, value: unknown): unknown {
  if (value === undefined) return undefined
  if (type === 'integer' && typeof value === 'number') return BigInt(value)
  if (type === 'datetime' || type === 'date') return new Date(String(value))
  return value
}

function wellKnownBinary({ longitude, latitude }: WaypointRecord): Uint8Array {
  const bytes = new Uint8Array(21)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, 1)
  view.setUint32(1, 1, true)
  view.setFloat64(5, longitude, true)
  view.setFloat64(13, latitude, true)
  return bytes
}

/** How the values of a column are stored; lists are three elements. */
const types: Readonly<Record<Exclude<FieldType, 'list'>, Omit<SchemaElement, 'name'>>> = {
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  date: { type: 'INT32', converted_type: 'DATE' },
  datetime: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    // Without it readers take times for those of their own zone.
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  object: { type: 'BYTE_ARRAY', converted_type: 'JSON' },
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  any: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
}

const corners = ['xmin', 'ymin', 'xmax', 'ymax']

const parquetSchema: SchemaElement[] = [
  { name: 'root', num_children: waypointFields.length + 2 },
  ...waypointFields.flatMap((field) => schemaElements(field)),
  { name: 'bbox', repetition_type: 'REQUIRED', num_children: 4 },
  ...corners.map((name): SchemaElement => ({ name, type: 'DOUBLE', repetition_type: 'REQUIRED' })),
  { name: 'geometry', type: 'BYTE_ARRAY', repetition_type: 'REQUIRED' },
]

function schemaElements({ name, type, required }: Field): SchemaElement[] {
  const repetition_type = required ? 'REQUIRED' : 'OPTIONAL'
  if (type !== 'list') return [{ name, ...types[type], repetition_type }]
  return [
    { name, repetition_type, converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', ...types.string, repetition_type: 'REQUIRED' },
  ]
}

function geoMetadata(bbox: BoundingBox | undefined) {
  return {
    version: '1.1.0',
    primary_column: 'geometry',
    columns: {
      geometry: {
        encoding: 'WKB',
        geometry_types: ['Point'],
        bbox,
        covering: { bbox: Object.fromEntries(corners.map((name) => [name, ['bbox', name]])) },
      },
    },
  }
}

const registryMetadata = (edition: Edition) => {
  const { publisher, snapshot, fictional } = edition
  return {
    name: publisher.name,
    author: publisher.author,
    ...creditOfFile(edition, 'waypoints'),
    log: snapshot.head,
    ...(fictional && { fictional }),
  }
}
