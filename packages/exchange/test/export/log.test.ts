import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { token, type Registry } from '@openfountain/core'
import {
  followedSigner,
  logSigner,
  newSigningKey,
  rootAt,
  tilePath,
  tilesOf,
  treeOfTiles,
  verifiedCheckpoint,
  verifierKey,
  type LogSigner,
} from '@openfountain/tlog'
import { newFolder } from '@openfountain/testing/folder'
import { emptyRegistry } from '@openfountain/testing/registry'
import { beforeEach, expect, test } from 'vitest'
import { exportRegistry, type RegistryExportOptions } from '../../src/index.ts'

let folder: string
let signer: LogSigner | undefined
let registry: Registry

const place = { latitude: 55.7, longitude: 13.19 }
const add = async (count: number, from = registry) => {
  const run = await from.imports.start({ source: { name: 'City', license: 'CC0-1.0' } })
  await run.apply(
    Array.from({ length: count }, (_, row) => ({ row, input: { ...place, name: `Tap ${row}` } })),
  )
  await run.finish({ counts: {}, missing: 'keep' })
}
const opened = () => emptyRegistry({ signer: async () => signer })
const exported = async (more: Partial<RegistryExportOptions> = {}, from = registry) =>
  exportRegistry(from, { out: folder, formats: ['changes', 'csv'], ...more })
const inLog = (file: string, out = folder) => path.join(out, 'log', file)
const read = (file: string, out = folder) => readFileSync(inLog(file, out))

async function verified(out = folder): Promise<number> {
  const keys = await Promise.all(read('keys', out).toString().trim().split('\n').map(verifierKey))
  const { size, root } = await verifiedCheckpoint(read('checkpoint', out).toString(), keys)
  expect(
    await rootAt(
      treeOfTiles(size, async (file) => read(file, out)),
      size,
    ),
  ).toBe(root)
  for (const tile of tilesOf(size)) expect(existsSync(inLog(tilePath(tile), out))).toBe(true)
  return size
}

beforeEach(async () => {
  folder = newFolder()
  signer = await logSigner(await newSigningKey('fountains.example'))
  registry = await opened()
  await add(300)
})

test('an export has the log as tiles with keys and a checkpoint, which prove themselves', async () => {
  const { head, files } = await exported()
  expect(await verified()).toBe(head.id)
  expect(files.some(({ file }) => file.startsWith('log'))).toBe(false)
  expect(read('tile/entries/000').toString()).not.toContain('Tap')
})

test('the next one writes new tiles only; earlier checkpoints keep theirs', async () => {
  await exported()
  const [partial] = readdirSync(inLog('tile/0/001.p'))
  const before = ['tile/0/000', 'tile/entries/000'].map((file) => statSync(inLog(file)).ino)
  await add(300)
  await exported()
  expect(await verified()).toBe((await registry.head()).id)
  expect(['tile/0/000', 'tile/entries/000'].map((file) => statSync(inLog(file)).ino)).toEqual(before)
  expect(existsSync(inLog(`tile/0/001.p/${partial}`))).toBe(true)
  rmSync(inLog('tile/0/000'))
  await exported()
  expect(await verified()).toBe((await registry.head()).id)
})

test('dated exports are whole, and share what does not change', async () => {
  await exported({ dated: true, now: new Date('2026-01-01') })
  await add(10)
  const { folder: latest } = await exported({ dated: true, now: new Date('2026-01-02') })
  expect(await verified(latest)).toBe((await registry.head()).id)
  expect(statSync(inLog('tile/0/000', latest)).nlink).toBe(2)
})

test('a log that does not continue the signed one is not signed again under its name', async () => {
  await exported()
  const checkpoint = read('checkpoint')
  const restored = await opened()
  await add(200, restored)
  await expect(exported({}, restored)).rejects.toThrow(
    'The log does not continue the checkpoint of fountains.example',
  )
  expect(read('checkpoint')).toEqual(checkpoint)
  signer = await logSigner(await newSigningKey('fountains.example/2'))
  await exported({}, restored)
  expect(await verified()).toBe((await restored.head()).id)
  expect(existsSync(inLog('tile/0/000'))).toBe(false)
})

test('a log stays in the folder of later exports without a key, and the next signed one must continue it', async () => {
  const key = signer
  const { head } = await exported()
  const checkpoint = read('checkpoint')
  await add(10)
  signer = undefined
  await exported()
  expect(read('checkpoint')).toEqual(checkpoint)
  expect(await verified()).toBe(head.id)
  signer = key
  const other = await opened()
  await add(400, other)
  await expect(exported({}, other)).rejects.toThrow('The log does not continue the checkpoint')
  await exported()
  expect(await verified()).toBe((await registry.head()).id)
})

test('of a log that is followed it has what is signed', async () => {
  const { note, keys } = await registry.changes.checkpoint(200)
  signer = await followedSigner(note, keys.join(' '))
  await exported()
  expect([await verified(), read('checkpoint').toString()]).toEqual([200, note])
})

test('without a key, and in an export of a part, there is no log', async () => {
  await exported({ where: { region: 'Lund' }, formats: ['csv'] })
  signer = undefined
  await exported()
  expect(existsSync(inLog(''))).toBe(false)
  await registry.waypoints.create({ ...place, name: 'One' }, token())
})
