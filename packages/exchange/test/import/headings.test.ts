import { describe, expect, test } from 'vitest'
import { fileWith, imported, row } from './fixture.ts'

const photo = 'https://example.org/a.jpg'

describe('municipal headings', () => {
  test.each<[string, columns: string, cells: string, found: string]>([
    [
      'English',
      'Asset ID;Name;Description;Operator;Bottle Filler;Pet Friendly;Accessible;City;Photo',
      `A1;Park;By the gate;City;Yes;Y;yes;Leeds;${photo}`,
      `Park;By the gate;City;Leeds;bottle-filler,dog-bowl,wheelchair;${photo}`,
    ],
    [
      'German',
      'Bezeichnung;Beschreibung;Betreiber;Flaschenfüllung;Rollstuhlgerecht;Gemeinde;Foto',
      `Marktbrunnen;Am Rathaus;Stadtwerke;ja;Nein;Lund;${photo}`,
      `Marktbrunnen;Am Rathaus;Stadtwerke;Lund;bottle-filler;${photo}`,
    ],
    [
      'French',
      'Nom;Descriptif;Gestionnaire;Chien;Accessibilité;Commune',
      'Fontaine du Lion;Sur la place;Eau de Lyon;oui;OUI;LYON',
      'Fontaine du Lion;Sur la place;Eau de Lyon;Lyon;dog-bowl,wheelchair;',
    ],
    [
      'Italian',
      'Denominazione;Descrizione;Gestore;Cani;Comune',
      'Fontanella del parco;Vicino al lago;ACEA;sì;Roma',
      'Fontanella del parco;Vicino al lago;ACEA;Roma;dog-bowl;',
    ],
    [
      'Spanish',
      'Nombre;Descripción;Operador;Perros;Municipio',
      'Fuente Mayor;Junto al mercado;Canal;Sí;Madrid',
      'Fuente Mayor;Junto al mercado;Canal;Madrid;dog-bowl;',
    ],
    [
      'Dutch',
      'Naam;Omschrijving;Beheerder;Gemeente;Rolstoel',
      'Marktplein;Naast de kerk;Vitens;Utrecht;ja',
      'Marktplein;Naast de kerk;Vitens;Utrecht;wheelchair;',
    ],
    [
      'Swedish',
      'Namn;Beskrivning;Kommun;Hund',
      'Stortorget;Vid kyrkan;Lund;ja',
      'Stortorget;Vid kyrkan;;Lund;dog-bowl;',
    ],
    ['Polish', 'Nazwa;Opis;Miasto', 'Rynek;Przy ratuszu;Kraków', 'Rynek;Przy ratuszu;;Kraków;;'],
    [
      'Portuguese',
      'Nome;Descrição;Concelho;Cães',
      'Largo;Junto à igreja;Lisboa;sim',
      'Largo;Junto à igreja;;Lisboa;dog-bowl;',
    ],
    ['a shapefile’s ten characters', 'bezeichnun;beschreibu', 'Aussichtsturm;Oben', 'Aussichtsturm;Oben;;;;'],
    ['camel case', 'fountainName;petFriendly', 'Well Street;true', 'Well Street;;;;dog-bowl;'],
  ])('in %s are understood', async (_, columns, cells, found) => {
    const values = cells.split(';')
    const { waypoint } = await row(
      Object.fromEntries(columns.split(';').map((column, at) => [column, values[at] ?? ''])),
    )
    const { name, description, maintainer, region, amenities = [], image } = waypoint ?? {}
    expect([name, description, maintainer, region, amenities.join(','), image].join(';')).toBe(found)
  })

  test('are shown as a table of columns with what they were taken for', async () => {
    const { report } = await row({ Bezeichnung: 'Markt', Farbe: 'rot', Ansprechpartner: 'Erika Muster' })
    expect(report.columns).toEqual([
      { column: 'lat', role: 'latitude', how: 'heading', filled: 1, example: '47.37' },
      { column: 'lon', role: 'longitude', how: 'heading', filled: 1, example: '8.54' },
      { column: 'Bezeichnung', role: 'name', how: 'heading', filled: 1, example: 'Markt' },
      { column: 'Farbe', how: 'unknown', filled: 1, example: 'rot' },
      { column: 'Ansprechpartner', how: 'personal', filled: 1 },
    ])
  })

  test('can be overruled by a map file', async () => {
    const map = {
      fields: { name: ['label', '{kind} {nr}'], description: null, ref: 'nr' },
      amenities: { trough: { low: ['dog-bowl'] } },
      values: { kind: { B: 'Bubbler' } },
      leaveOut: { kind: ['Shower'] },
      place: 'Lund',
    }
    const { waypoints, report } = await imported(
      'nr,kind,description,trough,label,lat,lon\n7,B,x,low,,55.7,13.2\n8,Shower,x,,,55.7,13.3\n9,B,x,,Market,55.8,13.2\n',
      { map: fileWith(JSON.stringify(map), 'map.json') },
    )
    expect(waypoints).toMatchObject([
      { name: 'Bubbler 7', amenities: ['bubbler', 'dog-bowl'] },
      { name: 'Market', amenities: ['bubbler'] },
    ])
    expect(waypoints[0]?.description).toBeUndefined()
    expect(report.leftOut).toEqual([
      { code: 'UNWANTED', column: 'kind', value: 'Shower', reason: 'kind is Shower', rows: 1 },
    ])
    expect(report.columns.find(({ column }) => column === 'nr')).toMatchObject({ role: 'ref', how: 'map' })
  })

  test.each([
    ['{"fields": {"nam": "x"}}', 'nam'],
    ['{"colums": []}', 'colums'],
    ['{"fields": {"name": 7}}', 'fields.name'],
    ['[1]', 'object'],
    ['not json', 'not JSON'],
  ])('in the map file %s are refused by name', async (text, named) => {
    const map = fileWith(text, 'map.json')
    await expect(imported('name,lat,lon\nA,47,8\n', { map })).rejects.toMatchObject({
      code: 'MAP',
      message: expect.stringContaining(named),
    })
  })
})
