/** @module-tag browser */
import { cp, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWith } from '../../src/build/build.ts'
import { buildSite, type MapEngine, type SiteWarning } from '../../src/index.ts'
import { bundleMap } from '../../src/map/build/bundle.ts'
import { filesOf } from '@openfountain/testing/site/built-site'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { freshFolder } from '@openfountain/testing/site/sample'
import { hostFolder } from '@openfountain/testing/site/static-host'
import { exportTown, square, total } from './town.ts'
import { clickMiddle, heading, visit } from './visit.ts'

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

let data: string
let browser: Browser

beforeAll(async () => {
  data = await exportTown()
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
})

/** Builds the town's site, looks at its map and chooses a fountain on it. */
async function useMap(engine: MapEngine, mapLibre?: string) {
  const out = join(await freshFolder(), 'site')
  const warnings: SiteWarning[] = []
  const onWarning = (warning: SiteWarning) => void warnings.push(warning)
  const report = await buildWith({ data, out, engine, languages: ['en'], onWarning }, mapLibre)
  const host = await hostFolder(out)
  try {
    // The service worker loads more once the map is drawn.
    const first = await visit(browser, host.url, { serviceWorkers: 'block' })
    const kilobytes = host.bytesSent() / 1000
    await first.context.close()
    const { page, context, complaints } = await visit(browser, host.url)
    const seen = await heading(page, 'in view')
    await context.close()
    const near = await visit(browser, `${host.url}?at=${square.latitude},${square.longitude},16`)
    await clickMiddle(near.page)
    await near.page.locator('#card').getByRole('link', { name: 'Directions' }).waitFor()
    const chosen = await near.page.locator('#card h2').textContent()
    await near.context.close()
    return { report, warnings, seen, chosen, kilobytes, complaints: [...complaints, ...near.complaints] }
  } finally {
    await host.close()
  }
}

describe('the published engine', () => {
  it('draws the fountains within 560 kB', async () => {
    const { report, warnings, seen, chosen, kilobytes, complaints } = await useMap('published')
    expect(report.engine).toBe('published')
    expect(warnings).toEqual([])
    expect(seen).toBe(`${total} fountains in view`)
    expect(chosen).toBe('Market Square')
    expect(complaints).toEqual([])
    expect(kilobytes).toBeLessThanOrEqual(560)
  })

  it('weighs 200 kB more than the trimmed one, which draws the same', async () => {
    const { report, warnings, seen, chosen, kilobytes, complaints } = await useMap('trimmed')
    expect(report.engine).toBe('trimmed')
    expect(warnings).toEqual([])
    expect(seen).toBe(`${total} fountains in view`)
    expect(chosen).toBe('Market Square')
    expect(complaints).toEqual([])
    expect(kilobytes).toBeLessThanOrEqual(360)
  })

  it('draws them with a warning when the installed MapLibre cannot be trimmed', async () => {
    const mapLibre = await changedMapLibre(renamesAPart)
    const { report, warnings, seen, chosen, complaints } = await useMap('trimmed', mapLibre)
    expect(report.engine).toBe('published')
    expect(warnings).toEqual([
      {
        code: 'ENGINE_NOT_TRIMMED',
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/u),
        reason: 'it has no draw_debug.ts to leave out',
        message: expect.stringMatching(
          /^MapLibre [\d.]+ cannot be trimmed \(it has no draw_debug\.ts .*\S$/u,
        ),
      },
    ])
    expect(warnings[0]?.message).not.toContain('\n')
    expect(seen).toBe(`${total} fountains in view`)
    expect(chosen).toBe('Market Square')
    expect(complaints).toEqual([])
  })

  it('warns through the process where no one listens for warnings', async () => {
    const warned = new Promise<NodeJS.ErrnoException>((resolve) => process.once('warning', resolve))
    const mapLibre = await changedMapLibre(renamesAPart)
    await buildWith({ data, out: join(await freshFolder(), 'site'), languages: ['en'] }, mapLibre)
    expect(await warned).toMatchObject({
      code: 'ENGINE_NOT_TRIMMED',
      message: expect.stringContaining('cannot be trimmed'),
    })
  })
})

describe('a MapLibre that cannot be trimmed', () => {
  const bundled = async (engine: MapEngine, mapLibre?: string) => {
    const outDir = await freshFolder()
    const { mismatch, ...scripts } = await bundleMap({
      outDir,
      base: '/',
      style: false,
      engine,
      ...(mapLibre !== undefined && { mapLibre }),
    })
    return { scripts, mismatch, files: (await filesOf(outDir)).toSorted() }
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
    const { scripts, mismatch, files } = await bundled('trimmed', await changedMapLibre(change))
    expect(mismatch?.reason).toMatch(reason)
    expect(scripts.engine).toBe('published')
    expect(files.length).toBe(published.files.length)
    expect(files.filter((file) => file.includes('worker-')).length).toBe(1)
  })

  it('is not the installed one, with the bundled base map or with a style', async () => {
    for (const style of [false, true]) {
      const { engine, mismatch } = await bundleMap({
        outDir: await freshFolder(),
        base: '/',
        style,
        engine: 'trimmed',
      })
      expect({ engine, mismatch }).toEqual({ engine: 'trimmed', mismatch: undefined })
    }
  })

  it('does not hide an error of the published engine or of the options', async () => {
    const mapLibre = await changedMapLibre((folder) => rm(join(folder, 'dist/maplibre-gl.mjs')))
    await expect(bundled('published', mapLibre)).rejects.toThrow(/maplibre-gl\.mjs/u)
    await expect(buildSite({ data, out: '', engine: 'published' })).rejects.toThrow(/out: /u)
  })
})
