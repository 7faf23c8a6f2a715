import { readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, expect, it } from 'vitest'
import { Explorer } from '../../src/explore/reading/explorer.ts'
import { nothingChosen, queryOf, readSelection, type Selection } from '../../src/explore/selection.ts'
import { sqlOf } from '../../src/explore/sql.ts'
import { afterwards } from '@openfountain/testing/afterwards'
import { textIn } from '@openfountain/testing/folder'
import { freshFolder } from '@openfountain/testing/site/sample'
import { exportOf } from '@openfountain/testing/site/sites'
import { hostFolder, type StaticHost } from '@openfountain/testing/site/static-host'

const idle = () => undefined
let folder: string
let host: StaticHost
let bytes: number

beforeAll(async () => {
  folder = await exportOf('sample')
  host = await hostFolder(folder)
  bytes = (await stat(join(folder, 'waypoints.parquet'))).size
  return () => host.close()
})

const open = (url = `${host.url}waypoints.parquet`) => Explorer.open([{ url, bytes }], idle)

type Properties = Readonly<Record<string, unknown>> & { readonly id: number }
const featuresIn = (text: string): { features: { properties: Properties }[] } => JSON.parse(text)
const exported = () => featuresIn(textIn(folder, 'waypoints.geojson'))

/** The ids of a selection, ascending. */
async function idsOf(explorer: Explorer, selection: Selection): Promise<number[]> {
  await explorer.choose(selection, idle)
  const { features } = featuresIn(await (await explorer.file('geojson', idle)).blob.text())
  return features.map(({ properties }) => properties.id)
}

const selections: readonly Selection[] = [
  nothingChosen,
  { text: 'SQUARE', values: {} },
  { text: "it's 100%", values: {} },
  { text: '', values: { region: ['Old Harbour', 'Mill Hill'] } },
  { text: '', values: { region: ['', 'Mill Hill'], state: ['works', 'unconfirmed'] } },
  { text: 'lane', values: { amenities: ['bottle-filler', 'chilled'] } },
  { text: '', values: { amenities: ['tap', 'spring'] } },
  { text: '', values: { region: ["O'Hara; drop table x --"] } },
]

it('a selection is downloaded as the registry exports it, byte for byte where everything is chosen', async () => {
  const explorer = await open()
  await explorer.choose(nothingChosen, idle)
  const csv = await explorer.file('csv', idle)
  expect(csv.rows).toBe(47)
  expect(await csv.blob.text()).toBe(textIn(folder, 'waypoints.csv'))
  const geojson = await explorer.file('geojson', idle)
  expect(JSON.parse(await geojson.blob.text())).toEqual(exported())
})

it('a selection has what its conditions say, and counts of each column without its own condition', async () => {
  const explorer = await open()
  const { features } = exported()
  const values = { region: ['Mill Hill'], amenities: ['tap'] }
  const result = await explorer.choose({ text: '', values }, idle)
  const taps = features.filter(({ properties }) => (properties['amenities'] as string[]).includes('tap'))
  const regions = Map.groupBy(taps, ({ properties }) => properties['region'] ?? '')
  const counts = Array.from(regions, ([region, fountains]) => [region, fountains.length])
  expect(Object.fromEntries(result.counts['region'] ?? [])).toEqual(Object.fromEntries(counts))
  expect([result.all, result.chosen]).toEqual([features.length, regions.get('Mill Hill')?.length])
  expect(result.chosen).toBeGreaterThan(1)
  const amenities = Object.fromEntries(result.counts['amenities'] ?? [])
  expect(amenities).toEqual({ tap: result.chosen, wheelchair: result.chosen })
  expect(result.terms).toMatchObject({ license: 'ODbL-1.0' })
})

it('a selection is the same as DuckDB finds with the query that is shown', async () => {
  const explorer = await open()
  const duckdb = await (await DuckDBInstance.create()).connect()
  const found: number[][] = []
  for (const selection of selections) {
    const sql = sqlOf(selection, [join(folder, 'waypoints.parquet')], explorer.lists)
    const rows = (await duckdb.runAndReadAll(sql)).getRowObjectsJson()
    const ids = rows.map(({ id }) => Number(id))
    expect([sql, await idsOf(explorer, selection)]).toEqual([sql, ids])
    found.push(ids)
  }
  expect(found.filter((ids) => ids.length > 0 && ids.length < 47).length).toBeGreaterThan(3)
  duckdb.closeSync()
})

it('a selection is the same after it was in an address', () => {
  for (const selection of selections) {
    const query = queryOf(selection)
    expect(readSelection(new URLSearchParams(query))).toEqual(selection)
    expect(readSelection(new URLSearchParams(`other=1&${query.slice(1)}`))).toEqual(selection)
  }
})

it('several files, one for each licence, are explored as one', async () => {
  const file = { url: `${host.url}waypoints.parquet`, bytes }
  const explorer = await Explorer.open([file, file], idle)
  const { chosen, all } = await explorer.choose({ text: '', values: { region: ['Mill Hill'] } }, idle)
  const { rows, blob } = await explorer.file('csv', idle)
  expect([all, rows]).toEqual([94, chosen])
  expect((await blob.text()).match(/Mill Hill/gu)?.length).toBeGreaterThanOrEqual(chosen)
  const sql = "select *\nfrom read_parquet(['a', 'b''c'])\norder by id;"
  expect(sqlOf(nothingChosen, ['a', "b'c"], [])).toBe(sql)
})

it('a host that sends whole files is read from once, and said so', async () => {
  const plain = await hostFolder(folder, { ranges: false })
  afterwards(() => plain.close())
  const explorer = await open(`${plain.url}waypoints.parquet`)
  await explorer.choose({ text: 'lane', values: {} }, idle)
  await explorer.file('csv', idle)
  expect(explorer.wholeBytes).toBe(bytes)
  expect((await open()).wholeBytes).toBe(0)
})

it('a host that has another file by now is told from one that has none', async () => {
  const other = await freshFolder()
  const copy = await readFile(join(folder, 'waypoints.parquet'))
  await writeFile(join(other, 'waypoints.parquet'), copy)
  await writeFile(join(other, 'damaged.parquet'), Buffer.from(copy).fill(7, 100, 2000))
  const server = await hostFolder(other)
  const damaged = `${server.url}damaged.parquet`
  await expect(open(damaged)).rejects.toMatchObject({ code: 'DAMAGED' })
  const none = { code: 'NOT_SENT', message: 'HTTP 404' }
  await expect(open(`${server.url}none.parquet`)).rejects.toMatchObject(none)
  await truncate(join(other, 'waypoints.parquet'), bytes - 9)
  await expect(open(`${server.url}waypoints.parquet`)).rejects.toMatchObject({ code: 'CHANGED' })
  await server.close()
  await expect(open(`${server.url}waypoints.parquet`)).rejects.toMatchObject({ code: 'NOT_SENT' })
})
