import { token, type Registry } from '@openfountain/core'
import { logSigner, newSigningKey, type LogSigner, type Split, verifiedSplit } from '@openfountain/tlog'
import { beforeEach, expect, test } from 'vitest'
import { mirrorRegistry, type MirrorOptions } from '../../src/index.ts'
import { opened, original, served } from './stage.ts'

let signer: LogSigner
let copy: Registry
let kept: string | undefined
let splits: Split[]
let watching: MirrorOptions['watching']

const grown = async (registry: Registry, count: number) => {
  for (let n = 0; n < count; n++)
    await registry.waypoints.create({ name: `Tap ${n}`, latitude: 5, longitude: n }, token())
  return registry
}
const follow = (url: string) => mirrorRegistry(url, copy, { watching })

beforeEach(async () => {
  signer = await logSigner(await newSigningKey('log.example'))
  copy = await opened()
  kept = undefined
  splits = []
  watching = {
    keys: signer.keys,
    last: async () => kept,
    keep: async (note) => void (kept = note),
    split: async (evidence) => `split ${splits.push(evidence)}`,
  }
})

test('a mirror with the key keeps the last checkpoint of a log that continues', async () => {
  const registry = await original(await opened(undefined, signer))
  const url = await served(registry)
  await follow(url)
  expect(kept).toBe((await registry.changes.checkpoint()).note)
  await grown(registry, 2)
  await follow(url)
  expect(kept).toBe((await registry.changes.checkpoint()).note)
})

test.each([1, 30])(
  'of two histories under one key, the other with %i entries, it has evidence that a third party checks',
  async (count) => {
    const registry = await grown(await opened(undefined, signer), 8)
    await follow(await served(registry))
    const before = kept
    const liar = await grown(await opened(undefined, signer), count)
    await expect(follow(await served(liar))).rejects.toThrow(/split 1 is the evidence/u)
    expect(kept).toBe(before)
    const [split] = splits
    if (split === undefined) throw new Error('no evidence')
    const checked = await verifiedSplit(JSON.parse(JSON.stringify(split)) as Split, signer.keys)
    expect(checked.map(({ origin }) => origin)).toEqual(['log.example', 'log.example'])
  },
)

test('a checkpoint that is not of the entries is refused, and evidence where another was signed before', async () => {
  let lies = false
  const lying: LogSigner = {
    ...signer,
    checkpoint: ({ size, root }) => signer.checkpoint({ size, root: lies ? 'ab'.repeat(32) : root }),
  }
  const url = await served(await original(await opened(undefined, lying)))
  lies = true
  await expect(follow(url)).rejects.toThrow('is not that of the entries that it returns')
  expect([kept, splits]).toEqual([undefined, []])
  lies = false
  await follow(url)
  lies = true
  await expect(follow(url)).rejects.toThrow('It signed both histories')
  expect(splits).toHaveLength(1)
})

test('a log without a signature, and one of another key, are refused before anything is copied', async () => {
  await expect(follow(await served(await original()))).rejects.toThrow('the checkpoint of the instance')
  const other = await logSigner(await newSigningKey('log.example'))
  const url = await served(await original(await opened(undefined, other)))
  await expect(follow(url)).rejects.toThrow('is not signed by a key of the log')
  expect((await copy.head()).id).toBe(0)
})
