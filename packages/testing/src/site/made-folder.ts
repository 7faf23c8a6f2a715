import { createHash } from 'node:crypto'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Chance } from '../chance.ts'
import { jsonIn, linesIn } from '../folder.ts'
import { exportOf } from './sites.ts'

interface FixtureOptions {
  readonly waypoints?: number
  readonly hostile?: boolean
  readonly texts?: readonly string[]
  readonly regionsOfWorld?: number
}

/** Each of these must be rendered as text in a name, a comment, a URL or an amenity. */
export const hostileTexts = [
  '<script>document.title="owned"</script>',
  '"><img src=x onerror="document.title=\'owned\'">',
  '</script><script>document.title="owned"</script>',
  "javascript:document.title='owned'",
  '<svg onload="document.title=\'owned\'"><use href="#x"/></svg>',
  ']]><!--',
] as const

/** Names of unknown fields, which another program may have written into a log. */
export const hostileFields = ['constructor', 'toString', '<b>field</b>', 'line\u2028separator'] as const

/** Regions a golden angle apart, so that they are spread between the polar circles. */
const regionOfWorld = (index: number) => ({
  region: `Waterside District ${index + 1}`,
  longitude: ((index * 137.508) % 350) - 175,
  latitude: Math.asin(((index * 0.618_034) % 1) * 1.8 - 0.9) * (180 / Math.PI),
  country: ['IT', 'NZ'][index % 3],
})

/** Replaces content of an export's files: lines, bytes, or parts of JSON; and `about` in its description. */
export function replaceIn(folder: string, files: Readonly<Record<string, unknown>>, about = {}): void {
  const description = jsonIn(folder, 'datapackage.json')
  const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
  for (const [path, content] of Object.entries(files)) {
    const lines = Array.isArray(content)
      ? gzipSync(content.map((line) => `${asText(line)}\n`).join(''))
      : content
    const bytes = Buffer.isBuffer(lines) ? lines : Buffer.from(asText(lines))
    writeFileSync(join(folder, path), bytes)
    const hash = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
    Object.assign(description.resources.find((one: { path: string }) => one.path === path) ?? {}, {
      bytes: bytes.length,
      hash,
    })
  }
  Object.assign(description.openfountain, about)
  writeFileSync(join(folder, 'datapackage.json'), JSON.stringify(description))
}

const freeTexts = new Set('name description comment maintainer region author sources attribution'.split(' '))

/** Writes an export of the sample with changes, replacing an earlier one. The same options give the same files. */
export async function writeFixture(folder: string, options: FixtureOptions = {}): Promise<void> {
  const { waypoints = 0, hostile = false, texts = hostileTexts, regionsOfWorld = 0 } = options
  rmSync(folder, { recursive: true, force: true })
  cpSync(await exportOf('sample'), folder, { recursive: true })
  const chance = new Chance(7)
  const rows = linesIn(folder, 'waypoints.ndjson.gz')
  const entries = linesIn(folder, 'changes.ndjson.gz')
  const created = entries.find(({ subject }) => subject === 'waypoint')
  for (let id = 49; rows.length < waypoints; id += 1) {
    const row = rows[id % 47]
    rows.push({ ...row, id, latitude: row.latitude + id * 1e-6 })
    entries.push({ ...created, id: entries.length + 1, subjectId: id })
  }
  if (regionsOfWorld > 0)
    for (const [index, row] of rows.entries()) Object.assign(row, regionOfWorld(index % regionsOfWorld))
  if (!hostile) return replaceIn(folder, { 'waypoints.ndjson.gz': rows, 'changes.ndjson.gz': entries })

  const text = (): string => chance.pick(texts)
  const spoilt = <Value>(value: Value, key = ''): Value => {
    const change = (): unknown => {
      if (typeof value === 'string') {
        if (key === 'image' || key === 'url') return "javascript:document.title='owned'"
        return freeTexts.has(key) ? `${value} ${text()}` : value
      }
      if (Array.isArray(value))
        return [...value.map((one: unknown) => spoilt(one, key)), ...(key === 'amenities' ? [text()] : [])]
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, spoilt(one, name)]))
    }
    return change() as Value
  }
  for (const [index, row] of rows.entries())
    if (index % 3 === 0) Object.assign(row, { sources: ['City of Lindenau'], source_refs: [`L-${row.id}`] })
  for (const { id, action, fields } of entries)
    if (action === 'edited')
      Object.assign(fields, { reason: text(), [hostileFields[id % hostileFields.length] ?? '']: text() })
  const [first] = rows
  const times = { created_at: first.created_at, updated_at: first.updated_at }
  const name = 'City of Lindenau'
  const source = { id: 1, name, url: 'x', license: 'CC0-1.0', attribution: name, waypoints: 16, ...times }
  const ring = [13.14, 13.17, 13.17, 13.14].map((longitude, at) => [longitude, at < 2 ? 55.68 : 55.7])
  const area = {
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] },
    properties: { id: 1, name: 'Harbour works', description: 'Closed.', color: '#ff8c00', active: true },
  }
  const { registry } = jsonIn(folder, 'datapackage.json').openfountain
  replaceIn(
    folder,
    {
      'waypoints.ndjson.gz': spoilt(rows),
      'changes.ndjson.gz': spoilt(entries),
      'reviews.json': spoilt(jsonIn(folder, 'reviews.json')),
      'contributors.json': spoilt(jsonIn(folder, 'contributors.json')),
      'sources.json': { sources: [spoilt(source)] },
      'areas.geojson': { type: 'FeatureCollection', features: [spoilt(area)] },
    },
    {
      registry: {
        ...registry,
        name: spoilt(registry.name, 'name'),
        author: spoilt(registry.author, 'author'),
      },
    },
  )
}
