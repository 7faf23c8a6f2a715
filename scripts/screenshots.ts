import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { hostFolder } from '@openfountain/testing/site/static-host'

/**
 * Takes a picture of every kind of page, on a phone and a desktop, light and dark:
 *   node --conditions=openfountain-source scripts/screenshots.ts --site DIR [--out screenshots] [--only home,data]
 */
const { values } = parseArgs({
  options: {
    site: { type: 'string' },
    out: { type: 'string', default: 'screenshots' },
    only: { type: 'string' },
    waypoint: { type: 'string' },
    contributor: { type: 'string' },
    region: { type: 'string' },
  },
})
if (values.site === undefined) {
  console.error('Give the built site: --site DIR (openfountain site build --data export --out DIR)')
  process.exit(2)
}

const { site } = values

/** A page of a kind with many: the requested one, or one in the middle. */
async function someOf(kind: string, asked: string | undefined): Promise<string> {
  if (asked !== undefined) return `${kind}/${asked}/`
  const entries = await readdir(join(site, kind), { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return `${kind}/${names.toSorted()[Math.floor(names.length / 2)] ?? 'none'}/`
}

const pages: Record<string, string> = {
  home: '',
  waypoint: await someOf('waypoint', values.waypoint),
  regions: 'regions/',
  region: await someOf('regions', values.region),
  leaderboard: 'leaderboard/',
  contributors: 'contributors/',
  contributor: await someOf('contributor', values.contributor),
  changes: 'changes/',
  statistics: 'statistics/',
  'how-it-works': 'how-it-works/',
  data: 'data/',
  about: 'about/',
  embed: 'embed/',
  missing: 'no-such-page/',
}
const shapes = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } }
const wanted = values.only?.split(',')

await mkdir(values.out, { recursive: true })
const host = await hostFolder(site)
const browser = await startChromium()
try {
  for (const [shape, viewport] of Object.entries(shapes)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport, colorScheme, deviceScaleFactor: 2 })
      const page = await context.newPage()
      for (const [name, path] of Object.entries(pages)) {
        if (wanted && !wanted.includes(name)) continue
        await page.goto(`${host.url}${path}`, { waitUntil: 'networkidle' })
        if (name === 'home' || name === 'embed') {
          await page.waitForSelector('html.map-ready', { state: 'attached' })
          // The map fades in its labels after its tiles.
          await page.waitForTimeout(2000)
        }
        const file = join(values.out, `${name}-${shape}-${colorScheme}.png`)
        await page.screenshot({ path: file, fullPage: name !== 'home' })
        console.log(file)
      }
      await context.close()
    }
  }
} finally {
  await browser.close()
  await host.close()
}
