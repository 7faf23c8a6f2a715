import { expect, test } from 'vitest'
import { fileWith, imported, row } from './fixture.ts'

const photo = 'https://example.org/a.jpg'

test('municipal headings in English are understood, with a picture and what is not there', async () => {
  const columns = 'Asset ID;Name;Operator;Bottle Filler;Pet Friendly;Accessible;City;Photo'.split(';')
  const cells = `A1;Park;Works;Yes;Y;no;LEEDS;${photo}`.split(';')
  const { waypoint } = await row(
    Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])),
  )
  const amenities = ['bottle-filler', 'dog-bowl']
  const place = { name: 'Park', maintainer: 'Works', region: 'Leeds', image: photo }
  expect(waypoint).toMatchObject({ ...place, amenities })
})

test.each<[string, headings: string, yes?: string, amenity?: string]>([
  ['German', 'Bezeichnung;Beschreibung;Betreiber;Gemeinde;Rollstuhlgerecht', 'ja', 'wheelchair'],
  ['French', 'Nom;Descriptif;Gestionnaire;Commune;Chien', 'OUI', 'dog-bowl'],
  ['Italian', 'Denominazione;Descrizione;Gestore;Comune;Cani', 'sì', 'dog-bowl'],
  ['Spanish', 'Nombre;Descripción;Operador;Municipio;Perros', 'Sí', 'dog-bowl'],
  ['Dutch', 'Naam;Omschrijving;Beheerder;Gemeente;Rolstoel', 'ja', 'wheelchair'],
  ['Swedish', 'Namn;Beskrivning;;Kommun;Hund', 'ja', 'dog-bowl'],
  ['Polish', 'Nazwa;Opis;;Miasto;'],
  ['Portuguese', 'Nome;Descrição;;Concelho;Cães', 'sim', 'dog-bowl'],
  ['a shapefile’s ten characters', 'bezeichnun;beschreibu;;;'],
  ['camel case', 'fountainName;;;;petFriendly', 'true', 'dog-bowl'],
])('municipal headings in %s are understood', async (_, headings, yes = '', amenity = '') => {
  const columns = headings.split(';')
  const texts = ['Aussichtsturm', 'Am Rathaus', 'Stadtwerke', 'Lund', yes]
  const given = columns.flatMap((column, index) => (column === '' ? [] : [[column, texts[index] ?? '']]))
  const { waypoint } = await row(Object.fromEntries(given))
  const { name, description, maintainer, region, amenities = [] } = waypoint ?? {}
  expect([name, description, maintainer, region, amenities.join()]).toEqual([
    ...texts.slice(0, 4).map((text, index) => (columns[index] === '' ? undefined : text)),
    amenity,
  ])
})

test('municipal headings are shown as a table of columns with what they were taken for', async () => {
  const { report } = await row({ Bezeichnung: 'Markt', Farbe: 'rot', Ansprechpartner: 'Erika Muster' })
  expect(report.columns).toEqual([
    { column: 'lat', role: 'latitude', how: 'heading', filled: 1, example: '47.37' },
    { column: 'lon', role: 'longitude', how: 'heading', filled: 1, example: '8.54' },
    { column: 'Bezeichnung', role: 'name', how: 'heading', filled: 1, example: 'Markt' },
    { column: 'Farbe', how: 'unknown', filled: 1, example: 'rot' },
    { column: 'Ansprechpartner', how: 'personal', filled: 1 },
  ])
})

test('municipal headings can be overruled by a map file, whose columns are named where the file lacks them', async () => {
  const map = {
    fields: {
      name: ['label', 'titel', 'Court {nr}'],
      description: null,
      ref: 'nr',
      region: '{stad} {del}',
    },
    amenities: { trough: { low: ['dog-bowl'] } },
    values: { kind: { B: 'Bubbler' } },
    leaveOut: { kind: ['Shower'], typ: true },
    place: 'Lund',
  }
  const { waypoints, report } = await imported(
    'nr,kind,description,trough,label,lat,lon\n7,B,x,low,,55.7,13.2\n8,Shower,x,,,55.7,13.3\n9,B,x,,Market,55.8,13.2\n',
    { map: fileWith(JSON.stringify(map), 'map.json') },
  )
  expect(waypoints).toMatchObject([
    { name: 'Court 7', amenities: ['bubbler', 'dog-bowl'] },
    { name: 'Market', amenities: ['bubbler'] },
  ])
  expect(waypoints[0]?.description).toBeUndefined()
  expect(report.leftOut).toEqual([
    { code: 'UNWANTED', column: 'kind', value: 'Shower', reason: 'kind is Shower', rows: 1 },
  ])
  const lacking = { code: 'COLUMNS_LACKING', columns: ['stad', 'del', 'typ'] }
  expect(report.notes.filter(({ code }) => code === lacking.code)).toEqual([lacking])
  expect(report.columns.find(({ column }) => column === 'nr')).toMatchObject({ role: 'ref', how: 'map' })
})

test.each([
  ['{"fields": {"nam": "x"}}', 'nam'],
  ['{"colums": []}', 'colums'],
  ['{"fields": {"name": 7}}', 'fields.name'],
  ['[1]', 'object'],
  ['not json', 'not JSON'],
])('municipal headings in the map file %s are refused by name', async (text, named) => {
  const map = fileWith(text, 'map.json')
  await expect(imported('name,lat,lon\nA,47,8\n', { map })).rejects.toMatchObject({
    code: 'MAP',
    message: expect.stringContaining(named),
  })
})
