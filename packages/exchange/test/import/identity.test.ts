import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { token, type Registry } from '@openfountain/core'
import { certain, doubtful, matchScore, nameSimilarity } from '@openfountain/core/internal'
import { importFile } from '../../src/import/index.ts'
import { Matching } from '../../src/import/match/matching.ts'
import { Neighbours } from '../../src/import/match/neighbours.ts'
import { emptyRegistry, feature, fileWith, geojson, importContent, imported, source } from './fixture.ts'

const other = { source: { name: 'Mappers', license: 'ODbL-1.0' } }

/** Degrees of latitude of some metres. */
const north = (metres: number) => metres / 111_195

async function withMarket(): Promise<Registry> {
  const registry = await emptyRegistry()
  await registry.waypoints.create({ name: 'Marktplatz am Rathaus', latitude: 47, longitude: 8 }, token())
  return registry
}

describe('the score of two entries', () => {
  const at = (a: string, b: string, metres: number) =>
    matchScore({ name: a, amenities: [] }, { name: b, amenities: [] }, metres)

  test('is certain for the same name thirty metres apart, doubtful at sixty, nothing at a hundred', () => {
    expect(at('Brunnen am Marktplatz', 'Marktplatz', 29)).toBeGreaterThan(certain)
    expect(at('Marktplatz', 'Marktplatz', 60)).toBeLessThan(certain)
    expect(at('Marktplatz', 'Marktplatz', 60)).toBeGreaterThan(doubtful)
    expect(at('Marktplatz', 'Marktplatz', 100)).toBeLessThan(doubtful)
  })

  test('without a distinctive name is certain within three metres and nothing at ten', () => {
    expect(at('Trinkbrunnen', 'Marktplatz', 2.9)).toBeGreaterThan(certain)
    expect(at('Drinking fountain at 47.0000, 8.0000', 'Tap', 5)).toBeLessThan(certain)
    expect(at('Trinkbrunnen', 'Drinking fountain', 10)).toBeLessThan(doubtful)
  })

  test('of different names is doubtful at best', () => {
    expect(at('Löwenbrunnen', 'Marktplatz', 0)).toBeLessThan(certain)
    expect(at('Löwenbrunnen', 'Marktplatz', 0)).toBeGreaterThan(doubtful)
    expect(at('Löwenbrunnen', 'Marktplatz', 5)).toBeLessThan(doubtful)
  })

  test('treats generated names as none: the same street is not the same fountain', () => {
    expect(at('Trinkbrunnen, Hauptstrasse', 'Trinkbrunnen, Hauptstrasse', 20)).toBeLessThan(doubtful)
  })

  test('compares names by their distinctive words, whatever case and accents', () => {
    expect(nameSimilarity('Fontaine de la Place Léopold', 'PLACE LEOPOLD')).toBe(1)
    expect(nameSimilarity('Trinkbrunnen', 'Fontaine')).toBeUndefined()
    expect(nameSimilarity('Löwenbrunnen', 'Bärenbrunnen')).toBeLessThan(0.5)
  })
})

describe('rows and existing waypoints', () => {
  test('certain ones are merged: what is absent is filled in, what is here stays', async () => {
    const registry = await withMarket()
    const { counts } = await importContent(
      registry,
      geojson(
        feature(8, 47 + north(12), { name: 'Marktplatz am Rathaus', operator: 'City', dog: 'yes' }, 'a'),
      ),
    )
    expect(counts).toMatchObject({ rows: 1, matched: 1, created: 0 })
    expect(await registry.waypoints.list()).toMatchObject([
      { id: 1, name: 'Marktplatz am Rathaus', latitude: 47, maintainer: 'City', amenities: ['dog-bowl'] },
    ])
    expect(await registry.waypoints.sources(1)).toMatchObject([
      { name: 'City', license: 'CC0-1.0', ref: 'a' },
    ])
  })

  test('a waypoint is matched with one row at most', async () => {
    const registry = await withMarket()
    const name = 'Marktplatz am Rathaus'
    const { counts } = await importContent(
      registry,
      geojson(feature(8, 47 + north(5), { name }, 'a'), feature(8, 47 - north(5), { name }, 'b')),
    )
    expect(counts).toMatchObject({ matched: 1, created: 1 })
  })

  test('far ones and others are new', async () => {
    const registry = await withMarket()
    const { counts } = await importContent(
      registry,
      geojson(
        feature(8, 47 + north(200), { name: 'Marktplatz am Rathaus' }, 'a'),
        feature(8, 47 + north(20), { name: 'Löwenbrunnen' }, 'b'),
      ),
    )
    expect(counts).toMatchObject({ created: 2, matched: 0, doubtful: 0 })
  })

  test('doubtful ones wait in a review file, and its decisions hold when it is fed back', async () => {
    const registry = await withMarket()
    await registry.waypoints.create({ name: 'Löwenbrunnen', latitude: 47.1, longitude: 8 }, token())
    await registry.waypoints.create({ name: 'Bärenbrunnen', latitude: 47.2, longitude: 8 }, token())
    const content = geojson(
      feature(8, 47 + north(60), { name: 'Marktplatz am Rathaus' }, 'a'),
      feature(8, 47.1 + north(60), { name: 'Löwenbrunnen' }, 'b'),
      feature(8, 47.2 + north(60), { name: 'Bärenbrunnen, "Fontaine"' }, 'c'),
    )
    const first = await importContent(registry, content)
    expect(first.counts).toMatchObject({ rows: 3, doubtful: 3, created: 0, matched: 0 })
    const text = await readFile(first.reviewFile ?? '', 'utf8')
    expect(text.split('\r\n')[1]).toBe(
      ',1,a,Marktplatz am Rathaus,47.0005396,8,1,Marktplatz am Rathaus,60.0,0.64',
    )
    const lines = text.split('\r\n')
    const edited = [lines[0], `same${lines[1]}`, `new${lines[2]}`, `skip${lines[3]}`, ''].join('\r\n')
    const review = `${first.reviewFile}.edited`
    await writeFile(review, edited)
    const dry = await importContent(registry, content, { review, dryRun: true })
    const second = await importContent(registry, content, { review })
    expect(second.counts).toMatchObject({ matched: 1, created: 1, leftOut: 1, doubtful: 0 })
    expect(dry.counts).toEqual(second.counts)
    const third = await importContent(registry, content, { review })
    expect(third.counts).toMatchObject({ unchanged: 2, leftOut: 1, doubtful: 0, created: 0 })
  })

  test('a fountain that is deleted or merged while an import runs is none that its rows match', async () => {
    const registry = await withMarket()
    const row = { name: 'Marktplatz am Rathaus', latitude: 47, longitude: 8, amenities: [] }
    const { id: twin } = await registry.waypoints.create({ ...row, latitude: 47 + north(20) }, token())
    const neighbours = await Neighbours.of(registry.waypoints.each())
    const match = async () =>
      new Matching({ registry, neighbours, sourceName: 'City', isListed: () => false }).match(row, true)
    await registry.waypoints.merge(1, { into: twin, reason: 'The same' }, token())
    expect(await match()).toMatchObject({ kind: 'same', candidate: { waypoint: { id: twin } } })
    await registry.waypoints.delete(twin, token())
    expect(await match()).toEqual({ kind: 'new' })
  })

  test('decisions in the file that is overwritten are kept', async () => {
    const registry = await withMarket()
    await registry.waypoints.create({ name: 'Löwenbrunnen', latitude: 47.1, longitude: 8 }, token())
    const content = geojson(
      feature(8, 47 + north(60), { name: 'Marktplatz am Rathaus' }, 'a'),
      feature(8, 47.1 + north(60), { name: 'Löwenbrunnen' }, 'b'),
    )
    const { reviewFile = '' } = await importContent(registry, content)
    await writeFile(reviewFile, (await readFile(reviewFile, 'utf8')).replace('\r\n,1', '\r\nskip,1'))
    const again = await importContent(registry, content, { review: reviewFile, reviewFile })
    expect(again.counts).toMatchObject({ leftOut: 1, doubtful: 1 })
    const lines = (await readFile(reviewFile, 'utf8')).trim().split('\r\n')
    expect(lines.map((line) => line.split(',').slice(0, 3).join())).toEqual([
      'decision,row,ref',
      'skip,1,a',
      ',2,b',
    ])
  })

  test('decisions in a review file that is not read are kept, and new doubts go to another file', async () => {
    const registry = await withMarket()
    const file = await fileWith(geojson(feature(8, 47 + north(60), { name: 'Marktplatz am Rathaus' }, 'a')))
    const review = `${file}.review.csv`
    expect((await importFile(registry, { file, source })).reviewFile).toBe(review)
    // Without a decision it is made anew.
    expect((await importFile(registry, { file, source })).reviewFile).toBe(review)
    const decided = (await readFile(review, 'utf8')).replace('\r\n,1', '\r\nskip,1')
    await writeFile(review, decided)
    const { reviewFile, notes } = await importFile(registry, { file, source })
    expect(reviewFile).toBe(`${file}.review-2.csv`)
    expect(notes).toEqual([{ code: 'DECISIONS_NOT_READ', file: review }])
    expect(await readFile(review, 'utf8')).toBe(decided)
    await writeFile(file, geojson(feature(9, 47, {}, 'b')))
    expect((await importFile(registry, { file, source })).reviewFile).toBeUndefined()
    expect(await readFile(review, 'utf8')).toBe(decided)
  })

  test('decisions hold for references that a spreadsheet would take for formulas', async () => {
    const registry = await withMarket()
    const content = geojson(feature(8, 47 + north(60), { name: 'Marktplatz am Rathaus' }, '-12'))
    const { reviewFile } = await importContent(registry, content)
    const review = `${reviewFile}.edited`
    const text = await readFile(reviewFile ?? '', 'utf8')
    expect(text).toContain("\r\n,1,'-12,")
    await writeFile(review, text.replace('\r\n,', '\r\nsame,'))
    const { counts } = await importContent(registry, content, { review })
    expect(counts).toMatchObject({ matched: 1, doubtful: 0 })
  })

  test('what is not a decision is refused with its line', async () => {
    const registry = await withMarket()
    const content = geojson(feature(8, 47 + north(60), { name: 'Marktplatz am Rathaus' }, 'a'))
    const { reviewFile } = await importContent(registry, content)
    const review = `${reviewFile}.edited`
    await writeFile(review, (await readFile(reviewFile ?? '', 'utf8')).replace('\r\n,', '\r\nmaybe,'))
    await expect(importContent(registry, content, { review })).rejects.toMatchObject({
      code: 'REVIEW',
      message: expect.stringContaining('Line 2: "maybe"'),
    })
    await writeFile(review, 'just,some\n1,2\n')
    await expect(importContent(registry, content, { review })).rejects.toMatchObject({ code: 'REVIEW' })
  })

  test('a fountain is matched across the antimeridian, where only the numbers are 360 degrees apart', async () => {
    const registry = await emptyRegistry()
    await registry.waypoints.create({ name: 'Date line', latitude: -16.8, longitude: 179.999_99 }, token())
    const { counts } = await importContent(
      registry,
      geojson(feature(-179.999_99, -16.8, { name: 'Date line' }, 'a')),
    )
    expect(counts.matched).toBe(1)
  })

  test('rows with different references of a source stay apart, however near', async () => {
    const { report } = await imported(
      geojson(feature(8, 47, { name: 'Tap' }, 'a'), feature(8, 47, { name: 'Tap' }, 'b')),
    )
    expect(report.counts).toMatchObject({ created: 2, duplicates: 0 })
    expect(report.alike).toEqual([{ row: 2, of: 1 }])
  })

  test('two sources of one fountain are both kept', async () => {
    const registry = await emptyRegistry()
    await importContent(registry, geojson(feature(8, 47, { name: 'Marktplatz' }, 'a')))
    await importContent(registry, geojson(feature(8, 47, { name: 'Marktplatz' }, 'x')), other)
    expect((await registry.waypoints.sources(1)).map(({ name }) => name)).toEqual(['City', 'Mappers'])
  })
})

describe('duplicates inside a file', () => {
  test('are found by reference, and by place and name where there is none', async () => {
    const numbered = await imported(
      'id,name,lat,lon\n1,A,47,8\n2,B,47.1,8\n1,A again,47.0001,8\n3,C,47.2,8\n4,D,47.3,8\n5,E,47.4,8\n6,F,47.5,8\n7,G,47.6,8\n8,H,47.7,8\n9,I,47.8,8\n',
    )
    expect(numbered.report.counts).toMatchObject({ rows: 10, created: 9, duplicates: 1 })
    expect(numbered.report.duplicates).toEqual([{ row: 3, of: 1 }])
    const placed = await imported('name,lat,lon\nA,47,8\nB,47,8\nA,47.000001,8\n')
    expect(placed.report.counts).toMatchObject({ created: 2, duplicates: 1 })
  })

  test('a reference given to two places kilometres apart loses neither', async () => {
    const rows = Array.from({ length: 10 }, (_, index) => `${index},F${index},47.${index},8`).join('\n')
    const registry = await emptyRegistry()
    const content = `id,name,lat,lon\n${rows}\n3,Elsewhere,48.5,9\n`
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
    const rows = ['1a2b', '3c4d'].map((end, index) =>
      feature(8 + index / 10, 47, { name: `B${index}` }, `LAYER.fid--3975e49_${end}`),
    )
    const { registry } = await imported(geojson(...rows))
    expect(await registry.waypoints.sources(1)).toMatchObject([
      { ref: expect.stringMatching(/^place:[0-9a-f]{16}$/u) },
    ])
  })
})
