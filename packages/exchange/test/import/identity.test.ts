import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { token, type Registry } from '@openfountain/core'
import { certain, doubtful, matchScore, nameSimilarity } from '@openfountain/core/internal'
import { emptyRegistry, placed } from '@openfountain/testing/registry'
import { importFile } from '../../src/index.ts'
import { dated, feature, fileWith, geojson, importContent, imported, source } from './fixture.ts'

const north = (metres: number) => metres / 111_195

const market = { name: 'Marktplatz am Rathaus' }

async function withMarket(): Promise<Registry> {
  const registry = await emptyRegistry()
  await placed(registry, { ...market, latitude: 47, longitude: 8 })
  return registry
}

/** A row far enough from the market of the same name to be doubtful. */
const doubt = (ref: string) => feature(8, 47 + north(60), market, ref)

test.each([
  ['Brunnen am Marktplatz', 'Marktplatz', 29, 'certain'],
  ['Marktplatz', 'Marktplatz', 60, 'doubtful'],
  ['Marktplatz', 'Marktplatz', 100, 'nothing'],
  ['Trinkbrunnen', 'Marktplatz', 2.9, 'certain'],
  ['Trinkbrunnen', 'Drinking fountain', 10, 'nothing'],
  ['Löwenbrunnen', 'Marktplatz', 0, 'doubtful'],
  ['Löwenbrunnen', 'Marktplatz', 5, 'nothing'],
  ['Trinkbrunnen, Hauptstrasse', 'Trinkbrunnen, Hauptstrasse', 20, 'nothing'],
])('the score of two entries of %s and %s, %d metres apart, is %s', (one, other, metres, expected) => {
  const score = matchScore({ name: one, amenities: [] }, { name: other, amenities: [] }, metres)
  expect(score > certain ? 'certain' : score > doubtful ? 'doubtful' : 'nothing').toBe(expected)
})

test('the score of two entries compares names by their distinctive words', () => {
  expect(nameSimilarity('Fontaine de la Place Léopold', 'PLACE LEOPOLD')).toBe(1)
  expect(nameSimilarity('Trinkbrunnen', 'Fontaine')).toBeUndefined()
  expect(nameSimilarity('मीरा बाग', 'मारी बेग')).toBeLessThan(0.85)
  expect(nameSimilarity('Löwenbrunnen', 'Bärenbrunnen')).toBeLessThan(0.5)
})

describe('rows and existing waypoints', () => {
  test('certain ones are merged: what is absent is filled in, what is here stays', async () => {
    const registry = await withMarket()
    const row = feature(8, 47 + north(12), { ...market, operator: 'City', dog: 'yes' }, 'a')
    const { counts } = await importContent(registry, geojson(row))
    expect(counts).toMatchObject({ rows: 1, matched: 1, created: 0 })
    expect(await registry.waypoints.list()).toMatchObject([
      { id: 1, ...market, latitude: 47, maintainer: 'City', amenities: ['dog-bowl'] },
    ])
    expect(await registry.waypoints.sources(1)).toMatchObject([
      { name: 'City', license: 'CC0-1.0', ref: 'a' },
    ])
  })

  test('a waypoint is matched with one row at most; far ones and others are new', async () => {
    const { counts } = await importContent(
      await withMarket(),
      geojson(
        feature(8, 47 + north(5), market, 'a'),
        feature(8, 47 - north(5), market, 'b'),
        feature(8, 47 + north(200), market, 'c'),
        feature(8, 47 + north(20), { name: 'Löwenbrunnen' }, 'd'),
      ),
    )
    expect(counts).toMatchObject({ matched: 1, created: 3, doubtful: 0 })
  })

  test('doubtful ones wait in a review file, and its decisions hold when it is fed back', async () => {
    const registry = await withMarket()
    await placed(registry, { name: 'Löwenbrunnen', latitude: 47.1, longitude: 8 })
    await placed(registry, { name: 'Bärenbrunnen', latitude: 47.2, longitude: 8 })
    const content = geojson(
      doubt('a'),
      feature(8, 47.1 + north(60), { name: 'Löwenbrunnen' }, 'b'),
      feature(8, 47.2 + north(60), { name: 'Bärenbrunnen, "Fontaine"' }, 'c'),
    )
    const first = await importContent(registry, content)
    expect(first.counts).toMatchObject({ rows: 3, doubtful: 3, created: 0, matched: 0 })
    const lines = (await readFile(first.reviewFile ?? '', 'utf8')).split('\r\n')
    expect(lines[1]).toBe(',1,a,Marktplatz am Rathaus,47.0005396,8,1,Marktplatz am Rathaus,60.0,0.64')
    const review = fileWith(
      [lines[0], `same${lines[1]}`, `new${lines[2]}`, `skip${lines[3]}`, ''].join('\r\n'),
    )
    const dry = await importContent(registry, content, { review, dryRun: true })
    const second = await importContent(registry, content, { review })
    expect(second.counts).toMatchObject({ matched: 1, created: 1, leftOut: 1, doubtful: 0 })
    expect(dry.counts).toEqual(second.counts)
    const third = await importContent(registry, content, { review })
    expect(third.counts).toMatchObject({ unchanged: 2, leftOut: 1, doubtful: 0, created: 0 })
  })

  test('a fountain that is deleted, merged or created while an import runs is none that its rows match', async () => {
    const registry = await withMarket()
    const row = { ...market, latitude: 47, longitude: 8 }
    const { id: twin } = await placed(registry, { ...row, latitude: 47 + north(20) })
    const run = await registry.imports.start({ source })
    const near = async () => (await run.near([row])).map((found) => found.map(({ id }) => id))
    expect(await near()).toEqual([[1, twin]])
    await placed(registry, row)
    await registry.waypoints.merge(1, { into: twin, reason: 'The same' }, token())
    expect(await near()).toEqual([[twin]])
    await registry.waypoints.delete(twin, token())
    expect(await near()).toEqual([[]])
  })

  test.each([
    ['merged', { matched: 1, refused: 0 }],
    ['deleted', { matched: 0, refused: 1 }],
  ])(
    'a fountain that is %s once a row was matched with it does not stop the import',
    async (how, expected) => {
      const registry = await withMarket()
      const { id: other } = await placed(registry, { name: 'Elsewhere', latitude: 48, longitude: 8 })
      const goes = () =>
        how === 'merged'
          ? registry.waypoints.merge(1, { into: other, reason: 'The same' }, token())
          : registry.waypoints.delete(1, token())
      let going: Promise<unknown> | undefined
      const { counts } = await importContent(registry, geojson(feature(8, 47, market, 'a')), {
        onProgress: ({ phase }) => phase === 'importing' && (going ??= goes()),
      })
      await going
      expect(counts).toMatchObject({ rows: 1, created: 0, ...expected })
    },
  )

  test('decisions in the file that is overwritten are kept', async () => {
    const registry = await withMarket()
    await placed(registry, { name: 'Löwenbrunnen', latitude: 47.1, longitude: 8 })
    const content = geojson(doubt('a'), feature(8, 47.1 + north(60), { name: 'Löwenbrunnen' }, 'b'))
    const { reviewFile = '' } = await importContent(registry, content)
    await writeFile(reviewFile, (await readFile(reviewFile, 'utf8')).replace('\r\n,1', '\r\nskip,1'))
    const again = await importContent(registry, content, { review: reviewFile, reviewFile })
    expect(again.counts).toMatchObject({ leftOut: 1, doubtful: 1 })
    const lines = (await readFile(reviewFile, 'utf8')).trim().split('\r\n')
    const cells = lines.map((line) => line.split(',').slice(0, 3).join())
    expect(cells).toEqual(['decision,row,ref', 'skip,1,a', ',2,b'])
  })

  test('decisions in a review file that is not read are kept, and new doubts go to another file', async () => {
    const registry = await withMarket()
    const file = fileWith(geojson(doubt('a')))
    const review = `${file}.review.csv`
    const imports = () => importFile(registry, { file, source, ...dated })
    expect([(await imports()).reviewFile, (await imports()).reviewFile]).toEqual([review, review])
    const decided = (await readFile(review, 'utf8')).replace('\r\n,1', '\r\nskip,1')
    await writeFile(review, decided)
    const { reviewFile, notes } = await imports()
    expect(reviewFile).toBe(`${file}.review-2.csv`)
    expect(notes).toEqual([{ code: 'DECISIONS_NOT_READ', file: review }])
    await writeFile(file, geojson(feature(9, 47, {}, 'b')))
    expect((await imports()).reviewFile).toBeUndefined()
    expect(await readFile(review, 'utf8')).toBe(decided)
  })

  test('decisions hold for references that a spreadsheet would take for formulas, and what is none is refused with its line', async () => {
    const registry = await withMarket()
    const content = geojson(doubt('-12'))
    const { reviewFile } = await importContent(registry, content)
    const text = await readFile(reviewFile ?? '', 'utf8')
    expect(text).toContain("\r\n,1,'-12,")
    const reviewed = (review: string) => importContent(registry, content, { review: fileWith(review) })
    await expect(reviewed(text.replace('\r\n,', '\r\nmaybe,'))).rejects.toMatchObject({
      code: 'REVIEW',
      message: expect.stringContaining('Line 2: "maybe"'),
    })
    await expect(reviewed('just,some\n1,2\n')).rejects.toMatchObject({ code: 'REVIEW' })
    expect((await reviewed(text.replace('\r\n,', '\r\nsame,'))).counts).toMatchObject({
      matched: 1,
      doubtful: 0,
    })
  })

  test('a fountain is matched across the antimeridian, where only the numbers are 360 degrees apart', async () => {
    const registry = await emptyRegistry()
    await placed(registry, { name: 'Date line', latitude: -16.8, longitude: 179.999_99 })
    const row = feature(-179.999_99, -16.8, { name: 'Date line' }, 'a')
    expect((await importContent(registry, geojson(row))).counts.matched).toBe(1)
  })

  test('rows with different references of a source stay apart, however near', async () => {
    const { report } = await imported(
      geojson(feature(8, 47, { name: 'Tap' }, 'a'), feature(8, 47, { name: 'Tap' }, 'b')),
    )
    expect(report.counts).toMatchObject({ created: 2, duplicates: 0 })
    expect(report.alike).toEqual([{ row: 2, of: 1 }])
  })
})

const numbered = Array.from({ length: 10 }, (_, index) => `${index},F${index},47.${index},8\n`).join('')

test('duplicates inside a file are found by reference, and by place and name where there is none', async () => {
  const { report } = await imported(`id,name,lat,lon\n${numbered}1,F1 again,47.1001,8\n`)
  expect(report.counts).toMatchObject({ rows: 11, created: 10, duplicates: 1 })
  expect(report.duplicates).toEqual([{ row: 11, of: 2 }])
  const unnumbered = await imported('name,lat,lon\nA,47,8\nB,47,8\nA,47.000001,8\n')
  expect(unnumbered.report.counts).toMatchObject({ created: 2, duplicates: 1 })
})

test('a reference given to two places kilometres apart loses neither', async () => {
  const registry = await emptyRegistry()
  const content = `id,name,lat,lon\n${numbered}3,Elsewhere,48.5,9\n`
  const first = await importContent(registry, content)
  expect(first.counts).toMatchObject({ created: 11, duplicates: 0, reusedReferences: 1 })
  const second = await importContent(registry, content)
  expect(second.counts).toMatchObject({ unchanged: 11, created: 0 })
})

test('a column whose values repeat is not a reference', async () => {
  const { report } = await imported('id,name,lat,lon\n1,A,47,8\n1,B,47.1,8\n1,C,47.2,8\n')
  expect(report.counts).toMatchObject({ created: 3, duplicates: 0 })
  expect(report.columns[0]).toMatchObject({ column: 'id', how: 'unsuitable' })
})

test('ids that a server generates at each export are not references', async () => {
  const ids = ['LAYER.fid--3975e49_1a2b', 'LAYER.fid--3975e49_3c4d']
  const { registry } = await imported(geojson(...ids.map((id, at) => feature(8 + at / 10, 47, {}, id))))
  expect(await registry.waypoints.sources(1)).toMatchObject([
    { ref: expect.stringMatching(/^place:[0-9a-f]{16}$/u) },
  ])
})
