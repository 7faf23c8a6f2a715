import { writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { fileWith, imported, row } from './fixture.ts'

describe('municipal headings', () => {
  test.each<[string, Record<string, string>, object]>([
    [
      'English',
      {
        'Asset ID': 'A1',
        Name: 'Park',
        Description: 'By the gate',
        Operator: 'City',
        'Bottle Filler': 'Yes',
        'Pet Friendly': 'Y',
        Accessible: 'yes',
        City: 'Leeds',
        Photo: 'https://example.org/a.jpg',
      },
      {
        name: 'Park',
        description: 'By the gate',
        maintainer: 'City',
        region: 'Leeds',
        image: 'https://example.org/a.jpg',
        amenities: ['bottle-filler', 'dog-bowl', 'wheelchair'],
      },
    ],
    [
      'German',
      {
        Bezeichnung: 'Marktbrunnen',
        Beschreibung: 'Am Rathaus',
        Betreiber: 'Stadtwerke',
        Flaschenfüllung: 'ja',
        Rollstuhlgerecht: 'Nein',
        Gemeinde: 'Lund',
        Foto: 'https://example.org/a.jpg',
      },
      {
        name: 'Marktbrunnen',
        description: 'Am Rathaus',
        maintainer: 'Stadtwerke',
        region: 'Lund',
        amenities: ['bottle-filler'],
      },
    ],
    [
      'French',
      {
        Nom: 'Fontaine du Lion',
        Descriptif: 'Sur la place',
        Gestionnaire: 'Eau de Lyon',
        Chien: 'oui',
        Accessibilité: 'OUI',
        Commune: 'LYON',
      },
      {
        name: 'Fontaine du Lion',
        description: 'Sur la place',
        maintainer: 'Eau de Lyon',
        region: 'Lyon',
        amenities: ['dog-bowl', 'wheelchair'],
      },
    ],
    [
      'Italian',
      {
        Denominazione: 'Fontanella del parco',
        Descrizione: 'Vicino al lago',
        Gestore: 'ACEA',
        Cani: 'sì',
        Comune: 'Roma',
      },
      {
        name: 'Fontanella del parco',
        description: 'Vicino al lago',
        maintainer: 'ACEA',
        region: 'Roma',
        amenities: ['dog-bowl'],
      },
    ],
    [
      'Spanish',
      {
        Nombre: 'Fuente Mayor',
        Descripción: 'Junto al mercado',
        Operador: 'Canal',
        Perros: 'Sí',
        Municipio: 'Madrid',
      },
      {
        name: 'Fuente Mayor',
        description: 'Junto al mercado',
        maintainer: 'Canal',
        region: 'Madrid',
        amenities: ['dog-bowl'],
      },
    ],
    [
      'Dutch',
      {
        Naam: 'Marktplein',
        Omschrijving: 'Naast de kerk',
        Beheerder: 'Vitens',
        Gemeente: 'Utrecht',
        Rolstoel: 'ja',
      },
      {
        name: 'Marktplein',
        description: 'Naast de kerk',
        maintainer: 'Vitens',
        region: 'Utrecht',
        amenities: ['wheelchair'],
      },
    ],
    [
      'Swedish',
      { Namn: 'Stortorget', Beskrivning: 'Vid kyrkan', Kommun: 'Lund', Hund: 'ja' },
      { name: 'Stortorget', description: 'Vid kyrkan', region: 'Lund', amenities: ['dog-bowl'] },
    ],
    [
      'Polish',
      { Nazwa: 'Rynek', Opis: 'Przy ratuszu', Miasto: 'Kraków' },
      { name: 'Rynek', description: 'Przy ratuszu', region: 'Kraków' },
    ],
    [
      'Portuguese',
      { Nome: 'Largo', Descrição: 'Junto à igreja', Concelho: 'Lisboa', Cães: 'sim' },
      { name: 'Largo', region: 'Lisboa', amenities: ['dog-bowl'] },
    ],
    [
      'a shapefile’s ten characters',
      { bezeichnun: 'Aussichtsturm', beschreibu: 'Oben' },
      { name: 'Aussichtsturm', description: 'Oben' },
    ],
    [
      'camel case',
      { fountainName: 'Well Street', petFriendly: 'true' },
      { name: 'Well Street', amenities: ['dog-bowl'] },
    ],
  ])('in %s are understood', async (_, columns, expected) => {
    expect((await row(columns)).waypoint).toMatchObject(expected)
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
    const map = await fileWith('', 'map.json')
    await writeFile(
      map,
      JSON.stringify({
        fields: { name: ['label', '{kind} {nr}'], description: null, ref: 'nr' },
        amenities: { trough: { low: ['dog-bowl'] } },
        values: { kind: { B: 'Bubbler' } },
        leaveOut: { kind: ['Shower'] },
        place: 'Lund',
      }),
    )
    const { waypoints, report } = await imported(
      'nr,kind,description,trough,label,lat,lon\n7,B,x,low,,55.7,13.2\n8,Shower,x,,,55.7,13.3\n9,B,x,,Market,55.8,13.2\n',
      { map },
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
    const map = await fileWith(text, 'map.json')
    await expect(imported('name,lat,lon\nA,47,8\n', { map })).rejects.toMatchObject({
      code: 'MAP',
      message: expect.stringContaining(named),
    })
  })
})
