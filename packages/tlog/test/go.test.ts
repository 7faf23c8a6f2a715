/** @module-tag others */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { newFolder } from '@openfountain/testing/folder'
import { beforeAll, describe, expect, test } from 'vitest'
import { leafHash } from '../src/frontier.ts'
import { treeOf } from './stage.ts'
import {
  base64Of,
  bundleBytes,
  checkpointText,
  consistencyProof,
  entriesOf,
  inclusionProof,
  isConsistent,
  isIncluded,
  newSigningKey,
  noteText,
  rootAt,
  signed,
  signingKey,
  tileBytes,
  tilePath,
  tilesOf,
  treeOfTiles,
  verifiedCheckpoint,
  verifierKey,
  verifierText,
} from '../src/index.ts'

const folder = newFolder()
const program = join(folder, 'sumdb')
const sumdb = (...words: readonly string[]): string => execFileSync(program, words, { encoding: 'utf8' })

beforeAll(() => {
  const source = join(import.meta.dirname, 'go/main.go')
  const env = {
    ...process.env,
    GO111MODULE: 'off',
    GOPATH: '/usr/share/gocode',
    GOCACHE: join(folder, 'cache'),
  }
  execFileSync('go', ['build', '-o', program, source], { env })
})

const base64 = (hex: string): string => base64Of(Buffer.from(hex, 'hex'))

describe.each([1, 256, 700])('a log of %d entries', (size) => {
  test('that is made here holds for golang.org/x/mod/sumdb', async () => {
    const log = join(folder, `ours-${size}`)
    const write = (path: string, data: string | Uint8Array) => {
      mkdirSync(dirname(join(log, path)), { recursive: true })
      writeFileSync(join(log, path), data)
    }
    const entries = Array.from({ length: size }, (_, index) => Buffer.from(`entry ${index} é`))
    const leaves = entries.map((entry) => leafHash(entry))
    const { frontier, reads: tree } = treeOf(leaves)
    for (const tile of tilesOf(size)) {
      const { level, index, width } = tile
      const some = entries.slice(index * 256, index * 256 + width)
      write(
        tilePath(tile),
        level === 'entries' ? bundleBytes(some) : await tileBytes(tree, level, index, width),
      )
    }
    const key = await signingKey(await newSigningKey('node.example/log'))
    const text = checkpointText({ origin: 'node.example/log', size, root: frontier.root() })
    write('checkpoint', noteText({ text, signatures: [await signed(text, key)] }))
    const proofs = await Promise.all(
      [0, Math.floor(size / 2), size - 1].map(async (index) => ({
        index,
        leaf: base64(leaves[index] ?? ''),
        included: (await inclusionProof(tree, index, size)).map(base64),
        known: index + 1,
        knownRoot: base64(await rootAt(tree, index + 1)),
        since: (await consistencyProof(tree, index + 1, size)).map(base64),
      })),
    )
    const file = join(folder, `proofs-${size}.json`)
    writeFileSync(file, JSON.stringify(proofs))
    expect(sumdb('check', log, verifierText(key.verifier), file)).toBe(
      `node.example/log has ${size} entries, and 3 proofs hold\n`,
    )
    const forged = proofs.map((proof) => ({ ...proof, leaf: base64('00'.repeat(32)) }))
    writeFileSync(file, JSON.stringify(forged))
    expect(() => sumdb('check', log, verifierText(key.verifier), file)).toThrow('Command failed')
  })
})

test('a log that golang.org/x/mod/sumdb makes holds here, and its private key signs', async () => {
  const log = join(folder, 'theirs')
  const [size, read] = [700, (path: string) => readFileSync(join(log, path))]
  sumdb('make', log, String(size))
  const key = await verifierKey(read('key').toString())
  expect((await signingKey(read('private').toString())).verifier).toEqual(key)
  const checkpoint = await verifiedCheckpoint(read('checkpoint').toString(), [key])
  expect(checkpoint).toMatchObject({ origin: 'go.example/log', size, signers: [{ key }] })
  const tree = treeOfTiles(size, async (path) => read(path))
  expect(await rootAt(tree, size)).toBe(checkpoint.root)
  const bundles = [...tilesOf(size)]
    .filter(({ level }) => level === 'entries')
    .map((tile) => read(tilePath(tile)))
  const leaves = bundles.flatMap((bundle) => entriesOf(bundle)).map((entry) => leafHash(entry))
  expect(leaves).toEqual(await tree.leaves(0, size))
  const proofs = JSON.parse(read('proofs.json').toString()) as {
    Index: number
    Included: string[] | null
    Since: string[] | null
  }[]
  const hexes = (hashes: readonly string[] | null) =>
    (hashes ?? []).map((hash) => Buffer.from(hash, 'base64').toString('hex'))
  for (const { Index: index, Included, Since } of proofs) {
    expect(hexes(Included)).toEqual(await inclusionProof(tree, index, size))
    expect(isIncluded({ index, hash: leaves[index] ?? '' }, checkpoint, hexes(Included))).toBe(true)
    const known = { size: index + 1, root: await rootAt(tree, index + 1) }
    expect(isConsistent(known, checkpoint, hexes(Since))).toBe(true)
  }
})
