import { cp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newFolder } from '@openfountain/testing/folder'
import { expect, it } from 'vitest'
import { engineFiles } from '../../engine/make.ts'

const installed = dirname(fileURLToPath(import.meta.resolve('maplibre-gl/package.json')))

async function changedMapLibre(change: (folder: string) => Promise<void>): Promise<string> {
  const parent = newFolder()
  const folder = join(parent, 'maplibre-gl')
  for (const name of ['src', 'package.json', 'LICENSE.txt'])
    await cp(join(installed, name), join(folder, name), { recursive: true })
  await symlink(dirname(installed), join(parent, 'node_modules'), 'junction')
  await change(folder)
  return folder
}

const replaces = (file: string, from: string, to: string) => async (folder: string) => {
  const source = await readFile(join(folder, file), 'utf8')
  if (!source.includes(from)) throw new Error(`${file} has no ${from}`)
  await writeFile(join(folder, file), source.replaceAll(from, to))
}
const removes = (file: string) => (folder: string) => rm(join(folder, file))

const drawings = 'src/webgl/draw'
/** As when a release gives a file another name. */
const renamesAPart = async (folder: string): Promise<void> => {
  await rename(join(folder, drawings, 'draw_debug.ts'), join(folder, drawings, 'draw_outlines.ts'))
  await replaces(`${drawings}/index.ts`, 'draw_debug.ts', 'draw_outlines.ts')(folder)
}

const terrain = replaces('src/render/terrain.ts', 'export class Terrain ', 'class Terrain ')
const validation = replaces('src/style/style.ts', 'options.validate === false', '!options.validate')
it.each([
  ['validates changes in another way', validation, /no validation of changes was found/u],
  ['has no part of a name that is to be left out', renamesAPart, /it has no draw_debug\.ts to leave out/u],
  ['lacks what the map uses', removes('src/ui/control/scale_control.ts'), /scale_control\.ts/u],
  ['takes more from a part than that had', terrain, /No matching export .* for import "Terrain"/u],
])('the engine is not made from a MapLibre that %s', async (_, change, reason) => {
  await expect(engineFiles(await changedMapLibre(change))).rejects.toThrow(reason)
})
