/** @module-tag others */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Registry } from '@openfountain/core'
import { newFolder } from '@openfountain/testing/folder'
import { zipped } from '@openfountain/testing/import/packed-files'
import { emptyRegistry } from '@openfountain/testing/registry'
import { importFile } from '../../src/index.ts'
import { source } from './fixture.ts'

const original = path.join(newFolder(), 'brunnen.geojson')
writeFileSync(
  original,
  gunzipSync(readFileSync(new URL('../../../testing/data/zurich.geojson.gz', import.meta.url))),
)

async function fountainsOf(registry: Registry): Promise<string[]> {
  const all = await registry.waypoints.list({ limit: 10_000 })
  return all
    .map(({ name, latitude, longitude }) => `${name} ${latitude.toFixed(5)} ${longitude.toFixed(5)}`)
    .toSorted()
}

const columns = ['-lco', 'GEOMETRY=AS_XY']
const csv = (folder: string): string => {
  const file = path.join(folder, 'brunnen.csv')
  execFileSync('ogr2ogr', ['-f', 'CSV', file, original, ...columns])
  return file
}

const formats: Readonly<Record<string, (folder: string, file: string) => unknown>> = {
  'brunnen.xlsx': (folder, file) => execFileSync('ogr2ogr', ['-f', 'XLSX', file, csv(folder)]),
  'brunnen.ods': (folder, file) => execFileSync('ogr2ogr', ['-f', 'ODS', file, csv(folder)]),
  GML: (_, file) => execFileSync('ogr2ogr', ['-f', 'GML', file, original]),
  'GML 3.2, latitude first': (_, file) =>
    execFileSync('ogr2ogr', [
      '-f',
      'GML',
      file,
      original,
      '-dsco',
      'FORMAT=GML3.2',
      '-dsco',
      'SRSNAME_FORMAT=OGC_URN',
      '-t_srs',
      'EPSG:4326',
    ]),
  'GML 2 in EPSG:2056': (_, file) =>
    execFileSync('ogr2ogr', ['-f', 'GML', file, original, '-dsco', 'FORMAT=GML2', '-t_srs', 'EPSG:2056']),
  'brunnen.kmz': (_, file) => execFileSync('ogr2ogr', ['-f', 'LIBKML', file, original]),
  ...Object.fromEntries(
    ['EPSG:4326', 'EPSG:2056', 'EPSG:32632'].map((crs) => [
      `shapefile in ${crs}`,
      (folder: string, file: string) => {
        const to = path.join(folder, 'shapes')
        const options = ['-t_srs', crs, '-lco', 'ENCODING=ISO-8859-1']
        execFileSync('ogr2ogr', ['-f', 'ESRI Shapefile', to, original, ...options], { stdio: 'ignore' })
        writeFileSync(
          file,
          zipped(
            Object.fromEntries(readdirSync(to).map((name) => [name, readFileSync(path.join(to, name))])),
          ),
        )
      },
    ]),
  ),
}

test.each(Object.entries(formats))(
  '%s has the fountains of the original; twice changes nothing, undone leaves none',
  async (name, make) => {
    const expected = await emptyRegistry()
    const { counts } = await importFile(expected, { file: original, source })
    expect(counts.created).toBeGreaterThan(50)
    const folder = newFolder()
    const file = path.join(folder, name.replaceAll(/[ :]/gu, '-'))
    make(folder, file)
    const registry = await emptyRegistry()
    const first = await importFile(registry, { file, source })
    expect(first.counts).toMatchObject({ rows: counts.rows, created: counts.created })
    expect(await fountainsOf(registry)).toEqual(await fountainsOf(expected))
    const again = await importFile(registry, { file, source })
    expect(again.counts).toMatchObject({ created: 0, updated: 0, unchanged: counts.created })
    for (const _ of [2, 1]) await registry.imports.undo({ source: source.name })
    expect(await fountainsOf(registry)).toEqual([])
  },
)
