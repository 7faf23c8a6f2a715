import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it, afterAll } from 'vitest'
import { readRows } from '../../src/explore/data.ts'
import { choose, facetOf } from '../../src/explore/facets.ts'
import { fileOf, termsOf } from '../../src/explore/files.ts'
import {
  facetColumns,
  nothingChosen,
  queryOf,
  readSelection,
  type Selection,
} from '../../src/explore/selection.ts'
import { textIn, newFolder } from '@openfountain/testing/folder'
import { exportOf } from '@openfountain/testing/site/sites'
import { hostFolder } from '@openfountain/testing/site/static-host'

const folder = await exportOf('sample')
const host = await hostFolder(folder)
const file = `${host.url}waypoints.ndjson.gz`
afterAll(() => host.close())

type Properties = Readonly<Record<string, unknown>> & { readonly id: number }
const exported = (): { features: { properties: Properties }[] } =>
  JSON.parse(textIn(folder, 'waypoints.geojson'))

async function chosen(selection: Selection, files = [file]) {
  const all = await readRows(files)
  const facets = facetColumns.map((column) => facetOf(column, all))
  return { all, ...choose(all, facets, selection) }
}

it('a selection is downloaded as the registry exports it, byte for byte where everything is chosen', async () => {
  const { rows } = await chosen(nothingChosen)
  expect(rows).toHaveLength(47)
  expect(await fileOf('csv', rows).text()).toBe(textIn(folder, 'waypoints.csv'))
  expect(JSON.parse(await fileOf('geojson', rows).text())).toEqual(exported())
})

it('a selection has what its conditions say, and counts of each column without its own condition', async () => {
  const { features } = exported()
  const values = { region: ['Mill Hill'], amenities: ['tap'] }
  const { all, rows, counts } = await chosen({ text: '', values })
  const taps = features.filter(({ properties }) => (properties['amenities'] as string[]).includes('tap'))
  const regions = Map.groupBy(taps, ({ properties }) => properties['region'] ?? '')
  const expected = Array.from(regions, ([region, fountains]) => [region, fountains.length])
  expect(Object.fromEntries(counts.region ?? [])).toEqual(Object.fromEntries(expected))
  expect([all.length, rows.length]).toEqual([features.length, regions.get('Mill Hill')?.length])
  expect(rows.length).toBeGreaterThan(1)
  expect(Object.fromEntries(counts.amenities ?? [])).toEqual({ tap: rows.length, wheelchair: rows.length })
  expect(termsOf(rows)).toMatchObject({ license: 'ODbL-1.0' })
})

const selections: readonly (readonly [Selection, (properties: Properties) => boolean])[] = [
  [nothingChosen, () => true],
  [{ text: 'SQUARE', values: {} }, ({ name }) => /square/iu.test(String(name))],
  [{ text: "it's 100%", values: {} }, () => false],
  [
    { text: '', values: { region: ['Old Harbour', 'Mill Hill'] } },
    ({ region }) => region === 'Old Harbour' || region === 'Mill Hill',
  ],
  [
    { text: '', values: { region: ['', 'Mill Hill'], state: ['works', 'unconfirmed'] } },
    ({ region = 'Mill Hill', state }) =>
      region === 'Mill Hill' && (state === 'works' || state === 'unconfirmed'),
  ],
  [
    { text: 'lane', values: { amenities: ['bottle-filler', 'chilled'] } },
    ({ name, amenities }) =>
      /lane/iu.test(String(name)) &&
      ['bottle-filler', 'chilled'].every((one) => (amenities as string[]).includes(one)),
  ],
  [{ text: '', values: { region: ["O'Hara; drop table x --"] } }, () => false],
]

it('a selection has one of the values of each column, or all of its amenities, and a part of the name in any case', async () => {
  const { features } = exported()
  const found: number[] = []
  for (const [selection, isIn] of selections) {
    const expected = features.map(({ properties }) => properties).filter(isIn)
    const { rows } = await chosen(selection)
    expect([selection, rows.map(({ id }) => id)]).toEqual([selection, expected.map(({ id }) => id)])
    found.push(rows.length)
  }
  expect(found.filter((rows) => rows > 0 && rows < 47).length).toBeGreaterThan(2)
})

it('a selection is the same after it was in an address', () => {
  for (const [selection] of selections) {
    const query = queryOf(selection)
    expect(readSelection(new URLSearchParams(query))).toEqual(selection)
    expect(readSelection(new URLSearchParams(`other=1&${query.slice(1)}`))).toEqual(selection)
  }
})

it('several files, one for each licence, are explored as one', async () => {
  const { all, rows } = await chosen({ text: '', values: { region: ['Mill Hill'] } }, [file, file])
  expect(all).toHaveLength(94)
  const text = await fileOf('csv', rows).text()
  expect(text.match(/Mill Hill/gu)?.length).toBeGreaterThanOrEqual(rows.length)
})

it('a file that the browser has unzipped is read, a damaged one is told from one that does not come', async () => {
  const other = newFolder()
  const zipped = await readFile(join(folder, 'waypoints.ndjson.gz'))
  await writeFile(join(other, 'plain.gz'), gunzipSync(zipped))
  await writeFile(join(other, 'cut.gz'), zipped.subarray(0, -99))
  await writeFile(join(other, 'damaged.gz'), 'no JSON\n')
  const server = await hostFolder(other)
  expect(await readRows([`${server.url}plain.gz`])).toEqual(await readRows([file]))
  for (const name of ['cut.gz', 'damaged.gz'])
    await expect(readRows([`${server.url}${name}`])).rejects.toMatchObject({ code: 'DAMAGED' })
  const none = { code: 'NOT_SENT', message: 'HTTP 404' }
  await expect(readRows([`${server.url}none.gz`])).rejects.toMatchObject(none)
  await server.close()
  await expect(readRows([file.replace(host.url, server.url)])).rejects.toMatchObject({ code: 'NOT_SENT' })
})
