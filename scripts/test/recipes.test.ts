/** @module-tag long */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../packages/folders.ts'
import { scratchCopy, type ScratchCopy } from './scratch-copy.ts'

/**
 * The recipes of CONTRIBUTING.md, followed one after another in one copy of the sources: each needs the files that it
 * names and no others.
 */
let copy: ScratchCopy
beforeAll(async () => {
  copy = await scratchCopy()
})
afterAll(() => copy.remove())

/** Words by the tag of their language. */
type Words = { readonly en: string } & Readonly<Record<string, string>>

const languageFolder = 'site/src/languages'
const languageFiles = readdirSync(path.join(root, languageFolder))
  .map((file) => `${languageFolder}/${file}`)
  .toSorted()

/** Adds a word to each language, after a line that all have; in English where there is none. */
async function inEachLanguage(after: RegExp, key: string, words: Words): Promise<void> {
  for (const file of languageFiles) {
    const [line = ''] = after.exec(await copy.read(file)) ?? []
    const indent = /^ */u.exec(line)?.[0] ?? ''
    await copy.append(file, line, `${indent}${key}: '${words[path.basename(file, '.ts')] ?? words.en}',\n`)
  }
}

describe('an amenity', () => {
  test('is a line of the vocabulary and a word in each language', async () => {
    const files = await copy.follow(async () => {
      await copy.insert(
        'packages/core/src/vocabulary.ts',
        '} as const satisfies Record<string, Amenity>',
        "  mist: { label: 'Mist', role: 'feature', aliases: ['mist-sprayer'], osm: { 'fountain:mist': 'yes' } },\n",
      )
      await inEachLanguage(/^ {4}tested: .*\n/mu, 'mist', {
        en: 'Mist',
        de: 'Wassernebel',
        es: 'Nebulizador',
        fr: 'Brumisateur',
        it: 'Nebulizzatore',
      })
    })
    expect(files).toEqual(['packages/core/src/vocabulary.ts', ...languageFiles])
  })

  test('is accepted in any spelling and has its tags', async () => {
    const said = await copy.script(`
      import { openRegistry, token } from '@openfountain/core'
      import { osmTagsOf } from '@openfountain/core/vocabulary'
      const registry = await openRegistry({ database: ':memory:' })
      const place = { name: 'Square', latitude: 1, longitude: 2, amenities: ['Mist sprayer'] }
      const { amenities } = await registry.waypoints.create(place, token())
      console.log(JSON.stringify([amenities, osmTagsOf(amenities)]))
      await registry.close()`)
    expect(JSON.parse(said)).toEqual([['mist'], { amenity: 'drinking_water', 'fountain:mist': 'yes' }])
  })
})

describe('an export format', () => {
  test('is one file and one line of the list', async () => {
    const files = await copy.follow(async () => {
      await copy.add(
        'packages/exchange/src/export/text/navigation.ts',
        `import { textFormat } from '../format.ts'
import { neutraliseCell } from './cell.ts'

/** Points of interest as navigation devices read them: longitude, latitude and name, without a heading. */
export const navigation = textFormat({
  name: 'navigation',
  file: 'waypoints.asc',
  mediaType: 'application/vnd.navigation-points',
  title: 'Points of interest for navigation devices',
  subject: 'waypoints',
  holds: 'Position and name.',
  loses: 'Everything else.',
  *text(edition, tally) {
    for (const { longitude, latitude, name } of edition.waypoints()) {
      tally.rows += 1
      yield \`\${longitude},\${latitude},"\${neutraliseCell(name).replaceAll('"', '""')}"\\r\\n\`
    }
  },
})
`,
      )
      const list = 'packages/exchange/src/export/formats.ts'
      await copy.insert(list, 'export const formats', "import { navigation } from './text/navigation.ts'\n")
      await copy.append(list, '  pmtiles,\n', '  navigation,\n')
    })
    expect(files).toEqual([
      'packages/exchange/src/export/formats.ts',
      'packages/exchange/src/export/text/navigation.ts',
    ])
  })

  test('is exported, listed in the data package, offered by the server and on the page of data files', async () => {
    const said = await copy.script(`
      import { readFile, writeFile } from 'node:fs/promises'
      import { openRegistry, token } from '@openfountain/core'
      import { exportRegistry } from '@openfountain/exchange'
      import { createApp } from '@openfountain/server'
      import { dataPage } from './generate/tables.ts'
      const registry = await openRegistry({ database: 'fountains.db', name: 'Fountains of Lund' })
      const places = [
        { name: 'Square', latitude: 55.7, longitude: 13.2, region: 'Lund', amenities: ['mist', 'tap'], verified: true },
        { name: 'The "Old" Well', latitude: 55.8, longitude: 13.3, region: 'Lund', amenities: ['well'] },
      ]
      for (const place of places) await registry.waypoints.create(place, token())
      await exportRegistry(registry, { out: 'exports' })
      const { resources } = JSON.parse(await readFile('exports/datapackage.json', 'utf8'))
      const app = createApp(registry, { exports: 'exports' })
      const { exports } = await (await app.fetch(new Request('http://localhost/api/exports'))).json()
      const of = (all, member) => all.find((one) => one[member] === 'waypoints.asc')
      // As npm run generate writes it.
      const [file, page] = await dataPage()
      await writeFile(file, page)
      console.log(JSON.stringify({
        text: await readFile('exports/waypoints.asc', 'utf8'),
        resource: of(resources, 'path'),
        offered: of(exports, 'file'),
        row: page.split('\\n').find((line) => line.includes('waypoints.asc')).replaceAll(/ +/g, ' '),
      }))
      await registry.close()`)
    const title = 'Points of interest for navigation devices'
    const mediaType = 'application/vnd.navigation-points'
    expect(JSON.parse(said)).toMatchObject({
      text: '13.2,55.7,"Square"\r\n13.3,55.8,"The ""Old"" Well"\r\n',
      resource: { title, mediatype: mediaType, rows: 2 },
      offered: { title, mediaType, rows: 2 },
      row: `| \`navigation\` | waypoints.asc | \`${mediaType}\` | Position and name. | Everything else. |`,
    })
  })

  test('can be asked for by its name, which the command lists', async () => {
    const command = 'packages/cli/src/main.ts'
    const args = ['export', '--db', 'fountains.db', '--out', 'part', '--formats']
    expect(await copy.program(command, ...args, 'navigation')).toContain('waypoints.asc')
    await expect(copy.program(command, ...args, 'shapefile')).rejects.toThrow(/navigation/u)
  })
})

describe('an XP event', () => {
  test('is its line in the rules, its decision, its row in the specification, and a word in each language', async () => {
    const files = await copy.follow(async () => {
      await copy.insert(
        'packages/core/src/rules.ts',
        '    /** For the creator of a waypoint, the first time it is verified. */',
        '    readonly writeComment: number\n',
      )
      await copy.append('packages/core/src/rules.ts', '    postReview: 5,\n', '    writeComment: 2,\n')
      await copy.change(
        'packages/core/src/decide/review.ts',
        "awards: earn(occasion, by, 'postReview'),",
        "awards: [...earn(occasion, by, 'postReview'), ...(review.comment ? earn(occasion, by, 'writeComment') : [])],",
      )
      await copy.insert(
        'docs/specification.md',
        '| waypoint is verified (',
        '| write a comment (`writeComment`) | 2 | |\n',
      )
      await inEachLanguage(/^ {6}postReview: .*\n/mu, 'writeComment', {
        en: 'Write a comment',
        de: 'Einen Kommentar schreiben',
        es: 'Escribir un comentario',
        fr: 'Écrire un commentaire',
        it: 'Scrivere un commento',
      })
    })
    expect(files).toEqual([
      'docs/specification.md',
      'packages/core/src/decide/review.ts',
      'packages/core/src/rules.ts',
      ...languageFiles,
    ])
  })

  test('is granted, logged by its name, and verified from the log', async () => {
    const said = await copy.script(`
      import { openRegistry, user } from '@openfountain/core'
      const settings = { name: 'Fountains of Lund', author: 'Lund', license: 'ODbL-1.0' }
      const registry = await openRegistry({ ...settings, database: 'fountains.db' })
      const { id } = await registry.users.create({ name: 'Ada' })
      await registry.reviews.create({ bubblerId: 1, rating: 5, comment: 'Cold' }, user(id))
      await registry.reviews.create({ bubblerId: 1, rating: 5 }, user(id))
      const entries = await registry.changes.entries(0)
      console.log(JSON.stringify({
        xp: (await registry.users.get(id)).xp,
        awards: entries.map(({ awards }) => awards.map(([, event, xp]) => [event, xp])).filter(({ length }) => length > 0),
      }))
      await registry.close()`)
    expect(JSON.parse(said)).toEqual({
      xp: 12,
      awards: [
        [
          ['postReview', 5],
          ['writeComment', 2],
        ],
        [['postReview', 5]],
      ],
    })
    const command = 'packages/cli/src/main.ts'
    expect(await copy.program(command, 'log', 'verify', '--db', 'fountains.db')).toContain('The log verifies')
    expect(await copy.program(command, 'export', '--db', 'fountains.db', '--out', 'exports')).toContain(
      'waypoints.asc',
    )
  })
})

describe('an endpoint', () => {
  test('is one declaration, and what it does is said in the specification', async () => {
    const files = await copy.follow(async () => {
      const file = 'packages/server/src/endpoints/statistics.ts'
      await copy.append(
        file,
        "import { Statistics } from '@openfountain/core'\n",
        "import { z } from 'zod'\n",
      )
      await copy.append(
        file,
        'readonly Endpoint[] = [\n',
        `  endpoint({
    method: 'GET',
    route: '/api/regions',
    name: 'listRegions',
    tag: 'Statistics',
    summary: 'The regions that have fountains',
    who: 'anyone',
    success: {
      status: 200,
      description: 'Their names, in the order of code units',
      body: z.object({ regions: z.array(z.string()) }),
    },
    async run({ registry }) {
      const found = await registry.waypoints.list()
      return { regions: [...new Set(found.flatMap(({ region }) => region ?? []))].toSorted() }
    },
  }),
`,
      )
      await copy.append(
        'docs/specification.md',
        '`GET /api/stats`: 200 and the object of section 2.6.\n',
        '\n`GET /api/regions`: 200 `{ regions }`, the names of the regions.\n',
      )
    })
    expect(files).toEqual(['docs/specification.md', 'packages/server/src/endpoints/statistics.ts'])
  })

  test('is served, described, and on the page of routes', async () => {
    const said = await copy.script(`
      import { openRegistry, token } from '@openfountain/core'
      import { createApp } from '@openfountain/server'
      import { routes } from './generate/routes.ts'
      const registry = await openRegistry({ database: ':memory:' })
      await registry.waypoints.create({ name: 'Square', latitude: 1, longitude: 2, region: 'Lund' }, token())
      const app = createApp(registry)
      const read = async (path) => (await app.fetch(new Request('http://localhost' + path))).json()
      const { regions } = await read('/api/regions')
      const { paths } = await read('/api/openapi')
      console.log(JSON.stringify([regions, paths['/api/regions'].get.operationId, await routes()]))
      await registry.close()`)
    const [regions, operation, routes] = JSON.parse(said) as [string[], string, string]
    expect(regions).toEqual(['Lund'])
    expect(operation).toBe('listRegions')
    expect(routes).toContain('| GET | `/api/regions` | anyone | write |  | The regions that have fountains |')
  })
})

describe('a filter of the map', () => {
  test('is a line of the list and a word in each language', async () => {
    const files = await copy.follow(async () => {
      await copy.insert(
        'site/src/map/list/filter.ts',
        '} as const satisfies Record<string, Check>',
        "  working: { icon: 'water', matches: ({ state }) => state === undefined },\n",
      )
      await inEachLanguage(/(?<= only: \{\n {6}works: .*\n) {6}verified: .*\n/mu, 'working', {
        en: 'With water',
        de: 'Mit Wasser',
        es: 'Con agua',
        fr: 'Avec de l’eau',
        it: 'Con acqua',
      })
    })
    expect(files).toEqual([...languageFiles, 'site/src/map/list/filter.ts'])
  })

  test('is read from addresses, written into them, and matches what it should', async () => {
    const said = await copy.script(`
      import { readState, writeState } from '../site/src/map/data/state.ts'
      import { conditionCount, matches } from '../site/src/map/list/filter.ts'
      const { filter } = readState('?working=1&amenity=tap')
      const fountain = { amenities: ['tap'], verified: false }
      console.log(JSON.stringify([
        writeState({ filter }),
        conditionCount(filter),
        matches(filter, fountain),
        matches(filter, { ...fountain, state: 'broken' }),
      ]))`)
    expect(JSON.parse(said)).toEqual(['?amenity=tap&working=1', 2, true, false])
  })
})

describe('the site of all this', () => {
  let pages: ReadonlyMap<string, string>
  beforeAll(async () => {
    await copy.program(
      'packages/cli/src/main.ts',
      'site',
      'build',
      '--data',
      'exports',
      '--out',
      'site-of-all',
    )
    const names = ['', 'data/', 'embedding/', 'how-it-works/'].flatMap((page) => [
      `${page}index.html`,
      `de/${page}index.html`,
    ])
    pages = new Map(
      await Promise.all(names.map(async (name) => [name, await copy.read(`site-of-all/${name}`)] as const)),
    )
  })

  test('offers the new format in its own words, as an export of any registry', () => {
    for (const name of ['data/index.html', 'de/data/index.html']) {
      expect(pages.get(name)).toMatch(/href="[^"]*\/data\/waypoints\.asc"/u)
      expect(pages.get(name)).toContain('Points of interest for navigation devices')
      expect(pages.get(name)).toContain('"encodingFormat":"application/vnd.navigation-points"')
    }
  })

  test('says what the new event earns', () => {
    const rows = (name: string) =>
      (pages.get(name) ?? '').split('<tr').map((row) => row.replaceAll(/<[^>]*>/gu, ' '))
    expect(rows('how-it-works/index.html').join()).toMatch(/Write a comment\s+\+2\s+none/u)
    expect(rows('de/how-it-works/index.html').join()).toMatch(/Einen Kommentar schreiben\s+\+2/u)
  })

  test('filters by the new amenity, in the words of each language', () => {
    expect(pages.get('index.html')).toMatch(/value="mist"[^>]*>[\s\S]{0,900}Mist/u)
    expect(pages.get('de/index.html')).toMatch(/value="mist"[^>]*>[\s\S]{0,900}Wassernebel/u)
  })

  test('has the new filter in the form, on the page for embedding, and as a bit of each cell', async () => {
    expect(pages.get('index.html')).toMatch(/name="working" value="1"[\s\S]{0,900}With water/u)
    expect(pages.get('de/index.html')).toMatch(/name="working" value="1"[\s\S]{0,900}Mit Wasser/u)
    expect(pages.get('embedding/index.html')).toMatch(/working=1[\s\S]{0,90}With water/u)
    const index = JSON.parse(await copy.read('site-of-all/map/cells/index.json')) as {
      checks: string[]
      cells: number[][]
    }
    expect(index.checks).toEqual(['works', 'verified', 'working'])
    // Of the two fountains of the one cell both give water as far as is known, one is verified, and nobody saw one work.
    expect(index.cells.map(([, count, checks]) => [count, checks])).toEqual([[2, 0b110]])
  })
})

describe('the sources with all this', () => {
  test('have no error of type', async () => {
    const { stdout } = await copy.types(
      'packages/cli/src/main.ts',
      'site/src/build/build.ts',
      'site/src/map/page/home.ts',
      'site/test/map/cells.test.ts',
      'site/test/map/state.test.ts',
    )
    expect(stdout).toBe('')
  })

  test('pass the tests that compare lists with documents and languages, which need no line of their own', async () => {
    const tests = [
      'packages/core/test/rules.test.ts',
      'packages/core/test/vocabulary.test.ts',
      'packages/exchange/test/export/documentation.test.ts',
      'site/test/languages.test.ts',
      'site/test/map/state.test.ts',
    ]
    await copy.program(
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=json',
      '--outputFile=report.json',
      ...tests,
    )
    const { numFailedTests, numPassedTests } = JSON.parse(await copy.read('report.json')) as Record<
      string,
      number
    >
    expect(numFailedTests).toBe(0)
    expect(numPassedTests).toBeGreaterThan(30)
  })
})
