import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadLanguages } from '../../src/build/languages.ts'
import { readExtraPlaces } from '../../src/data/extra-places.ts'
import type { Row } from '../../src/data/row.ts'
import { writeMapFiles } from '../../src/map/build/files.ts'
import { regionsOf } from '../../src/map/build/places.ts'
import { bundledGazetteer } from '../../src/places/gazetteer.ts'
import { writeSearchIndex } from '../../src/search/build/index.ts'
import { Search } from '../../src/search/search.ts'
import { shardFile } from '../../src/search/shard.ts'
import { entryWords, words } from '../../src/search/words.ts'
import { jsonIn, newFolder } from '@openfountain/testing/folder'

const row = (id: number, name: string, more: Partial<Row> = {}): Row => {
  const place = { latitude: 47 + (id - 1) / 1e5, longitude: 8, amenities: [] }
  const flags = { approved: true, verified: false, last_confirmed: '2026-05-01', review_count: 0 }
  return { id, name, ...place, ...flags, updated_at: '', digest: '', ...more }
}

const names = [
  ['Lindenhofbrunnen', 'Zürich'],
  ['Fontaine de la République', 'Lausanne'],
  ['<script>alert(1)</script>', 'Lausanne'],
  ['東京駅の水飲み場', '東京'],
  ['Groß Weiß-Straße', 'Łódź'],
  ['Brunnen Lindenhof', 'Zürich'],
  ['पानी की टंकी', 'दिल्ली'],
  ['पेड़ के नीचे', 'दिल्ली'],
  ['Løkke', 'Ærø'],
  ...Array.from({ length: 2000 }, (_, at) => [`Brunnen ${at}`, at < 1000 ? 'Zürich' : 'Bern'] as const),
] as const
const rows = names.map(([name, region], place) => row(place + 1, name, { region, verified: place % 2 === 0 }))

const readerOf =
  (out: string, asked: string[] = []) =>
  async (name: string): Promise<unknown> => {
    asked.push(name)
    return jsonIn(out, join('search', name))
  }
const searchIn = async (all: readonly Row[], out: string): Promise<Search> => {
  await writeSearchIndex(all, regionsOf(all), out)
  return new Search(readerOf(out))
}

const folder = newFolder()
const search = await searchIn(rows, folder)

const found = async (query: string) => (await search.find(query)).fountains.map(([, name]) => name)

it('fountains of the same name are found nearest first, with the place around them; those without a name are not', async () => {
  const add = (id: number, name: string, latitude: number, place?: string) =>
    row(id, name, { latitude, longitude: 12.5, amenities: ['wheelchair', 'tap'], place })
  const again = [
    add(1, 'Fontana del Mascherone', 42),
    add(2, 'Fontana del Mascherone', 41.5, 'Trastevere'),
    add(3, '', 41.4, 'Mascherone'),
    add(4, 'Fontana del Mascherone', 41, 'Velletri'),
  ]
  const ofThem = await searchIn(again, newFolder())
  const near = { latitude: 41.5, longitude: 12.5 }
  expect((await ofThem.find('mascherone', near)).fountains).toEqual([
    [2, 'Fontana del Mascherone', 'Trastevere', 41.5, 12.5],
    [1, 'Fontana del Mascherone', '', 42, 12.5],
    [4, 'Fontana del Mascherone', 'Velletri', 41, 12.5],
  ])
  expect((await ofThem.find('mascherone')).fountains.map(([id]) => id)).toEqual([1, 2, 4])
})

it('places are countries and places around fountains, in every language, subdivisions that have a name, and those that the operator knows', async () => {
  const given = join(folder, 'places.geojson')
  const square = [11, 14].flatMap((west) => [41, 44].map((south) => [west, south]))
  const lazio = { name: 'Lazio', 'name:de': 'Latium', 'ISO3166-2': 'IT-62' }
  const point = (...coordinates: number[]) => ({ type: 'Point', coordinates })
  const features = [
    { properties: lazio, geometry: { type: 'MultiPolygon', coordinates: [[square]] } },
    { properties: { name: 'Ostiense', subdivision: 'IT-62' }, geometry: point(12.4, 41.8, 3) },
    { properties: { name: 'Trastevere' }, geometry: point(12.5, 41.5) },
  ]
  await writeFile(given, JSON.stringify({ features }))
  const places = await readExtraPlaces(given)
  const at = { latitude: 41.5, longitude: 12.5, country: 'IT' }
  const again = [
    row(1, 'F', { ...at, subdivision: 'IT-62', place: 'Trastevere' }),
    row(2, 'F', { ...at, region: 'Roma', place: 'Monti' }),
  ]
  const languages = await loadLanguages(['en', 'de'])
  const outDir = join(folder, 'places')
  await writeMapFiles({ rows: again, outDir, baseMap: false, languages, places })
  const find = async (query: string) => {
    const { regions } = await new Search(readerOf(outDir)).find(query)
    return regions.map(([name, fountains, , , , , , , more]) => [name, fountains, more])
  }
  const inItaly = { country: 'IT' }
  const italy = { en: 'Italy', de: 'Italien', fr: 'Italie', it: 'Italia', es: 'Italia' }
  for (const [query, ...region] of [
    ['ital', 'Italy', 2, { code: 'IT', names: italy }],
    ['latium', 'Lazio', 1, { ...inItaly, names: { de: 'Latium' } }],
    ['monti', 'Monti', 1, inItaly],
    ['roma', 'Roma', 1, inItaly],
    ['trastevere', 'Trastevere', 1, inItaly],
    ['ostiense', 'Ostiense', 0, inItaly],
  ] as const)
    expect(await find(query)).toEqual([region])
  const options: unknown[][] = jsonIn(outDir, 'map/places.json')
  expect(options.map(([name]) => name)).toEqual(['Roma', 'Trastevere'])
})

it('places of an operator are refused with what is wrong', async () => {
  const file = join(folder, 'list')
  const read = async (text: string) => {
    await writeFile(file, text)
    return readExtraPlaces(file)
  }
  const feature = (more: object) => JSON.stringify({ features: [{ properties: { name: 'A' }, ...more }] })
  for (const [text, problem] of [
    ['name,latitude,longitude\nA,1,2', `must be GeoJSON with features that have a name: ${file} is not JSON`],
    ['{}', `${file} has no features`],
    [feature({ properties: {} }), `feature 1 of ${file} has no properties.name`],
    [feature({ geometry: { coordinates: [[0, 99]] } }), `feature 1 of ${file} has no position in degrees`],
  ] as const)
    await expect(read(text)).rejects.toThrow(problem)
  await expect(readExtraPlaces(join(folder, 'none'))).rejects.toThrow('must be a file that can be read')
})

it('words keep their vowel signs, with which none begins, and have file names that every file system accepts', () => {
  expect(words('पानी की टंकी')).toEqual(['पानी', 'की', 'टंकी'])
  expect([...entryWords('น้ำดื่ม')].filter((word) => /^\p{M}/u.test(word))).toEqual([])
  expect(['con', '東'].map(shardFile)).toEqual(['a-con.json', 'u-6771.json'])
})

it('the search finds regions with their extent', async () => {
  const [[name, fountains, , , ...extent] = []] = (await search.find('zur')).regions
  expect([name, fountains, ...extent]).toEqual(['Zürich', 1002, 8, 47, 8, 47.0101])
})

it('the search finds ä, ö and ü also as ae, oe and ue, and ß as ss', async () => {
  const out = newFolder()
  const umlauts = await searchIn(
    [row(1, 'Kröpfli', { region: 'Zürich' }), row(2, 'Blume', { region: 'Basel' })],
    out,
  )
  const regions = async (text: string) => (await umlauts.find(text)).regions.map(([name]) => name)
  for (const text of ['zuerich', 'ZUER', 'Zurich', 'zürich']) expect(await regions(text)).toEqual(['Zürich'])
  const ids = async (text: string) => (await umlauts.find(text)).fountains.map(([id]) => id)
  for (const text of ['kroepfli', 'kroepf zuerich', 'kropfli']) expect(await ids(text)).toEqual([1])
  expect(await ids('bluem')).toEqual([])
  expect(await found('gross weiss strasse')).toEqual(['Groß Weiß-Straße'])
})

it('the search narrows a common word by a rare one, by the region and by a number, and returns its best matches', async () => {
  expect(await found('brunnen lindenhof')).toEqual(['Brunnen Lindenhof', 'Lindenhofbrunnen'])
  expect(await found('lindenhof zürich')).toContain('Lindenhofbrunnen')
  expect(await found('lindenhof bern')).toEqual([])
  expect((await found('brunnen 1234'))[0]).toBe('Brunnen 1234')
  const best = await found('brunnen')
  expect(best).toHaveLength(30)
  expect(best.every((name) => name.startsWith('Brunnen'))).toBe(true)
})

it('the search has the best of a common prefix, wherever they are among all', async () => {
  const best = ['Brunnen', 'Br', 'Am Bruch', '']
  const similarRows = Array.from({ length: 3000 }, (_, place) => row(place + 1, `Alter Brunnen ${place + 1}`))
  for (const [place, name] of best.entries())
    similarRows[2000 + 300 * place] = row(2001 + 300 * place, name, { amenities: ['tap'], verified: true })
  const of = await searchIn(similarRows, newFolder())
  const firstOf = async (query: string) =>
    (await of.find(query)).fountains.slice(0, 3).map(([, name]) => name)
  expect(await firstOf('b')).toEqual(['Brunnen', 'Br', 'Am Bruch'])
  expect(await firstOf('br')).toEqual(['Br', 'Brunnen', 'Am Bruch'])
  expect(await firstOf('brun')).toEqual(['Brunnen', 'Alter Brunnen 1', 'Alter Brunnen 2'])
})

it.each([
  ['पानी', 'पानी की टंकी'],
  ['पे', 'पेड़ के नीचे'],
  ['lokke', 'Løkke'],
  ['LØKKE aero', 'Løkke'],
  ['水飲', '東京駅の水飲み場'],
  ['fontaine republique', 'Fontaine de la République'],
  ['RÉPUB', 'Fontaine de la République'],
  ['repub fontaine', 'Fontaine de la République'],
  ['<script>', '<script>alert(1)</script>'],
])(
  'the search finds a name by prefixes without accents, its vowels, and inside of names without spaces: %s',
  async (query, name) => {
    expect(await found(query)).toEqual([name])
  },
)

it('the search reads a hostile query as text', async () => {
  for (const query of ['', '   ', '***', '../../etc/passwd', '%00', '__proto__', 'constructor'])
    expect(await found(query)).toEqual([])
})

it('the search reads the index once and one small file per word, and tries again after a file could not be read', async () => {
  const asked: string[] = []
  let broken = true
  const fresh = new Search(async (name) => {
    if (broken) throw new Error('offline')
    return readerOf(folder, asked)(name)
  })
  await expect(fresh.find('fontaine')).rejects.toThrow('offline')
  broken = false
  for (let time = 0; time < 2; time += 1) expect((await fresh.find('fontaine')).fountains).toHaveLength(1)
  expect(asked).toHaveLength(2)
})

it('a town is found in every language, and a street, also where fountains name only their district', async () => {
  const around = { latitude: 48.24, longitude: 16.41 }
  const town = (await bundledGazetteer()).townAt(around, 'AT', 'Wien')
  const inVienna = { ...around, country: 'AT', town, amenities: ['tap'] }
  const all = [
    row(1, 'Brunnen', { ...inVienna, region: 'Innere Stadt' }),
    row(2, '', { ...inVienna, street: 'Graben' }),
    row(3, 'At sea', { latitude: 0, longitude: -150 }),
  ]
  const out = newFolder()
  await writeMapFiles({
    rows: all,
    searchFiles: undefined,
    outDir: out,
    baseMap: false,
    languages: await loadLanguages(['en']),
    places: [],
  } as Parameters<typeof writeMapFiles>[0])
  const found = async (text: string) =>
    (await new Search(readerOf(out)).find(text)).regions.map(([name, count]) => [name, count])
  for (const text of ['Wien', 'vienna', 'Vienne']) expect(await found(text)).toEqual([['Wien', 2]])
  const { fountains } = await new Search(readerOf(out)).find('vienne grab')
  expect(fountains).toEqual([[2, '', '', 48.24, 16.41, { amenities: ['tap'], street: 'Graben', town }]])
  const places: unknown[][] = jsonIn(out, 'map/places.json')
  // The town's label is where the town is, that of a district amid its fountains.
  expect(places.map(([name, , ...at]) => [name, ...at.slice(0, 2), ...at.slice(6)])).toEqual([
    ['Wien', 48.208, 16.372, 'AT', town?.names],
    ['Innere Stadt', 48.24, 16.41, 'AT'],
  ])
})
