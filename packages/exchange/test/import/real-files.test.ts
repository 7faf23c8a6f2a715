/** @module-tag long */
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { countryOf } from '../../src/places/index.ts'
import { dataFolder, emptyRegistry, hasData, importReal, temporaryFolder, withData } from './fixture.ts'
import maps from './maps.ts'
import { expectPinned, waypointsByRef } from './pinned.ts'
import { realFiles } from './real-fountains.ts'

describe.skipIf(!hasData)(`every real file ${withData}`, () => {
  test('is in the table below, but for the table of water analyses', () => {
    const files = readdirSync(dataFolder).filter((name) => name !== 'README.md')
    const known = new Set([...realFiles.map(({ file }) => file), 'palermo_water-analyses_2021.csv'])
    expect(files.filter((file) => !known.has(file))).toEqual([])
    expect(new Set(realFiles.map(({ map }) => map))).toEqual(new Set(Object.keys(maps)))
  })

  for (const { file, map, ...pinned } of realFiles) {
    test(`${file} with the map ${map} imports as pinned`, async () => {
      const registry = await emptyRegistry({ places: countryOf })
      await expectPinned(registry, await importReal(registry, file, map), pinned)
    })
  }

  test('of the table of water analyses nothing is imported, since it has no places', async () => {
    const registry = await emptyRegistry()
    await expect(importReal(registry, 'palermo_water-analyses_2021.csv', undefined)).rejects.toMatchObject({
      code: 'NO_COORDINATES',
    })
    expect(await registry.sources.list()).toEqual([])
  })

  for (const file of new Set(realFiles.map(({ file }) => file))) {
    test(`${file} needs no map`, async () => {
      const registry = await emptyRegistry()
      const crs = file.startsWith('vancouver') ? { crs: 'EPSG:26910' } : {}
      const { counts } = await importReal(registry, file, undefined, crs)
      const refused = realFiles.find((known) => known.file === file)?.counts[4]
      expect(counts.refused).toBe(refused)
      expect(counts.created).toBeGreaterThan(counts.rows * 0.3)
      for await (const { name } of registry.waypoints.each()) {
        expect(name).not.toMatch(/\b(?:null|undefined|NaN|NA)\b/u)
      }
    })
  }
})

describe.skipIf(!hasData)(`what is in several real files ${withData}`, () => {
  test('Barcelona after Catalonia finds its duplicates by place', async () => {
    const registry = await emptyRegistry()
    await importReal(registry, 'osm_catalunya_overpass-turbo_2025.geojson', 'openstreetmap')
    const { counts } = await importReal(registry, 'osm_barcelona_noids_2026.geojson', 'openstreetmap', {
      source: { name: 'Barcelona', license: 'ODbL-1.0' },
    })
    expect(counts).toMatchObject({
      rows: 2990,
      created: 49,
      matched: 2914,
      doubtful: 18,
      leftOut: 7,
      duplicates: 2,
    })
  })

  test('Barcelona after Catalonia under the same source keeps the references of the first', async () => {
    const registry = await emptyRegistry()
    await importReal(registry, 'osm_catalunya_overpass-turbo_2025.geojson', 'openstreetmap')
    await importReal(registry, 'osm_barcelona_noids_2026.geojson', 'openstreetmap', { missing: 'keep' })
    const { counts } = await importReal(
      registry,
      'osm_catalunya_overpass-turbo_2025.geojson',
      'openstreetmap',
    )
    expect(counts.created).toBe(0)
    expect(counts.updated + counts.unchanged).toBe(7076)
  })

  test('Zürich of 2021 matches 2018 by number, whatever the coordinates’ last digits', async () => {
    const registry = await emptyRegistry()
    await importReal(registry, 'zurich_brunnen_2018.geojson', 'zurich')
    const { counts } = await importReal(registry, 'zurich_brunnen_2021.geojson', 'zurich')
    expect(counts).toMatchObject({
      rows: 1274,
      created: 15,
      missing: 22,
      conflicts: 0,
      doubtful: 0,
      refused: 0,
    })
    expect(counts.updated + counts.unchanged).toBe(1259)
    expect(counts.updated).toBeLessThan(50)
    expect((await waypointsByRef(registry)).get('510')?.name).toBe('Aussichtsturm')
  })

  test('Paris of 2024 matches 2022 by identifier, though one is GeoJSON and the other CSV', async () => {
    const registry = await emptyRegistry()
    await importReal(registry, 'paris_fontaines_2022.geojson', 'paris')
    const { counts } = await importReal(registry, 'paris_fontaines_bom_2024.csv', 'paris')
    expect(counts.created).toBe(1327 - 1177)
    expect(counts.missing).toBe(1201 - 1177)
  })

  test('Vancouver, which has metres only, lands in Vancouver', async () => {
    const registry = await emptyRegistry()
    await importReal(registry, 'vancouver_utm_bom.csv', 'vancouver')
    const waypoints = await Array.fromAsync(registry.waypoints.each())
    expect(waypoints).toHaveLength(258)
    for (const { latitude, longitude } of waypoints) {
      expect(latitude).toBeGreaterThan(49.19)
      expect(latitude).toBeLessThan(49.32)
      expect(longitude).toBeGreaterThan(-123.24)
      expect(longitude).toBeLessThan(-123.02)
    }
  })

  test('Vancouver without its coordinate system is refused with the remedy', async () => {
    const registry = await emptyRegistry()
    await expect(importReal(registry, 'vancouver_utm_bom.csv', undefined)).rejects.toMatchObject({
      code: 'CRS_UNKNOWN',
      message: expect.stringContaining('such as EPSG:'),
    })
  })

  test('Munich keeps its umlauts, those in UTF-8 and those in Latin-1', async () => {
    const registry = await emptyRegistry()
    await importReal(registry, 'osm_munich_latin1_keyed_2013.json', 'munich-openstreetmap')
    const names = (await Array.fromAsync(registry.waypoints.each())).map(({ name }) => name)
    for (const word of ['Bürgermeister', 'Gänseliesel', 'Säule', 'Große Fontäne', 'Mühlenrad']) {
      expect(names.filter((name) => name.includes(word)).length).toBeGreaterThan(0)
    }
    expect(names.join('')).not.toMatch(/\uFFFD|Ã/u)
  })

  test.each([
    // Published in 2018 by a server that says so, with the time of each object's last edit, and nobody's survey.
    {
      file: 'osm_arua-uganda_overpass-raw_2018.json',
      confirmed: [],
      updated: ['2018-03-01', '2018-06-06'],
      listed: ['2018-06-07', '2018-06-07'],
    },
    // Nothing says when it was published, so that it is as of its import.
    {
      file: 'osm_barcelona_noids_2026.geojson',
      confirmed: ['2021-08-15', '2025-12-14'],
      updated: [],
      listed: ['2026-01-01', '2026-01-01'],
    },
  ] as const)('$file has the first and the last days that it says', async ({ file, ...days }) => {
    const registry = await emptyRegistry()
    await importReal(registry, file, 'openstreetmap')
    const snapshot = await registry.snapshot()
    const records = [...snapshot.records()]
    snapshot.close()
    const ends = (name: 'lastConfirmed' | 'sourceUpdated' | 'lastListed') => {
      const known = records.flatMap((record) => record[name] ?? []).toSorted()
      return known.length === 0 ? [] : [known[0], known.at(-1)]
    }
    expect({
      confirmed: ends('lastConfirmed'),
      updated: ends('sourceUpdated'),
      listed: ends('lastListed'),
    }).toEqual(days)
  })

  test('the mappers of Arua appear nowhere in the database file', async () => {
    const folder = await temporaryFolder()
    const database = path.join(folder, 'arua.db')
    const registry = await emptyRegistry({ database })
    await importReal(registry, 'osm_arua-uganda_overpass-raw_2018.json', 'openstreetmap')
    await registry.close()
    const raw = JSON.parse(
      await readFile(path.join(dataFolder, 'osm_arua-uganda_overpass-raw_2018.json'), 'utf8'),
    ) as { elements: { user: string; uid: number }[] }
    const stored = (await readFile(database)).toString('latin1')
    const mappers = new Set(raw.elements.map(({ user }) => user))
    expect(mappers.size).toBeGreaterThan(5)
    for (const mapper of mappers) expect(stored.includes(Buffer.from(mapper).toString('latin1'))).toBe(false)
  })
})
