/** @module-tag long */
import path from 'node:path'
import { expect, test } from 'vitest'
import { languageFiles, scratchCopy } from './scratch-copy.ts'

/** The recipes of CONTRIBUTING.md, followed one after another: each needs no other files than it names. */
const copy = await scratchCopy()

async function inEachLanguage(section: string, key: string, en: string, de: string): Promise<void> {
  for (const file of languageFiles) {
    const word = path.basename(file, '.json') === 'de' ? de : en
    await copy.append(file, `"${section}": {\n`, `"${key}": ${JSON.stringify(word)},\n`)
  }
}

const fields = 'packages/core/src/fields'

const describeText = (noun: string, before: string, name: string, column = name): Promise<void> =>
  copy.insert(
    `${fields}/${noun}.ts`,
    `  ${before}: {`,
    `  ${name}: {
    type: 'text',
    optional: true,
    setBy: 'editors',
    maxLength: 200,
    isText: true,
    meaning: 'What ${column} says',
  },
`,
  )

const engines = ['packages/core/src/store/sqlite/migrations', 'packages/postgres/src/migrations']
const migrationFiles = (name: string) =>
  engines.flatMap((folder) => [`${folder}/${name}.ts`, `${folder}/index.ts`])

async function migrate(name: string, columns: readonly (readonly [table: string, column: string])[]) {
  for (const [engine, folder] of engines.entries()) {
    const type = engine === 0 ? 'text' : 'text collate "C"'
    const statements = columns.map(
      ([table, column]) => `alter table "${table}" add column "${column}" ${type}`,
    )
    await copy.add(
      `${folder}/${name}.ts`,
      `export const statements = (): readonly string[] => ${JSON.stringify(statements)}\n`,
    )
    const index = `${folder}/index.ts`
    const own = name.replaceAll(/\W/gu, '')
    await copy.insert(index, '\n/**', `import { statements as of${own} } from './${name}.ts'\n`)
    await copy.insert(index, ']\n', `, of${own}`)
  }
}

const reviewsPage = 'site/src/views/reviews.tsx'
const formats = 'packages/exchange/src/export/formats.ts'
const format = 'packages/exchange/src/export/text/navigation.ts'
const [rules, decision] = ['packages/core/src/rules.ts', 'packages/core/src/decide/review.ts']
const endpoints = 'packages/server/src/endpoints/service.ts'
const filters = 'site/src/map/list/filter.ts'
const [thanksPage, tokens] = ['site/src/pages/[...language]/thanks.astro', 'site/src/styles/tokens.css']
const specification = 'docs/specification.md'
const access = 'packages/server/test/access.test.ts'

test.each<[what: string, files: readonly string[], recipe: () => Promise<void>]>([
  [
    'an amenity is a line of the vocabulary and a word in each language',
    ['packages/core/src/vocabulary.json', ...languageFiles],
    async () => {
      await copy.insert(
        'packages/core/src/vocabulary.json',
        '  "sparkling": {\n',
        '  "mist": { "label": "Mist", "role": "feature", "aliases": ["mist-sprayer"], "osm": { "fountain:mist": "yes" } },\n',
      )
      await inEachLanguage('amenity', 'mist', 'Mist', 'Wassernebel')
    },
  ],
  [
    'an export format is one file and one line of the list',
    [formats, format],
    async () => {
      await copy.add(
        format,
        `import { neutraliseCell } from '@openfountain/core/published'
import { textFormat } from '../format.ts'

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
      await copy.insert(
        formats,
        'export const formats',
        "import { navigation } from './text/navigation.ts'\n",
      )
      await copy.append(formats, '  pmtiles,\n', '  navigation,\n')
    },
  ],
  [
    'an XP event is its line in the rules, its decision, its row in the specification, and a word in each language',
    [specification, decision, rules, ...languageFiles],
    async () => {
      const before = '    /** For the creator of a waypoint, the first time it is verified. */'
      await copy.insert(rules, before, '    readonly writeComment: number\n')
      await copy.append(rules, '    postReview: 5,\n', '    writeComment: 2,\n')
      await copy.change(
        decision,
        "awards: earn(occasion, by, 'postReview'),",
        "awards: [...earn(occasion, by, 'postReview'), ...(review.comment ? earn(occasion, by, 'writeComment') : [])],",
      )
      const row = '| write a comment (`writeComment`) | 2 | |\n'
      await copy.insert(specification, '| waypoint is verified (', row)
      const words = ['Write a comment', 'Einen Kommentar schreiben'] as const
      await inEachLanguage('events', 'writeComment', ...words)
    },
  ],
  [
    'an endpoint is one declaration and a row of who may call it, and what it does is said in the specification',
    [specification, endpoints, access],
    async () => {
      await copy.append(access, ' /api/stats ', '/api/regions ')
      await copy.append(
        endpoints,
        'statisticsEndpoints: readonly Endpoint[] = [\n',
        `  endpoint({
    route: 'GET /api/regions',
    name: 'listRegions',
    tag: 'Statistics',
    summary: 'The regions that have fountains',
    who: 'anyone',
    success: {
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
      const stats = '`GET /api/stats`: 200 and the object of section 2.6.\n'
      const more = '\n`GET /api/regions`: 200 `{ regions }`, the names of the regions.\n'
      await copy.append(specification, stats, more)
    },
  ],
  [
    'a filter of the map is a line of the list and a word in each language',
    [...languageFiles, filters],
    async () => {
      await copy.insert(
        filters,
        '} as const satisfies Record<string, Check>',
        "  working: { icon: 'water', matches: ({ state }) => state === undefined },\n",
      )
      await inEachLanguage('only', 'working', 'With water', 'Mit Wasser')
    },
  ],
  [
    'a page is one file and its texts in each language, and a colour is a token',
    [...languageFiles, thanksPage, tokens],
    async () => {
      const leaders = await copy.read(thanksPage.replace('thanks', 'leaderboard'))
      const page = leaders.replace('title={m.leaderboard.title}', 'title={m.about.thanks}')
      await copy.add(thanksPage, page.replaceAll('leaderboard/', 'thanks/'))
      await inEachLanguage('about', 'thanks', 'Thanks', 'Dank')
      await copy.change(tokens, '--paper: light-dark(#faf9f6,', '--paper: light-dark(#fafaff,')
    },
  ],
  [
    'an optional text of a fountain is its description, its column in a migration of both engines, and in each language its two names and what it is for',
    [`${fields}/waypoint.ts`, ...migrationFiles('0002-way-there'), ...languageFiles],
    async () => {
      await describeText('waypoint', 'approved', 'wayThere', 'way_there')
      await migrate('0002-way-there', [['waypoints', 'wayThere']])
      await inEachLanguage('fact', 'wayThere', 'Way there', 'Way there')
      await inEachLanguage('field', 'wayThere', 'way there', 'way there')
      for (const file of languageFiles) {
        const hint = `How to get there (${path.basename(file, '.json')})`
        await copy.append(file, '"hint": {\n', `"wayThere": "${hint}",\n`)
      }
    },
  ],
  [
    'an optional text of a review, of a source and of an area is its description, its column in a migration of both engines, and where a page shows it',
    [
      ...['area', 'review', 'source'].map((noun) => `${fields}/${noun}.ts`),
      ...migrationFiles('0003-three-texts'),
      reviewsPage,
    ],
    async () => {
      await describeText('review', 'updatedAt', 'occasion')
      const [comment = ''] =
        /^ *<UserText text=\{review\.comment\}.*\n/mu.exec(await copy.read(reviewsPage)) ?? []
      await copy.append(reviewsPage, comment, comment.replaceAll('review.comment', 'review.occasion'))
      await describeText('source', 'license', 'contact')
      await describeText('area', 'color', 'reminder')
      await migrate('0003-three-texts', [
        ['reviews', 'occasion'],
        ['sources', 'contact'],
        ['areas', 'reminder'],
      ])
    },
  ],
])('%s', async (_what, files, recipe) => {
  expect(await copy.follow(recipe)).toEqual(files.toSorted())
})

test('then all of it is granted, served, exported, imported, copied, mirrored, read and redacted, and the log verifies', async () => {
  const said = await copy.script(`
    import { once } from 'node:events'
    import { readFile } from 'node:fs/promises'
    import { createServer } from 'node:http'
    import { copyRegistry, openRegistry, token, user } from '@openfountain/core'
    import { tables } from '@openfountain/core/engine'
    import { osmTagsOf } from '@openfountain/core/vocabulary'
    import { exportRegistry, importFile, mirrorRegistry } from '@openfountain/exchange'
    import { createApp, nodeListener } from '@openfountain/server'
    import { fieldsProblem } from '../packages/core/src/decide/mirrored.ts'
    import { migrations } from '../packages/postgres/src/migrations/index.ts'
    import { routes } from './generate/routes.ts'
    import { readState, writeState } from '../site/src/map/data/state.ts'
    import { differencesOf, matches } from '../site/src/map/list/filter.ts'
    const settings = { name: 'Lund', author: 'Lund', license: 'CC0-1.0' }
    const registry = await openRegistry({ ...settings, database: 'fountains.db' })
    const { areas, changes, imports, reviews, sources, users, waypoints } = registry
    const refused = (promise) => promise.then(() => 'accepted', (error) => error.message)
    const way = 'Past the "Old" <Well>'
    const square = { name: 'Square', latitude: 55.7, longitude: 13.2, region: 'Lund', verified: true, wayThere: way }
    const { amenities } = await waypoints.create({ ...square, amenities: ['Mist sprayer', 'tap'] }, token())
    const tooLong = await refused(waypoints.create({ ...square, wayThere: 'x'.repeat(201) }, token()))
    await waypoints.create({ name: 'The "Old" Well', latitude: 55.8, longitude: 13.3, region: 'Lund' }, token())
    const ada = user((await users.create({ name: 'Ada', isModerator: true })).id)
    const { id } = await reviews.create({ bubblerId: 1, rating: 5, occasion: 'On a "hot" day' }, ada)
    await reviews.create({ bubblerId: 1, rating: 5, occasion: '', comment: 'Cold' }, ada)
    const run = await imports.start({ source: { name: 'City', license: 'CC0-1.0', contact: 'Parks' } })
    await run.apply([{ row: 1, ref: 'a', input: { name: 'Mill', latitude: 1, longitude: 2 } }])
    await run.finish({ counts: { rows: 1 }, missing: 'keep' })
    const ring = [[13, 55], [14, 55], [14, 56], [13, 55]]
    await areas.create({ name: 'Lund', coordinates: [ring], reminder: 'Ask "Ada"' }, token())
    await exportRegistry(registry, { out: 'exports' })
    const text = (file) => readFile('exports/' + file, 'utf8')
    const json = async (file) => JSON.parse(await text(file))
    const { resources } = await json('datapackage.json')
    const other = await openRegistry({ ...settings, database: ':memory:' })
    await importFile(other, { file: 'exports/waypoints.csv', source: { name: 'Lund', license: 'CC0-1.0' } })
    const [imported] = await other.waypoints.list()
    await other.close()
    const app = createApp(registry, { exports: 'exports' })
    const read = async (path) => (await app.fetch(new Request('http://localhost' + path))).json()
    const { paths, components } = await read('/api/openapi')
    const served = (await read('/api/reviews')).reviews.map(({ occasion = null }) => occasion)
    await reviews.delete(id, ada)
    await changes.revert((await changes.head()).id, { reason: 'A mistake' }, ada)
    const kept = async ({ areas, reviews, waypoints } = registry) => [
      (await waypoints.get(1)).wayThere ?? null,
      (await reviews.list()).find((each) => each.id === id).occasion ?? null,
      (await areas.list())[0].reminder ?? null,
    ]
    const restored = await kept()
    await copyRegistry({ from: 'fountains.db', to: 'copy.db' })
    const copy = await openRegistry({ ...settings, database: 'copy.db' })
    const copied = [...(await kept(copy)), (await copy.sources.list())[0].contact, (await copy.changes.verify()).ok]
    await copy.close()
    const server = createServer(nodeListener(app)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const mirror = await openRegistry({ ...settings, database: ':memory:' })
    const mirroring = async () => {
      await mirrorRegistry('http://127.0.0.1:' + server.address().port, mirror)
      return kept(mirror)
    }
    const mirrored = [await mirroring()]
    for (const [subject, field] of [['waypoint', 'wayThere'], ['review', 'occasion'], ['area', 'reminder']]) {
      const entry = (await changes.entries(0)).find((each) => each.subject === subject && field in each.fields)
      await changes.redact(entry.id, { reason: 'A name', fields: [field] })
    }
    mirrored.push(await mirroring())
    await mirror.close()
    server.closeAllConnections()
    server.close()
    const missingOnServer = Object.entries(tables).flatMap(([name, { columns }]) => {
      const all = migrations.flatMap((statements) => statements())
      const made = all.filter((statement) => statement.includes('table "' + name + '"')).join()
      return Object.keys(columns).filter((column) => !made.includes('"' + column + '" '))
    })
    const { filter } = readState('?working=1&amenity=tap')
    const fountain = { amenities: ['tap'], verified: false }
    console.log(JSON.stringify({
      amenities,
      tags: osmTagsOf(['mist']),
      points: (await text('waypoints.asc')).split('\\r\\n').slice(0, 2),
      described: resources.find(({ path }) => path === 'waypoints.asc'),
      offered: (await read('/api/exports')).exports.find(({ file }) => file === 'waypoints.asc'),
      awards: (await changes.entries(0)).flatMap(({ awards }) => awards.map(([, event]) => event)),
      regions: (await read('/api/regions')).regions,
      operation: paths['/api/regions'].get.operationId,
      routes: (await routes()).split('\\n').filter((line) => line.includes('/api/regions')),
      filter: [writeState({ filter }), differencesOf(filter).length, matches(filter, fountain), matches(filter, { ...fountain, state: 'broken' })],
      tooLong,
      columns: resources.filter(({ schema }) => schema?.fields.some(({ name }) => name === 'way_there')).map(({ path }) => path),
      csv: (await text('waypoints.csv')).includes('"Past the ""Old"" <Well>"') && (await text('reviews.csv')).includes('"On a ""hot"" day"'),
      features: [(await json('waypoints.geojson')).features[0].properties.way_there, (await json('areas.geojson')).features[0].properties.reminder],
      imported: imported.wayThere,
      served,
      documented: [components.schemas.Review, components.schemas.ReviewInput].map(({ properties }) => 'occasion' in properties),
      source: [(await sources.list())[0].contact, (await json('sources.json')).sources[0].contact],
      restored,
      copied,
      mirrored,
      missingOnServer,
      redacted: await kept(),
      problems: (await changes.entries(0)).flatMap((entry) => fieldsProblem(entry) ?? []),
      verifies: (await changes.verify()).ok,
    }))
    await registry.close()`)
  const title = 'Points of interest for navigation devices'
  const mediaType = 'application/vnd.navigation-points'
  const [wayThere, occasion, reminder] = ['Past the "Old" <Well>', 'On a "hot" day', 'Ask "Ada"']
  expect(said).toMatchObject({
    amenities: ['mist', 'tap'],
    tags: { amenity: 'drinking_water', 'fountain:mist': 'yes' },
    points: ['13.2,55.7,"Square"', '13.3,55.8,"The ""Old"" Well"'],
    described: { title, mediatype: mediaType, rows: 3 },
    offered: { title, mediaType, rows: 3 },
    awards: ['postReview', 'postReview', 'writeComment'],
    regions: ['Lund'],
    operation: 'listRegions',
    routes: ['| GET | `/api/regions` | anyone | write | The regions that have fountains |'],
    filter: ['?amenity=tap&working=1', 2, true, false],
    tooLong: 'wayThere must have at most 200 characters, has 201',
    columns: expect.arrayContaining(['waypoints.csv', 'waypoints.geojson', 'waypoints.parquet']) as unknown,
    csv: true,
    features: [wayThere, reminder],
    imported: wayThere,
    served: expect.arrayContaining([occasion, null]) as unknown,
    documented: [true, true],
    source: ['Parks', 'Parks'],
    restored: [wayThere, occasion, reminder],
    copied: [wayThere, occasion, reminder, 'Parks', true],
    mirrored: [
      [wayThere, occasion, reminder],
      [null, null, null],
    ],
    missingOnServer: [],
    redacted: [null, null, null],
    problems: [],
    verifies: true,
  })
  await expect(copy.command('export --db fountains.db --out part --formats shapefile')).rejects.toThrow(
    /navigation/u,
  )
})

test('the site has all this in the words of each language', async () => {
  await copy.command('site build --data exports --out public --languages de,en --url https://x.example')
  const [home, german, review] = await Promise.all(
    ['en/', '', 'waypoint/1/'].map((name) => copy.read(`public/${name}index.html`)),
  )
  expect(home).toMatch(/value="mist"[^>]*>[\s\S]{0,900}Mist/u)
  expect(german).toMatch(/value="mist"[^>]*>[\s\S]{0,900}Wassernebel/u)
  expect(await copy.read('public/en/thanks/index.html')).toMatch(/<h1>Thanks</u)
  expect(await copy.read('public/sitemap-en.xml')).toContain('<loc>https://x.example/en/thanks/</loc>')
  expect(home).toContain('name="theme-color" content="#fafaff"')
  expect(home).toMatch(/name="working" value="1"[\s\S]{0,900}With water/u)
  expect(german).toMatch(/name="working" value="1"[\s\S]{0,900}Mit Wasser/u)
  expect(review).toMatch(/Way there[\s\S]{0,200}Past the/u)
  expect(review).toMatch(/On a (?:"|&quot;|&#34;)hot/u)
  const text = (await copy.read('public/how-it-works/index.html')).replaceAll(/<[^>]*>/gu, ' ')
  expect(text).toMatch(/Einen Kommentar schreiben\s+\+2/u)
  expect(await copy.read('public/data/index.html')).toMatch(/href="[^"]*\/data\/waypoints\.asc"/u)
  const { checks } = JSON.parse(await copy.read('public/map/cells/index.json')) as { checks: string[] }
  expect(checks.slice(0, 3)).toEqual(['usable', 'verified', 'working'])
})

test('the sources with all this have no error of type, and pass the tests that compare lists with documents and languages', async () => {
  const sources = [
    'packages/cli/src/main.ts',
    'site/src/build/build.ts',
    'site/src/map/page/home.ts',
    'site/src/virtual.d.ts',
    'site/src/page-events.ts',
  ]
  expect((await copy.types(...sources)).stdout).toBe('')
  const tests = [
    'core/test/rules',
    'core/test/vocabulary',
    'exchange/test/export/licences',
    'server/test/access',
  ]
  const files = tests.map((name) => `packages/${name}.test.ts`)
  const said = await copy.program(
    'node_modules/vitest/vitest.mjs',
    'run',
    ...files,
    'site/test/languages.test.ts',
  )
  expect(said).toMatch(/Tests .*\d\d passed/u)
})
