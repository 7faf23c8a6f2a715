import { expect, test } from 'vitest'
import { emptyRegistry } from '@openfountain/testing/registry'
import { dated, importContent, imported } from './fixture.ts'

const name = 'Löwenbrunnen'

const esri = (features: readonly object[], more: object = {}) =>
  JSON.stringify({
    displayFieldName: 'NAME',
    fieldAliases: { NAME: 'Name' },
    geometryType: 'esriGeometryPoint',
    spatialReference: { wkid: 102100, latestWkid: 3857 },
    fields: [
      { name: 'NAME', type: 'esriFieldTypeString' },
      { name: 'LAST_UPDATE', type: 'esriFieldTypeDate' },
      {
        name: 'TYPE',
        type: 'esriFieldTypeInteger',
        domain: { codedValues: [{ code: 1, name: 'Bottle filler' }] },
      },
    ],
    features,
    ...more,
  })
const esriPoint = { x: 950668.45, y: 6002678.0 }
const attributes = { NAME: name, LAST_UPDATE: 1714521600000, TYPE: 1 }

const answers: Readonly<Record<string, string>> = {
  ArcGIS: esri([{ attributes, geometry: esriPoint }]),
  'ArcGIS with a polygon': esri([
    {
      attributes,
      geometry: {
        rings: [
          [
            [950667, 6002677],
            [950667, 6002680],
            [950670, 6002680],
            [950670, 6002677],
            [950667, 6002677],
          ],
        ],
      },
    },
  ]),
  'the datastore of CKAN': JSON.stringify({
    help: 'x',
    success: true,
    result: {
      resource_id: 'r',
      records: [{ _id: 1, Name: name, Latitude: '47.37', Longitude: '8.54' }],
      fields: [{ id: '_id', type: 'int' }],
      _links: { next: '/' },
      total: 1,
    },
  }),
  'the datastore of CKAN, named first': JSON.stringify({
    result: {
      fields: [{ id: 'Name' }, { id: 'lat' }, { id: 'lon' }],
      records: [[name, 47.37, 8.54]],
      total: 1,
    },
    success: true,
  }),
  'a dump of CKAN': JSON.stringify({
    fields: [{ id: 'Name' }, { id: 'lat' }, { id: 'lon' }],
    records: [[name, 47.37, 8.54]],
  }),
  'Opendatasoft 1': JSON.stringify({
    nhits: 1,
    parameters: { dataset: 'd', rows: 10 },
    records: [
      {
        datasetid: 'd',
        recordid: 'abc',
        fields: { nom: name, geo_point_2d: [47.37, 8.54] },
        geometry: { type: 'Point', coordinates: [8.54, 47.37] },
        record_timestamp: '2024-05-01',
      },
    ],
    facet_groups: [],
  }),
  'Opendatasoft 2.0': JSON.stringify({
    total_count: 1,
    links: [{ rel: 'self', href: '/' }],
    records: [
      {
        links: [],
        record: { id: 'abc', timestamp: 'x', fields: { nom: name, geo_point_2d: { lat: 47.37, lon: 8.54 } } },
      },
    ],
  }),
  'Opendatasoft 2.1': JSON.stringify({
    total_count: 1,
    results: [
      {
        nom: name,
        geo_shape: {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [8.54, 47.37] },
          properties: {},
        },
        geo_point_2d: { lon: 8.54, lat: 47.37 },
      },
    ],
  }),
  Socrata: JSON.stringify([
    {
      name,
      location: { latitude: '47.37', longitude: '8.54', human_address: '{}' },
      ':@computed_region_x': '1',
    },
  ]),
  'Socrata with points': JSON.stringify([{ name, the_geom: { type: 'Point', coordinates: [8.54, 47.37] } }]),
  'rows.json of Socrata': JSON.stringify({
    meta: {
      view: {
        id: 'x',
        columns: [
          { name: 'sid', fieldName: ':sid' },
          { name: 'Name', fieldName: 'name' },
          { name: 'Location', fieldName: 'location' },
        ],
      },
    },
    data: [['row-1', name, [null, '47.37', '8.54', null, false]]],
  }),
  'OData 4': JSON.stringify({
    '@odata.context': 'x',
    value: [{ Name: name, Latitude: 47.37, Longitude: 8.54 }],
  }),
  'OData 2': JSON.stringify({ d: { results: [{ Name: name, Latitude: 47.37, Longitude: 8.54 }] } }),
}

const gml = (srs: string, geometry: string, version = '3.2') =>
  `<wfs:FeatureCollection numberMatched="1" numberReturned="1" timeStamp="2025-06-01T10:00:00Z" xmlns:wfs="http://www.opengis.net/wfs/2.0"><wfs:member><app:brunnen gml:id="brunnen.7" xmlns:gml="http://www.opengis.net/gml/${version}"><gml:boundedBy><gml:Envelope srsName="${srs}"><gml:lowerCorner>0 0</gml:lowerCorner></gml:Envelope></gml:boundedBy><app:name>Löwenbrunnen</app:name><app:geom>${geometry.replaceAll('SRS', `srsName="${srs}"`)}</app:geom></app:brunnen></wfs:member></wfs:FeatureCollection>`
const short = 'http://www.opengis.net/gml/srs/epsg.xml#4326'
const long = 'urn:ogc:def:crs:EPSG::4326'

const texts: Readonly<Record<string, string>> = {
  'a position, latitude first': gml(long, '<gml:Point SRS><gml:pos>47.37 8.54</gml:pos></gml:Point>'),
  'an address of the definition': gml(
    'http://www.opengis.net/def/crs/EPSG/0/4326',
    '<gml:Point SRS><gml:pos>47.37 8.54</gml:pos></gml:Point>',
  ),
  'a position, longitude first': gml(short, '<gml:Point SRS><gml:pos>8.54 47.37</gml:pos></gml:Point>'),
  'a short name': gml('EPSG:4326', '<gml:Point SRS><gml:pos>8.54 47.37</gml:pos></gml:Point>'),
  CRS84: gml('urn:ogc:def:crs:OGC:1.3:CRS84', '<gml:Point SRS><gml:pos>8.54 47.37</gml:pos></gml:Point>'),
  'coordinates of version 2': gml(
    short,
    '<gml:Point SRS><gml:coordinates decimal="," cs=" " ts=";">8,54 47,37</gml:coordinates></gml:Point>',
  ),
  'coord of version 2': gml(
    short,
    '<gml:Point SRS><gml:coord><gml:X>8.54</gml:X><gml:Y>47.37</gml:Y></gml:coord></gml:Point>',
  ),
  'one point of several': gml(
    long,
    '<gml:MultiPoint SRS><gml:pointMember><gml:Point><gml:pos>47.37 8.54</gml:pos></gml:Point></gml:pointMember></gml:MultiPoint>',
  ),
  'a polygon with heights': gml(
    long,
    '<gml:MultiSurface SRS srsDimension="3"><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>47.36 8.53 1 47.38 8.53 1 47.38 8.55 1 47.36 8.55 1 47.36 8.53 1</gml:posList></gml:LinearRing></gml:exterior><gml:interior><gml:LinearRing><gml:posList>47 8 1 48 8 1 48 9 1 47 8 1</gml:posList></gml:LinearRing></gml:interior></gml:Polygon></gml:surfaceMember></gml:MultiSurface>',
  ),
  'a curve': gml(
    long,
    '<gml:Curve SRS><gml:segments><gml:LineStringSegment><gml:posList>47.36 8.54 47.38 8.54</gml:posList></gml:LineStringSegment></gml:segments></gml:Curve>',
  ),
  'northing first': gml(
    'urn:ogc:def:crs:EPSG::31467',
    '<gml:Point SRS><gml:pos>5248243.2 3465384.1</gml:pos></gml:Point>',
  ),
}

test.each(Object.entries(answers))('an answer of a server of %s is read', async (_, content) => {
  const { waypoints, report } = await imported(content)
  expect(report.counts).toMatchObject({ rows: 1, created: 1 })
  expect(report.partial).toBeUndefined()
  const [found] = waypoints
  expect(found).toMatchObject({
    name,
    latitude: expect.closeTo(47.37, 4),
    longitude: expect.closeTo(8.54, 4),
  })
})

test.each(Object.entries(texts))(
  'an answer of a server of a web feature service is read: %s',
  async (title, content) => {
    const { waypoints, report } = await imported(content)
    expect(report).toMatchObject({ format: 'GML', published: '2025-06-01', counts: { rows: 1, created: 1 } })
    const digits = title === 'northing first' ? 2 : 5
    const [latitude, longitude] = [expect.closeTo(47.37, digits), expect.closeTo(8.54, digits)]
    expect(waypoints[0]).toMatchObject({ name, latitude, longitude })
  },
)

test('an answer of a server of ArcGIS has days and words for its numbers', async () => {
  const { report } = await imported(answers['ArcGIS'] ?? '')
  expect(report).toMatchObject({ format: 'ArcGIS JSON', crs: 'EPSG:3857' })
  expect(report.columns.map(({ example }) => example)).toEqual([
    name,
    '2024-05-01T00:00:00.000Z',
    'Bottle filler',
  ])
})

test.each<[string, string, object]>([
  ['ArcGIS', esri([{ attributes, geometry: esriPoint }], { exceededTransferLimit: true }), { returned: 1 }],
  [
    'ArcGIS as GeoJSON',
    JSON.stringify({
      type: 'FeatureCollection',
      properties: { exceededTransferLimit: true },
      features: [
        { type: 'Feature', properties: { name }, geometry: { type: 'Point', coordinates: [8.54, 47.37] } },
      ],
    }),
    { returned: 1 },
  ],
  [
    'CKAN',
    (answers['the datastore of CKAN'] ?? '').replace('"total":1', '"total":70'),
    { returned: 1, total: 70 },
  ],
  [
    'Opendatasoft 1',
    (answers['Opendatasoft 1'] ?? '').replace('"nhits":1', '"nhits":70'),
    { returned: 1, total: 70 },
  ],
  [
    'Opendatasoft 2.1',
    (answers['Opendatasoft 2.1'] ?? '').replace('_count":1', '_count":70'),
    { returned: 1, total: 70 },
  ],
  ['OData', (answers['OData 4'] ?? '').replace('"value"', '"@odata.nextLink":"x","value"'), { returned: 1 }],
  [
    'a web feature service',
    gml('EPSG:4326', '<gml:Point SRS><gml:pos>8.54 47.37</gml:pos></gml:Point>').replace(
      'numberMatched="1"',
      'numberMatched="70"',
    ),
    { returned: 1, total: 70 },
  ],
  [
    'a web feature service, wrong about itself',
    gml('EPSG:4326', '<gml:Point SRS><gml:pos>8.54 47.37</gml:pos></gml:Point>').replace(
      'numberMatched="1" numberReturned="1"',
      'numberMatched="70" numberReturned="70"',
    ),
    { returned: 1, total: 70 },
  ],
])(
  'an answer of a server of %s that is a part stops, and marks nothing as missing once it is accepted',
  async (_, content, partial) => {
    const registry = await emptyRegistry()
    await importContent(registry, 'name,lat,lon\nBärenbrunnen,47,8\n', dated)
    const later = { published: '2025-12-02' }
    await expect(importContent(registry, content, later)).rejects.toMatchObject({
      details: { concerns: expect.arrayContaining([{ code: 'PARTIAL', accept: 'partial', ...partial }]) },
    })
    const report = await importContent(registry, content, { ...later, accept: ['partial'] })
    expect(report.partial).toEqual(partial)
    expect(report.counts).toMatchObject({ created: 1, missing: 0, removed: 0 })
  },
)

test.each([
  ['{"error":{"code":400,"message":"Invalid query\\u001b[31m"}}', 'Invalid query [31m" (400)'],
  [
    '<ows:ExceptionReport xmlns:ows="x"><ows:Exception><ows:ExceptionText>No such layer</ows:ExceptionText></ows:Exception></ows:ExceptionReport>',
    'No such layer',
  ],
])('an answer of a server that is an error is refused with its words', async (content, said) => {
  await expect(imported(content)).rejects.toMatchObject({
    code: 'UNKNOWN_FORMAT',
    message: expect.stringContaining(said),
  })
})

test('an answer of a server with features in two coordinate systems refuses those of the second', async () => {
  const one = gml('EPSG:4326', '<gml:Point SRS><gml:pos>8.54 47.37</gml:pos></gml:Point>')
  const other = gml('EPSG:25832', '<gml:Point SRS><gml:pos>465384 5248243</gml:pos></gml:Point>')
  const member = /<wfs:member>.*<\/wfs:member>/u
  const { report } = await imported(
    one.replace('</wfs:FeatureCollection>', `${member.exec(other)?.[0]}</wfs:FeatureCollection>`),
  )
  expect(report.counts).toMatchObject({ created: 1, refused: 1 })
  expect(report.refused).toMatchObject([{ code: 'UNKNOWN_GEOMETRY', type: '"Point in EPSG:25832"' }])
})

test('records that are called like the members of an answer stay records', async () => {
  const records = {
    d: { name: 'D', lat: 47, lon: 8 },
    result: { name: 'R', lat: 47.1, lon: 8, tags: { a: [1] } },
  }
  const { waypoints } = await imported(JSON.stringify(records))
  expect(waypoints.map((each) => each.name)).toEqual(['D', 'R'])
})
