import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { ods, shapefile, xlsx, zipped } from '@openfountain/testing/import/packed-files'
import { dated, feature, geojson, imported, node, overpass } from './fixture.ts'

const place = { latitude: 47.37, longitude: 8.54 }
const name = 'Löwenbrunnen'
const table = 'id,name,lat,lon\n1,Löwenbrunnen,47.37,8.54\n'
const lion = feature(8.54, 47.37, { name }, '1')

const kml =
  '<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>Löwenbrunnen</name><Point><coordinates>8.54,47.37,400</coordinates></Point></Placemark></Document></kml>'

const spellings: Record<string, string | Uint8Array> = {
  'CSV with commas': table,
  'CSV with semicolons and decimal commas': 'id;name;lat;lon\n1;Löwenbrunnen;47,37;8,54\n',
  'CSV with tabs': table.replaceAll(',', '\t'),
  'CSV with bars': table.replaceAll(',', '|'),
  'CSV with CRLF and a byte-order mark': `\uFEFF${table.replaceAll('\n', '\r\n')}`,
  'CSV with quotes around everything': '"id","name","lat","lon"\n"1","Löwenbrunnen","47.37","8.54"\n',
  'CSV without a line break at its end': table.trim(),
  'CSV in Windows-1252': iconv.encode(table, 'windows-1252'),
  'CSV in UTF-16 with a mark': iconv.encode(table, 'utf-16le', { addBOM: true }),
  'CSV in UTF-16 without a mark': iconv.encode(table, 'utf-16le'),
  'CSV in big-endian UTF-16': iconv.encode(table, 'utf-16be', { addBOM: true }),
  'CSV with one column of coordinates': 'id;name;coordinates\n1;Löwenbrunnen;47.37, 8.54\n',
  'CSV with well-known text': 'id,name,wkt\n1,Löwenbrunnen,POINT (8.54 47.37)\n',
  'CSV with extended well-known text': 'id,name,geom\n1,Löwenbrunnen,SRID=4326;POINT(8.54 47.37)\n',
  'CSV with GeoJSON in a cell':
    'id,name,geo_shape\n1,Löwenbrunnen,"{""type"":""Point"",""coordinates"":[8.54,47.37]}"\n',
  'CSV with degrees, minutes and seconds': "id;name;lat;lon\n1;Löwenbrunnen;47°22'12\"N;E8°32'24.0\n",
  'CSV whose coordinates have German names':
    'Nr;Bezeichnung;Breitengrad;Längengrad\n1;Löwenbrunnen;47,37;8,54\n',
  'CSV of Overpass':
    '@id\t@type\t@lat\t@lon\tname\tamenity\n1\tnode\t47.37\t8.54\tLöwenbrunnen\tdrinking_water\n',
  'CSV with tags as JSON':
    'id,lat,lon,tags\n1,47.37,8.54,"{""name"":""Löwenbrunnen"",""amenity"":""drinking_water""}"\n',
  'CSV with tags as hstore':
    'id,lat,lon,other_tags\n1,47.37,8.54,"""name""=>""Löwenbrunnen"",""amenity""=>""drinking_water"""\n',
  'CSV that names its delimiter': `\uFEFFsep=|\r\n${table.replaceAll(',', '|')}`,
  'CSV below titles': `Brunnen der Stadt; Auszug\n\nStand:;Mai 2025;;\nid;name;lat;lon\n1;Löwenbrunnen;47,37;8,54\n`,
  'CSV below comments': `# Fountains, of the City, as of May, 2025\n# CC0\n${table}`,
  'CSV in gzip': gzipSync(table),
  'CSV in a zip archive': zipped({ 'a.csv': table }),
  'an Excel workbook': xlsx({
    A: {
      rows: [
        ['id', 'name', 'lat', 'lon'],
        ['1', name, 47.37, 8.54],
      ],
    },
  }),
  'an OpenDocument spreadsheet': ods([
    ['id', 'name', 'lat', 'lon'],
    ['1', name, 47.37, 8.54],
  ]),
  'a shapefile': shapefile({ points: [[8.54, 47.37]], names: [name] }),
  'CSV whose first heading begins with #': table.replace('id', '#id'),
  KMZ: zipped({ 'doc.kml': kml, 'files/icon.png': 'x' }),
  'UTF-16 in gzip': gzipSync(iconv.encode(table, 'utf-16le')),
  GeoJSON: geojson(lion),
  'GeoJSON in gzip': gzipSync(geojson(lion)),
  'GeoJSON of one feature': JSON.stringify(lion),
  'GeoJSON with a byte-order mark': `\uFEFF${geojson(lion)}`,
  'newline-delimited GeoJSON': `${JSON.stringify(lion)}\n`.repeat(2),
  'GeoJSON text sequence': `\u001E${JSON.stringify(lion)}\n`,
  'a list of records': JSON.stringify([{ id: 1, name, lat: '47.37', lng: '8.54' }]),
  'records with a place inside': JSON.stringify([{ name, location: { lat: 47.37, lng: 8.54 } }]),
  'JSON lines of records': '{"name":"Löwenbrunnen","latitude":47.37,"longitude":8.54}\n'.repeat(2),
  'an object of records': JSON.stringify({ [name]: { name, geo: { lat: '47.37', lon: '8.54' } } }),
  'Overpass JSON': overpass([node(1, { name }, { lat: 47.37, lon: 8.54 })], { version: 0.6 }),
  'Overpass JSON of a way with its centre': overpass([
    node(
      1,
      { name },
      { type: 'way', lat: undefined, lon: undefined, center: { lat: 47.37, lon: 8.54 }, nodes: [1, 2] },
    ),
  ]),
  'GPX with a namespace':
    '<?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="47.37" lon="8.54"><name>Löwenbrunnen</name></wpt></gpx>',
  'GPX with a prefix and without a declaration':
    '<g:gpx xmlns:g="http://www.topografix.com/GPX/1/1"><g:wpt lat="47.37" lon="8.54"><g:name><![CDATA[Löwenbrunnen]]></g:name></g:wpt></g:gpx>',
  'GPX without a namespace': '<gpx><wpt lat="47.37" lon="8.54"><name>Löwenbrunnen</name></wpt></gpx>',
  KML: kml,
}

describe('a file is recognised from its content', () => {
  test.each(Object.entries(spellings))('reads %s', async (_, content) => {
    expect((await imported(content)).waypoints).toMatchObject([{ name, ...place }])
  })

  test('finds the columns of a CSV without headings by their values, or names them as the map says', async () => {
    const content = 'A1;Löwenbrunnen;47.37,8.54\nA2;Bärenbrunnen;47.38,8.55\n'
    const { waypoints, report } = await imported(content)
    expect(waypoints[0]).toMatchObject(place)
    expect(report.columns.map(({ role }) => role)).toEqual(['ref', undefined, 'position'])
    const fields = { name: 'title', position: 'place', ref: ['id', 'title'] }
    const named = await imported(content, {
      map: { header: false, columns: ['id', 'title', 'place'], fields },
    })
    expect(named.waypoints.map((waypoint) => waypoint.name)).toEqual([name, 'Bärenbrunnen'])
    expect(named.report.columns.map(({ column, role, also }) => [column, role, also])).toEqual([
      ['id', 'ref', undefined],
      ['title', 'ref', ['name']],
      ['place', 'position', undefined],
    ])
  })

  test('reads text that is UTF-8 but for single Latin-1 characters, and notes it', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `Löwenbrunnen ${index},47.3${index},8.54\n`)
    const content = Buffer.concat([
      Buffer.from(`name,lat,lon\n${lines.join('')}`),
      iconv.encode('Bürgerbrunnen,47.5,8.54\n', 'latin1'),
    ])
    const { waypoints, report } = await imported(content, dated)
    expect([waypoints.at(-1)?.name, waypoints[0]?.name]).toEqual(['Bürgerbrunnen', 'Löwenbrunnen 0'])
    expect(report.notes).toEqual([{ code: 'MIXED_ENCODING', characters: 1, encoding: 'windows-1252' }])
    const latin = await imported(iconv.encode('name,lat,lon\nBürgerbrunnen,47,8\n', 'latin1'), dated)
    expect(latin.report.notes).toEqual([{ code: 'NOT_UTF8', encoding: 'windows-1252' }])
  })

  test('keeps a column’s second heading of the same name apart', async () => {
    const { report } = await imported('name,name,lat,lon\nA,B,47.37,8.54\n')
    expect(report.columns.map(({ column }) => column)).toEqual(['name', 'name_2', 'lat', 'lon'])
  })

  test('reads large elements across the pieces in which a file arrives', async () => {
    const features = Array.from({ length: 1000 }, (_, index) =>
      feature(8 + index / 10_000, 47, {
        name: `Löwe "${index}" \\ [}`,
        description: 'Wasser '.repeat(60),
      }),
    )
    const { waypoints } = await imported(JSON.stringify({ type: 'FeatureCollection', features }, null, 1))
    expect(waypoints).toHaveLength(1000)
    expect(waypoints[999]).toMatchObject({ name: 'Löwe "999" \\ [}', longitude: 8.0999 })
  })

  test('reads lists of whole numbers in Parquet as numbers', async () => {
    const content = parquetWriteBuffer({
      schema: [
        { name: 'root', num_children: 3 },
        { name: 'lat', type: 'DOUBLE', repetition_type: 'REQUIRED' },
        { name: 'lon', type: 'DOUBLE', repetition_type: 'REQUIRED' },
        { name: 'visits', converted_type: 'LIST', repetition_type: 'OPTIONAL', num_children: 1 },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', type: 'INT64', repetition_type: 'OPTIONAL' },
      ],
      columnData: [
        { name: 'lat', data: [47, 95] },
        { name: 'lon', data: [8, 9] },
        { name: 'visits', data: [[1n, 2n], [3n]] },
      ],
    })
    const { report } = await imported(new Uint8Array(content), { axes: 'keep' })
    expect(report.counts).toMatchObject({ rows: 2, created: 1, refused: 1 })
    expect(await readFile(report.rejectedFile ?? '', 'utf8')).toContain('[3]')
  })
})

test('lines above the headings are told, and so many are skipped as the caller says', async () => {
  const rows = 'id;name;lat;lon\n1;Löwenbrunnen;47.37;8.54\n'
  const found = await imported(`Brunnen\nStand;Mai\n${rows}`, dated)
  expect(found.report.notes).toEqual([{ code: 'LINES_SKIPPED', lines: 2 }])
  const asked = await imported(`a;b;c;d\ne;f;g;h\n${rows}`, { ...dated, skip: 2 })
  expect(asked.report.notes).toEqual([])
  expect(asked.waypoints).toMatchObject([{ name, ...place }])
})
