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
import { describe, expect, it } from 'vitest'
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

async function replaceIn(file: string, from: string, to: string): Promise<void> {
  const source = await readFile(file, 'utf8')
  if (!source.includes(from)) throw new Error(`${file} has no ${from}`)
  await writeFile(file, source.replaceAll(from, to))
}

/** As when a release gives a file another name. */
const renamesAPart = async (folder: string): Promise<void> => {
  const drawings = join(folder, 'src/webgl/draw')
  await rename(join(drawings, 'draw_debug.ts'), join(drawings, 'draw_outlines.ts'))
  await replaceIn(join(drawings, 'index.ts'), 'draw_debug.ts', 'draw_outlines.ts')
}

const notTrimmed = {
  code: 'ENGINE_NOT_TRIMMED',
  version: expect.stringMatching(/^\d+\.\d+\.\d+$/u),
  reason: 'it has no draw_debug.ts to leave out',
  message: expect.stringMatching(/^MapLibre [\d.]+ cannot be trimmed \(it has no draw_debug\.ts [^\n]*\S$/u),
}

describe('the map', () => {
  it.each([
    ['published', 'the published engine', undefined, { engine: 'published', most: 560, warned: [] }],
    ['trimmed', 'the trimmed engine', undefined, { engine: 'trimmed', most: 360, warned: [] }],
    [
      'trimmed',
      'what cannot be trimmed',
      renamesAPart,
      { engine: 'published', most: 560, warned: [notTrimmed] },
    ],
  ] as const)('asked for %s is drawn by %s', async (engine, _, change, expected) => {
    const out = join(await freshFolder(), 'site')
    const warnings: SiteWarning[] = []
    const options = {
      data,
      out,
      engine,
      languages: ['en'],
      onWarning: (one: SiteWarning) => void warnings.push(one),
    }
    const report = await buildWith(options, change && (await changedMapLibre(change)))
    expect(report.engine).toBe(expected.engine)
    expect(warnings).toEqual(expected.warned)
    const host = await hostFolder(out)
    // The service worker loads more once the map is drawn.
    await visit(host.url, { serviceWorkers: 'block' })
    expect(host.bytesSent() / 1000).toBeLessThanOrEqual(expected.most)
    const { page, complaints } = await visit(host.url)
    await heading(page, `${total} fountains in view`)
    await page.goto(`${host.url}?at=${square.latitude},${square.longitude},16`)
    await page.waitForSelector('html.map-ready')
    await clickMiddle(page)
    await page.locator('#card h2', { hasText: 'Market Square' }).waitFor()
    expect(complaints).toEqual([])
  })
})

describe('a MapLibre that cannot be trimmed', () => {
  const bundled = async (engine: MapEngine, mapLibre?: string) => {
    const outDir = await freshFolder()
    const given = { outDir, base: '/', style: false, engine, ...(mapLibre !== undefined && { mapLibre }) }
    return { ...(await bundleMap(given)), files: await filesOf(outDir) }
  }

  it.each([
    [
      'was not tested',
      (folder: string) => replaceIn(join(folder, 'package.json'), '"version": "6.', '"version": "7.'),
      /^maplibre-gl is 7\.\d+\.\d+, the trimming was tested with 6\./u,
    ],
    ['lacks a part that is left out', renamesAPart, /draw_debug\.ts/u],
    [
      'lacks what the map uses',
      (folder: string) => rm(join(folder, 'src/ui/control/scale_control.ts')),
      /scale_control\.ts/u,
    ],
    [
      'takes more from a part than that part had',
      (folder: string) =>
        replaceIn(join(folder, 'src/render/terrain.ts'), 'export class Terrain ', 'class Terrain '),
      /Import "Terrain" will always be undefined/u,
    ],
  ])('is used as published when it %s', async (_, change, reason) => {
    const published = await bundled('published')
    const { engine, mismatch, files } = await bundled('trimmed', await changedMapLibre(change))
    expect(mismatch?.reason).toMatch(reason)
    expect(engine).toBe('published')
    expect(files.length).toBe(published.files.length)
    expect(files.filter((file) => file.includes('worker-')).length).toBe(1)
  })

  it('is warned of through the process where no one listens, and hides no error of the published engine or of the options', async () => {
    const warned = new Promise<NodeJS.ErrnoException>((resolve) => process.once('warning', resolve))
    const out = join(await freshFolder(), 'site')
    await buildWith({ data, out, languages: ['en'], pages: 'none' }, await changedMapLibre(renamesAPart))
    const { code, message } = notTrimmed
    expect(await warned).toMatchObject({ code, message })
    const mapLibre = await changedMapLibre((folder) => rm(join(folder, 'dist/maplibre-gl.mjs')))
    await expect(bundled('published', mapLibre)).rejects.toThrow(/maplibre-gl\.mjs/u)
    await expect(buildSite({ data, out: '', engine: 'published' })).rejects.toThrow(/out: /u)
  })
})
