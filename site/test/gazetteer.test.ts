import { stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { nameIn, namesOf } from '../src/naming.ts'
import { directoryOf } from '../src/data/directory.ts'
import type { Region } from '../src/data/region.ts'
import { streetIn } from '../src/places/street.ts'
import { bundledGazetteer, Gazetteer } from '../src/places/gazetteer.ts'

test('the bundled gazetteer has at most 3 MB, and knows cities in the names that readers use', async () => {
  const file = await stat(new URL('../places/gazetteer.tsv.br', import.meta.url))
  expect(file.size).toBeLessThan(3_000_000)
  const gazetteer = await bundledGazetteer()
  const called = (name: string, country: string) =>
    gazetteer.townsOf(country).find(({ town }) => namesOf(town).includes(name))?.town
  for (const [name, country, names] of [
    ['Vienna', 'AT', ['Wien', 'Vienna', 'Vienne', 'Vienna', 'Viena']],
    ['Genf', 'CH', ['Genf', 'Geneva', 'Genève', 'Ginevra', 'Ginebra']],
    ['Rome', 'IT', ['Rom', 'Rome', 'Rome', 'Roma', 'Roma']],
  ] as const) {
    const town = called(name, country)
    expect(['de', 'en', 'fr', 'it', 'es'].map((language) => town && nameIn(town, language))).toEqual(names)
  }
})

test.each([
  ['a square in the west of Paris, nearer to the middle of a suburb', 48.8636, 2.2769, 'FR', 'Paris'],
  ['the middle of that suburb', 48.8352, 2.2409, 'FR', 'Boulogne-Billancourt'],
  ['the edge of Zürich', 47.3467, 8.5613, 'CH', 'Zürich'],
  ['the west of Paris, near a suburb', 48.8383, 2.2494, 'FR', 'Paris', 'Paris 16eme Arrondissement'],
  [
    'a district, nearer to the middle of a suburb',
    49.29,
    -123.036,
    'CA',
    'Vancouver',
    'Hastings-Sunrise, Vancouver',
  ],
  ['the other side of a border', 47.5596, 7.5886, 'DE', 'Weil am Rhein'],
  ['a mountain pass far from any', 46.5725, 8.415, 'CH', undefined],
])('%s is of the right town', async (_what, latitude, longitude, country, name, region?: string) => {
  expect((await bundledGazetteer()).townAt({ latitude, longitude }, country, region)?.name).toBe(name)
})

test('nothing is made up at sea, in a country without towns near, or where the country is not known', async () => {
  const gazetteer = await bundledGazetteer()
  expect(gazetteer.townAt({ latitude: 0, longitude: -150 }, 'US')).toBeUndefined()
  expect(gazetteer.townAt({ latitude: 47.37, longitude: 8.54 }, 'FR')).toBeUndefined()
  expect(gazetteer.townAt({ latitude: 47.37, longitude: 8.54 }, undefined)).toBeUndefined()
  expect(new Gazetteer('').townAt({ latitude: 0, longitude: 0 }, '')).toBeUndefined()
})

test('a town across the antimeridian is found', () => {
  const gazetteer = new Gazetteer('>FJ\nLomaloma\t-17200\t-179950\t500')
  expect(gazetteer.townAt({ latitude: -17.2, longitude: 179.98 }, 'FJ')).toEqual({ id: 0, name: 'Lomaloma' })
})

test.each([
  ['10 Face Boulevard Lefebvre\nApp A Reparer', 'Boulevard Lefebvre'],
  ['Parc André Citroën, 2 rue de la Montagne', 'rue de la Montagne'],
  ['Untere Bahnhofstrasse 12a', 'Untere Bahnhofstrasse'],
  ['Via Roma', 'Via Roma'],
  ['The water of the place is cold. It is at the end of the street', undefined],
])('the street of %j', (description, street) => {
  expect(streetIn({ name: '', source: 'City', description })).toBe(street)
  expect(streetIn({ name: 'Well', source: 'City', description })).toBeUndefined()
  expect(streetIn({ name: '', source: null, description })).toBeUndefined()
})

test('the directory goes from a country to its towns, and to the districts that fountains name', () => {
  const wien = { id: 1, name: 'Wien', names: { en: 'Vienna' } }
  const at = { latitude: 48, longitude: 16, verified: false, country: 'AT' }
  const { roots } = directoryOf([
    { ...at, town: wien },
    { ...at, town: wien, region: 'Vienna' },
    { ...at, town: wien, region: 'Favoriten' },
    { ...at, town: { id: 2, name: 'Raasdorf' } },
    { ...at, region: 'Wienerwald', town: wien },
    { ...at, region: 'Wienerwald', town: { id: 3, name: 'Mauerbach' } },
    at,
  ])
  const shown = ({ name, slug, waypoints, own, parts }: Region): unknown => [
    [name, slug, waypoints, own],
    ...parts.map(shown),
  ]
  expect(roots.map(shown)).toEqual([
    [
      ['AT', 'at', 7, 1],
      [['Wien', 'vienna', 3, 2], [['Favoriten', 'favoriten', 1, 1]]],
      [['Wienerwald', 'wienerwald', 2, 2]],
      [['Raasdorf', 'raasdorf', 1, 1]],
    ],
  ])
})
