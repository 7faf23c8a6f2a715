import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Registry, Waypoint } from '@openfountain/core'
import { newFolder } from '@openfountain/testing/folder'
import { emptyRegistry } from '@openfountain/testing/registry'
import { importFile, type ImportFileOptions, type ImportReport } from '../../src/index.ts'

/** Excerpts of the real files whose licence allows it; its README names their sources. */
export const excerptFolder = path.resolve(import.meta.dirname, '../fixtures/zurich')

export function fileWith(content: string | Uint8Array, name = 'fountains'): string {
  const file = path.join(newFolder(), name)
  writeFileSync(file, content)
  return file
}

/** The option of an import whose notes are not about its day of publication. */
export const dated = { published: '2025-12-01' }

export const source = { name: 'City', license: 'CC0-1.0' }

export const importContent = (
  registry: Registry,
  content: string | Uint8Array,
  options: Partial<ImportFileOptions> = {},
): Promise<ImportReport> => importFile(registry, { file: fileWith(content), source, ...options })

export async function imported(
  content: string | Uint8Array,
  options: Partial<ImportFileOptions> = {},
): Promise<{ report: ImportReport; waypoints: Waypoint[]; registry: Registry }> {
  const registry = await emptyRegistry()
  const report = await importContent(registry, content, options)
  return { report, waypoints: await registry.waypoints.list({ limit: 100_000 }), registry }
}

export const geojson = (...features: readonly object[]): string =>
  JSON.stringify({ type: 'FeatureCollection', features })

export const feature = (x: number, y: number, properties: object = {}, id?: string): object => ({
  type: 'Feature',
  id,
  geometry: { type: 'Point', coordinates: [x, y] },
  properties,
})

export const node = (id: number, tags: object, more: object = {}): object => ({
  type: 'node',
  id,
  lat: 47,
  lon: 8,
  tags: { amenity: 'drinking_water', ...tags },
  ...more,
})

export const overpass = (elements: readonly object[], more: object = {}): string =>
  JSON.stringify({ ...more, elements })

export async function row(columns: Record<string, string>, options = {}) {
  const all = { lat: '47.37', lon: '8.54', ...columns }
  const cells = Object.values(all).map((cell) => `"${cell.replaceAll('"', '""')}"`)
  const { waypoints, report } = await imported(`${Object.keys(all).join(';')}\n${cells.join(';')}\n`, options)
  return { waypoint: waypoints[0], report }
}
