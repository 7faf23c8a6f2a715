import { beforeEach, expect, test } from 'vitest'
import { leafHash } from '../src/frontier.ts'
import { treeOf } from './stage.ts'
import {
  base64Of,
  checkpointText,
  consistencyProof,
  cosignature,
  newSigningKey,
  noteText,
  rootAt,
  signed,
  signingKey,
  type Split,
  verifiedCheckpoint,
  verifiedSplit,
  type VerifierKey,
  Witness,
} from '../src/index.ts'

const leaves = Array.from({ length: 40 }, (_, index) => leafHash(`leaf ${index}`))
const { reads: tree } = treeOf(leaves)
const log = await signingKey(await newSigningKey('log.example'))
const key = await signingKey(await newSigningKey('witness.example', 'cosignature'))

let now: number
let kept: Map<string, string>
let splits: Split[]
let witness: Witness
let logs: VerifierKey[]

beforeEach(() => {
  now = 1_800_000_000_000
  kept = new Map()
  splits = []
  logs = [log.verifier]
  witness = new Witness({
    key,
    logs,
    now: () => now,
    store: {
      last: async (origin) => kept.get(origin),
      keep: async (origin, note) => void kept.set(origin, note),
      split: async (_, split) => String(splits.push(split)),
    },
  })
})

async function note(size: number, root?: string, signer = log, origin = 'log.example') {
  const text = checkpointText({ origin, size, root: root ?? (await rootAt(tree, size)) })
  return noteText({ text, signatures: [await signed(text, signer)] })
}
async function add(old: number, source: string, proof?: readonly string[]) {
  const size = Number(source.split('\n')[1])
  const hashes = proof ?? (old <= size ? await consistencyProof(tree, old, size) : [])
  const lines = hashes.map((hash) => `${base64Of(Buffer.from(hash, 'hex'))}\n`)
  return witness.add(`old ${old}\n${lines.join('')}\n${source}`)
}

test('a checkpoint that continues the last one is cosigned with the time, and kept with both signatures', async () => {
  const first = await note(10)
  const { status, body } = await add(0, first)
  expect(status).toBe(200)
  const keys = [log.verifier, key.verifier]
  const cosigned = await verifiedCheckpoint(`${first}${body}`, keys)
  expect(cosigned.cosigners).toEqual([{ key: key.verifier, time: 1_800_000_000 }])
  expect(kept.get('log.example')).toBe(`${first}${body}`)
  expect((await add(10, await note(10))).status).toBe(200)
  expect((await add(10, await note(33))).status).toBe(200)
})

test('a clock that went back gives the time of the last cosignature', async () => {
  await add(0, await note(10))
  now -= 1_000_000
  const second = await note(20)
  const { body } = await add(10, second)
  const { cosigners } = await verifiedCheckpoint(`${second}${body}`, [log.verifier, key.verifier])
  expect(cosigners[0]?.time).toBe(1_800_000_000)
})

test('a log whose lost key was replaced is cosigned again once its new key is known', async () => {
  await add(0, await note(10))
  const found = await signingKey(await newSigningKey('log.example'))
  expect((await add(10, await note(20, undefined, found))).status).toBe(403)
  logs.splice(0, 1, found.verifier)
  expect((await add(10, await note(20, undefined, found))).status).toBe(200)
})

test('another old size is answered with the last one', async () => {
  expect(await add(5, await note(10))).toMatchObject({
    status: 409,
    body: '0\n',
    mediaType: 'text/x.tlog.size',
  })
  await add(0, await note(10))
  expect(await add(0, await note(20))).toMatchObject({ status: 409, body: '10\n' })
  expect((await add(11, await note(10))).status).toBe(400)
})

test('other logs, other keys and malformed requests are refused', async () => {
  const other = await signingKey(await newSigningKey('log.example'))
  expect((await add(0, await note(10, undefined, log, 'other.example'))).status).toBe(404)
  expect((await add(0, await note(10, undefined, other))).status).toBe(403)
  expect((await add(0, (await note(10)).replace('\n10\n', '\n11\n'))).status).toBe(403)
  for (const body of [
    '',
    'old 01\n\n',
    'old 0\nAA==\n\n',
    'old 0\n\ntext\n',
    `old 0\n${'A'.repeat(43)}=\n`.repeat(70),
  ])
    expect([body.length, (await witness.add(body)).status]).toEqual([body.length, 400])
})

test('a log that shows two histories is not cosigned again, and evidence that anybody can check is kept', async () => {
  const first = await note(10)
  await add(0, first)
  const { frontier } = treeOf(Array.from({ length: 10 }, (_, index) => leafHash(`other ${index}`)))
  const second = await note(10, frontier.root())
  expect((await add(10, second, [])).status).toBe(422)
  const [split] = splits
  if (split === undefined) throw new Error('no evidence')
  const [one, other] = await verifiedSplit(split, [log.verifier])
  expect([one.size, one.root === other.root]).toEqual([other.size, false])
  const [kept10 = ''] = split.checkpoints
  for (const wrong of [
    { ...split, root: one.root },
    { ...split, checkpoints: [kept10, kept10], root: 'ab'.repeat(32) },
    { ...split, checkpoints: [kept10, await note(10, 'ab'.repeat(32), key)] },
  ] as const)
    await expect(verifiedSplit(wrong, [log.verifier])).rejects.toThrow(
      /two histories|is not signed by a key/u,
    )
  expect((await add(10, await note(20, frontier.root()))).status).toBe(422)
  expect(kept.get('log.example')).toContain(first)
})

test('evidence of two sizes has the root that the larger log has at the smaller size, and its proof', async () => {
  const root = await rootAt(tree, 20)
  const proof = await consistencyProof(tree, 20, 40)
  const split = { checkpoints: [await note(20, 'ab'.repeat(32)), await note(40)], root, proof } as const
  expect((await verifiedSplit(split, [log.verifier])).map(({ size }) => size)).toEqual([20, 40])
  const honest = { ...split, checkpoints: [await note(20), await note(40)] } as const
  await expect(verifiedSplit(honest, [log.verifier])).rejects.toThrow('does not show that the log signed two')
  await expect(verifiedSplit({ ...split, proof: proof.slice(1) }, [log.verifier])).rejects.toThrow(
    'two histories',
  )
})

test('a log asks for a cosignature from the size that the witness has, and takes only one that holds', async () => {
  const keys = { log: [log.verifier], witness: key.verifier }
  const asks: string[] = []
  const ask = async (body: string) => {
    asks.push(body.slice(0, 7).trim())
    return witness.add(body)
  }
  const from = (size: number) => (old: number) => consistencyProof(tree, old, size)
  for (const size of [10, 25]) {
    const source = await note(size)
    const line = await cosignature(source, keys, ask, from(size))
    expect((await verifiedCheckpoint(source + line, [log.verifier, key.verifier])).cosigners).toHaveLength(1)
  }
  expect(asks).toEqual(['old 0', 'old 0', 'old 10'])
  const refused = cosignature(await note(25, 'ab'.repeat(32)), keys, ask, from(25))
  await expect(refused).rejects.toThrow('was refused with status 422')
  const other = await signingKey(await newSigningKey('other.example', 'cosignature'))
  const unknown = cosignature(await note(30), { ...keys, witness: other.verifier }, ask, from(30))
  await expect(unknown).rejects.toThrow('has no signature of the witness')
})

test('of two requests at once one is answered with the size of the other', async () => {
  await add(0, await note(10))
  const answers = await Promise.all([add(10, await note(20)), add(10, await note(30))])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('an empty log has the empty root', async () => {
  expect((await add(0, await note(0))).status).toBe(200)
  expect((await add(0, await note(0, 'ab'.repeat(32)))).status).toBe(422)
})
