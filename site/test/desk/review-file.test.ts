import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { token } from '@openfountain/core'
import { importFile } from '@openfountain/exchange'
import { expect, it } from 'vitest'
import { emptyRegistry } from '@openfountain/testing/registry'
import { freshFolder } from '@openfountain/testing/site/sample'
import { ReviewFile, ReviewFileError } from '../../src/desk/imports/review-file.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const header = 'decision,row,ref,name,latitude,longitude,waypoint,waypoint_name,distance_metres,score\r\n'

/** In degrees of latitude. */
const sixtyMetres = 60 / 111_195

/** Names of fountains that a source lists 60 m from existing ones, by reference. */
const listed = {
  '=1+1': 'Marktplatz am Rathaus',
  'b,"2"\n;': 'Löwenbrunnen; "der große"',
  c: '@Brunnen am Tor',
  d: 'Rosenbrunnen',
} as const

async function doubtfulImport() {
  const [folder, registry] = [await freshFolder(), await emptyRegistry()]
  for (const [index, name] of Object.values(listed).entries())
    await registry.waypoints.create({ name, latitude: 47 + index / 10, longitude: 8 }, token())
  const file = join(folder, 'list.geojson')
  const features = Object.entries(listed).map(([id, name], index) => {
    const coordinates = [8, 47 + index / 10 + sixtyMetres]
    return { type: 'Feature', properties: { id, name }, geometry: { type: 'Point', coordinates } }
  })
  await writeFile(file, JSON.stringify({ type: 'FeatureCollection', features }))
  const source = { name: 'City', license: 'CC0-1.0' }
  const run = (review: { readonly review?: string } = {}) => importFile(registry, { file, source, ...review })
  return { folder, registry, run }
}

function problemOf(content: string | Uint8Array): unknown {
  try {
    return new ReviewFile(typeof content === 'string' ? bytes(content) : content).rows.length
  } catch (error) {
    return error instanceof ReviewFileError ? error.problem : error
  }
}

it('a review file that was decided is taken by the import, which does what was decided', async () => {
  const { folder, registry, run } = await doubtfulImport()
  const first = await run()
  expect(first.counts).toMatchObject({ rows: 4, doubtful: 4 })
  const file = new ReviewFile(await readFile(first.reviewFile ?? ''))
  expect(file.rows.map(({ name }) => name)).toEqual(Object.values(listed))
  const decisions = ['same', 'new', 'skip', undefined] as const
  for (const [index, row] of file.rows.entries()) row.decision = decisions[index]
  expect(file.isChanged).toBe(true)
  const review = join(folder, 'decided.csv')
  await writeFile(review, file.toString())
  const second = await run({ review })
  expect(second.counts).toMatchObject({ matched: 1, created: 1, leftOut: 1, doubtful: 1 })
  const waypoints = await registry.waypoints.list()
  expect(waypoints.map(({ name }) => name)).toEqual([...Object.values(listed), listed['b,"2"\n;']])
})

it('a review file that a spreadsheet saved keeps all but the decisions as it was, and a word that is none, for the import to say what is wrong', () => {
  const saved = `\uFEFF${header.replaceAll(',', ';').replace('\r\n', '')};note\n;1;"a;b";"Say ""so""";47;8;3;Old;60,0;0.6;"two\nlines"\n"skip";2;c;'=Well;47;8;4;Old;60;0.6;\n\n`
  const file = new ReviewFile(bytes(saved))
  const rows = file.rows.map(({ ref, name, decision }) => [ref, name, decision].join())
  expect(rows).toEqual(['a;b,Say "so",', 'c,=Well,skip'])
  expect(file.toString()).toBe(saved)
  const [first, second] = file.rows
  if (first) first.decision = 'new'
  if (second) second.decision = undefined
  expect(file.toString()).toBe(saved.replace('\n;1;', '\nnew;1;').replace('"skip";2', ';2'))
  file.saved()
  expect(file.isChanged).toBe(false)
  const other = new ReviewFile(bytes(`${header}Perhaps,1,a,Well,47,8,3,Old,60,0.6\r\n`))
  expect(other.rows.map(({ decision }) => decision)).toEqual([undefined])
  expect(other.toString()).toContain('Perhaps,1')
})

it('a review file is not another file, and says what is wrong with it', () => {
  const others = ['name,latitude\r\nWell,47\r\n', '', header, new Uint8Array([0x4c, 0xf6, 0x77, 0x65])]
  const codes = ['notReview', 'notReview', 'empty', 'notText']
  expect(others.map(problemOf)).toEqual(codes.map((code) => ({ code })))
  for (const name of ['"Well', '"We"ll'])
    expect(problemOf(`${header},1,a,${name},47\r\n`)).toEqual({ code: 'badLine', line: 2 })
})
