import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeBaseMap } from '../../src/map/build/basemap-cache.ts'
import { freshFolder } from '@openfountain/testing/site/sample'

const draw = (text: string) => async (to: string) => {
  await mkdir(to, { recursive: true })
  await writeFile(join(to, 'land.mvt'), text)
}
const drawn = (folder: string) => readFile(join(folder, 'land.mvt'), 'utf8')

test('two sites that are built at the same time share the files of one drawing of the base map, and leave nothing half drawn', async () => {
  const folder = await freshFolder()
  const kept = join(folder, 'cache', 'base-map')
  await mkdir(`${kept}.interrupted`, { recursive: true })
  const sites = ['one', 'other'].map((name) => join(folder, name))
  await Promise.all(sites.map((site) => writeBaseMap(site, kept, draw('drawn'))))
  expect((await readdir(join(folder, 'cache'))).toSorted()).toEqual(['base-map', 'base-map.interrupted'])
  const inodes = [...sites, kept].map(async (one) => (await stat(join(one, 'land.mvt'))).ino)
  expect(new Set(await Promise.all(inodes)).size).toBe(1)
  await writeBaseMap(join(folder, 'third'), kept, draw('again'))
  expect(await drawn(join(folder, 'third'))).toBe('drawn')
})

test('where nothing can be kept, or on another disk, the base map is drawn anew or copied', async () => {
  const folder = await freshFolder()
  await writeFile(join(folder, 'file'), '')
  await writeBaseMap(join(folder, 'base'), join(folder, 'file', 'base-map'), draw('drawn'))
  expect(await drawn(join(folder, 'base'))).toBe('drawn')
  if (process.platform !== 'linux') return
  const memory = await mkdtemp('/dev/shm/openfountain-')
  onTestFinished(() => rm(memory, { recursive: true }))
  await writeBaseMap(join(memory, 'base'), join(folder, 'kept'), draw('drawn'))
  expect(await drawn(join(memory, 'base'))).toBe('drawn')
  expect((await stat(join(folder, 'kept', 'land.mvt'))).nlink).toBe(1)
})
