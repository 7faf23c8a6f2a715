import { stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { bundledGazetteer, Gazetteer, townName } from '../src/places/gazetteer.ts'

test('the bundled gazetteer has at most 3 MB, and knows cities in the names that readers use', async () => {
  const file = await stat(new URL('../places/gazetteer.tsv.br', import.meta.url))
  expect(file.size).toBeLessThan(3_000_000)
  const { towns } = await bundledGazetteer()
  const called = (name: string, country: string) =>
    towns.find((town) => town.country === country && [town.name, ...Object.values(town.names)].includes(name))
  for (const [name, country, names] of [
    ['Vienna', 'AT', ['Wien', 'Vienna', 'Vienne', 'Vienna', 'Viena']],
    ['Genf', 'CH', ['Genf', 'Geneva', 'Genève', 'Ginevra', 'Ginebra']],
    ['Rome', 'IT', ['Rom', 'Rome', 'Rome', 'Roma', 'Roma']],
  ] as const) {
    const town = called(name, country)
    expect(['de', 'en', 'fr', 'it', 'es'].map((language) => town && townName(town, language))).toEqual(names)
  }
})

test.each([
  ['a square in the west of Paris, nearer to the middle of a suburb', 48.8636, 2.2769, 'FR', 'Paris'],
  ['the middle of that suburb', 48.8352, 2.2409, 'FR', 'Boulogne-Billancourt'],
  ['the edge of Zürich', 47.3467, 8.5613, 'CH', 'Zürich'],
  ['the other side of a border', 47.5596, 7.5886, 'DE', 'Weil am Rhein'],
  ['a mountain pass far from any', 46.5725, 8.415, 'CH', undefined],
])('%s is of the right town', async (_what, latitude, longitude, country, name) => {
  expect((await bundledGazetteer()).townAt({ latitude, longitude }, country)?.name).toBe(name)
})

test('nothing is made up at sea, in a country without towns near, or where the country is not known', async () => {
  const gazetteer = await bundledGazetteer()
  expect(gazetteer.townAt({ latitude: 0, longitude: -150 }, 'US')).toBeUndefined()
  expect(gazetteer.townAt({ latitude: 47.37, longitude: 8.54 }, 'FR')).toBeUndefined()
  expect(gazetteer.townAt({ latitude: 47.37, longitude: 8.54 }, undefined)).toBeUndefined()
  expect(new Gazetteer([]).townAt({ latitude: 0, longitude: 0 }, '')).toBeUndefined()
})

test('a town across the antimeridian is found', () => {
  const town = {
    name: 'Lomaloma',
    latitude: -17.2,
    longitude: -179.95,
    country: 'FJ',
    population: 500,
    names: {},
  }
  expect(new Gazetteer([town]).townAt({ latitude: -17.2, longitude: 179.98 }, 'FJ')).toBe(town)
})
