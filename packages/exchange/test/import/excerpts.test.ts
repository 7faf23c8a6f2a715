import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readyMapFor } from '@openfountain/exchange'
import { excerpts } from '@openfountain/testing/import/excerpts'
import { countryOf } from '../../src/places/index.ts'
import { dataFolder, emptyRegistry, excerptFolder, hasData, importReal, withData } from './fixture.ts'
import { expectPinned, waypointsByRef } from './pinned.ts'

const excerpt = (file: string) => path.join(excerptFolder, file)

describe('an excerpt of a city’s files', () => {
  test('is in the table, whatever its format', () => {
    expect(excerpts.map(({ file }) => file).toSorted()).toEqual(
      readdirSync(excerptFolder)
        .filter((name) => name !== 'README.md')
        .toSorted(),
    )
  })

  for (const { file, map, ...pinned } of excerpts) {
    test(`${file} imports as pinned ${map === undefined ? 'without a map' : `with the map ${map}`}`, async () => {
      const registry = await emptyRegistry({ places: countryOf })
      await expectPinned(registry, await importReal(registry, excerpt(file), map), pinned)
    })

    test(`${file} needs no map`, async () => {
      const registry = await emptyRegistry()
      const report = await importReal(registry, excerpt(file), undefined)
      const { rows, created, duplicates, refused } = report.counts
      expect([rows, created + duplicates, refused]).toEqual([pinned.counts[0], pinned.counts[0], 0])
      const places = (await registry.waypoints.list()).map(({ latitude, longitude }) => [latitude, longitude])
      expect(places).toContainEqual([expect.closeTo(47.36975, 4), expect.closeTo(8.59926, 4)])
    })
  }

  test.each(['brunnen-2018.geojson', 'brunnen-2021.geojson', 'brunnen-2018.gpkg', 'brunnen-2018.parquet'])(
    '%s is recognised by its headings',
    async (file) => {
      expect((await readyMapFor(excerpt(file)))?.name).toBe('zurich')
    },
  )

  test('of 2021 matches 2018 by number, whatever the coordinates’ last digits', async () => {
    const registry = await emptyRegistry()
    await importReal(registry, excerpt('brunnen-2018.geojson'), 'zurich')
    const { counts } = await importReal(registry, excerpt('brunnen-2021.geojson'), 'zurich')
    // Three are new in 2021 (700.1, 1305, 177), one of 2018 is gone (714).
    expect(counts).toMatchObject({ rows: 14, created: 3, missing: 1, conflicts: 0, doubtful: 0, refused: 0 })
    expect(counts.updated + counts.unchanged).toBe(11)
    expect((await waypointsByRef(registry)).get('510')?.name).toBe('Aussichtsturm')
  })

  test.each(['geojsonl', 'gpkg', 'kml', 'parquet'])(
    'changes nothing when it comes again as .%s written by another program',
    async (extension) => {
      const registry = await emptyRegistry()
      await importReal(registry, excerpt('brunnen-2018.geojson'), 'zurich')
      const { counts } = await importReal(registry, excerpt(`brunnen-2018.${extension}`), 'zurich')
      expect(counts).toMatchObject({ rows: 12, unchanged: 12, created: 0, updated: 0, missing: 0 })
    },
  )
})

describe.skipIf(!hasData)(`an excerpt ${withData}`, () => {
  test.each([
    ['brunnen-2018.geojson', 'zurich_brunnen_2018.geojson', '\n'],
    ['brunnen-2021.geojson', 'zurich_brunnen_2021.geojson', '},'],
    ['brunnen-with-wikidata-2018.csv', 'zurich_brunnen_dms_qid_2018.csv', '\n'],
  ])('%s is of %s byte for byte', async (file, whole, separator) => {
    const rows = (await readFile(path.join(dataFolder, whole), 'latin1')).split(separator)
    const taken = (await readFile(excerpt(file), 'latin1')).split(separator)
    expect(taken.length).toBeGreaterThan(10)
    expect([taken[0], taken.at(-1)]).toEqual([rows[0], rows.at(-1)])
    const known = new Set(rows)
    expect(taken.filter((row) => !known.has(row))).toEqual([])
  })
})
