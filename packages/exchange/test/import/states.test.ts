import type { Registry } from '@openfountain/core'
import { served } from '@openfountain/core/internal'
import { linesIn, newFolder } from '@openfountain/testing/folder'
import { emptyRegistry } from '@openfountain/testing/registry'
import { expect, test } from 'vitest'
import {
  conditionOf,
  isClosedForSeason,
  monthsBeside,
  monthsIn,
  seasonBeside,
  sourceStateOf,
} from '../../src/import/understand/waypoint-reading.ts'
import { dayIn } from '../../src/import/understand/values.ts'
import { exportRegistry } from '../../src/index.ts'
import { dated, feature, geojson, importContent, imported, node, overpass } from './fixture.ts'

async function statesOf(registry: Registry): Promise<(string | undefined)[]> {
  const states: (string | undefined)[] = []
  for await (const { id } of registry.waypoints.each()) {
    const sources = await registry.waypoints.sources(id)
    states.push(sources.find(({ state }) => state !== undefined)?.state)
  }
  return states
}

const listing = (...listed: readonly (readonly [status: string, reason: string])[]) =>
  [
    'id,lat,lon,name,dispo,motif_ind',
    ...listed.map(([status, reason], at) => `n${at},47.${at + 10},8.5,Fountain ${at},${status},${reason}`),
  ].join('\n')

test('what a source says of the state is read from its columns: out of order, or closed for the season', async () => {
  const conditions: readonly (readonly [
    status: string,
    reason: string,
    state?: string | undefined,
    description?: string,
  ])[] = [
    ['OUI', ''],
    ['NON', '', 'broken', undefined],
    ['NON', 'APP A REPARER', 'broken', 'App A Reparer'],
    ['NON', 'FERMETURE HIVERNALE', 'off', 'Fermeture Hivernale'],
    ['closed for winter', '', 'off', 'closed for winter'],
    ['ausser Betrieb', 'Frostschutz', 'off', 'ausser Betrieb: Frostschutz'],
    [
      'Partially functional but in need of repair',
      '',
      undefined,
      'Partially functional but in need of repair',
    ],
    ['', 'FERMETURE HIVERNALE', 'off', 'Fermeture Hivernale'],
  ]
  const { registry, waypoints } = await imported(
    listing(...conditions.map(([status, reason]) => [status, reason] as const)),
  )
  expect(await statesOf(registry)).toEqual(conditions.map(([, , state]) => state))
  expect(waypoints.map(({ description }) => description)).toEqual(conditions.map((each) => each[3]))
})

test.each([
  ['of Paris', '2024-09-20', '2025-05-04', '05-05/09-19'],
  ['a short one', '2025-12-01', '2026-02-28', '03-01/11-30'],
  ['in a leap year', '2023-11-01', '2024-02-28', '03-01/10-31'],
  ['of more than one winter', '2023-11-01', '2025-03-31', undefined],
  ['of some days', '2025-12-28', '2026-01-05', undefined],
  ['of nearly a year', '2025-02-01', '2026-01-15', undefined],
])('a closure %s is a season: %s to %s', (_which, since, until, season) => {
  expect(seasonBeside(since, until)).toBe(season)
})

test.each([
  ['works', 'In esercizio;ATTIVA;Aperta;in Betrieb;Disponible;En service;operativa;i drift'],
  ['broken', 'Fuori servizio;NON ATTIVA;Non in esercizio;Disattivata;Chiusa temporaneamente'],
  ['broken', 'außer Betrieb;nicht in Betrieb;Winterabschaltung;abgestellt;not in service;winterized'],
  ['broken', 'Indisponible;non disponible;hors d’usage;No funciona;tancada;niet in gebruik;inactive'],
  ['gone', 'Dismessa;In progetto;im Bau;demolita;abgebaut'],
  ['unknown', 'Marmor;verde;;see website'],
])('words of a state: %s: %s', (condition, words) => {
  const conditions = words.split(';').map((word) => [word, conditionOf(word)])
  expect(conditions).toEqual(words.split(';').map((word) => [word, condition]))
})

test('words of a state are told from those about a winter', () => {
  const words = ['Fuori servizio per gelo', 'Winterruhe', 'Chiusa', 'außer Betrieb']
  expect(words.map((word) => sourceStateOf(word))).toEqual(['off', 'off', 'broken', 'broken'])
  const texts = 'Fermeture hivernale;Fermée pour l’hiver;Closed for the winter.;Beautiful in winter'
  expect(texts.split(';').map(isClosedForSeason)).toEqual([true, true, true, false])
})

test('words of a state from a month to another are a season', () => {
  const months: Record<string, string> = {
    'May-October': '05-01/10-31',
    'April bis Oktober': '04-01/10-31',
    'd’avril à octobre': '04-01/10-31',
    'da maggio a settembre': '05-01/09-30',
    'Nov - Feb': '11-01/02-29',
    'Mai bis Oktober': '05-01/10-31',
    'von April bis Oktober': '04-01/10-31',
    'avril à octobre': '04-01/10-31',
    'de abril a octubre': '04-01/10-31',
    'da aprile a fine ottobre': '04-01/10-31',
    'May–Oct': '05-01/10-31',
    '1. April bis 15. Oktober': '04-01/10-15',
    'du 1er mai au 30 septembre': '05-01/09-30',
    'March 15 to Nov 1st': '03-15/11-01',
    '1.4.–31.10.': '04-01/10-31',
  }
  expect(Object.keys(months).map(monthsIn)).toEqual(Object.values(months))
  const others =
    'spring to fall;May;year round;;Maison octobre;marktplatz bis oktober;Mitte April bis Oktober;31. April bis Mai'
  for (const other of others.split(';')) expect([other, monthsIn(other)]).toEqual([other, undefined])
  const dry = ['10, 11, 12', '11, 08,10, 09', '1', '12, 1']
  expect(dry.map(monthsBeside)).toEqual(['01-01/09-30', '12-01/07-31', '02-01/12-31', '02-01/11-30'])
  for (const other of ['09, 11', '13', '1,2,3,4,5,6,7,8,9,10,11,12', 'Don’t know', ''])
    expect([other, monthsBeside(other)]).toEqual([other, undefined])
})

const rome = [
  'idgis,c_stato,d_stato,d_via,data_aggiornamento,anno,X,Y',
  'FN-001,1,In esercizio,Via Appia,12/03/2025,1900,12.51,41.87',
  'FN-002,2,Fuori servizio,Via Ostiense,2025-04-13,1901,12.47,41.86',
  'FN-003,3,Chiusa nel periodo invernale,Via Salaria,28/11/2025,1902,12.50,41.92',
  'FN-004,4,Dismessa,Via Cassia,01/02/2024,1903,12.46,41.94',
]

test('a city whose tables have codes and their words has states, days, streets, and a column that is proposed as reference and not taken', async () => {
  const { report, waypoints, registry } = await imported(rome.join('\n'))
  expect(await statesOf(registry)).toEqual([undefined, 'broken', 'off'])
  expect(waypoints.map(({ nameIsMade, description }) => [nameIsMade, description?.split('\n')[0]])).toEqual([
    [true, 'Via Appia'],
    [true, 'Via Ostiense'],
    [true, 'Via Salaria'],
  ])
  const sources = await Promise.all(waypoints.map(({ id }) => registry.waypoints.sources(id)))
  expect(sources.map(([first]) => first?.updated)).toEqual(['2025-03-12', '2025-04-13', '2025-11-28'])
  expect(sources.flat().every(({ ref = '' }) => ref.startsWith('place:'))).toBe(true)
  expect(report.leftOut).toMatchObject([{ code: 'GONE', status: 'Dismessa', rows: 1 }])
  expect(report.notes).toEqual([
    { code: 'REFERENCE_PROPOSED', column: 'idgis', example: 'FN-001' },
    { code: 'PUBLISHED_UNKNOWN' },
  ])
})

test('a city whose tables have codes and their words is found again by the reference that was proposed, wherever it moved', async () => {
  const { registry } = await imported(rome.join('\n'))
  const first = await importContent(registry, rome.join('\n'), { reference: 'idgis', ...dated })
  expect(first.counts).toMatchObject({ created: 0, unchanged: 3 })
  expect(first.notes).toEqual([])
  const moved = rome.map((row) => row.replace('12.51,41.87', '12.55,41.80'))
  const second = await importContent(registry, moved.join('\n'), { reference: 'idgis' })
  expect(second.counts).toMatchObject({ created: 0, updated: 1, unchanged: 2, missing: 0 })
  await expect(importContent(registry, rome.join('\n'), { reference: 'gisid' })).rejects.toThrow(
    'reference must be a column of the file: idgis, c_stato',
  )
})

test.each([
  ['a number of the export', 'OBJECTID,lat,lon,name', '4,47.1,8,A', '9,47.2,8,B', '7,47.3,8,C'],
  ['a number of the row', 'nr_id,lat,lon,name', '1,47.1,8,A', '2,47.2,8,B', '3,47.3,8,C'],
  ['a value twice', 'gis_id,lat,lon,name', 'X1,47.1,8,A', 'X2,47.2,8,B', 'X2,47.3,8,C'],
  ['a gap', 'gis_id,lat,lon,name', 'X1,47.1,8,A', ',47.2,8,B', 'X3,47.3,8,C'],
  ['a fraction', 'depth_id,lat,lon,name', '1.5,47.1,8,A', '2.5,47.2,8,B', '3.25,47.3,8,C'],
  ['a reference beside it', 'ref,gis_id,lat,lon,name', 'a,X1,47.1,8,A', 'b,X2,47.2,8,B', 'c,X3,47.3,8,C'],
])('%s is no proposal', async (_, ...rows) => {
  expect((await imported(rows.join('\n'), dated)).report.notes).toEqual([])
})

test.each([
  ['Betriebsstatus,Grund', 'außer Betrieb,Rohrbruch', 'broken', 'außer Betrieb: Rohrbruch'],
  ['außer Betrieb', 'ja', 'broken', undefined],
  ['außer Betrieb', 'nein', undefined, undefined],
  ['Disponible', 'Non', 'broken', undefined],
  ['Descriptif', 'Fermeture hivernale', 'off', 'Fermeture hivernale'],
  ['Disponible,Descriptif', 'Oui,Fermeture hivernale', undefined, 'Fermeture hivernale'],
])('a city that says it otherwise: %s: %s', async (headings, values, state, description) => {
  const { waypoints, registry } = await imported(`id,lat,lon,name,${headings}\na,47.1,8.5,One,${values}`)
  expect(await statesOf(registry)).toEqual([state])
  expect(waypoints[0]?.description).toBe(description)
})

const drinking = { '@id': 'node/1', amenity: 'drinking_water' }
const listed = (tags: object) =>
  geojson(feature(8.54, 47.37, tags), feature(8.6, 47.4, { ...drinking, '@id': 'node/2' }))

test.each([
  [{ disused: 'yes' }, 'broken', 0],
  [{ amenity: undefined, 'disused:amenity': 'drinking_water' }, 'broken', 0],
  [{ amenity: undefined, 'abandoned:amenity': 'drinking_water' }, 'broken', 0],
  [{ operational_status: 'out_of_order' }, 'broken', 0],
  [{ operational_status: 'closed', 'operational_status:note': 'winter' }, 'off', 0],
  [{ disused: 'no' }, undefined, 0],
  [{ 'disused:amenity': 'telephone' }, undefined, 0],
  [{ amenity: undefined, 'removed:amenity': 'drinking_water' }, undefined, 1],
  [{ amenity: undefined, 'planned:amenity': 'drinking_water' }, undefined, 1],
  [{ 'removed:amenity': 'drinking_water' }, undefined, 0],
])(
  'tags of OpenStreetMap: %j of a fountain that is known: it is %s, and %i are gone',
  async (tags, state, gone) => {
    const registry = await emptyRegistry()
    await importContent(registry, listed(drinking))
    const { counts } = await importContent(registry, listed({ ...drinking, ...tags }), {
      accept: ['shrink'],
    })
    expect(counts).toMatchObject({ created: 0, leftOut: gone, missing: gone })
    expect(await statesOf(registry)).toEqual([state, undefined])
  },
)

test.each([
  [{ check_date: '2025-06' }, { checked: '2025-06-01' }],
  [{ 'survey:date': '2025-06-07', check_date: '2024-01-01' }, { checked: '2025-06-07' }],
  [{ 'check_date:drinking_water': '2025-06-07' }, { checked: '2025-06-07' }],
  [{ '@timestamp': '2024-02-29T10:00:00Z' }, { updated: '2024-02-29' }],
  [{ check_date: '2202-06-07' }, {}],
  [{ check_date: 'last week' }, {}],
])('tags of OpenStreetMap: %j says when somebody looked', async (tags, days) => {
  const registry = await emptyRegistry()
  const { notes } = await importContent(registry, listed({ ...drinking, ...tags }))
  const isAhead = Object.values(tags).includes('2202-06-07')
  expect(notes.filter(({ code }) => code === 'DAYS_AHEAD')).toEqual(
    isAhead ? [{ code: 'DAYS_AHEAD', rows: 1 }] : [],
  )
  const [{ checked, updated } = {}] = await registry.waypoints.sources(1)
  expect({ checked, updated }).toEqual({ checked: undefined, updated: undefined, ...days })
})

const rows = [
  'id,lat,lon,name,dispo,motif_ind,debut_ind,fin_ind,check_date',
  'a,47.1,8.5,One,NON,FERMETURE HIVERNALE,2021-12-13T02:00:00+01:00,2022-05-01T00:00:00+02:00,',
  'b,47.2,8.5,Two,OUI,,,2022-05-01,2022-03-04',
  'c,47.3,8.5,Three,OUI,,,,2022-02-31',
]
const saysOf = async (registry: Registry) =>
  Promise.all(
    (await registry.waypoints.list({ limit: 100_000 })).map(async ({ id }) => {
      const [{ state, checked, since, until } = {}] = await registry.waypoints.sources(id)
      return { state, checked, since, until }
    }),
  )

test('the days that a source says are those of the last look, and the end of a state', async () => {
  const registry = await emptyRegistry()
  await importContent(registry, rows.join('\n'))
  expect(await saysOf(registry)).toEqual([
    { state: 'off', since: '2021-12-13', until: '2022-05-01' },
    { checked: '2022-03-04' },
    {},
  ])
  expect(await registry.waypoints.get(1)).toMatchObject({ season: '05-02/12-12' })
  expect(await registry.observations.status(1, '2022-05-02')).toMatchObject({ state: 'unconfirmed' })
  expect(await registry.observations.status(2, '2022-03-05')).toMatchObject({
    state: 'works',
    lastConfirmed: '2022-03-04',
  })
  expect(JSON.parse((await served(registry).dossier(2)).status)).toMatchObject({
    lastConfirmed: '2022-03-04',
  })
  const later = rows.map((row) => row.replace('2022-03-04', '2022-04-05').replace(/2022-05-01T[^,]*/u, ''))
  await importContent(registry, later.join('\n'), { accept: ['shrink'] })
  expect(await saysOf(registry)).toEqual([
    { state: 'off', since: '2021-12-13' },
    { checked: '2022-04-05' },
    {},
  ])
  expect((await registry.changes.verify()).problems).toEqual([])
})

test('the days that a source says are read in the forms in which days are written, where they are certain', () => {
  const given =
    '2022-5-1T04:00:00+02:00;2022/05/01;1.5.2022;20220501;2022-05;2022;25/12/2022;12/25/2022'.split(';')
  const days = given.map((value) => dayIn([value]))
  expect(days.slice(0, 5)).toEqual(Array(5).fill('2022-05-01'))
  expect(days.slice(5)).toEqual(['2022-01-01', '2022-12-25', '2022-12-25'])
  expect(['05/06/2022', '2022-02-30', '31.4.2022', 'May', '99'].map((value) => dayIn([value]))).toEqual(
    Array(5).fill(undefined),
  )
  expect([dayIn(['05/06/2022'], 'day'), dayIn(['05/06/2022'], 'month')]).toEqual(['2022-06-05', '2022-05-06'])
  expect(dayIn(['2022-05-01', '2023-01-01', 'x'])).toBe('2023-01-01')
})

test('the days that a source says are those of its publication for what it says of states, by the file or by the caller', async () => {
  const closed = (day: string, status = 'closed') =>
    overpass([node(1, { operational_status: status })], {
      osm3s: { timestamp_osm_base: `${day}T09:48:02Z` },
    })
  const registry = await emptyRegistry()
  const report = await importContent(registry, closed('2025-12-20'))
  expect(report.published).toBe('2025-12-20')
  expect(await registry.waypoints.sources(1)).toMatchObject([{ state: 'broken', published: '2025-12-20' }])
  await importContent(registry, closed('2018-06-07'), { accept: ['older'] })
  expect(await registry.observations.status(1, '2026-01-02')).toMatchObject({ state: 'unconfirmed' })
  await importContent(registry, closed('2018-06-07', 'broken'), { published: '2025-12-30' })
  expect(await registry.waypoints.sources(1)).toMatchObject([{ published: '2025-12-30' }])
  expect(await registry.sources.list()).toMatchObject([{ published: '2025-12-30' }])
  await importContent(registry, closed('2018-06-07', 'operational'), {
    missing: 'keep',
    accept: ['older', 'shrink'],
  })
  expect((await registry.waypoints.sources(1))[0]?.published).toBeUndefined()
  const ahead = await importContent(registry, closed('2099-06-07'))
  expect(ahead.published).toBeUndefined()
  expect(ahead.notes).toEqual([{ code: 'PUBLISHED_AHEAD', published: '2099-06-07' }])
  expect((await registry.waypoints.sources(1))[0]?.published).toBeUndefined()
  expect((await registry.sources.list())[0]?.published).toBeUndefined()
  expect((await registry.changes.verify()).problems).toEqual([])
  await expect(importContent(registry, 'lat,lon\n47,8\n', { published: 'May' })).rejects.toThrow(
    'published must be a day, such as 2026-01-31',
  )
})

test('the days that a source says of its publication are not known where neither it nor the caller says it, and none are made up', async () => {
  const registry = await emptyRegistry()
  const out = rows.map((row) =>
    row.replace('2022-03-04', '').replace(/2021-12-13[^,]*,2022-05-01T[^,]*/u, ','),
  )
  await importContent(registry, out.join('\n'))
  expect(await saysOf(registry)).toEqual([{ state: 'off' }, {}, {}])
  const statuses = await Promise.all([1, 2].map((id) => registry.observations.status(id)))
  expect(statuses).toEqual([
    { state: 'off', supporters: 0 },
    { state: 'unconfirmed', supporters: 0 },
  ])
  expect(await registry.waypoints.sources(1)).not.toMatchObject([{ published: expect.anything() }])
  // It was said on the day of the import or before, so that it is out of date at the latest when that would be.
  const later = await Promise.all(
    ['2026-05-01', '2026-05-02'].map((on) => registry.observations.status(1, on)),
  )
  expect(later.map(({ state }) => state)).toEqual(['off', 'unconfirmed'])
  expect((await registry.changes.verify()).problems).toEqual([])
})

test('the days that a source says of its publication are those of a column or of metadata that has them', async () => {
  const csv = 'lat,lon,Stand\n47.1,8,01.03.2024\n47.2,8,2.3.2024\n'
  expect((await imported(csv)).report.published).toBe('2024-03-02')
  const american = 'lat,lon,as of\n47.1,8,3/1/2024\n47.2,8,3/14/2024 12:00:00\n'
  expect((await imported(american)).report.published).toBe('2024-03-14')
  const map = { fields: { published: 'taken' } }
  expect((await imported('lat,lon,taken\n47.1,8,2024-03-01\n', { map })).report.published).toBe('2024-03-01')
  expect((await imported('lat,lon,Stand\n47.1,8,Holz\n')).report.published).toBeUndefined()
  const collection = { type: 'FeatureCollection', features: [feature(8, 47)] }
  const ckan = JSON.stringify({ metadata: { metadata_modified: '2023-04-05T06:07:08.9' }, ...collection })
  expect((await imported(ckan)).report.published).toBe('2023-04-05')
  const gpx = '<gpx><metadata><time>2022-02-03T10:00:00Z</time></metadata><wpt lat="47" lon="8"/></gpx>'
  expect((await imported(gpx)).report.published).toBe('2022-02-03')
})

test('the days that a source says are told apart in exports: when somebody saw it, when its entry changed, and when it was listed', async () => {
  const timestamp = '2019-05-03T10:00:00Z'
  const published = { osm3s: { timestamp_osm_base: '2025-12-20T09:48:02Z' } }
  const one = node(1, { check_date: '2025-11-02' }, { lat: 47.1, timestamp })
  const two = node(2, {}, { lat: 47.2, timestamp })
  const registry = await emptyRegistry()
  const daysOf = async () => {
    const out = newFolder()
    await exportRegistry(registry, { out, formats: ['ndjson'] })
    return linesIn(out, 'waypoints.ndjson.gz').map((row) => [
      row.last_confirmed,
      row.source_updated,
      row.last_listed,
      row.derived_tags.check_date,
    ])
  }
  await importContent(registry, overpass([one, two, node(3, {}, { lat: 47.3 })], published))
  await importContent(registry, overpass([one, two], published), {
    published: '2025-12-30',
    accept: ['shrink'],
  })
  await importContent(registry, 'lat,lon,last update\n47.2,8,2024-02-29\n47.4,8,\n', {
    source: { name: 'Other', license: 'CC0-1.0' },
  })
  expect(await daysOf()).toEqual([
    ['2025-11-02', '2019-05-03', '2025-12-30', undefined],
    [null, '2024-02-29', '2025-12-30', undefined],
    [null, null, '2025-12-20', undefined],
    [null, null, null, undefined],
  ])
})

test('what an import creates is approved, unless it is to go through the queue', async () => {
  expect((await imported(listing(['OUI', '']))).waypoints).toMatchObject([
    { approved: true, verified: false },
  ])
  const queued = await imported(listing(['OUI', '']), { approved: false })
  expect(queued.waypoints).toMatchObject([{ approved: false }])
})
