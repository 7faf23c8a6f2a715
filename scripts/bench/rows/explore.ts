import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { openRegistry } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { buildSite } from '@openfountain/site'
import type { Browser } from 'playwright-core'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { hostFolder } from '@openfountain/testing/site/static-host'
import { median, spreadOf, type Spread } from '../measurement.ts'
import { figures } from '../report.ts'
import { type Bench, type Reading, type Row, Unmeasurable } from '../row.ts'

/** What a round took: milliseconds, and bytes of the file. */
interface Visit {
  readonly opened: number
  readonly chosen: number
  readonly named: number
  readonly bytesOpened: number
  readonly bytesNamed: number
}

/** As much of a page as is read there. */
interface Shown {
  readonly document: { querySelector(selector: string): { readonly textContent: string | null } | null }
}

/** What a site is made from. */
const formats = [
  'ndjson',
  'parquet',
  'pmtiles',
  'changes',
  'sources',
  'reviews.json',
  'contributors.json',
  'stats.json',
  'areas',
  'status',
]

const goals = { opened: 5000, chosen: 500, named: 5000, share: 1 / 4 } as const

/** A site with the page, without pages of fountains. */
async function siteOf({ size, file, folder }: Bench): Promise<string> {
  const registry = await openRegistry({ database: await file(size) })
  try {
    const { folder: data } = await exportRegistry(registry, { out: path.join(folder, 'export'), formats })
    const out = path.join(folder, 'site')
    await buildSite({ data, out, languages: ['en'], pages: 0 })
    return out
  } finally {
    await registry.close()
  }
}

/** A visitor who opens the page, ticks a box and types a name. */
async function visit(browser: Browser, address: string): Promise<Visit> {
  const context = await browser.newContext({ locale: 'en-GB' })
  try {
    const page = await context.newPage()
    let bytes = 0
    context.on('response', (response) => {
      if (response.status() === 206) bytes += Number(response.headers()['content-length'] ?? 0)
    })
    const found = page.locator('#explore-found')
    /** Milliseconds until another number of fountains is shown. */
    const until = async (act: () => Promise<unknown>): Promise<number> => {
      const before = (await found.count()) > 0 ? await found.textContent() : ''
      const from = performance.now()
      await act()
      await page.waitForFunction(
        (text) => {
          const { document } = globalThis as unknown as Shown
          const shown = document.querySelector('#explore-found')?.textContent ?? ''
          return shown !== text && /[0-9]/u.test(shown)
        },
        before,
        { timeout: 120_000 },
      )
      return performance.now() - from
    }
    const opened = await until(() => page.goto(address))
    const bytesOpened = bytes
    const chosen = await until(() =>
      page.locator('[data-column=amenities] input[type=checkbox]').first().check(),
    )
    const named = await until(() => page.locator('#explore-form input[name=name]').fill('linden'))
    return { opened, chosen, named, bytesOpened, bytesNamed: bytes }
  } finally {
    await context.close()
  }
}

async function measure(bench: Bench): Promise<Reading[]> {
  // The scripts of the site are bundled from the built packages.
  await promisify(execFile)(process.execPath, [path.join(import.meta.dirname, '../../build.ts')])
  const out = await siteOf(bench)
  const { size: all } = await stat(path.join(out, 'data/waypoints.parquet'))
  const browser = await startChromium().catch((error: unknown) => {
    throw new Unmeasurable(error instanceof Error ? error.message : String(error))
  })
  const host = await hostFolder(out)
  try {
    const visits: Visit[] = []
    // The first round warms the browser up and is left out.
    for (let round = 0; round <= bench.rounds; round += 1) {
      const made = await visit(browser, `${host.url}explore/`)
      if (round > 0) visits.push(made)
      bench.report(
        `  counts ${figures(made.opened)} ms, ${made.bytesOpened} bytes; a box ${figures(made.chosen)} ms; a name ${figures(made.named)} ms, ${made.bytesNamed} bytes`,
      )
    }
    const clock = (id: string, title: string, atMost: number, value: Spread): Reading => ({
      id: `explore: ${id}`,
      title,
      against: 'the clock',
      goal: { atMost, unit: 'ms' },
      value,
      subject: `${figures(value.median)} ms`,
      yardstick: '',
    })
    return [
      clock(
        'counts',
        'explore: from the address to all counts',
        goals.opened,
        spreadOf(visits.map(({ opened }) => opened)),
      ),
      clock(
        'box',
        'explore: a box that is ticked',
        goals.chosen,
        spreadOf(visits.map(({ chosen }) => chosen)),
      ),
      clock(
        'name',
        'explore: the first name that is typed',
        goals.named,
        spreadOf(visits.map(({ named }) => named)),
      ),
      {
        id: 'explore: bytes',
        title: 'explore: bytes for all counts',
        against: 'the Parquet file',
        goal: { atMost: goals.share, unit: 'ratio' },
        value: spreadOf(visits.map(({ bytesOpened }) => bytesOpened / all)),
        subject: `${figures(median(visits.map(({ bytesOpened }) => bytesOpened)) / 1000)} kB`,
        yardstick: `${figures(all / 1000)} kB`,
      },
    ]
  } finally {
    await host.close()
    await browser.close()
  }
}

/** The page on which the data is explored without a server: how long it takes in a browser, and how much it reads. */
export const explore: Row = { name: 'explore', measure }
