/** @module-tag long */
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { languageFiles, scratchCopy, type ScratchCopy } from './scratch-copy.ts'

/**
 * The recipes of CONTRIBUTING.md, followed one after another in one copy of the sources: each needs the files that it
 * names and no others.
 */
let copy: ScratchCopy
beforeAll(async () => {
  copy = await scratchCopy()
})

/** Adds a word to each language, after a line that all have: in German, and in English everywhere else. */
async function inEachLanguage(after: RegExp, key: string, en: string, de: string): Promise<void> {
  for (const file of languageFiles) {
    const [line = ''] = after.exec(await copy.read(file)) ?? []
    const indent = /^ */u.exec(line)?.[0] ?? ''
    const word = path.basename(file, '.ts') === 'de' ? de : en
    await copy.append(file, line, `${indent}${key}: '${word}',\n`)
  }
}

test('an amenity is a line of the vocabulary and a word in each language', async () => {
  const files = await copy.follow(async () => {
    await copy.insert(
      'packages/core/src/vocabulary.ts',
      '} as const satisfies Record<string, Amenity>',
      "  mist: { label: 'Mist', role: 'feature', aliases: ['mist-sprayer'], osm: { 'fountain:mist': 'yes' } },\n",
    )
    await inEachLanguage(/^ {4}tested: .*\n/mu, 'mist', 'Mist', 'Wassernebel')
  })
  expect(files).toEqual(['packages/core/src/vocabulary.ts', ...languageFiles])
})

test('an export format is one file and one line of the list', async () => {
  const list = 'packages/exchange/src/export/formats.ts'
  const format = 'packages/exchange/src/export/text/navigation.ts'
  const files = await copy.follow(async () => {
    await copy.add(
      format,
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
    await copy.insert(list, 'export const formats', "import { navigation } from './text/navigation.ts'\n")
    await copy.append(list, '  pmtiles,\n', '  navigation,\n')
  })
  expect(files).toEqual([list, format])
})

test('an XP event is its line in the rules, its decision, its row in the specification, and a word in each language', async () => {
  const [rules, decision] = ['packages/core/src/rules.ts', 'packages/core/src/decide/review.ts']
  const files = await copy.follow(async () => {
    await copy.insert(
      rules,
      '    /** For the creator of a waypoint, the first time it is verified. */',
      '    readonly writeComment: number\n',
    )
    await copy.append(rules, '    postReview: 5,\n', '    writeComment: 2,\n')
    await copy.change(
      decision,
      "awards: earn(occasion, by, 'postReview'),",
      "awards: [...earn(occasion, by, 'postReview'), ...(review.comment ? earn(occasion, by, 'writeComment') : [])],",
    )
    await copy.insert(
      'docs/specification.md',
      '| waypoint is verified (',
      '| write a comment (`writeComment`) | 2 | |\n',
    )
    const words = ['Write a comment', 'Einen Kommentar schreiben'] as const
    await inEachLanguage(/^ {6}postReview: .*\n/mu, 'writeComment', ...words)
  })
  expect(files).toEqual(['docs/specification.md', decision, rules, ...languageFiles])
})

test('an endpoint is one declaration, and what it does is said in the specification', async () => {
  const file = 'packages/server/src/endpoints/statistics.ts'
  const files = await copy.follow(async () => {
    await copy.append(file, "import { Statistics } from '@openfountain/core'\n", "import { z } from 'zod'\n")
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
  expect(files).toEqual(['docs/specification.md', file])
})

test('a filter of the map is a line of the list and a word in each language', async () => {
  const list = 'site/src/map/list/filter.ts'
  const files = await copy.follow(async () => {
    await copy.insert(
      list,
      '} as const satisfies Record<string, Check>',
      "  working: { icon: 'water', matches: ({ state }) => state === undefined },\n",
    )
    const after = /(?<= only: \{\n {6}works: .*\n) {6}verified: .*\n/mu
    await inEachLanguage(after, 'working', 'With water', 'Mit Wasser')
  })
  expect(files).toEqual([...languageFiles, list])
})

test('then the amenity has its tags, the format is exported and offered, the event is granted, the endpoint served and the filter read', async () => {
  const said = await copy.script(`
    import { readFile } from 'node:fs/promises'
    import { openRegistry, token, user } from '@openfountain/core'
    import { osmTagsOf } from '@openfountain/core/vocabulary'
    import { exportRegistry } from '@openfountain/exchange'
    import { createApp } from '@openfountain/server'
    import { routes } from './generate/routes.ts'
    import { dataPage } from './generate/tables.ts'
    import { readState, writeState } from '../site/src/map/data/state.ts'
    import { conditionCount, matches } from '../site/src/map/list/filter.ts'
    const registry = await openRegistry({ database: 'fountains.db', name: 'Fountains of Lund' })
    const square = { name: 'Square', latitude: 55.7, longitude: 13.2, region: 'Lund', verified: true }
    const { amenities } = await registry.waypoints.create({ ...square, amenities: ['Mist sprayer', 'tap'] }, token())
    const well = { name: 'The "Old" Well', latitude: 55.8, longitude: 13.3, region: 'Lund' }
    await registry.waypoints.create({ ...well, amenities: ['well'] }, token())
    const { id } = await registry.users.create({ name: 'Ada' })
    await registry.reviews.create({ bubblerId: 1, rating: 5, comment: 'Cold' }, user(id))
    await registry.reviews.create({ bubblerId: 1, rating: 5 }, user(id))
    await exportRegistry(registry, { out: 'exports' })
    const app = createApp(registry, { exports: 'exports' })
    const read = async (path) => (await app.fetch(new Request('http://localhost' + path))).json()
    const [, page] = await dataPage()
    const { filter } = readState('?working=1&amenity=tap')
    const fountain = { amenities: ['tap'], verified: false }
    console.log(JSON.stringify({
      amenities,
      tags: osmTagsOf(['mist']),
      text: await readFile('exports/waypoints.asc', 'utf8'),
      described: JSON.parse(await readFile('exports/datapackage.json', 'utf8')).resources.find(({ path }) => path === 'waypoints.asc'),
      offered: (await read('/api/exports')).exports.find(({ file }) => file === 'waypoints.asc'),
      row: page.split('\\n').find((line) => line.includes('waypoints.asc')).replaceAll(/ +/g, ' '),
      xp: (await registry.users.get(id)).xp,
      awards: (await registry.changes.entries(0)).flatMap(({ awards }) => awards.map(([, event]) => event)),
      regions: (await read('/api/regions')).regions,
      operation: (await read('/api/openapi')).paths['/api/regions'].get.operationId,
      routes: (await routes()).split('\\n').filter((line) => line.includes('/api/regions')),
      filter: [writeState({ filter }), conditionCount(filter), matches(filter, fountain), matches(filter, { ...fountain, state: 'broken' })],
    }))
    await registry.close()`)
  const title = 'Points of interest for navigation devices'
  const mediaType = 'application/vnd.navigation-points'
  expect(said).toMatchObject({
    amenities: ['mist', 'tap'],
    tags: { amenity: 'drinking_water', 'fountain:mist': 'yes' },
    text: '13.2,55.7,"Square"\r\n13.3,55.8,"The ""Old"" Well"\r\n',
    described: { title, mediatype: mediaType, rows: 2 },
    offered: { title, mediaType, rows: 2 },
    row: `| \`navigation\` | waypoints.asc | \`${mediaType}\` | Position and name. | Everything else. |`,
    xp: 12,
    awards: ['postReview', 'writeComment', 'postReview'],
    regions: ['Lund'],
    operation: 'listRegions',
    routes: ['| GET | `/api/regions` | anyone | write |  | The regions that have fountains |'],
    filter: ['?amenity=tap&working=1', 2, true, false],
  })
  expect(await copy.command('log verify --db fountains.db')).toContain('The log verifies')
  const exporting = 'export --db fountains.db --out part --formats'
  expect(await copy.command(`${exporting} navigation`)).toContain('waypoints.asc')
  await expect(copy.command(`${exporting} shapefile`)).rejects.toThrow(/navigation/u)
})

test('the site has all this in the words of each language', async () => {
  await copy.command('site build --data exports --out site-of-all')
  const page = (name: string) => copy.read(`site-of-all/${name}index.html`)
  for (const data of [await page('data/'), await page('de/data/')]) {
    expect(data).toMatch(/href="[^"]*\/data\/waypoints\.asc"/u)
    expect(data).toContain('"encodingFormat":"application/vnd.navigation-points"')
  }
  const rows = async (name: string) => (await page(name)).replaceAll(/<[^>]*>/gu, ' ')
  expect(await rows('how-it-works/')).toMatch(/Write a comment\s+\+2\s+none/u)
  expect(await rows('de/how-it-works/')).toMatch(/Einen Kommentar schreiben\s+\+2/u)
  const [home, german] = [await page(''), await page('de/')]
  expect(home).toMatch(/value="mist"[^>]*>[\s\S]{0,900}Mist/u)
  expect(german).toMatch(/value="mist"[^>]*>[\s\S]{0,900}Wassernebel/u)
  expect(home).toMatch(/name="working" value="1"[\s\S]{0,900}With water/u)
  expect(german).toMatch(/name="working" value="1"[\s\S]{0,900}Mit Wasser/u)
  expect(await page('embedding/')).toMatch(/working=1[\s\S]{0,90}With water/u)
  // Of the two fountains of the one cell both give water as far as is known, one is verified, and nobody saw one work.
  const index = JSON.parse(await copy.read('site-of-all/map/cells/index.json')) as {
    checks: string[]
    cells: number[][]
  }
  expect(index.checks).toEqual(['works', 'verified', 'working'])
  expect(index.cells.map(([, count, checks]) => [count, checks])).toEqual([[2, 0b110]])
})

test('the sources with all this have no error of type, and pass the tests that compare lists with documents and languages', async () => {
  const sources = ['packages/cli/src/main.ts', 'site/src/build/build.ts', 'site/src/map/page/home.ts']
  const { stdout } = await copy.types(...sources)
  expect(stdout).toBe('')
  const vitest = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=json',
    '--outputFile=report.json',
  ] as const
  const tests = ['core/test/rules', 'core/test/vocabulary', 'exchange/test/export/documentation']
  const files = tests.map((name) => `packages/${name}.test.ts`)
  await copy.program(...vitest, ...files, 'site/test/languages.test.ts', 'site/test/map/state.test.ts')
  const report = JSON.parse(await copy.read('report.json')) as Record<string, number>
  expect(report['numFailedTests']).toBe(0)
  expect(report['numPassedTests']).toBeGreaterThan(30)
})
