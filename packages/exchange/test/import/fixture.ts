import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openRegistry, type Registry, type RegistryOptions, type Waypoint } from '@openfountain/core'
import { afterwards } from '@openfountain/testing/afterwards'
import { newDatabase, newSharedDatabase } from '@openfountain/testing/database'
import { importFile, type ImportFileOptions, type ImportReport, parseMap } from '../../src/import/index.ts'
import maps from './maps.ts'

/** The folder of the files of cities and mappers that the tests of real data read; they are not part of the repository. */
export const dataFolder = path.resolve(import.meta.dirname, '../../../../../shared/data')

/** Whether the real files are there, and what a skipped test says when they are not. */
export const hasData = existsSync(path.join(dataFolder, 'README.md'))
export const withData = hasData
  ? '(whole files)'
  : '(skipped: the whole files would be in ../shared/data; excerpts.test.ts reads excerpts of them)'

/** Excerpts of the real files whose licence allows it; its README says where they come from. */
export const excerptFolder = path.resolve(import.meta.dirname, '../fixtures/zurich')

/** An empty registry with a clock that advances a second each time it is read; closed after the test. */
export async function emptyRegistry(options: Partial<RegistryOptions> = {}): Promise<Registry> {
  let now = Date.parse('2026-01-01T00:00:00.000Z')
  const clock = () => new Date((now += 1000))
  let { database } = options
  if (database === undefined) {
    const own = await newDatabase()
    database = own.database
    afterwards(own.remove)
  }
  const registry = await openRegistry({ clock, ...options, database })
  afterwards(() => registry.close())
  return registry
}

/** An empty database that several processes may open, removed after the test. */
export async function sharedDatabase(): Promise<string> {
  const { database, remove } = await newSharedDatabase()
  afterwards(remove)
  return database
}

/** A folder that is removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'openfountain-import-'))
  afterwards(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A file with this content in a folder of its own, removed after the test. */
export async function fileWith(content: string | Uint8Array, name = 'fountains'): Promise<string> {
  const file = path.join(await temporaryFolder(), name)
  await writeFile(file, content)
  return file
}

export const source = { name: 'City', license: 'CC0-1.0' }

/** Imports a file with this content as the source "City". */
export async function importContent(
  registry: Registry,
  content: string | Uint8Array,
  options: Partial<ImportFileOptions> = {},
): Promise<ImportReport> {
  return importFile(registry, { file: await fileWith(content), source, ...options })
}

/** Imports content into an empty registry; returns the report and the waypoints. */
export async function imported(
  content: string | Uint8Array,
  options: Partial<ImportFileOptions> = {},
): Promise<{ report: ImportReport; waypoints: Waypoint[]; registry: Registry }> {
  const registry = await emptyRegistry()
  const report = await importContent(registry, content, options)
  return { report, waypoints: await registry.waypoints.list({ limit: 100_000 }), registry }
}

/** Imports one of the real files, or an excerpt of one, with a ready map; side files are kept out of its folder. */
export async function importReal(
  registry: Registry,
  file: string,
  map: keyof typeof maps | undefined,
  options: Partial<ImportFileOptions> = {},
): Promise<ImportReport> {
  const folder = await temporaryFolder()
  return importFile(registry, {
    // A path that is absolute stays as it is.
    file: path.resolve(dataFolder, file),
    source,
    ...(map === undefined ? {} : { map: parseMap(maps[map]) }),
    rejectedFile: path.join(folder, 'rejected.ndjson'),
    reviewFile: path.join(folder, 'review.csv'),
    ...options,
  })
}

export function geojson(...features: readonly object[]): string {
  return JSON.stringify({ type: 'FeatureCollection', features })
}

export function feature(x: number, y: number, properties: object = {}, id?: string): object {
  return {
    type: 'Feature',
    ...(id === undefined ? {} : { id }),
    geometry: { type: 'Point', coordinates: [x, y] },
    properties,
  }
}

/** The first waypoint of a CSV whose only row has these columns. */
export async function row(columns: Record<string, string>, options = {}) {
  const all = { lat: '47.37', lon: '8.54', ...columns }
  const { waypoints, report } = await imported(
    `${Object.keys(all).join(';')}\n${Object.values(all)
      .map((cell) => `"${cell.replaceAll('"', '""')}"`)
      .join(';')}\n`,
    options,
  )
  return { waypoint: waypoints[0], report }
}
