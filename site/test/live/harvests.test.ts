/** @module-tag browser */
import { says } from '@openfountain/testing/browser/page'
import { inspect, visitor } from '@openfountain/testing/site/account-stage'
import path from 'node:path'
import { openRegistry } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { liveStage, spot } from '@openfountain/testing/site/live-stage'
import { expect, it } from 'vitest'
import { buildSite } from '../../src/index.ts'
import { newFolder } from '@openfountain/testing/folder'

const url = 'https://data.example.org/fountains.geojson'

async function town() {
  const folder = newFolder()
  const [database, site] = [path.join(folder, 'town.db'), path.join(folder, 'site')]
  await using registry = await openRegistry({ database })
  const run = await registry.imports.start({ source: { name: 'Lund', license: 'CC0-1.0' } })
  await run.apply([{ row: 1, ref: '1', input: { name: 'Well', ...spot(1) } }])
  await run.finish({ counts: {}, missing: 'mark' })
  await registry.harvests.schedule(1, { url, every: 'week', options: {} })
  const { folder: data } = await exportRegistry(registry, { out: path.join(folder, 'export') })
  await buildSite({ data, out: site, api: '/api', languages: ['en'] })
  return { database, site }
}

it('what came of the harvests of a source is shown, also what came of them since the page was built', async () => {
  const { registry, origin } = await liveStage(await town())
  const id = 1
  await registry.harvests.schedule(id, { url, every: 'day', options: {} })
  const rows = { read: 1200, added: 3, changed: 2, missing: 1, refused: 4 }
  await (await registry.harvests.begin(id)).end({ outcome: 'imported', status: 200, rows })
  const failure = { outcome: 'stopped', reason: 'shrink', message: 'for the operator' } as const
  await (await registry.harvests.begin(id)).end(failure)
  const { page, complaints } = await visitor({ locale: 'en-GB' })
  await page.goto(`${origin}/about/`)
  const shown = page.locator(`[data-harvests="${id}"]`)
  await says(
    shown.locator('p').first(),
    /^Fetched from its publisher every day\. Last found up to date: .+\.$/u,
  )
  await says(shown.locator('p.strong'), /^Out of date since .+: much of what it said before would be gone/u)
  await shown.locator('summary').click()
  expect(await shown.locator('li').allTextContents()).toEqual([
    expect.stringContaining(': stopped: much of what it said before'),
    expect.stringMatching(/: 1,200 rows read: 3 new, 2 changed, 1 no longer listed, 4 rejected$/u),
  ])
  expect(await page.content()).not.toContain('for the operator')
  await inspect(page, 'the harvests of a source')
  expect(complaints).toEqual([])
})
