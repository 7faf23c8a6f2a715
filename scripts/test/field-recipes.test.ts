/** @module-tag long */
import { beforeAll, expect, test } from 'vitest'
import { languageFiles, scratchCopy, type ScratchCopy } from './scratch-copy.ts'

/** The recipe for a field, followed for five nouns in a copy of the sources. */
let copy: ScratchCopy
beforeAll(async () => {
  copy = await scratchCopy()
})

const descriptions = 'packages/core/src/fields'
const migration = 'packages/core/src/store/sqlite/migrations/0001-registry.ts'

/** Adds the description of an optional text before that of another field. */
const describeText = (file: string, before: string, name: string, column: string): Promise<void> =>
  copy.insert(
    `${descriptions}/${file}`,
    `  ${before}: {`,
    `  ${name}: {
    type: 'text',
    optional: true,
    setBy: 'editors',
    maxLength: 200,
    isText: true,
    column: '${column}',
    meaning: 'What ${column} says',
  },
`,
  )

/** Opens a registry, and says how it is asked. */
const opened = (database: string): string => `
  import { readFile } from 'node:fs/promises'
  import { openRegistry, token, user } from '@openfountain/core'
  import { exportRegistry, importFile } from '@openfountain/exchange'
  import { createApp } from '@openfountain/server'
  const settings = { name: 'Lund', author: 'Lund', license: 'CC0-1.0' }
  const registry = await openRegistry({ ...settings, database: '${database}' })
  const { areas, changes, imports, reviews, sources, users, waypoints } = registry
  const exported = async (file) => readFile('data/' + file, 'utf8')
  const json = async (file) => JSON.parse(await exported(file))
  const refused = (promise) => promise.then(() => 'accepted', (error) => error.message)
  const redact = async (subject, field) => {
    const entry = (await changes.entries(0)).find((each) => each.subject === subject && field in each.fields)
    await changes.redact(entry.id, { reason: 'A name', fields: [field] })
  }
  const tell = async (told) => {
    console.log(JSON.stringify({ ...told, verifies: (await changes.verify()).ok }))
    await registry.close()
  }`

test('an optional text of a fountain is its description, its column, and in each language its two names and what it is for', async () => {
  const files = await copy.follow(async () => {
    await describeText('waypoint.ts', 'approved', 'wayThere', 'way_there')
    await copy.append(migration, '    region text,\n', '    wayThere text,\n')
    for (const file of languageFiles) {
      await copy.append(file, '  fact: {\n', "    wayThere: 'Way there',\n")
      await copy.append(file, '  field: {\n', "    wayThere: 'way there',\n")
      await copy.append(file, '    hint: {\n', "      wayThere: 'How to get there',\n")
    }
  })
  expect(files).toEqual([`${descriptions}/waypoint.ts`, migration, ...languageFiles])
})

test('it is stored, listed, changed, exported in every format with its meaning, imported, and redacted', async () => {
  const wayThere = 'Past the "Old" <Well>'
  const said = await copy.script(`${opened('fountains.db')}
    const place = { name: 'Square', latitude: 55.7, longitude: 13.2, wayThere: ${JSON.stringify(wayThere)} }
    await waypoints.create(place, token())
    const tooLong = await refused(waypoints.create({ ...place, wayThere: 'x'.repeat(201) }, token()))
    await exportRegistry(registry, { out: 'data' })
    const { resources } = await json('datapackage.json')
    const other = await openRegistry({ ...settings, database: ':memory:' })
    await importFile(other, { file: 'data/waypoints.csv', source: { name: 'Lund', license: 'CC0-1.0' } })
    const [imported] = await other.waypoints.list()
    await other.close()
    const { id } = await waypoints.create(place, token())
    await waypoints.update(id, { wayThere: 'By bus' }, token())
    await redact('waypoint', 'wayThere')
    await tell({
      read: (await waypoints.get(id)).wayThere,
      redacted: (await waypoints.get(1)).wayThere ?? null,
      tooLong,
      described: resources.filter(({ schema }) => schema?.fields.some(({ name }) => name === 'way_there')).map(({ path }) => path),
      csv: (await exported('waypoints.csv')).includes('"Past the ""Old"" <Well>"'),
      geojson: (await json('waypoints.geojson')).features[0].properties.way_there,
      imported: imported.wayThere,
    })`)
  expect(said).toEqual({
    read: 'By bus',
    redacted: null,
    tooLong: 'wayThere must have at most 200 characters, has 201',
    described: expect.arrayContaining(['waypoints.csv', 'waypoints.geojson', 'waypoints.parquet']),
    csv: true,
    geojson: wayThere,
    imported: wayThere,
    verifies: true,
  })
})

test('an optional text of a review, of a source and of an area is its description, its column, and where a page shows it', async () => {
  const page = 'site/src/components/Reviews.astro'
  const files = await copy.follow(async () => {
    await describeText('review.ts', 'updatedAt', 'occasion', 'occasion')
    await copy.insert(
      migration,
      '    rating integer not null check',
      '    occasion text check (occasion is null or deletedAt is null),\n',
    )
    const [comment = ''] = /^ *\{review\.comment && .*\n/mu.exec(await copy.read(page)) ?? []
    await copy.append(page, comment, comment.replaceAll('review.comment', 'review.occasion'))
    await describeText('source.ts', 'license', 'contact', 'contact')
    await copy.append(migration, '    attribution text,\n', '    contact text,\n')
    await describeText('area.ts', 'color', 'reminder', 'reminder')
    await copy.append(migration, '    color text not null,\n', '    reminder text,\n')
  })
  const described = ['area', 'review', 'source'].map((noun) => `${descriptions}/${noun}.ts`)
  expect(files).toEqual([...described, migration, page])
})

test('they are stored, listed, served, exported and redacted, and gone from a tombstone until it is back', async () => {
  const occasion = 'On a "hot" day'
  const said = await copy.script(`${opened('more.db')}
    import { fieldsProblem } from '../packages/core/src/decide/mirrored-fields.ts'
    const ada = user((await users.create({ name: 'Ada', isModerator: true })).id)
    await waypoints.create({ name: 'Square', latitude: 1, longitude: 2, wayThere: 'By bus' }, token())
    const review = { bubblerId: 1, rating: 5, occasion: ${JSON.stringify(occasion)} }
    const { id } = await reviews.create(review, ada)
    await reviews.create({ ...review, occasion: '', comment: 'Cold' }, ada)
    const tooLong = await refused(reviews.create({ ...review, occasion: 'x'.repeat(201) }, ada))
    const run = await imports.start({ source: { name: 'Lund', license: 'CC0-1.0', contact: 'Parks' } })
    await run.apply([{ row: 1, ref: 'a', input: { name: 'Square', latitude: 1, longitude: 2 } }])
    await run.finish({ counts: { rows: 1 }, missing: 'keep' })
    const ring = [[13, 55], [14, 55], [14, 56], [13, 55]]
    await areas.create({ name: 'Lund', coordinates: [ring], reminder: 'Ask "Ada"' }, token())
    await exportRegistry(registry, { out: 'data' })
    const app = createApp(registry)
    const read = async (path) => (await app.fetch(new Request('http://localhost' + path))).json()
    const { reviews: served } = await read('/api/reviews')
    const { components } = await read('/api/openapi')
    await reviews.delete(id, ada)
    await changes.revert((await changes.head()).id, { reason: 'A mistake' }, ada)
    const occasions = async () => (await reviews.list()).map((each) => each.occasion ?? null)
    const restored = await occasions()
    await redact('review', 'occasion')
    await redact('area', 'reminder')
    const { schema } = (await json('datapackage.json')).resources.find(({ path }) => path === 'reviews.csv')
    await tell({
      tooLong,
      served: served.map((each) => each.occasion ?? null),
      documented: [components.schemas.Review, components.schemas.ReviewInput].map(({ properties }) => 'occasion' in properties),
      csv: (await exported('reviews.csv')).includes('"On a ""hot"" day"'),
      meaning: schema.fields.find(({ name }) => name === 'occasion').description,
      restored,
      after: await occasions(),
      problems: (await changes.entries(0)).flatMap((entry) => fieldsProblem(entry) ?? []),
      source: [(await sources.list())[0].contact, (await json('sources.json')).sources[0].contact],
      feature: (await json('areas.geojson')).features[0].properties.reminder,
      area: (await areas.list())[0].reminder ?? null,
    })`)
  expect(said).toEqual({
    tooLong: 'occasion must have at most 200 characters, has 201',
    served: [occasion, null],
    documented: [true, true],
    csv: true,
    meaning: 'What occasion says',
    restored: [occasion, null],
    after: [null, null],
    problems: [],
    source: ['Parks', 'Parks'],
    feature: 'Ask "Ada"',
    area: null,
    verifies: true,
  })
})

test('the sources with all of them have no error of type, and the site shows the texts', async () => {
  const { stdout } = await copy.types('packages/cli/src/main.ts', 'site/src/build/build.ts')
  expect(stdout).toBe('')
  await copy.command('site build --data data --out site-of-all')
  const page = await copy.read('site-of-all/waypoint/1/index.html')
  expect(page).toMatch(/On a (?:"|&quot;|&#34;)hot/u)
  expect(page).toMatch(/Way there[\s\S]{0,200}By bus/u)
})
