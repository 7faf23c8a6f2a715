import { gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { Chance } from '../chance.ts'
import { ods, osmPbf, shapefile, xlsx, zipped } from './packed-files.ts'

type Codec = 'SNAPPY' | 'UNCOMPRESSED'

const of = <Value>(value: (index: number) => Value, length = 20): Value[] =>
  Array.from({ length }, (_, index) => value(index))

export function wholeParquet(codec: Codec): Uint8Array {
  const columnData = [
    { name: 'ref', data: of((at) => BigInt(at), 12), type: 'INT64' as const },
    { name: 'name', data: of((at) => `Fountain ${at % 3}`, 12), type: 'STRING' as const },
    { name: 'lat', data: of((at) => 47 + at / 100, 12), type: 'DOUBLE' as const },
    { name: 'lon', data: of((at) => 8 + at / 100, 12), type: 'DOUBLE' as const },
    {
      name: 'checked',
      data: of((at) => new Date(Date.UTC(2025, 0, 1 + at)), 12),
      type: 'TIMESTAMP' as const,
    },
    { name: 'wheelchair', data: of((at) => at % 2 === 0, 12), type: 'BOOLEAN' as const },
    { name: 'tags', data: of((at) => ({ visits: [1, at] }), 12), type: 'JSON' as const },
  ]
  return new Uint8Array(parquetWriteBuffer({ codec, columnData }))
}

function damaged(codec: Codec, ...changes: readonly (readonly [at: number, byte: number])[]): Uint8Array {
  const bytes = wholeParquet(codec)
  for (const [at, byte] of changes) bytes[at] = byte
  return bytes
}

/** Files with which the parser leaves rejected promises unhandled. */
export const leavingRejections = (): Uint8Array[] => [
  damaged('SNAPPY', [64, 188], [827, 243]),
  damaged('SNAPPY', [11, 37], [168, 139], [830, 2]),
  damaged('UNCOMPRESSED', [16, 181], [266, 134], [945, 73]),
  damaged('UNCOMPRESSED', [335, 159], [671, 232], [730, 205], [1327, 206]),
]

/** A file with which the parser loops. */
export const endlessParquet = (): Uint8Array => damaged('UNCOMPRESSED', [441, 158], [615, 243])

const point = `x'4750000100000000010100000000000000000020400000000000804740'`

/** A GeoPackage. @param columns of `fountains`, as SQL, from `id`, `geom`, `name` on @param names SQL expressions */
export function geoPackage(
  columns: string,
  names: readonly string[],
  change: (database: Database.Database) => unknown = () => {},
): Uint8Array {
  const database = new Database(':memory:')
  try {
    database.exec(`
      create table gpkg_spatial_ref_sys (srs_id integer primary key, organization text, organization_coordsys_id integer);
      create table gpkg_contents (table_name text primary key, data_type text);
      create table gpkg_geometry_columns (table_name text, column_name text, srs_id integer);
      insert into gpkg_spatial_ref_sys values (4326, 'EPSG', 4326);
      insert into gpkg_contents values ('fountains', 'features');
      insert into gpkg_geometry_columns values ('fountains', 'geom', 4326);
      create table fountains (${columns})`)
    for (const name of names) database.exec(`insert into fountains (geom, name) values (${point}, ${name})`)
    change(database)
    return database.serialize()
  } finally {
    database.close()
  }
}

const csv = `id,name,lat,lon,tags\n${of((at) => `${at},"B ""${at}""",47.${at},8.5,"{""a"": ${at}}"`).join('\n')}\n`
const features = of((at) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [8 + at / 1000, 47] },
  properties: { name: `B${at} \u{1f6b0}`, tags: { drinking_water: 'yes' } },
}))
const elements = of((at) => ({
  type: 'node',
  id: at + 1,
  lat: 47 + at / 100,
  lon: 8,
  tags: { name: `N${at}` },
}))
const wpt = (at: number) =>
  `<wpt lat="47.${at}" lon="8"><name>W${at} &amp; co</name><desc><![CDATA[<b>${at}</b>]]></desc></wpt>`
const placemark = (at: number) =>
  `<Placemark id="p${at}"><name>K${at}</name><ExtendedData><Data name="a"><value>${at}</value></Data></ExtendedData>` +
  `<Point><coordinates>8,47.${at},0</coordinates></Point></Placemark>`
const columns = 'id integer primary key, geom blob, name text'
const names = of((at) => `'G${at}'`)

const rows = [
  ['id', 'name', 'lat', 'lon'],
  ...of((at) => [`n${at}`, `Fountain of number ${at}`, 47 + at / 100, 8.5]),
]

const member = (at: number) =>
  `<wfs:member><f gml:id="f${at}"><name>G${at}</name><geom><gml:Point srsName="EPSG:4326"><gml:pos>8 47.${at}</gml:pos></gml:Point></geom></f></wfs:member>`
const tap = '<tag k="man_made" v="water_tap"/>'
const nodeXml = (at: number) => `<node id="${at}" lat="47.${at}" lon="8">${tap}</node>`
const taps = of((at) => ({
  id: at,
  lat: 47 + at / 100,
  lon: 8,
  tags: { man_made: 'water_tap', name: `T${at}` },
}))
const esri = of((at) => ({ attributes: { name: `E${at}` }, geometry: { x: 8, y: 47 + at / 100 } }))

export const goodFiles: Readonly<Record<string, () => Uint8Array>> = {
  csv: () => Buffer.from(csv),
  'csv-utf16': () => Buffer.from(`\ufeff${csv}`, 'utf16le'),
  'csv-gzip': () => gzipSync(csv.repeat(20)),
  geojson: () => Buffer.from(JSON.stringify({ type: 'FeatureCollection', features })),
  'json-lines': () => Buffer.from(elements.map((element) => `${JSON.stringify(element)}\n`).join('')),
  overpass: () => Buffer.from(JSON.stringify({ version: 0.6, elements })),
  gpx: () =>
    Buffer.from(
      `<?xml version="1.0"?><gpx xmlns="http://www.topografix.com/GPX/1/1">${of(wpt).join('')}</gpx>`,
    ),
  kml: () => Buffer.from(`<kml><Document>${of(placemark).join('')}</Document></kml>`),
  kmz: () => zipped({ 'doc.kml': `<kml>${of(placemark).join('')}</kml>` }),
  geopackage: () => geoPackage(columns, names),
  parquet: () => wholeParquet('SNAPPY'),
  gml: () => Buffer.from(`<wfs:FeatureCollection>${of(member).join('')}</wfs:FeatureCollection>`),
  'osm-xml': () => Buffer.from(`<osm>${of(nodeXml).join('')}<way id="1"><nd ref="1"/>${tap}</way></osm>`),
  'osm-pbf': () =>
    osmPbf({ nodes: taps, ways: [{ id: 1, nodes: [1, 2], tags: { man_made: 'water_tap' } }], relations: [] }),
  arcgis: () => Buffer.from(JSON.stringify({ spatialReference: { wkid: 4326 }, features: esri })),
  ckan: () => Buffer.from(JSON.stringify({ success: true, result: { records: elements, total: 20 } })),
  'csv-zip': () => zipped({ 'fountains.csv': csv.repeat(20) }),
  xlsx: () => xlsx({ Legend: { rows: [['a']] }, Fountains: { rows } }),
  ods: () => ods(rows),
  shapefile: () =>
    shapefile({ points: of((at) => [8, 47 + at / 100]), names: of((at) => `S${at}`), cpg: 'UTF-8' }),
}

/** Special characters of text formats, on which parsers fail. */
const pieces = [...`"'{[]}<&\n\0\\\u00ff-`, '9'.repeat(400), '\ud83d']

/** The file with some bytes changed, removed, repeated or inserted; the same for the same seed. */
export function mutated(good: Uint8Array, seed: number): Uint8Array {
  const chance = new Chance(seed)
  let bytes = Buffer.from(good)
  for (let changes = 1 + chance.below(4); changes > 0 && bytes.length > 1; changes--) {
    const at = chance.below(bytes.length)
    const end = Math.min(bytes.length, at + 1 + chance.below(60))
    const [before, part, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)]
    const made: readonly Buffer[] = chance.pick([
      [before, Buffer.from([chance.below(256)]), bytes.subarray(at + 1)],
      [before, Buffer.from(chance.pick(pieces)), part, after],
      [before, after],
      [before, part, part, after],
      [before],
      [before, Buffer.from([(bytes[at] ?? 0) ^ (1 << chance.below(8))]), bytes.subarray(at + 1)],
    ])
    bytes = Buffer.concat(made)
  }
  return bytes
}
