import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { folder, openfountains } from '@openfountain/testing/command/shell'

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
const source = ['--source', 'City of Lund', '--license', 'CC0-1.0']

async function prepared(): Promise<string> {
  const cwd = await folder()
  const files = {
    'fields.json': JSON.stringify(declared),
    'map.json': JSON.stringify(map),
    'lund.csv': `${rows.join('\n')}\n`,
    'broken.json': '{',
    'nested.json': JSON.stringify({ type: 'object', properties: { a: { type: 'object' } } }),
  }
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(cwd, name), text)
  return cwd
}

const customOf = async (cwd: string, file: string): Promise<unknown[]> => {
  const { features } = JSON.parse(await readFile(path.join(cwd, file), 'utf8')) as {
    features: { properties: { custom_properties?: unknown } }[]
  }
  return features.map(({ properties }) => properties.custom_properties)
}

test('custom fields that a file declares are imported by a map, exported, found and erased', async () => {
  const cwd = await prepared()
  const properties = ['--properties', 'fields.json']
  const [imported, exported, changed, saved, restored, again, searched, taken, after, verified] =
    await openfountains(
      [
        ['import', 'lund.csv', '--map', 'map.json', ...source, ...properties],
        ['export', '--out', 'out', ...properties],
        ['export', '--out', 'changed', '--since', '1'],
        ['backup', 'copy.db'],
        ['restore', 'copy.db', '--db', 'restored.db'],
        ['export', '--out', 'restored', '--db', 'restored.db'],
        ['takedown', '--text', 'ada byron', '--reason', 'A name', '--dry-run'],
        ['takedown', '--text', 'ada byron', '--reason', 'A name', '--yes'],
        ['export', '--out', 'after'],
        ['log', 'verify'],
      ],
      { cwd },
    )
  const all = [imported, exported, changed, saved, restored, again, searched, taken, after, verified]
  expect(all.map((each) => each?.code)).toEqual(all.map(() => 0))
  expect(`${imported?.stdout}${imported?.stderr}`).toContain('Left out: colour in 2 rows, height in 1 row.')
  expect(imported?.stderr).toMatch(/^OLD_NR +properties\.inventoryNumber +map +\d+% +L-7$/mu)
  const first = { height: 0.85, inspectedBy: ['Ada Byron', 'Béla'], inventoryNumber: 'L-7', isHeated: true }
  for (const place of ['out', 'changed', 'restored'])
    expect(await customOf(cwd, `${place}/waypoints.geojson`)).toEqual([first, { inventoryNumber: 'L-8' }])
  const { openfountain } = JSON.parse(await readFile(path.join(cwd, 'out/datapackage.json'), 'utf8')) as {
    openfountain: { registry: object }
  }
  expect(openfountain.registry).toMatchObject({ properties: declared })
  expect(searched?.stdout).toContain('properties')
  expect(await customOf(cwd, 'after/waypoints.geojson')).toEqual([undefined, { inventoryNumber: 'L-8' }])
})

test('an own export comes back with what the registry declares, and says what it left out', async () => {
  const cwd = await prepared()
  const answers = await openfountains(
    [
      ['import', 'lund.csv', '--map', 'map.json', ...source, '--properties', 'fields.json', '--db', 'one.db'],
      ['export', '--out', 'out', '--db', 'one.db'],
      ['import', 'out/waypoints.csv', ...source, '--db', 'two.db'],
      ['export', '--out', 'two', '--db', 'two.db'],
    ],
    { cwd },
  )
  expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  expect(`${answers[2]?.stdout}${answers[2]?.stderr}`).toContain(
    'Left out: height in 1 row, inspectedBy in 1 row, inventoryNumber in 2 rows, isHeated in 1 row.',
  )
  expect(await customOf(cwd, 'two/waypoints.geojson')).toEqual([undefined, undefined])
})

test('init writes where the declaration is, and a file that declares nothing of use is refused', async () => {
  const cwd = await prepared()
  const [made, broken, nested, missing] = await openfountains(
    [
      ['init', 'lund', '--properties', 'fields.json'],
      ['import', 'lund.csv', ...source, '--properties', 'broken.json'],
      ['import', 'lund.csv', ...source, '--properties', 'nested.json'],
      ['import', 'lund.csv', ...source, '--properties', 'none.json'],
    ],
    { cwd },
  )
  expect(made?.code).toBe(0)
  const settings = await readFile(path.join(cwd, 'lund/openfountain.env'), 'utf8')
  expect(settings).toContain(`OPENFOUNTAIN_PROPERTIES=${path.join(cwd, 'fields.json')}\n`)
  expect(broken).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('broken.json is not JSON') as unknown,
  })
  expect(nested?.stderr).toContain('properties.properties.a.type must be one of string, number')
  expect(missing?.stderr).toContain('none.json')
  for (const answer of [broken, nested, missing]) expect(answer?.code).not.toBe(0)
})
