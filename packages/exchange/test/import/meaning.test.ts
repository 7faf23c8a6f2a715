import { describe, expect, test } from 'vitest'
import { emptyRegistry, feature, geojson, imported, importContent, row } from './fixture.ts'

/** The first waypoint of OpenStreetMap's tags. */
async function tagged(tags: Record<string, string>) {
  const { waypoints, report } = await imported(geojson(feature(8.54, 47.37, { '@id': 'node/1', ...tags })))
  return { waypoint: waypoints[0], report }
}

describe('OpenStreetMap’s tags', () => {
  test.each<[Record<string, string>, string[]]>([
    [
      { amenity: 'drinking_water', bottle: 'yes', dog: 'yes', wheelchair: 'yes' },
      ['bottle-filler', 'dog-bowl', 'wheelchair'],
    ],
    [{ amenity: 'drinking_water', bottle: 'no', wheelchair: 'limited' }, []],
    [
      { amenity: 'drinking_water', man_made: 'water_tap', fee: 'no', seasonal: 'no', opening_hours: '24/7' },
      ['tap', 'free', 'all-year', 'always-open'],
    ],
    [{ amenity: 'drinking_water', fountain: 'nasone' }, ['fountain']],
    [{ amenity: 'drinking_water', seasonal: 'May 15-Oct 01' }, ['seasonal']],
    [{ amenity: 'fountain', drinking_water: 'yes', natural: 'spring' }, ['spring']],
    [{ amenity: 'water_point', man_made: 'borehole', pump: 'manual' }, ['well', 'hand-pump']],
  ])('%j are amenities', async (tags, amenities) => {
    expect((await tagged(tags)).waypoint?.amenities.toSorted()).toEqual(amenities.toSorted())
  })

  test.each<[Record<string, string>]>([
    [{ amenity: 'fountain' }],
    [{ amenity: 'drinking_water', drinking_water: 'no' }],
    [{ amenity: 'drinking_water', 'drinking_water:legal': 'no' }],
    [{ amenity: 'drinking_water', access: 'private' }],
    [{ amenity: 'drinking_water', disused: 'yes' }],
    [{ amenity: 'drinking_water', 'disused:amenity': 'drinking_water' }],
    [{ amenity: 'watering_place' }],
  ])('%j are not a drinking fountain', async (tags) => {
    const { report } = await imported(
      geojson(feature(8, 47, { amenity: 'drinking_water', name: 'A' }), feature(8.1, 47, tags)),
    )
    expect(report.counts).toMatchObject({ created: 1, leftOut: 1 })
    expect(report.leftOut).toHaveLength(1)
    const kept = await imported(
      geojson(feature(8, 47, { amenity: 'drinking_water' }), feature(8.1, 47, tags)),
      { keepAll: true },
    )
    expect(kept.report.counts.created).toBe(2)
  })

  test('give a file of Wikimedia Commons as a picture, and no page', async () => {
    const { waypoint } = await tagged({
      amenity: 'drinking_water',
      wikimedia_commons: 'File:Cours de Vincennes.JPG',
    })
    expect(waypoint?.image).toBe('https://commons.wikimedia.org/wiki/Special:FilePath/Cours_de_Vincennes.JPG')
    expect(
      (await tagged({ amenity: 'drinking_water', image: 'javascript:alert(1)' })).waypoint?.image,
    ).toBeUndefined()
  })

  test.each([
    ['Apr 01-Oct 31', { season: '04-01/10-31', amenities: ['seasonal'] }],
    ['Nov-Feb', { season: '11-01/02-29', amenities: ['seasonal'] }],
    ['yes', { amenities: ['seasonal'] }],
    ['summer', { amenities: ['seasonal'], description: 'In operation: summer.' }],
    ['no', { amenities: ['all-year'] }],
    ['Feb 30-Oct 31', { amenities: [] }],
  ])('seasonal=%s is a season where it has days, and an amenity', async (seasonal, expected) => {
    const { waypoint } = await tagged({ amenity: 'drinking_water', seasonal })
    const { season, amenities, description } = waypoint ?? {}
    expect({ season, amenities, description }).toEqual(expected)
  })

  test.each([
    [{ 'drinking_water:legal': 'yes' }, { drinkable: 'yes', amenities: ['tested'] }],
    [{ 'drinking_water:legal': 'no' }, { drinkable: 'no', amenities: [] }],
    [{ drinking_water: 'no' }, { drinkable: 'no', amenities: [] }],
    [
      { drinking_water: 'no', 'drinking_water:legal': 'yes' },
      { drinkable: 'no', amenities: ['tested'] },
    ],
    [{ drinking_water: 'yes' }, { amenities: [] }],
    [{ 'drinking_water:signed': 'no' }, { drinkable: 'unsigned', amenities: [] }],
    [{ 'drinking_water:legal': 'unsigned' }, { drinkable: 'unsigned', amenities: [] }],
    [
      { 'drinking_water:signed': 'no', 'drinking_water:legal': 'no' },
      { drinkable: 'no', amenities: [] },
    ],
    [{ 'drinking_water:signed': 'yes', 'drinking_water:legal': 'unknown' }, { amenities: [] }],
  ])('%j says whether the water is declared to be drinking water', async (tags, expected) => {
    const file = geojson(feature(8.54, 47.37, { amenity: 'drinking_water', ...tags }))
    const { waypoints } = await imported(file, { keepAll: true })
    const { drinkable, amenities } = waypoints[0] ?? {}
    expect({ drinkable, amenities }).toEqual(expected)
  })

  test('say in the description what is out of order, and when it is open', async () => {
    const { waypoint } = await tagged({
      amenity: 'drinking_water',
      description: 'By the gate',
      operational_status: 'needs_maintenance',
      opening_hours: 'Apr-Oct',
    })
    expect(waypoint).toMatchObject({
      description: 'By the gate\nOut of order when listed: needs maintenance.',
      openingHours: 'Apr-Oct',
    })
  })
})

describe('what is not for drinking', () => {
  test.each([
    'Zierbrunnen',
    'Sprühnebeldusche',
    'Spielbrunnen',
    'Wasserspielmöglichkeit',
    'Fontaine ornementale',
    'Fontana ornamentale',
    'Temporary Misting Station location',
    'Temporary Handwashing Station location',
    'Decorative fountain',
    'Splash pad',
    'Lavoir',
    'Hydrant',
    'Agua no potable',
    'Public shower',
    'Surface water',
  ])('is left out when its kind is "%s"', async (kind) => {
    const { report } = await imported(`name;typ;lat;lon\nA;Trinkbrunnen;47.1;8\nB;${kind};47.2;8\n`)
    expect(report.counts).toMatchObject({ created: 1, leftOut: 1 })
  })

  test.each([
    'Trinkhydrant mit Tränke',
    'Mobiler Trinkbrunnen mit Sprühnebelfunktion',
    'Auslaufbrunnen',
    'Drinking fountain',
    'Fuente de agua potable',
  ])('is not "%s"', async (kind) => {
    const { report } = await imported(`name;typ;lat;lon\nA;${kind};47.1;8\n`)
    expect(report.counts.created).toBe(1)
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

  test.each([
    ['yes', 'yes'],
    ['Ja', 'yes'],
    ['Eau potable', 'yes'],
    ['0', 'no'],
    ['Kein Trinkwasser', 'no'],
    ['non potable', 'no'],
    ['unsigned', 'unsigned'],
    ['nicht gekennzeichnet', 'unsigned'],
    ['unknown', undefined],
    ['', undefined],
  ])('a column of drinkable water that says "%s" means %s', async (text, drinkable) => {
    const { waypoints } = await imported(`name;trinkwasser;lat;lon\nA;${text};47.1;8\n`, { keepAll: true })
    expect(waypoints.map((waypoint) => waypoint.drinkable)).toEqual([drinkable])
  })
})

describe('placeholders and names', () => {
  test.each([
    'null',
    'NULL',
    'NA',
    'n/a',
    '#N/A',
    '-',
    '–',
    '?',
    'Name not available',
    'unbekannt',
    'sans nom',
    'undefined',
    'Fountain undefined',
    ' ',
  ])('"%s" is not a name', async (name) => {
    const { waypoint } = await row({ name, typ: 'Trinkbrunnen', strasse: 'Marktplatz 3', operator: name })
    expect(waypoint?.name).toBe('Trinkbrunnen, Marktplatz 3')
    expect(waypoint?.maintainer).toBeUndefined()
  })

  test('a nameless fountain is called by its kind and its place', async () => {
    expect(
      (await row({ type: 'FONTAINE_WALLACE', voie: 'RUE DE LA PAIX', numero: '5' })).waypoint?.name,
    ).toBe('Fontaine Wallace, Rue de la Paix')
    expect((await row({ stadtteil: 'Altstadt' })).waypoint?.name).toBe('Drinking fountain, Altstadt')
    expect((await row({})).waypoint?.name).toBe('Drinking fountain at 47.3700, 8.5400')
    expect((await row({}, { place: 'Lund' })).waypoint?.name).toBe('Drinking fountain, Lund')
    expect(
      (
        await tagged({
          amenity: 'drinking_water',
          man_made: 'water_tap',
          'addr:street': 'Main Street',
          'addr:housenumber': '7',
        })
      ).waypoint?.name,
    ).toBe('Tap, Main Street 7')
  })

  test('-1 for a year is not imported as anything', async () => {
    const { waypoint } = await row({ name: 'A', baujahr: '-1', description: 'x' })
    expect(JSON.stringify(waypoint)).not.toContain('-1')
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
})

describe('people', () => {
  test('and their accounts are never imported, whatever the column is', async () => {
    const secret = 'Zacharias Quellmann'
    const people = [
      'user',
      'uid',
      'created_by',
      'author',
      'Contact',
      'Ansprechpartner',
      'surveyor',
      'owner',
      'artist_name',
      'submittedBy',
      'username',
      'phone',
      'e-mail',
    ]
    const columns = Object.fromEntries(people.map((heading) => [heading, secret]))
    const { registry } = {
      ...(await imported(`name;lat;lon;${people.join(';')}\nA;47;8;${people.map(() => secret).join(';')}\n`)),
    }
    expect(JSON.stringify(await registry.waypoints.list())).not.toContain('Zacharias')
    const { waypoint } = await tagged({
      amenity: 'drinking_water',
      ...columns,
      operator: secret,
      'operator:type': 'private',
    })
    expect(JSON.stringify(waypoint)).not.toContain('Zacharias')
  })

  test('who edited an element of OpenStreetMap is not read, nor what stands under meta', async () => {
    const element = {
      type: 'node',
      id: 1,
      lat: 47,
      lon: 8,
      user: 'Mapper7',
      uid: 77_777,
      changeset: 5,
      tags: { amenity: 'drinking_water' },
    }
    const first = await imported(JSON.stringify({ elements: [element] }))
    expect(JSON.stringify(await first.registry.waypoints.list())).not.toMatch(/Mapper7|77777/u)
    const second = await imported(
      geojson(
        feature(8, 47, {
          id: 1,
          type: 'node',
          meta: { user: 'Mapper7', uid: 77_777 },
          tags: { amenity: 'drinking_water', name: 'A' },
        }),
      ),
    )
    expect(await second.registry.waypoints.list()).toMatchObject([{ name: 'A' }])
    expect(JSON.stringify(second.report)).not.toMatch(/Mapper7|77777/u)
  })
})

describe('The copyright line of the Overpass API', () => {
  const copyright =
    'The data included in this document is from www.openstreetmap.org. The data is made available under ODbL.'
  const element = { type: 'node', id: 1, lat: 47, lon: 8, tags: { amenity: 'drinking_water' } }

  test.each([
    ['ODbL-1.0', undefined, '© OpenStreetMap contributors'],
    ['odbl', undefined, '© OpenStreetMap contributors'],
    ['ODbL-1.0', 'Friends of Lund, OSM', 'Friends of Lund, OSM'],
    // What the importer says of the licence is believed, and then the line is of something else.
    ['CC0-1.0', undefined, undefined],
  ])('says whom to name under %s, unless the importer does: %s', async (license, attribution, expected) => {
    const registry = await emptyRegistry()
    const source = { name: 'Wells of Arua', license, ...(attribution !== undefined && { attribution }) }
    await importContent(registry, JSON.stringify({ osm3s: { copyright }, elements: [element] }), { source })
    await importContent(registry, JSON.stringify({ copyright, ...JSON.parse(geojson(feature(9, 48))) }), {
      source,
    })
    const [kept] = await registry.sources.list()
    expect(kept?.attribution).toBe(expected)
  })

  test('does not say the licence, which the importer has to know', async () => {
    const registry = await emptyRegistry()
    const content = JSON.stringify({ osm3s: { copyright }, elements: [element] })
    await expect(
      importContent(registry, content, { source: { name: 'Wells of Arua' } }),
    ).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    })
  })
})
