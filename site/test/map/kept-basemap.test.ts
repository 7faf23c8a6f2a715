import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { writeBaseMap } from '../../src/map/build/kept-basemap.ts'
import { freshFolder } from '../sample.ts'

/** A drawing that takes a while. */
async function draw(to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  await writeFile(join(to, 'index.json'), '{}')
  await setImmediate()
  await writeFile(join(to, 'land.mvt'), 'drawn')
}

const names = async (folder: string) => (await readdir(folder)).toSorted()

test('two sites that are built at the same time share one drawing of the base map, and leave nothing half drawn', async () => {
  const folder = await freshFolder()
  const kept = join(folder, 'cache', 'base-map')
  await mkdir(`${kept}.interrupted`, { recursive: true })
  await Promise.all(['one', 'other'].map((name) => writeBaseMap(join(folder, name), kept, draw)))
  expect(await names(join(folder, 'cache'))).toEqual(['base-map', 'base-map.interrupted'])
  for (const name of ['one', 'other'])
    expect(await names(join(folder, name))).toEqual(['index.json', 'land.mvt'])
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
