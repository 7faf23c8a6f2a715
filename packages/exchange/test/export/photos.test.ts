import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { token } from '@openfountain/core'
import { openPhotos } from '@openfountain/photos'
import { newFolder } from '@openfountain/testing/folder'
import { photosInMemory, picture } from '@openfountain/testing/photos'
import { emptyRegistry, placed } from '@openfountain/testing/registry'
import { expect, test } from 'vitest'
import { exportRegistry } from '../../src/index.ts'

async function written(limit: number, options: object = {}) {
  const { storage } = openPhotos(join(newFolder(), 'photos'))
  const registry = await emptyRegistry({
    photos: { storage, make: photosInMemory().make },
    author: 'City of Lund',
  })
  const [one, two] = [await placed(registry), await placed(registry, { latitude: 56 })]
  const add = (id: number, text: string, author?: string) =>
    registry.photos.create(id, picture(text), { alt: text }, token(), { author })
  const [first, second, other, hidden] = [
    await add(one.id, 'first'),
    await add(one.id, 'second', 'Ada'),
    await add(two.id, 'other'),
    await add(two.id, 'hidden'),
  ]
  await registry.photos.update(hidden.id, { state: 'hidden' }, token())
  const out = join(newFolder(), 'out')
  const again = () => exportRegistry(registry, { out, photos: limit, ...options })
  return { registry, out, report: await again(), again, first, second, other }
}

test('photos.ndjson has what is shown, with licence, author and hashes, and the folder its files', async () => {
  const { out, report, first, second, other } = await written(100, { homepage: 'https://lund.example/' })
  const rows = (await readFile(join(out, 'photos.ndjson'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>)
  expect(rows.map(({ id, author, license, alt }) => [id, author, license, alt])).toEqual([
    [first.id, 'City of Lund', 'CC-BY-4.0', 'first'],
    [second.id, 'Ada', 'CC-BY-4.0', 'second'],
    [other.id, 'City of Lund', 'CC-BY-4.0', 'other'],
  ])
  expect(rows[0]?.['url']).toBe(`https://lund.example${first.urls.large}`)
  const files = await readdir(join(out, 'photos'))
  const wanted = rows.flatMap((row) => [row['sha256'], row['medium_sha256'], row['small_sha256']])
  expect(files.toSorted()).toEqual(wanted.map((each) => `${each}.webp`).toSorted())
  for (const file of files) {
    const bytes = await readFile(join(out, 'photos', file))
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(file.slice(0, 64))
  }
  expect(report.photos).toMatchObject({ files: 9, missing: 0 })
  const credits = await readFile(join(out, 'ATTRIBUTION.md'), 'utf8')
  expect(credits).toMatch(/- City of Lund, \[CC-BY-4\.0\]\(.*\): 2 photos\n- Ada, .*: 1 photo\n$/u)
  const sums = await readFile(join(out, 'SHA256SUMS'), 'utf8')
  for (const file of files) expect(sums).toContain(`${file.slice(0, 64)}  photos/${file}\n`)
})

test('a limit takes the newest of each fountain, and what is deleted goes with the next export', async () => {
  const { registry, out, again, first, second, other } = await written(1)
  const large = (photo: typeof first) => photo.urls.large.split('/').at(-1) ?? ''
  const files = await readdir(join(out, 'photos'))
  expect(files).toHaveLength(6)
  expect(files).toEqual(expect.arrayContaining([large(second), large(other)]))
  await registry.photos.delete(other.id, token())
  await again()
  expect(await readdir(join(out, 'photos'))).not.toContain(large(other))
})

test('without a limit there is the list alone', async () => {
  const { out, report } = await written(0)
  expect([await readdir(out), report.photos]).toEqual([expect.not.arrayContaining(['photos']), undefined])
})
