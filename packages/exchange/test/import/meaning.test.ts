import { describe, expect, test } from 'vitest'
import { emptyRegistry } from '@openfountain/testing/registry'
import type { ImportFileOptions } from '../../src/index.ts'
import { feature, geojson, importContent, imported, node, overpass, row } from './fixture.ts'

const drinking = { amenity: 'drinking_water' }

async function tagged(tags: Record<string, string>, options: Partial<ImportFileOptions> = {}) {
  const content = geojson(feature(8.54, 47.37, { '@id': 'node/1', ...drinking, ...tags }))
  return (await imported(content, options)).waypoints[0]
}

describe('OpenStreetMap’s tags', () => {
  test.each<[Record<string, string>, string[]]>([
    [{ bottle: 'yes', dog: 'yes', wheelchair: 'yes' }, ['bottle-filler', 'dog-bowl', 'wheelchair']],
    [{ bottle: 'no', wheelchair: 'limited' }, []],
    [
      { man_made: 'water_tap', fee: 'no', seasonal: 'no', opening_hours: '24/7' },
      ['all-year', 'always-open', 'free', 'tap'],
    ],
    [{ fountain: 'nasone' }, ['fountain']],
    [{ seasonal: 'May 15-Oct 01' }, ['seasonal']],
    [{ amenity: 'fountain', drinking_water: 'yes', natural: 'spring' }, ['spring']],
    [{ amenity: 'water_point', man_made: 'borehole', pump: 'manual' }, ['hand-pump', 'well']],
  ])('%j are amenities', async (tags, amenities) => {
    expect((await tagged(tags))?.amenities.toSorted()).toEqual(amenities)
  })

  test.each<[Record<string, string>]>([
    [{ amenity: 'fountain' }],
    [{ ...drinking, drinking_water: 'no' }],
    [{ ...drinking, 'drinking_water:legal': 'no' }],
    [{ ...drinking, access: 'no' }],
    [{ ...drinking, disused: 'yes' }],
    [{ ...drinking, 'disused:amenity': 'drinking_water' }],
    [{ amenity: 'watering_place' }],
  ])('%j are not a drinking fountain', async (tags) => {
    const content = geojson(feature(8, 47, { ...drinking, name: 'A' }), feature(8.1, 47, tags))
    const { report } = await imported(content)
    expect(report.counts).toMatchObject({ created: 1, leftOut: 1 })
    expect(report.leftOut).toHaveLength(1)
    expect((await imported(content, { keepAll: true })).report.counts.created).toBe(2)
  })

  test('give a file of Wikimedia Commons as a picture, and no page', async () => {
    expect((await tagged({ wikimedia_commons: 'File:Cours de Vincennes.JPG' }))?.image).toBe(
      'https://commons.wikimedia.org/wiki/Special:FilePath/Cours_de_Vincennes.JPG',
    )
    expect((await tagged({ image: 'javascript:alert(1)' }))?.image).toBeUndefined()
  })

  test.each([
    ['Apr 01-Oct 31', { season: '04-01/10-31', amenities: ['seasonal'] }],
    ['Nov-Feb', { season: '11-01/02-29', amenities: ['seasonal'] }],
    ['yes', { amenities: ['seasonal'] }],
    ['summer', { amenities: ['seasonal'], description: 'summer' }],
    ['no', { amenities: ['all-year'] }],
    ['Feb 30-Oct 31', { amenities: [] }],
  ])('seasonal=%s is a season where it has days, and an amenity', async (seasonal, expected) => {
    const { season, amenities, description } = (await tagged({ seasonal })) ?? {}
    expect({ season, amenities, description }).toEqual(expected)
  })

  test.each([
    [{ 'drinking_water:legal': 'yes' }, 'yes', 'tested'],
    [{ 'drinking_water:legal': 'no' }, 'no', ''],
    [{ drinking_water: 'no' }, 'no', ''],
    [{ drinking_water: 'no', 'drinking_water:legal': 'yes' }, 'no', 'tested'],
    [{ drinking_water: 'yes' }, undefined, ''],
    [{ 'drinking_water:signed': 'no' }, 'unsigned', ''],
    [{ 'drinking_water:legal': 'unsigned' }, 'unsigned', ''],
    [{ 'drinking_water:signed': 'no', 'drinking_water:legal': 'no' }, 'no', ''],
    [{ 'drinking_water:signed': 'yes', 'drinking_water:legal': 'unknown' }, undefined, ''],
  ])('%j says whether the water is declared to be drinking water: %s', async (tags, drinkable, amenities) => {
    const waypoint = await tagged(tags, { keepAll: true })
    expect([waypoint?.drinkable, waypoint?.amenities.join()]).toEqual([drinkable, amenities])
  })

  test.each([
    ['private', 'private'],
    ['residents', 'private'],
    ['customers', 'customers'],
    ['permissive', 'yes'],
    ['unknown', undefined],
    ['destination', undefined],
  ])('access=%s says who may use it: %s', async (access, expected) => {
    expect((await tagged({ access }))?.access).toBe(expected)
  })

  test('say in the description what is out of order, and when it is open', async () => {
    const tags = {
      description: 'By the gate',
      operational_status: 'needs_maintenance',
      opening_hours: 'Apr-Oct',
    }
    expect(await tagged(tags)).toMatchObject({
      description: 'By the gate\nneeds maintenance',
      openingHours: 'Apr-Oct',
    })
  })
})

describe('what is not for drinking', () => {
  test('is left out for its kind, and what is for drinking is not', async () => {
    const kinds =
      'Zierbrunnen;Sprühnebeldusche;Spielbrunnen;Wasserspielmöglichkeit;Fontaine ornementale;Fontana ornamentale;' +
      'Temporary Misting Station location;Temporary Handwashing Station location;Decorative fountain;Splash pad;' +
      'Lavoir;Hydrant;Agua no potable;Public shower;Surface water'
    const drinkable =
      'Trinkhydrant mit Tränke;Mobiler Trinkbrunnen mit Sprühnebelfunktion;Auslaufbrunnen;Drinking fountain;' +
      'Fuente de agua potable'
    const rows = [...kinds.split(';'), ...drinkable.split(';')].map(
      (kind, at) => `Löwe ${kind};${kind};47.${at + 10};8\n`,
    )
    const { waypoints } = await imported(`name;typ;lat;lon\n${rows.join('')}`)
    expect(waypoints.map(({ name }) => name.slice(5))).toEqual(drinkable.split(';'))
  })

  test('is left out when a column of drinkable water says no, and when it no longer exists', async () => {
    const { report } = await imported(
      'name;A_BOIRE;etat;lat;lon\nA;1;En service;47.1;8\nB;0;En service;47.2;8\nC;1;supprimée;47.3;8\n',
    )
    expect(report.counts).toMatchObject({ created: 1, leftOut: 2 })
  })

  test('says so of a fountain that is known, and does not make it missing', async () => {
    const registry = await emptyRegistry()
    const listing = (text: string) => `id;name;trinkwasser;lat;lon\nb1;A;${text};47.1;8\n`
    await importContent(registry, listing('ja'))
    expect((await importContent(registry, listing('nein'))).counts).toMatchObject({ updated: 1, missing: 0 })
    expect(await registry.waypoints.get(1)).toMatchObject({ name: 'A', drinkable: 'no' })
  })

  test('of private fountains, kind or owner say so, and of others nothing is made up', async () => {
    const rows =
      'A;privater Brunnen;\nB;öffentlicher Brunnen;\nC;Brunnen;nur für Kunden\nD;Brunnen;öffentlich\nE;Brunnen;im Hof\n'
    const text = rows.split('\n').map((row, at) => (row === '' ? '' : `${row};47.${at + 10};8\n`))
    const { waypoints } = await imported(`name;typ;zugang;lat;lon\n${text.join('')}`)
    expect(waypoints.map(({ access }) => access)).toEqual([
      'private',
      undefined,
      'customers',
      'yes',
      undefined,
    ])
  })

  test.each<[string, string, object]>([
    ['Wasserart', 'Quellwasser gekühlt', { amenities: ['chilled'] }],
    ['Type d’eau', 'non filtrée', { amenities: [] }],
    ['Wasserart', 'kein Trinkwasser', { drinkable: 'no' }],
    ['Trinkwasser beschildert', 'nein', { drinkable: 'unsigned' }],
    ['Eigentümerart', 'privat', { access: 'private' }],
    ['Eigentümerart', 'Genossenschaft', { access: undefined }],
    ['Rollstuhlhöhe', 'ja', { amenities: ['wheelchair'] }],
    ['Rollstuhlhöhe', '85', { amenities: [] }],
    ['Laufzeiten', 'rund um die Uhr', { openingHours: '24/7', description: undefined }],
    ['Laufzeiten', 'Mo-Fr 08:00-20:00', { openingHours: 'Mo-Fr 08:00-20:00' }],
    ['Laufzeiten', '8-20 Uhr', { openingHours: undefined, description: '8-20 Uhr' }],
    ['Saison', 'complète', { season: undefined, amenities: [] }],
    ['Saison', 'Mai bis Oktober', { season: '05-01/10-31', amenities: ['seasonal'] }],
  ])('%s: %s arrives, and what is not known says nothing', async (heading, text, expected) => {
    const { waypoint } = await row({ name: 'Löwe', [heading]: text }, { keepAll: true })
    const said = Object.entries(waypoint ?? {}).filter(([name]) => name in expected)
    expect(Object.fromEntries(said)).toEqual(expected)
  })

  test('is what a column of drinkable water says in any words', async () => {
    const told = 'yes=yes;Ja=yes;Eau potable=yes;0=no;Kein Trinkwasser=no;non potable=no;unsigned=unsigned'
    const words = `${told};nicht gekennzeichnet=unsigned;unknown=;=`.split(';').map((each) => each.split('='))
    for (const [text, drinkable] of words) {
      const { waypoints } = await imported(`name;trinkwasser;lat;lon\nA;${text};47.1;8\n`, { keepAll: true })
      expect([text, waypoints[0]?.drinkable ?? '']).toEqual([text, drinkable])
    }
  })
})

test.each([
  ['null', 'NULL', 'NA', 'n/a', '#N/A', '-', '–', '?', ' '],
  ['Name not available', 'unbekannt', 'sans nom', 'undefined', 'Fountain undefined'],
])('"%s", "%s", "%s" … are not names', async (...names) => {
  for (const name of names) {
    const { waypoint } = await row({ name, typ: 'Trinkbrunnen', strasse: 'Marktplatz 3', operator: name })
    expect([name, waypoint?.name, waypoint?.description, waypoint?.maintainer]).toEqual([
      name,
      'Drinking fountain',
      'Marktplatz 3',
      undefined,
    ])
  }
})

test('a nameless fountain has no name, and its address in its description', async () => {
  const wallace = { type: 'FONTAINE_WALLACE', voie: 'RUE DE LA PAIX', description: 'By the park' }
  const tap = { man_made: 'water_tap', 'addr:street': 'Main Street', 'addr:housenumber': '7' }
  const named = { ...tap, name: 'Löwe' }
  const found = [
    (await row(wallace)).waypoint,
    (await row({}, { place: 'Lund' })).waypoint,
    await tagged(tap),
    await tagged(named),
    (await row({ name: 'Öffentlicher Brunnen 349' })).waypoint,
    await tagged({ name: 'Fontaine Wallace n° 12b' }),
    await tagged({ name: '349' }),
  ]
  expect(
    found.map((waypoint) => [waypoint?.nameIsMade, waypoint?.name, waypoint?.description, waypoint?.region]),
  ).toEqual([
    [true, 'Wallace fountain', 'Rue de la Paix\nBy the park', undefined],
    [true, 'Water point', undefined, 'Lund'],
    [true, 'Tap', 'Main Street 7', undefined],
    [undefined, 'Löwe', undefined, undefined],
    [true, 'Water point', undefined, undefined],
    [true, 'Wallace fountain', undefined, undefined],
    [true, 'Water point', undefined, undefined],
  ])
})

test('texts are tidied, shortened and rid of markup and addresses', async () => {
  const { waypoint } = await row({
    name: 'A',
    description: `Line one<br>Line &amp; two, mail erika@example.org ${'word '.repeat(600)}`,
  })
  expect(waypoint?.description).toMatch(/^Line one\nLine & two, mail word/u)
  expect(waypoint?.description?.length).toBeLessThanOrEqual(2000)
  expect(waypoint?.description).not.toContain('@')
})

test('people and their accounts are never imported, whatever the column is', async () => {
  const secret = 'Zacharias Quellmann'
  const people =
    'user uid created_by author Contact Ansprechpartner surveyor owner artist_name submittedBy username phone e-mail'
  const columns = Object.fromEntries(people.split(' ').map((heading) => [heading, secret]))
  expect(JSON.stringify((await row({ name: 'A', ...columns })).waypoint)).not.toContain('Zacharias')
  const waypoint = await tagged({ ...columns, operator: secret, 'operator:type': 'private' })
  expect(JSON.stringify(waypoint)).not.toContain('Zacharias')
})

test('who edited an element of OpenStreetMap is not read, nor what stands under meta', async () => {
  const mapper = { user: 'Mapper7', uid: 77_777 }
  const first = await imported(overpass([node(1, {}, { ...mapper, changeset: 5 })]))
  const tags = { ...drinking, name: 'A' }
  const second = await imported(geojson(feature(8, 47, { id: 1, type: 'node', meta: mapper, tags })))
  expect(second.waypoints).toMatchObject([{ name: 'A' }])
  for (const { waypoints, report } of [first, second])
    expect(JSON.stringify([waypoints, report])).not.toMatch(/Mapper7|77777/u)
})

const copyright =
  'The data included in this document is from www.openstreetmap.org. The data is made available under ODbL.'
const content = overpass([node(1, {})], { osm3s: { copyright } })

test.each([
  ['ODbL-1.0', undefined, '© OpenStreetMap contributors'],
  ['odbl', undefined, '© OpenStreetMap contributors'],
  ['ODbL-1.0', 'Friends of Lund, OSM', 'Friends of Lund, OSM'],
  // The importer's licence takes precedence, so that the file's copyright line belongs to another one.
  ['CC0-1.0', undefined, undefined],
])(
  'The copyright line of the Overpass API says whom to name under %s, unless the importer does: %s',
  async (license, attribution, expected) => {
    const registry = await emptyRegistry()
    const source = { name: 'Wells of Arua', license, attribution }
    await importContent(registry, content, { source })
    await importContent(registry, JSON.stringify({ copyright, ...JSON.parse(geojson(feature(9, 48))) }), {
      source,
      accept: ['shrink'],
    })
    expect((await registry.sources.list())[0]?.attribution).toBe(expected)
  },
)
