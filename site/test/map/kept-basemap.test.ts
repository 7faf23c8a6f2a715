import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { writeBaseMap } from '../../src/map/build/kept-basemap.ts'
import { freshFolder } from '@openfountain/testing/site/sample'

/** A drawing that takes a while. */
async function draw(to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  await writeFile(join(to, 'index.json'), '{}')
  await setImmediate()
  await writeFile(join(to, 'land.mvt'), 'drawn')
}

const names = async (folder: string) => (await readdir(folder)).toSorted()

test('two sites that are built at the same time share the files of one drawing of the base map, and leave nothing half drawn', async () => {
  const folder = await freshFolder()
  const kept = join(folder, 'cache', 'base-map')
  await mkdir(`${kept}.interrupted`, { recursive: true })
  await Promise.all(['one', 'other'].map((name) => writeBaseMap(join(folder, name), kept, draw)))
  expect(await names(join(folder, 'cache'))).toEqual(['base-map', 'base-map.interrupted'])
  for (const name of ['one', 'other'])
    expect(await names(join(folder, name))).toEqual(['index.json', 'land.mvt'])
  const inodes = ['one', 'other', 'cache/base-map'].map(
    async (one) => (await stat(join(folder, one, 'land.mvt'))).ino,
  )
  expect(new Set(await Promise.all(inodes)).size).toBe(1)
  // What is kept is what is used from now on.
  await writeFile(join(kept, 'land.mvt'), 'kept')
  await writeBaseMap(join(folder, 'third'), kept, draw)
  expect(await readFile(join(folder, 'third', 'land.mvt'), 'utf8')).toBe('kept')
})

test('where nothing can be kept, the base map is drawn anew', async () => {
  const folder = await freshFolder()
  await writeFile(join(folder, 'file'), '')
  await writeBaseMap(join(folder, 'base'), join(folder, 'file', 'base-map'), draw)
  expect(await names(join(folder, 'base'))).toEqual(['index.json', 'land.mvt'])
})

test.runIf(process.platform === 'linux')('and copies where they are on another disk', async () => {
  const kept = join(await freshFolder(), 'base-map')
  const memory = await mkdtemp('/dev/shm/openfountain-')
  onTestFinished(() => rm(memory, { recursive: true }))
  await writeBaseMap(join(memory, 'base'), kept, draw)
  expect(await readFile(join(memory, 'base', 'land.mvt'), 'utf8')).toBe('drawn')
  expect((await stat(join(kept, 'land.mvt'))).nlink).toBe(1)
})
