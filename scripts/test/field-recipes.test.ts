/** @module-tag long */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../packages/folders.ts'
import { scratchCopy, type ScratchCopy } from './scratch-copy.ts'

/** The recipe for a field, followed for a fountain and for a review in a copy of the sources. */
let copy: ScratchCopy
beforeAll(async () => {
  copy = await scratchCopy()
})
afterAll(() => copy.remove())

const descriptions = 'packages/core/src/fields'
const migration = 'packages/core/src/store/sqlite/migrations/0001-registry.ts'
const languageFolder = 'site/src/languages'
const languageFiles = readdirSync(path.join(root, languageFolder))
  .map((file) => `${languageFolder}/${file}`)
  .toSorted()

/** Adds the description of an optional text before that of another field. */
async function describeText(file: string, before: string, name: string, column: string): Promise<void> {
  await copy.insert(
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
}

describe('an optional text of a fountain', () => {
  test('is its description, its column, and in each language its two names and what it is for', async () => {
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

  test('is stored, listed, changed, exported in every format with its meaning, imported, and redacted', async () => {
    const said = await copy.script(`
      import { readFile } from 'node:fs/promises'
      import { openRegistry, token } from '@openfountain/core'
      import { exportRegistry, importFile } from '@openfountain/exchange'
      const settings = { name: 'Fountains of Lund', author: 'Lund', license: 'CC0-1.0' }
      const registry = await openRegistry({ ...settings, database: 'fountains.db' })
      const wayThere = 'Past the "Old" Well'
      const place = { name: 'Square', latitude: 55.7, longitude: 13.2, wayThere }
      const { id } = await registry.waypoints.create(place, token())
      const tooLong = await registry.waypoints.create({ ...place, wayThere: 'x'.repeat(201) }, token()).catch((error) => error.message)
      await exportRegistry(registry, { out: 'data' })
      const { resources } = JSON.parse(await readFile('data/datapackage.json', 'utf8'))
      const described = resources
        .flatMap(({ path, schema }) => schema?.fields.some(({ name }) => name === 'way_there') ? [path] : [])
      const csv = await readFile('data/waypoints.csv', 'utf8')
      const geojson = JSON.parse(await readFile('data/waypoints.geojson', 'utf8'))
      const other = await openRegistry({ ...settings, database: ':memory:' })
      await importFile(other, { file: 'data/waypoints.csv', source: { name: 'Lund', license: 'CC0-1.0' } })
      const [imported] = await other.waypoints.list()
      await registry.waypoints.update(id, { wayThere: 'By bus' }, token())
      const [created] = await registry.changes.entries(0)
      const redacted = await registry.changes.redact(created.id, { reason: 'A name', fields: ['wayThere'] })
      console.log(JSON.stringify({
        read: (await registry.waypoints.get(id)).wayThere,
        tooLong,
        described,
        csv: csv.includes('"Past the ""Old"" Well"'),
        geojson: geojson.features[0].properties.way_there,
        imported: imported.wayThere,
        redacted: redacted.entries,
        verifies: (await registry.changes.verify()).ok,
      }))
      await registry.close()
      await other.close()`)
    const wayThere = 'Past the "Old" Well'
    expect(JSON.parse(said)).toEqual({
      read: 'By bus',
      tooLong: 'wayThere must have at most 200 characters, has 201',
      described: expect.arrayContaining(['waypoints.csv', 'waypoints.geojson', 'waypoints.parquet']),
      csv: true,
      geojson: wayThere,
      imported: wayThere,
      redacted: [1],
      verifies: true,
    })
  })
})

describe('an optional text of a review', () => {
  test('is its description, its column, and where its page shows it', async () => {
    const files = await copy.follow(async () => {
      await describeText('review.ts', 'updatedAt', 'occasion', 'occasion')
      await copy.insert(
        migration,
        '    rating integer not null check',
        '    occasion text check (occasion is null or deletedAt is null),\n',
      )
      const page = 'site/src/components/Reviews.astro'
      const [comment = ''] = /^ *\{review\.comment && .*\n/mu.exec(await copy.read(page)) ?? []
      await copy.append(page, comment, comment.replaceAll('review.comment', 'review.occasion'))
    })
    expect(files).toEqual([`${descriptions}/review.ts`, migration, 'site/src/components/Reviews.astro'])
  })

  test('is stored, listed, served, exported, mirrored and redacted, and gone from a tombstone until it is back', async () => {
    const said = await copy.script(`
      import { readFile } from 'node:fs/promises'
      import { openRegistry, token, user } from '@openfountain/core'
      import { exportRegistry } from '@openfountain/exchange'
      import { createApp } from '@openfountain/server'
      import { fieldsProblem } from '../packages/core/src/decide/mirrored-fields.ts'
      const settings = { name: 'Fountains of Lund', author: 'Lund', license: 'CC0-1.0' }
      const registry = await openRegistry({ ...settings, database: 'reviews.db' })
      const { id: bubblerId } = await registry.waypoints.create({ name: 'Square', latitude: 1, longitude: 2 }, token())
      const ada = user((await registry.users.create({ name: 'Ada', isModerator: true })).id)
      const occasion = 'On a "hot" day'
      const { id } = await registry.reviews.create({ bubblerId, rating: 5, occasion }, ada)
      await registry.reviews.create({ bubblerId, rating: 4, occasion: '', comment: 'Cold' }, ada)
      const tooLong = await registry.reviews.create({ bubblerId, rating: 4, occasion: 'x'.repeat(201) }, ada).catch((error) => error.message)
      const listed = async () => (await registry.reviews.list()).map((review) => review.occasion ?? null)
      const before = await listed()
      await exportRegistry(registry, { out: 'of-reviews' })
      const app = createApp(registry)
      const read = async (path) => (await app.fetch(new Request('http://localhost' + path))).json()
      const { reviews: served } = await read('/api/reviews')
      const { components } = await read('/api/openapi')
      await registry.reviews.delete(id, ada)
      const entries = await registry.changes.entries(0)
      await registry.changes.revert(entries.at(-1).id, { reason: 'A mistake' }, ada)
      const restored = await listed()
      const posted = entries.find(({ subject }) => subject === 'review')
      const { entries: redacted } = await registry.changes.redact(posted.id, { reason: 'A name' })
      const problems = (await registry.changes.entries(0)).flatMap((entry) => fieldsProblem(entry) ?? [])
      const { resources } = JSON.parse(await readFile('of-reviews/datapackage.json', 'utf8'))
      const { schema } = resources.find(({ path }) => path === 'reviews.csv')
      console.log(JSON.stringify({
        before,
        tooLong,
        served: served.map((review) => review.occasion ?? null),
        documented: [components.schemas.Review, components.schemas.ReviewInput].map(({ properties }) => 'occasion' in properties),
        csv: (await readFile('of-reviews/reviews.csv', 'utf8')).includes('"On a ""hot"" day"'),
        json: JSON.parse(await readFile('of-reviews/reviews.json', 'utf8')).reviews[0].occasion,
        meaning: schema.fields.find(({ name }) => name === 'occasion').description,
        restored,
        redacted: redacted.length,
        after: await listed(),
        problems,
        verifies: (await registry.changes.verify()).ok,
      }))
      await registry.close()`)
    const occasion = 'On a "hot" day'
    expect(JSON.parse(said)).toEqual({
      before: [occasion, null],
      tooLong: 'occasion must have at most 200 characters, has 201',
      served: [occasion, null],
      documented: [true, true],
      csv: true,
      json: occasion,
      meaning: 'What occasion says',
      restored: [occasion, null],
      redacted: 2,
      after: [null, null],
      problems: [],
      verifies: true,
    })
  })
})

describe('an optional text of a source and of an area', () => {
  test('is its description and its column', async () => {
    const files = await copy.follow(async () => {
      await describeText('source.ts', 'license', 'contact', 'contact')
      await copy.append(migration, '    attribution text,\n', '    contact text,\n')
      await describeText('area.ts', 'color', 'reminder', 'reminder')
      await copy.append(migration, '    color text not null,\n', '    reminder text,\n')
    })
    expect(files).toEqual([`${descriptions}/area.ts`, `${descriptions}/source.ts`, migration])
  })

  test('is stored, listed, exported with its meaning, and changed or redacted', async () => {
    const said = await copy.script(`
      import { readFile } from 'node:fs/promises'
      import Database from 'better-sqlite3'
      import { openRegistry, token } from '@openfountain/core'
      import { exportRegistry } from '@openfountain/exchange'
      const registry = await openRegistry({ name: 'Lund', author: 'Lund', license: 'CC0-1.0', database: 'few.db' })
      const source = { name: 'Lund', license: 'CC0-1.0', contact: 'Parks' }
      const run = await registry.imports.start({ source })
      await run.apply([{ row: 1, ref: 'a', input: { name: 'Square', latitude: 1, longitude: 2 } }])
      await run.finish({ counts: { rows: 1 }, missing: 'keep' })
      await registry.sources.ensure({ ...source, contact: 'Streets' })
      const ring = [[13, 55], [14, 55], [14, 56], [13, 55]]
      await registry.areas.create({ name: 'Lund', coordinates: [ring], reminder: 'Ask "Ada"' }, token())
      await exportRegistry(registry, { out: 'few' })
      const json = async (file) => JSON.parse(await readFile('few/' + file, 'utf8'))
      const database = new Database('few/registry.sqlite', { readonly: true })
      const dossier = await registry.waypoints.dossier(1)
      const { sources: [ofWaypoint] } = JSON.parse(dossier.text)
      const area = (await registry.changes.entries(0)).find(({ subject }) => subject === 'area')
      const [before] = await registry.areas.list()
      await registry.changes.redact(area.id, { reason: 'A name', fields: ['reminder'] })
      console.log(JSON.stringify({
        ofWaypoint: ofWaypoint.contact,
        listed: (await registry.sources.list())[0].contact,
        exported: (await json('sources.json')).sources[0].contact,
        column: database.prepare('select contact from sources').get().contact,
        meaning: database.prepare("select meaning from fields where table_name = 'sources' and name = 'contact'").get().meaning,
        area: before.reminder,
        feature: (await json('areas.geojson')).features[0].properties.reminder,
        redacted: (await registry.areas.list())[0].reminder ?? null,
        verifies: (await registry.changes.verify()).ok,
      }))
      database.close()
      await registry.close()`)
    expect(JSON.parse(said)).toEqual({
      ofWaypoint: 'Streets',
      listed: 'Streets',
      exported: 'Streets',
      column: 'Streets',
      meaning: 'What contact says',
      area: 'Ask "Ada"',
      feature: 'Ask "Ada"',
      redacted: null,
      verifies: true,
    })
  })
})

test('the sources with all of them have no error of type', async () => {
  const { stdout } = await copy.types('packages/cli/src/main.ts', 'site/src/build/build.ts')
  expect(stdout).toBe('')
})

test('the site shows the texts of fountains and of reviews', async () => {
  await copy.script(`
    import { openRegistry, token, user } from '@openfountain/core'
    import { exportRegistry } from '@openfountain/exchange'
    const registry = await openRegistry({ name: 'Lund', author: 'Lund', license: 'CC0-1.0', database: 'both.db' })
    const place = { name: 'Square', latitude: 55.7, longitude: 13.2, wayThere: 'Past the <Old> Well' }
    const { id: bubblerId } = await registry.waypoints.create(place, token())
    const { id } = await registry.users.create({ name: 'Ada' })
    await registry.reviews.create({ bubblerId, rating: 5, occasion: 'On a hot day' }, user(id))
    await exportRegistry(registry, { out: 'both' })
    await registry.close()`)
  await copy.program('packages/cli/src/main.ts', 'site', 'build', '--data', 'both', '--out', 'site-of-both')
  const page = await copy.read('site-of-both/waypoint/1/index.html')
  expect(page).toMatch(/Way there[\s\S]{0,200}Past the &lt;Old&gt; Well/u)
  expect(page).toContain('On a hot day')
})
