import { gzipSync } from 'node:zlib'
import { Readable } from 'node:stream'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { importFile } from '../../src/import/index.ts'
import { emptyRegistry, feature, geojson, imported, source, temporaryFolder } from './fixture.ts'

const place = { latitude: 47.37, longitude: 8.54 }

/** Files in which a fountain named Löwenbrunnen is in Zürich, in different formats and spellings. */
const spellings: Record<string, string | Uint8Array> = {
  'CSV with commas': 'id,name,lat,lon\n1,Löwenbrunnen,47.37,8.54\n',
  'CSV with semicolons and decimal commas': 'id;name;lat;lon\n1;Löwenbrunnen;47,37;8,54\n',
  'CSV with tabs': 'id\tname\tlat\tlon\n1\tLöwenbrunnen\t47.37\t8.54\n',
  'CSV with bars': 'id|name|lat|lon\n1|Löwenbrunnen|47.37|8.54\n',
  'CSV with CRLF and a byte-order mark': '\uFEFFid,name,lat,lon\r\n1,Löwenbrunnen,47.37,8.54\r\n',
  'CSV with quotes around everything': '"id","name","lat","lon"\n"1","Löwenbrunnen","47.37","8.54"\n',
  'CSV without a line break at its end': 'id,name,lat,lon\n1,Löwenbrunnen,47.37,8.54',
  'CSV in Windows-1252': iconv.encode('id,name,lat,lon\n1,Löwenbrunnen,47.37,8.54\n', 'windows-1252'),
  'CSV in UTF-16 with a mark': iconv.encode('id,name,lat,lon\n1,Löwenbrunnen,47.37,8.54\n', 'utf-16le', {
    addBOM: true,
  }),
  'CSV in UTF-16 without a mark': iconv.encode('id,name,lat,lon\n1,Löwenbrunnen,47.37,8.54\n', 'utf-16le'),
  'CSV in big-endian UTF-16': iconv.encode('id,name,lat,lon\n1,Löwenbrunnen,47.37,8.54\n', 'utf-16be', {
    addBOM: true,
  }),
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
  GeoJSON: geojson(feature(8.54, 47.37, { name: 'Löwenbrunnen' }, '1')),
  'GeoJSON of one feature': JSON.stringify(feature(8.54, 47.37, { name: 'Löwenbrunnen' }, '1')),
  'GeoJSON with a byte-order mark': `\uFEFF${geojson(feature(8.54, 47.37, { name: 'Löwenbrunnen' }))}`,
  'newline-delimited GeoJSON': `${JSON.stringify(feature(8.54, 47.37, { name: 'Löwenbrunnen' }))}\n`.repeat(
    2,
  ),
  'GeoJSON text sequence': `\u001E${JSON.stringify(feature(8.54, 47.37, { name: 'Löwenbrunnen' }))}\n`,
  'a list of records': JSON.stringify([{ id: 1, name: 'Löwenbrunnen', lat: '47.37', lng: '8.54' }]),
  'records with a place inside': JSON.stringify([
    { name: 'Löwenbrunnen', location: { lat: 47.37, lng: 8.54 } },
  ]),
  'JSON lines of records': '{"name":"Löwenbrunnen","latitude":47.37,"longitude":8.54}\n'.repeat(2),
  'an object of records': JSON.stringify({
    Löwenbrunnen: { name: 'Löwenbrunnen', geo: { lat: '47.37', lon: '8.54' } },
  }),
  'Overpass JSON': JSON.stringify({
    version: 0.6,
    elements: [
      {
        type: 'node',
        id: 1,
        lat: 47.37,
        lon: 8.54,
        tags: { amenity: 'drinking_water', name: 'Löwenbrunnen' },
      },
    ],
  }),
  'Overpass JSON of a way with its centre': JSON.stringify({
    elements: [
      {
        type: 'way',
        id: 1,
        center: { lat: 47.37, lon: 8.54 },
        nodes: [1, 2],
        tags: { amenity: 'drinking_water', name: 'Löwenbrunnen' },
      },
    ],
  }),
  'GPX with a namespace':
    '<?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="47.37" lon="8.54"><name>Löwenbrunnen</name></wpt></gpx>',
  'GPX with a prefix and without a declaration':
    '<g:gpx xmlns:g="http://www.topografix.com/GPX/1/1"><g:wpt lat="47.37" lon="8.54"><g:name><![CDATA[Löwenbrunnen]]></g:name></g:wpt></g:gpx>',
  'GPX without a namespace': '<gpx><wpt lat="47.37" lon="8.54"><name>Löwenbrunnen</name></wpt></gpx>',
  KML: '<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>Löwenbrunnen</name><Point><coordinates>8.54,47.37,400</coordinates></Point></Placemark></Document></kml>',
}

describe('a file is recognised from its content', () => {
  for (const [title, content] of Object.entries(spellings)) {
    test(`reads ${title}`, async () => {
      const { waypoints } = await imported(content)
      expect(waypoints).toMatchObject([{ name: 'Löwenbrunnen', ...place }])
    })

    test(`reads ${title} in gzip`, async () => {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      const { waypoints } = await imported(gzipSync(bytes))
      expect(waypoints).toMatchObject([{ name: 'Löwenbrunnen', ...place }])
    })
  }

  test('reads standard input', async () => {
    const registry = await emptyRegistry()
    const folder = await temporaryFolder()
    const report = await importFile(registry, {
      file: '-',
      stdin: Readable.from([Buffer.from('name,lat,lon\nLöwen'), Buffer.from('brunnen,47.37,8.54\n')]),
      source,
      rejectedFile: `${folder}/rejected`,
      reviewFile: `${folder}/review`,
    })
    expect(report.file.name).toBe('stdin')
    expect(await registry.waypoints.list()).toMatchObject([{ name: 'Löwenbrunnen', ...place }])
  })

  test('finds the columns of a CSV without headings by their values', async () => {
    const { waypoints, report } = await imported(
      'A1;BRUNNEN;47.37,8.54\nA2;BRUNNEN;47.38,8.55\nA3;BRUNNEN;47.39,8.56\n',
    )
    expect(report.counts.created).toBe(3)
    expect(waypoints[0]).toMatchObject(place)
    expect(report.columns.map(({ role }) => role)).toEqual(['ref', undefined, 'position'])
  })

  test('names the columns of a CSV without headings as the map says', async () => {
    const { waypoints } = await imported('A1;Löwenbrunnen;47.37,8.54\nA2;Bärenbrunnen;47.38,8.55\n', {
      map: {
        header: false,
        columns: ['id', 'title', 'place'],
        fields: { name: 'title', position: 'place', ref: 'id' },
      },
    })
    expect(waypoints.map(({ name }) => name)).toEqual(['Löwenbrunnen', 'Bärenbrunnen'])
  })

  test('reads text that is UTF-8 but for single Latin-1 characters', async () => {
    const content = Buffer.concat([
      Buffer.from('name,lat,lon\n'),
      ...Array.from({ length: 20 }, (_, index) => Buffer.from(`Löwenbrunnen ${index},47.3${index},8.54\n`)),
      iconv.encode('Bürgerbrunnen,47.5,8.54\n', 'latin1'),
    ])
    const { waypoints, report } = await imported(content)
    expect(waypoints.at(-1)?.name).toBe('Bürgerbrunnen')
    expect(waypoints[0]?.name).toBe('Löwenbrunnen 0')
    expect(report.notes).toEqual([{ code: 'MIXED_ENCODING', characters: 1, encoding: 'windows-1252' }])
  })

  test('keeps a column’s second heading of the same name apart', async () => {
    const { report } = await imported('name,name,lat,lon\nA,B,47.37,8.54\n')
    expect(report.columns.map(({ column }) => column)).toEqual(['name', 'name_2', 'lat', 'lon'])
  })

  test('reads large elements across the pieces in which a file arrives', async () => {
    const features = Array.from({ length: 3000 }, (_, index) =>
      feature(8 + index / 10_000, 47, {
        name: `Brunnen "${index}" \\ [}`,
        description: 'Wasser '.repeat(60),
      }),
    )
    const { waypoints } = await imported(JSON.stringify({ type: 'FeatureCollection', features }, null, 1))
    expect(waypoints).toHaveLength(3000)
    expect(waypoints[2999]).toMatchObject({ name: 'Brunnen "2999" \\ [}', longitude: 8.2999 })
  })
})
