import { createHash } from 'node:crypto'
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PhotoStorage } from '@openfountain/core/internal'
import { bucketServer, keys } from '@openfountain/testing/bucket'
import { newFolder } from '@openfountain/testing/folder'
import { afterAll, describe, expect, test } from 'vitest'
import { openPhotos, storageAt } from '../src/index.ts'

const fileOf = (text: string) => {
  const bytes = Buffer.from(text)
  return { sha256: createHash('sha256').update(bytes).digest('hex'), bytes }
}
const listed = async (storage: PhotoStorage): Promise<string[]> => {
  const found: string[] = []
  for await (const { sha256 } of storage.list()) found.push(sha256)
  return found.toSorted()
}

const server = await bucketServer()
afterAll(() => server.close())

const places: readonly (readonly [string, () => PhotoStorage])[] = [
  ['a folder', () => storageAt(join(newFolder(), 'photos'))],
  ['a bucket', () => storageAt(`s3://files/lund?endpoint=${server.endpoint}`, keys)],
]
describe.for(places)('%s', ([, open]) => {
  test('has what was put, once, until it is deleted', async () => {
    const storage = open()
    const [one, two] = [fileOf('one'), fileOf('two')]
    for (const file of [one, two, one]) await storage.put(file)
    expect(await listed(storage)).toEqual([one.sha256, two.sha256].toSorted())
    expect(Buffer.from((await storage.get(one.sha256)) ?? []).toString()).toBe('one')
    expect([await storage.has(one.sha256), await storage.has('0'.repeat(64))]).toEqual([true, false])
    expect(await storage.get('0'.repeat(64))).toBeUndefined()
    for (const { sha256 } of [one, two, two]) await storage.delete(sha256)
    expect(await listed(storage)).toEqual([])
  })
})

test('a folder is for its owner alone, and what a crash left unfinished goes after a day', async () => {
  const folder = join(newFolder(), 'photos')
  const storage = storageAt(folder)
  const { sha256, bytes } = fileOf('one')
  await storage.put({ sha256, bytes })
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  const inside = join(folder, sha256.slice(0, 2))
  const part = join(inside, `${sha256}.abc.part`)
  writeFileSync(part, 'begun')
  await storage.tidy?.()
  expect(readdirSync(inside)).toHaveLength(2)
  utimesSync(part, new Date(0), new Date(0))
  await storage.tidy?.()
  expect(readdirSync(inside)).toEqual([`${sha256}.webp`])
})

test('what is deleted goes from backups, too', async () => {
  const backups = newFolder()
  const { storage, close } = openPhotos(join(newFolder(), 'photos'), { backups })
  const copy = storageAt(join(backups, 'fountains-1.photos'))
  const [one, two] = [fileOf('one'), fileOf('two')]
  for (const file of [one, two]) for (const place of [storage, copy]) await place.put(file)
  await storage.delete(one.sha256)
  expect([await listed(storage), await listed(copy)]).toEqual([[two.sha256], [two.sha256]])
  close()
})

test('a folder that cannot be made, a missing bucket, wrong keys and an unreachable service are named', async () => {
  const parent = newFolder()
  writeFileSync(join(parent, 'photos'), 'a file')
  const file = fileOf('one')
  await expect(storageAt(join(parent, 'photos')).put(file)).rejects.toMatchObject({
    code: 'STORAGE_READ_ONLY',
  })
  const inBucket = (address: string, env = keys) => storageAt(address, env).put(file)
  const unavailable = { code: 'UNAVAILABLE' }
  await expect(inBucket(`s3://missing/x?endpoint=${server.endpoint}`)).rejects.toMatchObject({
    ...unavailable,
    message: expect.stringContaining('NoSuchBucket') as string,
  })
  const wrong = { ...keys, AWS_ACCESS_KEY_ID: 'guessed' }
  await expect(inBucket(`s3://files/x?endpoint=${server.endpoint}`, wrong)).rejects.toMatchObject(unavailable)
  await expect(inBucket('s3://photos/x?endpoint=http://127.0.0.1:9')).rejects.toMatchObject(unavailable)
  for (const place of ['s3://photos', 's3://user:secret@photos/x?endpoint=https://s3.example'])
    expect(() => storageAt(place, keys)).toThrow(/endpoint/u)
  expect(() => storageAt('s3://photos/x?endpoint=https://s3.example', {})).toThrow(/AWS_ACCESS_KEY_ID/u)
})
