/** @module-tag long */
import { isUtf8 } from 'node:buffer'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { exportRegistry, importFile } from '@openfountain/exchange'
import { countryOf } from '@openfountain/exchange/places'
import { newFolder } from '@openfountain/testing/folder'
import { emptyRegistry, tickingClock } from '@openfountain/testing/registry'
import { expect, test } from 'vitest'
import { realFiles } from '../../packages/exchange/test/import/pins.ts'
import { loadLanguages } from '../src/build/languages.ts'
import { openExportFolder } from '../src/data/folder.ts'
import type { Waypoint } from '../src/data/records.ts'
import { loadRegistry, type RegistryData } from '../src/data/registry.ts'
import { shownName, whereabouts } from '../src/naming.ts'

// Labels and facts of the first fountains of each real file. People review the tables in first-rows/, see its README.

const root = path.resolve(import.meta.dirname, '../..')
const dataFolder = path.resolve(root, '../shared/data')
const hasData = existsSync(path.join(dataFolder, 'README.md'))

const committed = (file: string): string =>
  path.join(root, `packages/testing/data/${file.split('_')[0]}.geojson.gz`)
const isCommitted = (file: string): boolean =>
  [
    'paris_fontaines_2022.geojson',
    'vienna_trinkbrunnen_2024.geojson',
    'zurich_brunnen_2021.geojson',
  ].includes(file)

/** Files with the same columns as others that are imported whole elsewhere. */
const further = [
  ['osm_barcelona_noids_2026.geojson', 'openstreetmap'],
  ['osm_catalunya_overpass-turbo_2025.geojson', 'openstreetmap'],
  ['osm_chattanooga_2025.csv', 'openstreetmap'],
  ['osm_monaco_2021.geojson', 'openstreetmap'],
  ['osm_monaco_2021.osm.pbf', 'openstreetmap'],
  ['osm_paris_overpass-ide_2021.geojson', 'openstreetmap'],
  ['paris_fontaines_bom_2024.csv', 'paris'],
  ['zurich_brunnen_2018.geojson', 'zurich'],
  ['zurich_brunnen_dms_qid_2018.csv', 'zurich'],
] as const
const files = [...realFiles.map(({ file, map }) => [file, map] as const), ...further].filter(
  ([file]) => hasData || isCommitted(file),
)

/** Rows of a file that are imported; of a table some further ones, for the order of days in its dates. */
const rowsRead = 300
const rowsShown = 20

function beginningOf(file: string): Buffer {
  const bytes = isCommitted(file)
    ? gunzipSync(readFileSync(committed(file)))
    : readFileSync(path.join(dataFolder, file))
  if (file.endsWith('.pbf')) return bytes
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1'
  return Buffer.from(beginningIn(file, bytes.toString(encoding)), encoding)
}

function beginningIn(file: string, text: string): string {
  if (file.endsWith('.csv'))
    return text
      .split('\n')
      .filter((_, at) => at < rowsRead || at % rowsRead === 0)
      .join('\n')
  if (file.endsWith('.gpx')) return `${text.split('</wpt>').slice(0, rowsRead).join('</wpt>')}</wpt></gpx>`
  const members: [string, unknown][] = Object.entries(JSON.parse(text))
  const list = members.find((member): member is [string, unknown[]] => Array.isArray(member[1]))
  if (list === undefined) return JSON.stringify(Object.fromEntries(members.slice(0, rowsRead)))
  return JSON.stringify({ ...Object.fromEntries(members), [list[0]]: list[1].slice(0, rowsRead) })
}

async function dataOf(file: string, map: string): Promise<RegistryData> {
  const folder = newFolder()
  const input = path.join(folder, file)
  writeFileSync(input, beginningOf(file))
  const registry = await emptyRegistry({ places: countryOf, clock: tickingClock('2026-12-01T00:00:00Z') })
  await importFile(registry, {
    file: input,
    source: { name: 'Source', license: 'CC0-1.0' },
    // The beginning of a file still has the total of the whole.
    accept: ['partial'],
    ...(map !== '-' && { map: path.join(root, `packages/exchange/maps/${map}.json`) }),
    rejectedFile: path.join(folder, 'rejected.ndjson'),
    reviewFile: path.join(folder, 'review.csv'),
  })
  const exported = await exportRegistry(registry, { out: path.join(folder, 'export') })
  return loadRegistry(await openExportFolder(exported.folder), { limit: 2 * rowsRead })
}

const words = (await loadLanguages(['en', 'de'])).map(({ tag, messages: { amenity } }) => ({
  tag,
  amenity: (key: string) => (amenity as Readonly<Record<string, string>>)[key] ?? key,
}))

function lineOf(data: RegistryData, waypoint: Waypoint): string {
  const { id, amenities, country, access, drinkable, description, last_listed, last_confirmed } = waypoint
  const names = new Set(words.map((each) => shownName(waypoint, each)))
  const [state] = data.stagesOf(waypoint)
  const known = {
    access,
    drinkable,
    listed: last_listed,
    confirmed: last_confirmed,
    state: state?.state,
    since: state?.since,
  }
  return [
    `${id} ${[...names].join(' / ')}`,
    [...whereabouts(waypoint, 'de'), country].join(', '),
    amenities.join(' '),
    ...Object.entries(known).flatMap(([name, value]) => (value ? `${name} ${value}` : [])),
    description ? `“${description.replaceAll('\n', ' ¶ ')}”` : '',
  ]
    .filter((cell) => cell !== '')
    .join(' | ')
}

test.each(files)('the first fountains of %s are as they were read, with the map %s', async (file, map) => {
  const data = await dataOf(file, map)
  const first = data.waypoints.toSorted((a, b) => a.id - b.id).slice(0, rowsShown)
  const table = first.map((waypoint) => `${lineOf(data, waypoint)}\n`).join('')
  await expect(table).toMatchFileSnapshot(`first-rows/${file}, ${map}.txt`)
})
