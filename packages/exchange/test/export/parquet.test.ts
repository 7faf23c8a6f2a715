import path from 'node:path'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import { compressors } from '@openfountain/testing/folder'
import { geoparquet, rowGroupSize } from '../../src/export/parquet/geoparquet.ts'
import { sampleEdition, sampleWaypoints, snapshotOf, waypoint, writtenEdition } from './sample-snapshot.ts'

const opened = (folder: string) => asyncBufferFromFile(path.join(folder, 'waypoints.parquet'))

test('the file is GeoParquet 1.1 with a bbox column, compressed with Zstandard; times are instants, and days are days', async () => {
  const { key_value_metadata, row_groups, schema } = await parquetMetadataAsync(
    await opened(await sampleEdition()),
  )
  const { version, primary_column, columns } = JSON.parse(
    key_value_metadata?.find(({ key }) => key === 'geo')?.value ?? '{}',
  )
  expect([version, primary_column]).toEqual(['1.1.0', 'geometry'])
  const northernmost = Math.max(...sampleWaypoints.map(({ latitude }) => latitude))
  expect(columns.geometry).toMatchObject({
    encoding: 'WKB',
    geometry_types: ['Point'],
    bbox: [-180, -90, 180, northernmost],
    covering: { bbox: { xmin: ['bbox', 'xmin'] } },
  })
  const codecs = row_groups.flatMap((group) => group.columns.map(({ meta_data }) => meta_data?.codec))
  expect(new Set(codecs)).toEqual(new Set(['ZSTD']))
  const typeOf = (column: string) => schema.find(({ name }) => name === column)
  expect(typeOf('created_at')?.logical_type).toMatchObject({ type: 'TIMESTAMP', isAdjustedToUTC: true })
  for (const day of ['last_confirmed', 'last_listed', 'source_updated'])
    expect(typeOf(day)?.converted_type, day).toBe('DATE')
})

test('a reader finds what lies within its box in a file of several row groups', async () => {
  const everywhere = Array.from({ length: 3 * rowGroupSize }, (_, index) =>
    waypoint(index + 1, {
      latitude: ((index * 7919) % 170) - 85 + (index % 10) / 10,
      longitude: ((index * 104_729) % 350) - 175 + (index % 10) / 10,
    }),
  )
  const folder = await writtenEdition({ snapshot: snapshotOf({ waypoints: everywhere }) }, [geoparquet])
  const [west, south, east, north] = [100, 10, 110, 20]
  const { row_groups } = await parquetMetadataAsync(await opened(folder))
  expect(row_groups).toHaveLength(3)
  const found = await parquetReadObjects({
    compressors,
    file: await opened(folder),
    columns: ['id', 'longitude', 'latitude'],
    filter: { longitude: { $gte: west, $lte: east }, latitude: { $gte: south, $lte: north } },
  })
  const expected = everywhere.filter(
    ({ longitude: x, latitude: y }) => x >= west && x <= east && y >= south && y <= north,
  )
  expect(found.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual(expected.map(({ id }) => id))
})
