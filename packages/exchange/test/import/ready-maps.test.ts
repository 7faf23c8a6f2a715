import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readMapFile, readyMapFor, readyMaps } from '@openfountain/exchange'
import { dataFolder, hasData, temporaryFolder, withData } from './fixture.ts'

describe('maps that come with the package', () => {
  test('each is a map, and one that is chosen by headings names its source and licence', async () => {
    const ready = await readyMaps()
    expect(ready.length).toBeGreaterThan(10)
    for (const { name, path: file } of ready) {
      const { recognise, source } = await readMapFile(file)
      if (recognise !== undefined) expect(source, name).toMatchObject({ name: /./u, license: /./u })
    }
  })

  test('a file with other headings has no ready map', async () => {
    const file = path.join(await temporaryFolder(), 'own.csv')
    await writeFile(file, 'nummer,latitude,longitude\n1,47.3,8.5\n')
    expect(await readyMapFor(file)).toBeUndefined()
  })
})

describe.skipIf(!hasData)(`the map of a real file ${withData}`, () => {
  test.each([
    ['zurich_brunnen_2018.geojson', 'zurich'],
    ['zurich_brunnen_2021.geojson', 'zurich'],
    ['paris_fontaines_2022.geojson', 'paris'],
    ['paris_fontaines_bom_2024.csv', 'paris'],
    ['paris_fontaines_semicolon_2019.csv', 'paris-2019'],
    ['palermo_fontanelle_amap_2021.csv', 'palermo'],
    ['malawi_waterpoints_2022.csv', 'malawi-2022'],
    ['rwp_waterpoints_9countries.csv', 'rural-water-points'],
    ['vienna_trinkbrunnen_2024.geojson', undefined],
    ['osm_paris_overpass-ide_2021.geojson', undefined],
    ['vancouver_utm_bom.csv', undefined],
  ])('is recognised in %s as %s', async (file, name) => {
    expect((await readyMapFor(path.join(dataFolder, file)))?.name).toBe(name)
  })
})
