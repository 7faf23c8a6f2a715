import { createHash } from 'node:crypto'
import { token, user } from '@openfountain/core'
import { photosInMemory, picture } from '@openfountain/testing/photos'
import { emptyRegistry, placed } from '@openfountain/testing/registry'
import { expect, test } from 'vitest'
import { mirrorRegistry } from '../../src/index.ts'
import { served } from './stage.ts'

test('a copy has the files of what is shown, checked by the log, until they are deleted there', async () => {
  const [there, here] = [photosInMemory(), photosInMemory()]
  const registry = await emptyRegistry({ photos: there })
  const copy = await emptyRegistry({ photos: here })
  const url = await served(registry)
  const { id } = await placed(registry)
  const shown = await registry.photos.create(id, picture('shown'), { alt: 'A tap' }, token())
  const hidden = await registry.photos.create(id, picture('hidden'), {}, token())
  await registry.photos.update(hidden.id, { state: 'hidden', reason: 'a face' }, token())
  expect(await mirrorRegistry(url, copy)).toMatchObject({ photos: { fetched: 3, missing: 3 } })
  for (const [sha256, bytes] of here.files)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
  expect((await copy.photos.of(id)).map(({ alt }) => alt)).toEqual(['A tap'])
  expect(await mirrorRegistry(url, copy)).toMatchObject({ photos: { fetched: 0 } })
  await registry.photos.delete(shown.id, token())
  await mirrorRegistry(url, copy)
  expect([here.files.size, (await copy.changes.verify()).problems]).toEqual([0, []])
})

test('a copy names the authors whom the registry names, also without an account', async () => {
  const registry = await emptyRegistry({ photos: photosInMemory(), author: 'City of Lund' })
  const copy = await emptyRegistry({ photos: photosInMemory(), author: 'A mirror' })
  const url = await served(registry)
  const { id } = await placed(registry)
  for (const name of ['Ada', 'Bo']) await registry.users.create({ id: name, name, xp: 100 })
  for (const [text, actor, author] of [
    ['1', token(), 'Eve'],
    ['2', token(), undefined],
    ['3', user('Ada'), undefined],
    ['4', user('Bo'), undefined],
  ] as const)
    await registry.photos.create(id, picture(text), {}, actor, { author })
  const authors = async () => {
    await mirrorRegistry(url, copy)
    return (await copy.photos.list({}, token())).map(({ author }) => author)
  }
  expect(await authors()).toEqual(['Eve', 'City of Lund', 'Ada', 'Bo'])
  await registry.accounts.leave('Ada', { confirm: 'Ada', texts: 'keep' })
  await registry.accounts.leave('Bo', { confirm: 'Bo', texts: 'keep', credit: true })
  expect(await authors()).toEqual(['Eve', 'City of Lund', 'a former contributor', 'Bo'])
})

test('a file with other bytes than the log says is refused', async () => {
  const there = photosInMemory()
  const registry = await emptyRegistry({ photos: there })
  const copy = await emptyRegistry({ photos: photosInMemory() })
  const { id } = await placed(registry)
  await registry.photos.create(id, picture('shown'), {}, token())
  for (const sha256 of there.files.keys()) there.files.set(sha256, picture('another'))
  await expect(mirrorRegistry(await served(registry), copy)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
})
