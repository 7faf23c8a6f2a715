import { openRegistry, token, type Registry } from '@openfountain/core'
import {
  entriesOf,
  hashOfLeaf,
  isConsistent,
  logSigner,
  newSigningKey,
  rootAt,
  treeOfTiles,
  verifiedCheckpoint,
  verifierKey,
  type LogSigner,
} from '@openfountain/tlog'
import { newDatabase } from '@openfountain/testing/database'
import { beforeEach, expect, test } from 'vitest'
import { createApp } from '../src/index.ts'

let registry: Registry
let signer: LogSigner | undefined
let ask: (path: string) => Promise<Response>

const first = await newSigningKey('fountains.example')
const place = { latitude: 55.7, longitude: 13.19 }

beforeEach(async () => {
  signer = await logSigner(first)
  const { database } = await newDatabase()
  registry = await openRegistry({ database, durability: 'relaxed', signer: async () => signer })
  const app = createApp(registry)
  ask = async (path) => app.fetch(new Request(`http://fountains.test/api/${path}`))
  const run = await registry.imports.start({ source: { name: 'City', license: 'CC0-1.0' } })
  const rows = Array.from({ length: 300 }, (_, row) => ({
    row,
    ref: `${row}`,
    input: { name: `Tap ${row}`, latitude: 55 + row / 1000, longitude: 13 },
  }))
  await run.apply(rows)
  await run.finish({ counts: {}, missing: 'keep' })
  return async () => registry.close()
})

const textOf = async (path: string): Promise<string> => (await ask(path)).text()
const bytesOf = async (path: string): Promise<Uint8Array> =>
  new Uint8Array(await (await ask(path)).arrayBuffer())
const keysOf = async () => Promise.all((await textOf('log/keys')).trim().split('\n').map(verifierKey))
const checkpoint = async () => verifiedCheckpoint(await textOf('log/checkpoint'), await keysOf())

test('the checkpoint is signed, and the tiles have the tree that it says', async () => {
  const { size, root, origin, signers } = await checkpoint()
  expect([origin, size, signers.length]).toEqual(['fountains.example', (await registry.head()).id, 1])
  const tree = treeOfTiles(size, (path) => bytesOf(`log/${path}`))
  expect(await rootAt(tree, size)).toBe(root)
  const bundles = [
    await bytesOf('log/tile/entries/000'),
    await bytesOf(`log/tile/entries/001.p/${size - 256}`),
  ]
  const entries = bundles.flatMap((bundle) => entriesOf(bundle))
  expect(await Promise.all(entries.map(hashOfLeaf))).toEqual(await tree.leaves(0, size))
  const texts = entries.map((entry) => Buffer.from(entry).toString())
  expect(texts.join('')).not.toContain('Tap')
  expect(texts[0]).toMatch(/^\["openfountain\/1",1,/u)
})

test('tiles never change and are kept; those that there are not, and other paths, are not found', async () => {
  const { size } = await checkpoint()
  const { headers } = await ask('log/tile/1/000.p/1')
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(headers.get('content-type')).toBe('application/octet-stream')
  const before = await bytesOf(`log/tile/0/001.p/${size - 256}`)
  await registry.waypoints.create({ ...place, name: 'New' }, token())
  expect(await bytesOf(`log/tile/0/001.p/${size - 256}`)).toEqual(before)
  for (const path of [
    `0/001.p/${size - 254}`,
    '0/001',
    '0/1',
    '3/000',
    'data/000',
    '0/x001/000',
    '0/..%2f000',
  ])
    expect([path, (await ask(`log/tile/${path}`)).status]).toEqual([path, 404])
})

test('a redaction after a checkpoint leaves it valid, and its tiles as they were', async () => {
  const before = await checkpoint()
  const bundle = await bytesOf('log/tile/entries/000')
  const { logs } = await registry.changes.list({ bubblerId: 1 })
  await registry.changes.redact(logs[0]?.id ?? 0, { reason: 'A private name', fields: ['name'] })
  expect(await bytesOf('log/tile/entries/000')).toEqual(bundle)
  const after = await checkpoint()
  expect(after.size).toBeGreaterThan(before.size)
  const { proof } = (await (await ask(`logs/consistency?from=${before.size}`)).json()) as { proof: string[] }
  expect(isConsistent(before, after, proof)).toBe(true)
})

test('without a key, and with one of the history before a restored backup, nothing is signed', async () => {
  expect(await keysOf()).toHaveLength(1)
  signer = await logSigner(`history:${'0'.repeat(32)} ${first}`)
  expect(await (await ask('log/checkpoint')).json()).toMatchObject({
    code: 'NOT_FOUND',
    error:
      'The key of fountains.example signs the history before a backup was restored: make a key with another name',
  })
  signer = await logSigner(`history:${await registry.changes.origin()} ${first}`)
  expect((await ask('log/checkpoint')).status).toBe(200)
  signer = undefined
  for (const path of ['log/checkpoint', 'log/keys']) expect((await ask(path)).status).toBe(404)
})
