import { closeSync, openSync } from 'node:fs'
import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { ods, odsContent, shapefile, xlsx, zipped } from '@openfountain/testing/import/packed-files'
import { emptyRegistry } from '@openfountain/testing/registry'
import { shapefileParts } from '../../src/import/read/shapefile.ts'
import { dated, fileWith, importContent, imported } from './fixture.ts'

const heading = ['Nr', 'Name', 'Breitengrad', 'Längengrad', 'Stand']
const lion = ['1', 'Löwenbrunnen', 47.37, 8.54, undefined]
const place = { name: 'Löwenbrunnen', latitude: 47.37, longitude: 8.54 }
const sheet = (rows: Parameters<typeof ods>[0]) => ({ rows })
const legend = sheet([['Farbe', 'Bedeutung'], ...Array.from({ length: 60 }, () => ['blau', 'Trinkwasser'])])

test('a workbook is read by the sheet whose headings name coordinates, below titles', async () => {
  const rows = [['Trinkbrunnen der Stadt'], ['Stand', 'Mai'], [], heading, lion]
  const content = xlsx({
    Legende: legend,
    Brunnen: sheet(rows),
    Alt: { ...sheet([heading, lion]), hidden: true },
  })
  const { waypoints, report } = await imported(content, dated)
  expect(waypoints).toMatchObject([place])
  expect(report).toMatchObject({ format: 'Excel workbook' })
  expect(report.notes).toEqual([
    { code: 'SHEET_READ', sheet: 'Brunnen', others: ['Legende', 'Alt'] },
    { code: 'LINES_SKIPPED', lines: 2 },
  ])
})

test('a workbook is read by the sheet that is named, also a hidden one; another name is refused with those there are', async () => {
  const other = ['2', 'Bärenbrunnen', 47.1, 8.1]
  const content = xlsx({ A: sheet([heading, lion]), B: { ...sheet([heading, other]), hidden: true } })
  expect((await imported(content, { sheet: 'B' })).waypoints).toMatchObject([{ name: 'Bärenbrunnen' }])
  await expect(imported(content, { sheet: 'C' })).rejects.toMatchObject({
    refusal: { code: 'SHEET_UNKNOWN', sheet: 'C', sheets: ['A', 'B'] },
    message: expect.stringContaining('"C" among A, B'),
  })
  await expect(imported('name,lat,lon\nA,47,8\n', { sheet: 'A' })).rejects.toMatchObject({
    refusal: { code: 'SHEET_UNKNOWN', sheets: [] },
  })
})

const cells = (row: string) =>
  `<row>${['Name', 'lat', 'lon', 'date de mise à jour'].map((text) => `<c t="str"><v>${text}</v></c>`).join('')}</row>` +
  `<row r="2">${row}</row>`
const read = async (row: string, workbook = '') => {
  const content = xlsx({ A: { rows: [], data: cells(row) } }, workbook)
  return (await imported(content, dated)).report.columns.map(({ example }) => example)
}
const at = '<c r="B2"><f>1+1</f><v>47.37</v></c><c r="C2" t="str"><f>x</f><v>8,54</v></c>'

test.each([
  ['<v>45413</v>', '', '2024-05-01'],
  ['<v>43951</v>', 'date1904="1"', '2024-05-01'],
  ['<v>59</v>', '', '1900-02-28'],
  ['<v>61</v>', '', '1900-03-01'],
])('a workbook has dates as serial numbers: %s %s', async (value, workbook, day) => {
  expect(await read(`<c r="A2" t="str"><v>A</v></c>${at}<c r="D2" s="1">${value}</c>`, workbook)).toEqual([
    'A',
    '47.37',
    '8,54',
    day,
  ])
})

test('a workbook has texts in pieces, cells left out, errors and numbers as text', async () => {
  const rich =
    '<c r="A2" t="inlineStr"><is><r><t>Alter </t></r><r><t>Markt</t></r><rPh><t>x</t></rPh></is></c>'
  expect(await read(`${rich}${at}<c r="D2" t="e"><v>#N/A</v></c>`)).toEqual(['Alter Markt', '47.37', '8,54'])
})

test('a workbook of OpenDocument has repeated cells, dates, notes and spaces', async () => {
  const text = (shown: string) =>
    `<table:table-cell office:value-type="string"><text:p>${shown}</text:p></table:table-cell>`
  const head = ['Name', 'lat', 'lon', 'date de mise à jour'].map(text).join('')
  const value = (type: string, of: string) => `<table:table-cell office:value-type="${type}" ${of}/>`
  const table = (name: string, style: string, row: string) =>
    `<table:table table:name="${name}" table:style-name="${style}"><table:table-row>${head}</table:table-row>${row}</table:table>`
  const row = `<table:table-row>${text(
    '<office:annotation><text:p>Notiz</text:p></office:annotation>Alter<text:s/><text:span>Markt</text:span>',
  )}${value('float', 'office:value="47.37"')}${value('float', 'office:value="8.54"')}${value('date', 'office:date-value="2024-05-01"')}</table:table-row>`
  const styles = '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>'
  const content = zipped({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': odsContent(table('Alt', 'ta2', row + row + row) + table('Neu', 'ta1', row), styles),
  })
  const { report, waypoints } = await imported(content, dated)
  expect(report.notes).toEqual([{ code: 'SHEET_READ', sheet: 'Neu', others: ['Alt'] }])
  expect(report.columns.map(({ example }) => example)).toEqual(['Alter Markt', '47.37', '8.54', '2024-05-01'])
  expect(waypoints).toMatchObject([{ name: 'Alter Markt' }])
})

const lv95 =
  'PROJCS["CH1903+_LV95",GEOGCS["GCS_CH1903+",DATUM["D_CH1903+",SPHEROID["Bessel_1841",6377397.155,299.1528128]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Hotine_Oblique_Mercator_Azimuth_Center"],PARAMETER["False_Easting",2600000.0],PARAMETER["False_Northing",1200000.0],PARAMETER["Scale_Factor",1.0],PARAMETER["Azimuth",90.0],PARAMETER["Longitude_Of_Center",7.43958333333333],PARAMETER["Latitude_Of_Center",46.9524055555556],UNIT["Meter",1.0]]'
const potsdam =
  'GEOGCS["GCS_Deutsches_Hauptdreiecksnetz",DATUM["D_Deutsches_Hauptdreiecksnetz",SPHEROID["Bessel_1841",6377397.155,299.1528128]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]'

const points = [[8.54, 47.37]] as const
test.each([
  ['names UTF-8', { names: ['Löwenbrunnen'], cpg: 'UTF-8' }],
  ['names Latin-1', { names: [iconv.encode('Löwenbrunnen', 'iso-8859-1')], cpg: 'ISO-8859-1' }],
  ['names Esri’s number', { names: [iconv.encode('Löwenbrunnen', 'iso-8859-1')], cpg: '88591' }],
  ['names a code page', { names: [iconv.encode('Löwenbrunnen', 'windows-1252')], cpg: 'ANSI 1252' }],
  ['has a language driver', { names: [iconv.encode('Löwenbrunnen', 'cp850')], driver: 2 }],
  ['says nothing, in UTF-8', { names: ['Löwenbrunnen'] }],
  ['says nothing, in Windows-1252', { names: [iconv.encode('Löwenbrunnen', 'windows-1252')] }],
])('a zipped shapefile whose table %s is read', async (_, given) => {
  const descriptor = openSync(fileWith(shapefile({ points, ...given })), 'r')
  const parts: unknown[] = []
  for await (const part of shapefileParts(descriptor)) parts.push(part)
  closeSync(descriptor)
  const geometry = { type: 'Point', coordinates: [8.54, 47.37] }
  expect(parts).toEqual([{ rows: [{ row: 1, fields: { name: 'Löwenbrunnen' }, geometry }] }])
})

test('a zipped shapefile is read by a map of the whole headings, which its table cuts at ten characters', async () => {
  const map = {
    fields: { kind: 'BASIS_TYP_TXT', street: '{STRASSENNAME} {HAUSNUMMER_VON}' },
    leaveOut: { BASIS_TYP_TXT: ['Zierbrunnen'] },
    values: { HAUSNUMMER_VON: { '0': '1' }, HAUSNUMMER_BIS: { '1': '9' } },
  }
  const table = 'BASIS_TYP,BASIS_TYP_,STRASSENNA,HAUSNUMMER,lat,lon\n'
  const content = `${table}1,Trinkbrunnen,Graben,0,48.2,16.3\n2,Zierbrunnen,Graben,0,48.3,16.4\n`
  const { waypoints, report } = await imported(content, { map })
  expect(waypoints).toHaveLength(1)
  expect(report.columns.map(({ column, role, how }) => [column, role, how]).slice(0, 4)).toEqual([
    ['BASIS_TYP', undefined, 'superseded'],
    ['BASIS_TYP_', 'kind', 'map'],
    ['STRASSENNA', 'street', 'map'],
    // Two of the map are cut to it.
    ['HAUSNUMMER', 'houseNumber', 'heading'],
  ])
})

test('a zipped shapefile is placed by its .prj', async () => {
  const content = shapefile({ points: [[2_683_000, 1_247_000]], names: ['A'], prj: lv95 })
  const { waypoints, report } = await imported(content)
  expect(report.crs).toBe('EPSG:2056')
  expect(waypoints[0]).toMatchObject({
    latitude: expect.closeTo(47.3683, 3),
    longitude: expect.closeTo(8.5375, 3),
  })
})

test('a zipped shapefile of a datum that is not known says so', async () => {
  const { report } = await imported(shapefile({ points, names: ['A'], prj: potsdam }), dated)
  expect(report.notes).toEqual([{ code: 'CRS_UNKNOWN', crs: expect.stringContaining('Hauptdreiecksnetz') }])
})

test('a zipped shapefile with fewer rows than shapes is refused, and several in one archive', async () => {
  await expect(imported(shapefile({ points, names: [] }))).rejects.toMatchObject({ code: 'TRUNCATED' })
  await expect(imported(shapefile({ points, names: ['A', 'B'] }))).rejects.toMatchObject({
    code: 'TRUNCATED',
  })
  await expect(imported(zipped({ 'a.shp': '', 'b.shp': '' }))).rejects.toMatchObject({
    code: 'ARCHIVE',
    message: expect.stringContaining('a.shp, b.shp'),
  })
})

const csv = 'id,name,lat,lon\n1,Löwenbrunnen,47.37,8.54\n'

test('an archive of one file of data is that file, whatever stands beside it', async () => {
  const content = zipped({ 'data/brunnen.csv': csv, 'README.txt': 'x', '__MACOSX/._brunnen.csv': 'x' })
  const { waypoints, report } = await imported(content, dated)
  expect(waypoints).toMatchObject([place])
  expect(report.notes).toEqual([{ code: 'ENTRY_READ', entry: 'data/brunnen.csv' }])
  expect(
    (await imported(zipped({ 'brunnen.xlsx': xlsx({ A: sheet([heading, lion]) }) }))).waypoints,
  ).toMatchObject([place])
})

test.each<[string, string, () => Uint8Array, string]>([
  ['of several files', 'ARCHIVE', () => zipped({ 'a.csv': csv, 'b.csv': csv }), 'a.csv, b.csv'],
  ['of a table and a shapefile', 'ARCHIVE', () => zipped({ 'a.csv': csv, 'b.shp': 'x' }), 'a.csv, b.shp'],
  ['of nothing', 'ARCHIVE', () => zipped({}), 'empty'],
  ['in an archive', 'ARCHIVE', () => zipped({ 'a.zip': zipped({ 'a.csv': csv }) }), 'archive in an archive'],
  ['of a geodatabase', 'UNKNOWN_FORMAT', () => zipped({ 'a.gdb/a1.gdbtable': 'x' }), 'ogr2ogr -f GeoJSON'],
  ['of a binary workbook', 'UNKNOWN_FORMAT', () => zipped({ 'xl/workbook.bin': 'x' }), 'save it as .xlsx'],
  ['with a password', 'ARCHIVE', () => encrypted(), 'has a password'],
  ['of zeros', 'BINARY', () => zipped({ 'a.csv': new Uint8Array(100_000_000) }), ''],
  [
    'of the same rows',
    'BOMB',
    () => zipped({ 'a.csv': 'name,lat,lon\n' + 'A,47,8\n'.repeat(11_000_000) }),
    '',
  ],
  ['whose file is longer than it says', 'MALFORMED', () => shortened(), 'damaged'],
])('an archive %s is refused', async (_, code, content, said) => {
  await expect(imported(content())).rejects.toMatchObject({ code, message: expect.stringContaining(said) })
})

const changed = (change: (directory: Buffer) => void): Uint8Array => {
  const bytes = Buffer.from(zipped({ 'a.csv': csv }))
  change(bytes.subarray(bytes.lastIndexOf('PK\u0001\u0002', undefined, 'latin1')))
  return bytes
}
const encrypted = () => changed((directory) => directory.writeUInt16LE(1, 8))
const shortened = () => changed((directory) => directory.writeUInt32LE(10, 24))

const bombs: readonly [string, string, () => Uint8Array][] = [
  [
    'a sheet of empty rows',
    'TOO_MANY_ROWS',
    () => xlsx({ A: { rows: [], data: '<row/>'.repeat(12_000_000) } }),
  ],
  [
    'a sheet of numbered empty rows',
    'TOO_MANY_ROWS',
    () => xlsx({ A: { rows: [], data: numberedRows(1_100_000) } }),
  ],
  [
    'a table of empty rows',
    'BOMB',
    () =>
      zipped({
        mimetype: 'x',
        'content.xml': odsContent(
          `<table:table table:name="A">${'<table:table-row/>'.repeat(4_000_000)}</table:table>`,
        ),
      }),
  ],
  [
    'a sheet of empty cells',
    'BOMB',
    () => xlsx({ A: { rows: [], data: `<row>${'<c/>'.repeat(1000)}</row>`.repeat(5000) } }),
  ],
  ['a sheet of spaces', 'TOO_LARGE', () => xlsx({ A: { rows: [], data: ' '.repeat(80_000_000) } })],
  [
    'entities',
    'ENTITIES',
    () => zipped({ mimetype: 'x', 'content.xml': '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' }),
  ],
  [
    'rows that are repeated',
    'TOO_MANY_ROWS',
    () =>
      zipped({
        mimetype: 'x',
        'content.xml': odsContent(
          '<table:table table:name="A"><table:table-row table:number-rows-repeated="999999999"><table:table-cell office:value-type="float" office:value="1"/></table:table-row></table:table>',
        ),
      }),
  ],
  [
    'a column far away',
    'TOO_LARGE',
    () => xlsx({ A: { rows: [], data: '<row><c r="ZZZ1"><v>1</v></c></row>' } }),
  ],
  [
    'a text that is missing',
    'MALFORMED',
    () => xlsx({ A: { rows: [], data: '<row><c t="s"><v>9</v></c></row>' } }),
  ],
  ['a shape of two gigabytes', 'TOO_LARGE', () => lying(104, 0x3fff_ffff)],
  ['a shape without an end', 'MALFORMED', () => lying(104, 0)],
]
const numberedRows = (length: number): string =>
  Array.from({ length }, (_, at) => `<row r="${at + 1}"/>`).join('')
const lying = (at: number, value: number): Uint8Array => {
  const shp = Buffer.alloc(200)
  shp.writeInt32BE(9994, 0)
  shp.writeInt32BE(value, at)
  return zipped({ 'a.shp': shp })
}
test.each(bombs)(
  'a workbook or a shapefile that is made to do harm is refused: %s',
  async (_, code, content) => {
    const registry = await emptyRegistry()
    const before = await registry.revision()
    await expect(importContent(registry, content())).rejects.toMatchObject({ name: 'ImportRefused', code })
    expect(await registry.revision()).toBe(before)
  },
)
