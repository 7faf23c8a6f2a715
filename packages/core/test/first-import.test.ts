/** @module-tag long */
import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openRegistry, type ImportRow, type Registry } from '@openfountain/core'
import { emptyRegistry, temporaryFolder } from '@openfountain/testing/registry'

const source = { name: 'Everywhere', license: 'CC0-1.0' }
const deferredIndexes = ['waypointsByCell', 'waypointsByName', 'waypointsByRegion']
/** With more than one batch of this size, a first import defers indexes. */
const rowCount = 5000

function rows(from: number, count: number): ImportRow[] {
  return Array.from({ length: count }, (_, index) => {
    const n = from + index
    return {
      row: n,
      ref: String(n),
      input: {
        name: `${['Löwen', 'Bären', '飲み水', 'Mill'][n % 4]} ${(n * 7919) % 1009}`,
        latitude: ((n * 37) % 1700) / 10 - 85,
        longitude: ((n * 101) % 3600) / 10 - 180,
        ...(n % 3 === 0 && { region: `Region ${(n * 31) % 17}` }),
      },
    }
  })
}

function indexesIn(file: string): unknown[] {
  const database = new Database(file, { readonly: true })
  try {
    const all = database.prepare("select name from sqlite_schema where type = 'index'").pluck().all()
    return all.filter((name) => deferredIndexes.includes(String(name))).toSorted()
  } finally {
    database.close()
  }
}

async function queryResults(registry: Registry): Promise<unknown> {
  const { waypoints } = registry
  const snapshot = await registry.snapshot()
  try {
    return {
      box: await waypoints.list({ bbox: [0, 0, 20, 20] }),
      everywhere: (await waypoints.list({ bbox: [-180, -90, 180, 90], limit: 3000 })).length,
      region: await waypoints.list({ region: 'Region 5', limit: 20 }),
      around: await waypoints.list({ near: { latitude: 10, longitude: 10, radius: 500_000 } }),
      beginning: await waypoints.search({ q: 'lowen 10', limit: 20 }),
      exported: [...snapshot.records({ bbox: [0, 0, 20, 20] })].length,
    }
  } finally {
    snapshot.close()
  }
}

test('the first import of a registry can be read while it has no indexes, which are made when the registry of a killed process is opened for writing', async () => {
  const database = path.join(await temporaryFolder(), 'r.db')
  const registry = await openRegistry({ database, durability: 'relaxed' })
  const run = await registry.imports.start({ source })
  await run.apply(rows(1, rowCount))
  expect(indexesIn(database)).toEqual(deferredIndexes)
  await run.apply(rows(rowCount + 1, 100))
  expect(indexesIn(database)).toEqual([])
  const without = await queryResults(registry)
  expect(without).toMatchObject({ everywhere: 3000 })
  await registry.close()
  const reader = await openRegistry({ database, readOnly: true })
  expect(await queryResults(reader)).toEqual(without)
  await reader.close()
  expect(indexesIn(database)).toEqual([])
  const writer = await emptyRegistry({ database })
  expect(indexesIn(database)).toEqual(deferredIndexes)
  expect(await queryResults(writer)).toEqual(without)
  expect(await writer.changes.verify()).toMatchObject({ ok: true })
})
