import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Registry } from '@openfountain/core'
import { exportRegistry } from '../../src/index.ts'
import { importFile } from '../../src/import/index.ts'
import {
  hasData,
  emptyRegistry,
  importContent,
  importReal,
  source,
  temporaryFolder,
  withData,
} from './fixture.ts'

/** The states of all waypoints in the order of their ids, undefined for those of which nothing is said. */
async function statesOf(registry: Registry): Promise<(string | undefined)[]> {
  const snapshot = await registry.snapshot()
  try {
    return Array.from(snapshot.records(), ({ state }) => state)
  } finally {
    snapshot.close()
  }
}

/** A file of one fountain each for pairs of a state and its reason. */
const listing = (...listed: readonly (readonly [status: string, reason: string])[]) =>
  [
    'id,lat,lon,name,dispo,motif_ind',
    ...listed.map(([status, reason], at) => `n${at},47.${at + 10},8.5,Fountain ${at},${status},${reason}`),
  ].join('\n')

describe('what a source says of the state', () => {
  test('is read from its columns: out of order, or closed for the season', async () => {
    const registry = await emptyRegistry()
    await importContent(
      registry,
      listing(
        ['OUI', ''],
        ['NON', ''],
        ['NON', 'APP A REPARER'],
        ['NON', 'FERMETURE HIVERNALE'],
        ['closed for winter', ''],
        ['ausser Betrieb', 'Frostschutz'],
        ['Partially functional but in need of repair', ''],
        ['', 'FERMETURE HIVERNALE'],
      ),
    )
    expect(await statesOf(registry)).toEqual([
      undefined,
      'broken',
      'broken',
      'off',
      'off',
      'off',
      undefined,
      undefined,
    ])
    const descriptions = (await registry.waypoints.list()).map(({ description }) => description)
    expect(descriptions).toEqual([
      undefined,
      'Out of order when listed.',
      'Out of order when listed: App A Reparer.',
      'Closed for the season when listed: Fermeture Hivernale.',
      'Closed for the season when listed: closed for winter.',
      'Closed for the season when listed: Frostschutz.',
      'Works in part when listed: Partially functional but in need of repair.',
      undefined,
    ])
  })

  test('follows the source from listing to listing', async () => {
    const registry = await emptyRegistry()
    await importContent(registry, listing(['NON', 'FERMETURE HIVERNALE'], ['OUI', '']))
    await importContent(registry, listing(['OUI', ''], ['NON', 'APP SANS EAU']))
    expect(await statesOf(registry)).toEqual([undefined, 'broken'])
  })

  test.each(['csv', 'geojson', 'ndjson.gz', 'gpkg', 'parquet', 'kml'])(
    'comes back from an own export as .%s, and so does what was not approved',
    async (extension) => {
      const registry = await emptyRegistry()
      await importContent(registry, listing(['NON', 'FERMETURE HIVERNALE'], ['OUI', '']), { approved: false })
      const out = path.join(await temporaryFolder(), 'out')
      await exportRegistry(registry, { out })
      const back = await emptyRegistry()
      const report = await importFile(back, { file: path.join(out, `waypoints.${extension}`), source })
      expect(report.counts).toMatchObject({ created: 2, refused: 0 })
      expect((await statesOf(back)).toSorted()).toEqual(['off', undefined])
      const [first, second] = await back.waypoints.list()
      expect([first?.approved, second?.approved]).toEqual([false, false])
      expect([first?.description, second?.description]).toContain(
        'Closed for the season when listed: Fermeture Hivernale.',
      )
    },
  )
})

describe('the days that a source says', () => {
  const rows = [
    'id,lat,lon,name,dispo,motif_ind,fin_ind,check_date',
    'a,47.1,8.5,One,NON,FERMETURE HIVERNALE,2022-05-01T00:00:00+02:00,',
    'b,47.2,8.5,Two,OUI,,2022-05-01,2022-03-04',
    'c,47.3,8.5,Three,OUI,,,2022-02-31',
  ]
  const saysOf = async (registry: Registry) =>
    Promise.all(
      (await registry.waypoints.list()).map(async ({ id }) => {
        const [{ state, checked, until } = {}] = await registry.waypoints.sources(id)
        return { state, checked, until }
      }),
    )

  test('are those of the last look, and the end of a state', async () => {
    const registry = await emptyRegistry()
    await importContent(registry, rows.join('\n'))
    expect(await saysOf(registry)).toEqual([
      { state: 'off', until: '2022-05-01' },
      { checked: '2022-03-04' },
      {},
    ])
    expect(await registry.observations.status(1, '2022-05-02')).toMatchObject({ state: 'unconfirmed' })
    expect(await registry.observations.status(2, '2022-03-05')).toMatchObject({
      state: 'works',
      lastConfirmed: '2022-03-04',
    })
    expect((await registry.waypoints.dossier(2)).status).toMatchObject({ lastConfirmed: '2022-03-04' })
    expect((await registry.changes.verify()).problems).toEqual([])
  })

  test('follow the source from listing to listing', async () => {
    const registry = await emptyRegistry()
    await importContent(registry, rows.join('\n'))
    const later = rows.map((row) => row.replace('2022-03-04', '2022-04-05').replace(/2022-05-01T[^,]*/u, ''))
    await importContent(registry, later.join('\n'))
    expect(await saysOf(registry)).toEqual([{ state: 'off' }, { checked: '2022-04-05' }, {}])
    expect((await registry.changes.verify()).problems).toEqual([])
  })
})

describe('what an import creates', () => {
  test('is approved, unless it is to go through the queue', async () => {
    const registry = await emptyRegistry()
    await importContent(registry, listing(['OUI', '']))
    expect(await registry.waypoints.list()).toMatchObject([{ approved: true, verified: false }])
    const queued = await emptyRegistry()
    await importContent(queued, listing(['OUI', '']), { approved: false })
    expect(await queued.waypoints.list()).toMatchObject([{ approved: false }])
  })
})

describe.skipIf(!hasData)(`the city of Paris ${withData}`, () => {
  test.each([
    ['paris_fontaines_2022.geojson', 'paris', { broken: 82, off: 5 }],
    ['paris_fontaines_bom_2024.csv', 'paris', { broken: 70, off: 3 }],
    ['paris_fontaines_semicolon_2019.csv', 'paris-2019', { broken: 20, off: 0 }],
  ] as const)('%s says which fountains are out of order', async (file, map, expected) => {
    const registry = await emptyRegistry()
    await importReal(registry, file, map)
    const states = await statesOf(registry)
    const count = (state: string) => states.filter((each) => each === state).length
    expect({ broken: count('broken'), off: count('off') }).toEqual(expected)
  })
})
