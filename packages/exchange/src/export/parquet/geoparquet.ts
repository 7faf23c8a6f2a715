import * as zlib from 'node:zlib'
import type { SchemaElement } from 'hyparquet'
import { zxyToTileId } from 'pmtiles'
import { creditOfFile } from '../credit.ts'
import type { Edition } from '../edition.ts'
import { rowOf, waypointFields, type Field, type WaypointRow } from '../fields.ts'
import type { Format, Tally } from '../format.ts'

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
    const places: number[] = []
    const bounds = { xmin: 180, ymin: 90, xmax: -180, ymax: -90 }
    for (const record of edition.waypoints()) {
      // The key and the row's number in one exact number, so that sorting needs no comparator.
      places.push(curveKey(record) * rowRoom + ids.length)
      ids.push(record.id)
      widen(bounds, record)
      if (ids.length % rowGroupSize === 0) await new Promise(setImmediate)
    }
    const order = new Float64Array(places).toSorted()
    await writeGroups(
      path,
      edition,
      Array.from(order, (place) => ids[place % rowRoom] ?? 0),
      bounds,
      tally,
    )
  },
}

interface Box {
  xmin: number
  ymin: number
  xmax: number
  ymax: number
}

type Position = Pick<WaypointRow, 'longitude' | 'latitude'>

const rowRoom = 2 ** 24

/** The place on a Hilbert curve over longitude and latitude, in cells of about 1.2 kilometres. */
function curveKey({ longitude, latitude }: Position): number {
  const zoom = 14
  const cell = (share: number) => Math.min(Math.floor(share * 2 ** zoom), 2 ** zoom - 1)
  return zxyToTileId(zoom, cell((longitude + 180) / 360), cell((latitude + 90) / 180))
}

function widen(box: Box, { longitude, latitude }: Position): void {
  box.xmin = Math.min(box.xmin, longitude)
  box.xmax = Math.max(box.xmax, longitude)
  box.ymin = Math.min(box.ymin, latitude)
  box.ymax = Math.max(box.ymax, latitude)
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
  bounds: Box,
  tally: Tally,
): Promise<void> {
  // Loaded with the first file: a server that writes none has 4 MB less.
  const { fileWriter, ParquetWriter } = await import('hyparquet-writer')
  const writer = fileWriter(path)
  const parquet = new ParquetWriter({
    writer,
    schema: parquetSchema,
    ...compression,
    createdBy: 'openfountain',
    kvMetadata: [
      { key: 'geo', value: JSON.stringify(geoMetadata(ids.length > 0 ? bounds : undefined)) },
      { key: 'openfountain', value: JSON.stringify(registryMetadata(edition)) },
    ],
  })
  for (let start = 0; start < ids.length; start += rowGroupSize) {
    const group = ids.slice(start, start + rowGroupSize)
    const found = new Map(
      Array.from(edition.waypoints(group), (record) => [record.id, rowOf(record, edition)]),
    )
    const rows = group.flatMap((id) => found.get(id) ?? [])
    await parquet.write({ columnData: columnsOf(rows), rowGroupSize })
    tally.rows += rows.length
    await new Promise(setImmediate)
  }
  await parquet.finish()
}

function columnsOf(rows: readonly WaypointRow[]) {
  return [
    ...waypointFields.map((field) => ({
      name: field.name,
      data: rows.map((row) => parquetValue(field, row[field.name as keyof WaypointRow])),
    })),
    {
      name: 'bbox',
      data: rows.map(({ longitude: x, latitude: y }) => ({ xmin: x, ymin: y, xmax: x, ymax: y })),
    },
    { name: 'geometry', data: rows.map(wellKnownBinary), statistics: false },
  ]
}

function parquetValue({ type }: Field, value: WaypointRow[keyof WaypointRow]): unknown {
  if (value === undefined) return undefined
  if (type === 'integer' && typeof value === 'number') return BigInt(value)
  if (type === 'datetime' || type === 'date') return new Date(String(value))
  return value
}

function wellKnownBinary({ longitude, latitude }: WaypointRow): Uint8Array {
  const bytes = new Uint8Array(21)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, 1)
  view.setUint32(1, 1, true)
  view.setFloat64(5, longitude, true)
  view.setFloat64(13, latitude, true)
  return bytes
}

const parquetSchema: SchemaElement[] = [
  { name: 'root', num_children: waypointFields.length + 2 },
  ...waypointFields.flatMap((field) => schemaElements(field)),
  { name: 'bbox', repetition_type: 'REQUIRED', num_children: 4 },
  ...['xmin', 'ymin', 'xmax', 'ymax'].map((name): SchemaElement => ({
    name,
    type: 'DOUBLE',
    repetition_type: 'REQUIRED',
  })),
  { name: 'geometry', type: 'BYTE_ARRAY', repetition_type: 'REQUIRED' },
]

function schemaElements({ name, type, required }: Field): SchemaElement[] {
  const repetition_type = required ? 'REQUIRED' : 'OPTIONAL'
  switch (type) {
    case 'integer':
      return [{ name, type: 'INT64', repetition_type }]
    case 'number':
      return [{ name, type: 'DOUBLE', repetition_type }]
    case 'boolean':
      return [{ name, type: 'BOOLEAN', repetition_type }]
    case 'date':
      return [{ name, type: 'INT32', converted_type: 'DATE', repetition_type }]
    case 'datetime':
      return [
        {
          name,
          type: 'INT64',
          converted_type: 'TIMESTAMP_MILLIS',
          // Without it readers take times for those of their own zone.
          logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
          repetition_type,
        },
      ]
    case 'object':
      return [{ name, type: 'BYTE_ARRAY', converted_type: 'JSON', repetition_type }]
    case 'any':
    case 'string':
      return [{ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type }]
    case 'list':
      return [
        { name, repetition_type, converted_type: 'LIST', num_children: 1 },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
      ]
    default:
      return type satisfies never
  }
}

const corner = (name: string) => ['bbox', name]

function geoMetadata(bounds: Box | undefined) {
  return {
    version: '1.1.0',
    primary_column: 'geometry',
    columns: {
      geometry: {
        encoding: 'WKB',
        geometry_types: ['Point'],
        ...(bounds && { bbox: [bounds.xmin, bounds.ymin, bounds.xmax, bounds.ymax] }),
        covering: {
          bbox: { xmin: corner('xmin'), ymin: corner('ymin'), xmax: corner('xmax'), ymax: corner('ymax') },
        },
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
