import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fold } from '@openfountain/core/letters'
import { madeName } from '@openfountain/core/names'
import { loadLanguages } from '../../src/build/languages.ts'
import { readKnownPlaces } from '../../src/data/known-places.ts'
import { writeMapFiles } from '../../src/map/build/files.ts'
import { regionsOf } from '../../src/map/build/places.ts'
import { RowColumns } from '../../src/map/build/rows.ts'
import { writeSearchIndex } from '../../src/search/build/index.ts'
import { Search } from '../../src/search/search.ts'
import { branchEntries, leafCapacity, shardFile } from '../../src/search/shard.ts'
import { entryWords, words } from '../../src/search/words.ts'

const named = (names: readonly (readonly [name: string, region?: string])[]): RowColumns => {
  const rows = new RowColumns()
  names.forEach(([name, region], place) =>
    rows.add({
      id: place + 1,
      name,
      latitude: 47 + place / 1e5,
      longitude: 8,
      amenities: [],
      region,
      approved: true,
      verified: place % 2 === 0,
      last_confirmed: '2026-05-01',
      review_count: 0,
    }),
  )
  return rows
}

const common = Array.from({ length: 2000 }, (_, place): readonly [string, string] => [
  `Brunnen ${place}`,
  place < 1000 ? 'Zürich' : 'Bern',
])
const rows = named([
  ['Lindenhofbrunnen', 'Zürich'],
  ['Fontaine de la République', 'Lausanne'],
  ['<script>alert(1)</script>', 'Lausanne'],
  ['東京駅の水飲み場', '東京'],
  ['Groß Weiß-Straße', 'Łódź'],
  ['Brunnen Lindenhof', 'Zürich'],
  ['पानी की टंकी', 'दिल्ली'],
  ['पेड़ के नीचे', 'दिल्ली'],
  ['Løkke', 'Ærø'],
  ...common,
])

let folder: string
let asked: string[] = []
let search: Search

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openfountain-search-'))
  await writeSearchIndex(rows, regionsOf(rows), folder)
  search = new Search(async (name) => {
    asked.push(name)
    return JSON.parse(await readFile(join(folder, 'search', name), 'utf8')) as unknown
  })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const names = async (query: string) => (await search.find(query)).fountains.map(([, name]) => name)

describe('fountains of the same name, or of none', () => {
  it('are found nearest first, with the place around them; those whose name was made last, with what they are', async () => {
    const again = new RowColumns()
    const add = (id: number, name: string, latitude: number, place?: string) =>
      again.add({
        id,
        name,
        latitude,
        longitude: 12.5,
        amenities: ['wheelchair', 'tap'],
        place,
        approved: true,
        verified: false,
        last_confirmed: '2026-05-01',
        review_count: 0,
      })
    add(1, 'Fontana del Mascherone', 42)
    add(2, 'Fontana del Mascherone', 41.5, 'Trastevere')
    add(3, 'Fontana, Via del Mascherone', 41.4)
    add(4, 'Fontana del Mascherone', 41, 'Velletri')
    const files = await mkdtemp(join(folder, 'again-'))
    await writeSearchIndex(again, regionsOf(again), files)
    const found = async (from?: { latitude: number; longitude: number }) => {
      const read = async (name: string) =>
        JSON.parse(await readFile(join(files, 'search', name), 'utf8')) as unknown
      return (await new Search(read).find('mascherone', from)).fountains
    }
    expect(await found({ latitude: 41.5, longitude: 12.5 })).toEqual([
      [2, 'Fontana del Mascherone', 'Trastevere', 41.5, 12.5],
      [1, 'Fontana del Mascherone', '', 42, 12.5],
      [4, 'Fontana del Mascherone', 'Velletri', 41, 12.5],
      [3, 'Fontana, Via del Mascherone', '', 41.4, 12.5, ['tap']],
    ])
    expect((await found()).map(([id]) => id)).toEqual([1, 2, 4, 3])
  })
})

describe('places', () => {
  it('are countries and places around fountains, in every language, subdivisions that have a name, and those that the operator knows', async () => {
    const given = join(folder, 'places.geojson')
    const square = (west: number, south: number, size: number) => [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south],
    ]
    const features = [
      {
        properties: { name: 'Lazio', 'name:de': 'Latium', 'ISO3166-2': 'IT-62' },
        geometry: { type: 'MultiPolygon', coordinates: [[square(11, 41, 3)]] },
      },
      {
        properties: { name: 'Ostiense', subdivision: 'IT-62' },
        geometry: { type: 'Point', coordinates: [12.4, 41.8, 3] },
      },
      { properties: { name: 'Trastevere' }, geometry: { type: 'Point', coordinates: [12.5, 41.5] } },
    ]
    await writeFile(given, JSON.stringify({ features }))
    const places = await readKnownPlaces(given)
    const again = new RowColumns()
    const about = {
      name: 'F',
      latitude: 41.5,
      longitude: 12.5,
      amenities: [],
      approved: true,
      verified: false,
      last_confirmed: '2026-05-01',
      review_count: 0,
    }
    again.add({ ...about, id: 1, country: 'IT', subdivision: 'IT-62', place: 'Trastevere' })
    again.add({ ...about, id: 2, country: 'IT', region: 'Roma', place: 'Monti' })
    const languages = await loadLanguages(['en', 'de'])
    const outDir = join(folder, 'places')
    await writeMapFiles({ rows: again, outDir, baseMap: false, languages, places })
    const find = async (query: string) =>
      (
        await new Search(
          async (name) => JSON.parse(await readFile(join(outDir, 'search', name), 'utf8')) as unknown,
        ).find(query)
      ).regions.map(([name, fountains, , , , , , , more]) => [name, fountains, more])
    const italy = ['Italy', 2, { code: 'IT', names: { en: 'Italy', de: 'Italien' } }]
    expect(await find('italien')).toEqual([italy])
    expect(await find('ital')).toEqual([italy])
    expect(await find('latium')).toEqual([['Lazio', 1, { country: 'IT', names: { de: 'Latium' } }]])
    expect(await find('monti')).toEqual([['Monti', 1, { country: 'IT' }]])
    expect(await find('roma')).toEqual([['Roma', 1, { country: 'IT' }]])
    expect(await find('trastevere')).toEqual([['Trastevere', 1, { country: 'IT' }]])
    expect(await find('ostiense')).toEqual([['Ostiense', 0, { country: 'IT' }]])
    const options = JSON.parse(await readFile(join(outDir, 'map/places.json'), 'utf8')) as unknown[][]
    expect(options.map(([name]) => name)).toEqual(['Roma', 'Trastevere'])
  })

  it('of an operator are refused with what is wrong', async () => {
    const file = join(folder, 'list')
    const read = async (text: string) => {
      await writeFile(file, text)
      return readKnownPlaces(file)
    }
    expect(await read('\uFEFFName;lat;LON\r\n"A; c";1,5;2\r\n')).toEqual([
      { name: 'A; c', names: {}, bounds: [2, 1.5, 2, 1.5] },
    ])
    expect(await read('name,lat,LON,name:fr\n"A ""b"", c",1.5,2,Un\n\nB,3,4,')).toEqual([
      { name: 'A "b", c', names: { fr: 'Un' }, bounds: [2, 1.5, 2, 1.5] },
      { name: 'B', names: {}, bounds: [4, 3, 4, 3] },
    ])
    await expect(read('name,lat\nA,1')).rejects.toThrow(`${file} has no column longitude`)
    await expect(read('name,lat,lon\nA,1,200')).rejects.toThrow(`row 2 of ${file} has no position in degrees`)
    await expect(read('name,lat,lon\n,1,2')).rejects.toThrow(`row 2 of ${file} has no name`)
    await expect(read('name,lat,lon\n"A,1,2')).rejects.toThrow('a quotation mark is missing')
    await expect(read('{"features":')).rejects.toThrow(`${file} is not JSON`)
    await expect(read('{}')).rejects.toThrow(`${file} has no features`)
    await expect(read('{"features":[{"properties":{}}]}')).rejects.toThrow(
      `feature 1 of ${file} has no properties.name`,
    )
    await expect(
      read('{"features":[{"properties":{"name":"A"},"geometry":{"coordinates":[[0,99]]}}]}'),
    ).rejects.toThrow(`feature 1 of ${file} has no position in degrees`)
    await expect(readKnownPlaces(join(folder, 'none'))).rejects.toThrow('must be a file that can be read')
  })
})

describe('words', () => {
  it('lose case, accents and ligatures', () => {
    expect(words('Łódź Straße Ærø ﬁn')).toEqual(['lodz', 'strasse', 'aero', 'fin'])
    expect(words("Fontaine-de-l'Église №3")).toEqual(['fontaine', 'de', 'l', 'eglise', 'no3'])
  })
  it('begin anywhere in a script without spaces', () => {
    expect([...entryWords('東京駅')]).toEqual(['東京駅', '京駅', '駅'])
  })
  it('keep the vowel signs of Hindi, and no word begins with one', () => {
    expect(words('पानी की टंकी')).toEqual(['पानी', 'की', 'टंकी'])
    expect(words('पानी')).not.toEqual(words('पन'))
    expect([...entryWords('น้ำดื่ม')].filter((word) => /^\p{M}/u.test(word))).toEqual([])
  })
  it('have file names that every file system accepts', () => {
    expect(shardFile('con')).toBe('a-con.json')
    expect(shardFile('東')).toBe('u-6771.json')
  })
})

describe('the search', () => {
  it('finds a name by its prefix, without accents, in any order of words', async () => {
    expect(await names('fontaine republique')).toEqual(['Fontaine de la République'])
    expect(await names('RÉPUB')).toEqual(['Fontaine de la République'])
    expect(await names('repub fontaine')).toEqual(['Fontaine de la République'])
  })
  it('finds regions with their extent', async () => {
    const { regions } = await search.find('zur')
    expect(regions.map(([name, fountains]) => [name, fountains])).toEqual([['Zürich', 1002]])
    expect(regions[0]?.slice(4)).toEqual([8, 47, 8, 47.0101])
  })
  it('narrows a common word by a rare one and by the region', async () => {
    expect(await names('brunnen lindenhof')).toEqual(['Brunnen Lindenhof', 'Lindenhofbrunnen'])
    expect(await names('lindenhof zürich')).toContain('Lindenhofbrunnen')
    expect(await names('lindenhof bern')).toEqual([])
  })
  it('finds a numbered one among thousands of the same name', async () => {
    expect((await names('brunnen 1234'))[0]).toBe('Brunnen 1234')
  })
  it('returns the best matches of a common word', async () => {
    const found = await names('brunnen')
    expect(found).toHaveLength(30)
    expect(found.every((name) => name.startsWith('Brunnen'))).toBe(true)
  })
  it('has the best of a common prefix, wherever they are among all', async () => {
    const forms = [
      'Brunnen',
      'Br',
      'Alter Brunnen',
      'Am Bruch',
      'Brunnen, Bruchweg',
      'Fontana, Via Brunelleschi',
    ]
    const many = new RowColumns()
    for (let id = 1; id <= 3000; id += 1) {
      const [form, day] = [(id * 7) % 11, 1 + ((id * 13) % 28)]
      many.add({
        id,
        name: form < 5 ? `${forms[form]}${form === 4 ? '' : ` ${id}`}` : (forms.at(-1) ?? ''),
        latitude: 47,
        longitude: 8,
        amenities: ['tap'],
        approved: true,
        verified: id % 3 === 0,
        last_confirmed: `2026-05-${String(day).padStart(2, '0')}`,
        review_count: 0,
      })
    }
    const files = await mkdtemp(join(folder, 'best-'))
    await writeSearchIndex(many, [], files)
    for (const prefix of ['b', 'br', 'bru', 'brunnen']) {
      const rank = (row: number): number => {
        const [name = '', isVerified] = [many.names[row], many.verified[row] === true ? 1 : 0]
        if (madeName(name) !== undefined) return isVerified
        const isWord = words(name).includes(prefix)
        return 1 + (fold(name).startsWith(prefix) ? 4 : 0) + (isWord ? 2 : 0) + isVerified
      }
      const found = Array.from(many.ids, (_, row) => row)
        .filter((row) => words(many.names[row] ?? '').some((word) => word.startsWith(prefix)))
        .toSorted((a, b) => {
          const days = (many.confirmed[b] ?? '').localeCompare(many.confirmed[a] ?? '')
          return rank(b) - rank(a) || days || a - b
        })
      const text = await readFile(join(files, 'search', shardFile(prefix)), 'utf8')
      const { fountains } = JSON.parse(text) as { fountains: [number][] }
      expect(fountains, prefix).toHaveLength(branchEntries)
      expect(fountains.map(([id]) => id)).toEqual(found.slice(0, branchEntries).map((row) => row + 1))
    }
  })
  it('finds Hindi by its vowels, and Danish with or without its letters', async () => {
    expect(await names('पानी')).toEqual(['पानी की टंकी'])
    expect(await names('पे')).toEqual(['पेड़ के नीचे'])
    expect(await names('lokke')).toEqual(['Løkke'])
    expect(await names('LØKKE aero')).toEqual(['Løkke'])
  })
  it('finds inside names without spaces', async () => {
    expect(await names('水飲')).toEqual(['東京駅の水飲み場'])
  })
  it('reads a hostile query as text and returns a hostile name as text', async () => {
    expect(await names('<script>')).toEqual(['<script>alert(1)</script>'])
    for (const query of ['', '   ', '***', '../../etc/passwd', '%00', '__proto__', 'constructor']) {
      expect(await names(query)).toEqual([])
    }
  })
  it('reads the index once and one small file per word', async () => {
    asked = []
    const fresh = new Search(async (name) => {
      asked.push(name)
      return JSON.parse(await readFile(join(folder, 'search', name), 'utf8')) as unknown
    })
    await fresh.find('fontaine')
    await fresh.find('fontaine')
    expect(asked).toHaveLength(2)
  })
  it('tries again after a file could not be read', async () => {
    let broken = true
    const flaky = new Search(async (name) => {
      if (broken) throw new Error('offline')
      return JSON.parse(await readFile(join(folder, 'search', name), 'utf8')) as unknown
    })
    await expect(flaky.find('fontaine')).rejects.toThrow('offline')
    broken = false
    expect((await flaky.find('fontaine')).fountains).toHaveLength(1)
  })
  it('keeps every file small', async () => {
    const files = await readdir(join(folder, 'search'))
    for (const name of files.filter((one) => one !== 'index.json')) {
      const shard = JSON.parse(await readFile(join(folder, 'search', name), 'utf8')) as {
        fountains: unknown[]
      }
      expect(shard.fountains.length).toBeLessThanOrEqual(Math.max(leafCapacity, branchEntries))
    }
  })
})
