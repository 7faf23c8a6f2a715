import { beforeEach, expect, test } from 'vitest'
import { Frontier, leafHash } from '../src/frontier.ts'
import {
  base64Of,
  checkpointText,
  consistencyProof,
  newSigningKey,
  noteText,
  rootAt,
  signed,
  signingKey,
  verifiedCheckpoint,
  Witness,
} from '../src/index.ts'

const leaves = Array.from({ length: 40 }, (_, index) => leafHash(`leaf ${index}`))
const tree = { leaves: (from: number, count: number) => leaves.slice(from, from + count), tiles: () => [] }
const log = await signingKey(await newSigningKey('log.example'))
const key = await signingKey(await newSigningKey('witness.example', 'cosignature'))

let now: number
let kept: Map<string, string>
let splits: (readonly [string, string])[]
let witness: Witness

beforeEach(() => {
  now = 1_800_000_000_000
  kept = new Map()
  splits = []
  witness = new Witness({
    key,
    logs: [log.verifier],
    now: () => now,
    store: {
      last: async (origin) => kept.get(origin),
      keep: async (origin, note) => void kept.set(origin, note),
      split: async (_, notes) => void splits.push(notes),
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

test('a log that shows two histories is not cosigned again, and two notes that anybody can check are kept', async () => {
  const first = await note(10)
  await add(0, first)
  const frontier = new Frontier()
  for (const index of Array.from({ length: 10 }, (_, each) => each))
    frontier.append(leafHash(`other ${index}`))
  const second = await note(10, frontier.root())
  expect((await add(10, second, [])).status).toBe(422)
  const [notes] = splits
  const [one, other] = await Promise.all(
    (notes ?? []).map((each) => verifiedCheckpoint(each, [log.verifier])),
  )
  expect([one?.size, one?.root === other?.root]).toEqual([other?.size, false])
  expect((await add(10, await note(20, frontier.root()))).status).toBe(422)
  expect(kept.get('log.example')).toContain(first)
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
