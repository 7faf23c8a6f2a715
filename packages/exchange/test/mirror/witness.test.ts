import { token, type Registry } from '@openfountain/core'
import {
  followedSigner,
  logSigner,
  newSigningKey,
  signingKey,
  type LogSigner,
  type Split,
  verifiedCheckpoint,
  verifiedSplit,
  verifierText,
} from '@openfountain/tlog'
import { beforeEach, expect, test } from 'vitest'
import { mirrorRegistry, type MirrorOptions } from '../../src/index.ts'
import { opened, original, served } from './stage.ts'

const key = await signingKey(await newSigningKey('mirror.example', 'cosignature'))

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
    key,
    store: {
      last: async () => kept,
      keep: async (_, note) => void (kept = note),
      split: async (_, evidence) => `split ${splits.push(evidence)}`,
    },
  }
})

async function cosigned(): Promise<[number, number]> {
  const { size, cosigners } = await verifiedCheckpoint(kept ?? '', [...signer.keys, key.verifier])
  return [size, cosigners.length]
}
const keysOf = (...more: LogSigner['keys']) => [...signer.keys, ...more].map(verifierText).join(' ')

test('a mirror with the key cosigns the checkpoints of a log that continues, and keeps the last one', async () => {
  const registry = await original(await opened(undefined, signer))
  const url = await served(registry)
  for (const more of [0, 2]) {
    const { id } = await (await grown(registry, more)).head()
    expect((await follow(url)).cosigned).toBe(id)
    expect(kept).toContain((await registry.changes.checkpoint()).note)
    expect(await cosigned()).toEqual([id, 1])
  }
})

test('nothing is copied that is not signed, and an older checkpoint again takes nothing back', async () => {
  let saying = signer
  const registry = await grown(await opened(undefined, () => saying), 4)
  const old = await followedSigner((await registry.changes.checkpoint()).note, keysOf())
  const url = await served(await grown(registry, 3))
  saying = old
  expect((await follow(url)).cosigned).toBe(4)
  expect((await copy.head()).id).toBe(4)
  saying = signer
  expect((await follow(url)).head.id).toBe(7)
  saying = old
  expect(await follow(url)).toMatchObject({ entries: 0, cosigned: 7 })
  expect(await cosigned()).toEqual([7, 1])
})

test('of two mirrors that were shown other histories, one that follows the other has the evidence', async () => {
  await follow(await served(await grown(await opened(undefined, signer), 6)))
  const theirs = kept ?? ''
  const shown = await opened(undefined, await followedSigner(theirs, keysOf(key.verifier)))
  await mirrorRegistry(await served(copy), shown)
  ;[copy, kept] = [await opened(), undefined]
  await follow(await served(await original(await opened(undefined, signer))))
  await expect(follow(await served(shown))).rejects.toThrow('split 1 is the evidence')
  expect(await verifiedSplit(splits[0] as Split, signer.keys)).toMatchObject([{ size: 6 }, {}])
})

test('a new copy of a rewritten history does not pass: the witness has the checkpoint of the former one', async () => {
  await follow(await served(await grown(await opened(undefined, signer), 6)))
  const before = kept
  copy = await opened()
  const url = await served(await original(await opened(undefined, signer)))
  await expect(follow(url)).rejects.toThrow('It signed both histories: split 1')
  await verifiedSplit(splits[0] as Split, signer.keys)
  expect(kept).toBe(before)
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
  const checkpoint: LogSigner['checkpoint'] = ({ size }) => signer.checkpoint({ size, root: 'ab'.repeat(32) })
  let lies = true
  const saying = () => (lies ? { ...signer, checkpoint } : signer)
  const url = await served(await original(await opened(undefined, saying)))
  await expect(follow(url)).rejects.toThrow('the head that it publishes is not that of its entries')
  expect([kept, splits]).toEqual([undefined, []])
  expect((await copy.head()).id).toBe(0)
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
