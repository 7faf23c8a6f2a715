import Database from 'better-sqlite3'
import { expect, test, vi } from 'vitest'
import { emptyRegistry } from '@openfountain/testing/registry'
import { feature, geojson, importContent } from './fixture.ts'

type Statement = Pick<Database.Statement, 'all' | 'iterate'>

async function rowsDuring(act: () => Promise<unknown>): Promise<number> {
  const prototype = Object.getPrototypeOf(new Database(':memory:').prepare('select 1')) as Statement
  const { all, iterate } = prototype
  let rows = 0
  vi.spyOn(prototype, 'all').mockImplementation(function (this: Statement, ...values) {
    const found = all.apply(this, values)
    rows += found.length
    return found
  })
  vi.spyOn(prototype, 'iterate').mockImplementation(function* (this: Statement, ...values) {
    for (const row of iterate.apply(this, values)) {
      rows += 1
      yield row
    }
  } as Statement['iterate'])
  try {
    await act()
    return rows
  } finally {
    vi.restoreAllMocks()
  }
}

test('a dry run of one row reads what is around it, not the registry, and counts what its source would lose', async () => {
  const registry = await emptyRegistry()
  const city = Array.from({ length: 3000 }, (_, at) =>
    feature(8 + (at % 50) / 100, 47 + Math.floor(at / 50) / 100, { name: `Fountain ${at}` }, `f${at}`),
  )
  await importContent(registry, geojson(...city))
  const row = geojson(feature(8.2, 47.2, { name: 'Fountain 1020' }, 'x'))
  let matched = 0
  const rows = await rowsDuring(async () => {
    const options = { dryRun: true, source: { name: 'Club', license: 'CC0-1.0' } }
    matched = (await importContent(registry, row, options)).counts.matched
  })
  expect(matched).toBe(1)
  expect(rows).toBeGreaterThan(0)
  expect(rows).toBeLessThan(100)

  const known = geojson(feature(8.2, 47.2, { name: 'Fountain 1020' }, 'f1020'))
  let missing = 0
  const own = await rowsDuring(async () => {
    missing = (await importContent(registry, known, { dryRun: true })).counts.missing
  })
  expect(missing).toBe(2999)
  expect(own).toBeLessThan(100)
})
