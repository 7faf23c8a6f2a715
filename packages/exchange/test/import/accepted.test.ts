import { expect, test } from 'vitest'
import type { Registry } from '@openfountain/core'
import { emptyRegistry } from '@openfountain/testing/registry'
import type { ImportFileOptions } from '../../src/index.ts'
import { feature, geojson, importContent } from './fixture.ts'

const listing = (from: number, to: number, prefix = 'f') =>
  geojson(
    ...Array.from({ length: to - from }, (_, index) =>
      feature(
        8 + (from + index) / 100,
        47,
        { name: `Brunnen am Platz ${from + index}` },
        `${prefix}${from + index}`,
      ),
    ),
  )
const ten = listing(0, 10)

const described = (count: number) => {
  const { features } = JSON.parse(ten) as { features: { properties: Record<string, string> }[] }
  for (const { properties } of features.slice(0, count)) properties['description'] = 'Under a lime.'
  return geojson(...features)
}

async function after(
  ...contents: readonly (readonly [content: string, published?: string])[]
): Promise<Registry> {
  const registry = await emptyRegistry()
  for (const [content, published] of contents)
    await importContent(registry, content, { published, accept: ['older'] })
  return registry
}

const may = { published: '2025-05-01' }

test.each<
  [
    string,
    readonly (readonly [content: string, published?: string])[],
    string,
    Partial<ImportFileOptions>,
    object,
  ]
>([
  [
    'more than a fifth would be marked',
    [[ten]],
    listing(0, 7),
    {},
    { code: 'SHRINK', accept: 'shrink', gone: 3, listed: 10 },
  ],
  [
    'more than a fifth would be removed',
    [[ten]],
    listing(0, 7),
    { missing: 'remove' },
    { code: 'SHRINK', gone: 3 },
  ],
  [
    'more than a fifth would lose a field',
    [[described(3)]],
    ten,
    { missing: 'keep' },
    { code: 'EMPTIED', accept: 'shrink', field: 'description', rows: 3, listed: 10 },
  ],
  [
    'no reference is known, at the same places',
    [[ten]],
    listing(0, 10, 'other'),
    {},
    { code: 'REFERENCES_UNKNOWN', accept: 'shrink', rows: 10, listed: 10 },
  ],
  [
    'an earlier publication',
    [[ten, '2025-06-01']],
    listing(0, 11),
    may,
    { code: 'OLDER', accept: 'older', published: '2025-05-01', newest: '2025-06-01' },
  ],
  [
    'a file that another one followed',
    [[ten], [listing(0, 11)]],
    ten,
    {},
    { code: 'SUPERSEDED', accept: 'older' },
  ],
  [
    'a part by its own words',
    [],
    ten,
    { partial: { returned: 10, total: 900 } },
    { code: 'PARTIAL', accept: 'partial', returned: 10, total: 900 },
  ],
])(
  '%s: nothing is written, the dry run says the same, and acceptance goes on',
  async (_, given, content, options, concern) => {
    const registry = await after(...given)
    const before = await registry.changes.head()
    const dry = await importContent(registry, content, { ...options, dryRun: true })
    expect(dry.concerns).toContainEqual(expect.objectContaining(concern))
    const stopped = await importContent(registry, content, options).catch((error: unknown) => error)
    expect(stopped).toMatchObject({
      code: 'NOT_ACCEPTED',
      details: { concerns: dry.concerns, report: { counts: dry.counts } },
    })
    for (const other of ['shrink', 'older', 'partial'] as const)
      if (other !== dry.concerns[0]?.accept)
        await expect(importContent(registry, content, { ...options, accept: [other] })).rejects.toThrow(
          'not made',
        )
    expect(await registry.changes.head()).toEqual(before)
    const accept = dry.concerns.map((each) => each.accept)
    const made = await importContent(registry, content, { ...options, accept })
    expect(made.counts).toEqual(dry.counts)
    expect((await registry.changes.verify()).problems).toEqual([])
  },
)

test('a fifth goes or loses a field without a question, and the same file again, a part that is given as one, a newer edition of it', async () => {
  const registry = await after([ten])
  expect((await importContent(registry, listing(0, 8))).counts).toMatchObject({ missing: 2 })
  expect((await importContent(registry, listing(0, 8))).concerns).toEqual([])
  const poorer = await after([described(2)])
  expect(await importContent(poorer, ten)).toMatchObject({ counts: { updated: 2 }, concerns: [] })
  const part = await importContent(registry, listing(0, 1), {
    missing: 'keep',
    partial: { returned: 1, total: 9 },
  })
  expect(part).toMatchObject({ counts: { missing: 0 }, concerns: [] })
  await importContent(registry, listing(0, 9), { published: '2025-06-01' })
  const again = await importContent(registry, listing(0, 8), { published: '2025-07-01' })
  expect(again.concerns).toEqual([])
})

test('what is marked already counts no more: fountains that the source lists do', async () => {
  const registry = await after([ten])
  await importContent(registry, listing(0, 5), { accept: ['shrink'] })
  const { concerns, counts } = await importContent(registry, listing(0, 4), { dryRun: true })
  expect(concerns).toEqual([])
  expect(counts).toMatchObject({ missing: 6 })
  await expect(importContent(registry, listing(0, 3))).rejects.toMatchObject({
    details: { concerns: [{ code: 'SHRINK', gone: 2, listed: 5 }] },
  })
})

test('a partial file that is accepted marks nothing as missing, and gives the source no day', async () => {
  const registry = await after([ten, '2025-05-01'])
  const partial = { returned: 2 }
  const { counts } = await importContent(registry, listing(0, 2), {
    partial,
    accept: ['partial'],
    published: '2025-06-01',
  })
  expect(counts).toMatchObject({ unchanged: 2, missing: 0 })
  expect(await registry.sources.list()).toMatchObject([{ published: '2025-05-01', waypoints: 10 }])
})

test('what was undone has not superseded anything', async () => {
  const registry = await after([ten], [listing(0, 11)])
  await registry.imports.undo()
  expect((await importContent(registry, ten)).concerns).toEqual([])
})
