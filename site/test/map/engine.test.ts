/** @module-tag browser */
import { cp, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesOf } from '@openfountain/testing/site/built-site'
import { freshFolder } from '@openfountain/testing/site/sample'
import { exportOf } from '@openfountain/testing/site/sites'
import { hostFolder } from '@openfountain/testing/site/static-host'
import { square, total } from '@openfountain/testing/site/town'
import { clickMiddle, heading, visit } from '@openfountain/testing/site/visit'
import { expect, it } from 'vitest'
import { buildWith } from '../../src/build/build.ts'
import { buildSite, type MapEngine, type SiteWarning } from '../../src/index.ts'
import { bundleMap } from '../../src/map/build/bundle.ts'

const data = await exportOf('town')
const installed = dirname(fileURLToPath(import.meta.resolve('maplibre-gl/package.json')))

/** A copy of the installed MapLibre that a change was made to. */
async function changedMapLibre(change: (folder: string) => Promise<void>): Promise<string> {
  const parent = await freshFolder()
  const folder = join(parent, 'maplibre-gl')
  await mkdir(join(folder, 'dist'), { recursive: true })
  await cp(join(installed, 'src'), join(folder, 'src'), { recursive: true })
  for (const name of ['package.json', 'dist/maplibre-gl.mjs', 'dist/maplibre-gl-worker.mjs'])
    await cp(join(installed, name), join(folder, name))
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

const notTrimmed = {
  code: 'ENGINE_NOT_TRIMMED',
  version: expect.stringMatching(/^\d+\.\d+\.\d+$/u),
  reason: 'it has no draw_debug.ts to leave out',
  message: expect.stringMatching(/^MapLibre [\d.]+ cannot be trimmed \(it has no draw_debug\.ts [^\n]*\S$/u),
}

const bundled = async (engine: MapEngine, mapLibre?: string) => {
  const outDir = await freshFolder()
  const given = { outDir, base: '/', style: false, engine, mapLibre }
  return { ...(await bundleMap(given)), files: await filesOf(outDir) }
}

it('a MapLibre that cannot be trimmed draws the same map from the published files, below 560 kB, with a warning', async () => {
  const out = join(await freshFolder(), 'site')
  const warnings: SiteWarning[] = []
  const onWarning = (one: SiteWarning) => void warnings.push(one)
  const mapLibre = await changedMapLibre(renamesAPart)
  const report = await buildWith({ data, out, languages: ['en'], onWarning }, mapLibre)
  expect([report.engine, warnings]).toEqual(['published', [notTrimmed]])
  const host = await hostFolder(out)
  // The service worker loads more once the map is drawn.
  await visit(host.url, { serviceWorkers: 'block' })
  expect(host.bytesSent() / 1000).toBeLessThanOrEqual(560)
  const { page, complaints } = await visit(host.url)
  await heading(page, `${total} fountains in view`)
  await page.goto(`${host.url}?at=${square.latitude},${square.longitude},16`)
  await page.waitForSelector('html.map-ready')
  await clickMiddle(page)
  await page.locator('#card h2', { hasText: 'Market Square' }).waitFor()
  expect(complaints).toEqual([])
})

const terrain = replaces('src/render/terrain.ts', 'export class Terrain ', 'class Terrain ')
const later = replaces('package.json', '"version": "6.', '"version": "7.')
it.each([
  ['was not tested', later, /^maplibre-gl is 7\.\d+\.\d+, the trimming was tested with 6\./u],
  ['lacks what the map uses', removes('src/ui/control/scale_control.ts'), /scale_control\.ts/u],
  ['takes more from a part than that had', terrain, /Import "Terrain" will always be undefined/u],
])(
  'a MapLibre that cannot be trimmed is used as published when it %s, and the installed one is trimmed',
  async (_, change, reason) => {
    const [published, trimmed] = [await bundled('published'), await bundled('trimmed')]
    const { engine, mismatch, files } = await bundled('trimmed', await changedMapLibre(change))
    expect(mismatch?.reason).toMatch(reason)
    expect([engine, trimmed.engine, trimmed.mismatch]).toEqual(['published', 'trimmed', undefined])
    expect(files.length).toBe(published.files.length)
    expect(files.filter((file) => file.includes('worker-')).length).toBe(1)
  },
)

it('a MapLibre that cannot be trimmed is warned of through the process where no one listens, and hides no error of the published engine or of the options', async () => {
  const warned = new Promise<NodeJS.ErrnoException>((resolve) => process.once('warning', resolve))
  const out = join(await freshFolder(), 'site')
  await buildWith({ data, out, languages: ['en'], pages: 'none' }, await changedMapLibre(renamesAPart))
  const { code, message } = notTrimmed
  expect(await warned).toMatchObject({ code, message })
  const mapLibre = await changedMapLibre(removes('dist/maplibre-gl.mjs'))
  await expect(bundled('published', mapLibre)).rejects.toThrow(/maplibre-gl\.mjs/u)
  await expect(buildSite({ data, out: '', engine: 'published' })).rejects.toThrow(/out: /u)
})
