import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { workplace, type Workplace } from '@openfountain/testing/command/shell'

const declared = {
  type: 'object',
  properties: {
    height: { type: 'number', maximum: 5 },
    inventoryNumber: { type: 'string', title: 'Inventory number' },
    isHeated: { type: 'boolean' },
    inspectedBy: { type: 'array', items: { type: 'string' } },
  },
}
const map = {
  properties: {
    height: 'SPOUT',
    inventoryNumber: ['NR', 'OLD_NR'],
    isHeated: 'HEATED',
    inspectedBy: 'WHO',
    colour: 'COLOUR',
  },
}
const rows = [
  'id,name,latitude,longitude,SPOUT,NR,OLD_NR,HEATED,WHO,COLOUR',
  'a1,Well,55.7,13.19,"0,85",,L-7,yes,Ada Byron; Béla,red',
  'a2,Tap,55.8,13.19,knee-high,L-8,,,,blue',
]
const source = '--source Lund --license CC0-1.0'

const prepared = (): Promise<Workplace> =>
  workplace({
    'fields.json': JSON.stringify(declared),
    'map.json': JSON.stringify(map),
    'lund.csv': `${rows.join('\n')}\n`,
    'broken.json': '{',
    'nested.json': JSON.stringify({ type: 'object', properties: { a: { type: 'object' } } }),
  })

const customIn = async ({ at }: Workplace, folder: string): Promise<unknown[]> => {
  const { features } = JSON.parse(await readFile(at(`${folder}/waypoints.geojson`), 'utf8')) as {
    features: { properties: { custom_properties?: unknown } }[]
  }
  return features.map(({ properties }) => properties.custom_properties)
}

test('custom fields that a file declares are imported by a map, exported, found and erased', async () => {
  const place = await prepared()
  const { at, codes, json, run } = place
  const formats = '--formats geojson,csv'
  const imported = await run(`import lund.csv --map map.json ${source} --properties fields.json`)
  expect(`${imported.stdout}${imported.stderr}`).toContain('Left out: colour in 2 rows, height in 1 row.')
  expect(imported.stderr).toMatch(/^OLD_NR +properties\.inventoryNumber +map +\d+% +L-7$/mu)
  await json(`export --out out ${formats} --properties fields.json`)
  const first = { height: 0.85, inspectedBy: ['Ada Byron', 'Béla'], inventoryNumber: 'L-7', isHeated: true }
  expect(await customIn(place, 'out')).toEqual([first, { inventoryNumber: 'L-8' }])
  expect(JSON.parse(await readFile(at('out/datapackage.json'), 'utf8'))).toMatchObject({
    openfountain: { registry: { properties: declared } },
  })
  const takedown = "takedown --text 'ada byron' --reason 'A name' --yes"
  expect(await codes(takedown, `export --out after ${formats}`, 'log verify')).toEqual([0, 0, 0])
  expect(await customIn(place, 'after')).toEqual([undefined, { inventoryNumber: 'L-8' }])
  // The registry's own export is imported again with its declared fields, and the others are reported.
  const again = await run(`import out/waypoints.csv ${source} --db two.db`)
  expect(`${again.stdout}${again.stderr}`).toContain('Left out: height in 1 row, inspectedBy in 1 row,')
})

test('init writes where the declaration is, and a file that declares nothing of use is refused', async () => {
  const { at, json, run } = await prepared()
  await json('init lund --properties fields.json')
  const settings = await readFile(at('lund/openfountain.env'), 'utf8')
  expect(settings).toContain(`OPENFOUNTAIN_PROPERTIES=${at('fields.json')}\n`)
  for (const [file, message] of [
    ['broken.json', 'broken.json is not JSON'],
    ['nested.json', 'properties.properties.a.type must be one of string, number'],
    ['none.json', 'none.json'],
  ] as const) {
    const refused = await run(`import lund.csv ${source} --properties ${file}`)
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain(message)
  }
})
