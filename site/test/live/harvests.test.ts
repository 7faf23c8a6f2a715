/** @module-tag browser */
import { says } from '@openfountain/testing/browser/page'
import { inspect, visitor } from '@openfountain/testing/site/account-stage'
import { liveStage, liveTown } from '@openfountain/testing/site/live-stage'
import { expect, it } from 'vitest'

const town = await liveTown()

it('what came of the harvests of a source is shown, also what came of them since the page was built', async () => {
  const { registry, origin } = await liveStage(town)
  const [source] = await registry.sources.list()
  const id = source?.id ?? 0
  const url = 'https://data.example.org/fountains.geojson'
  await registry.harvests.schedule(id, { url, every: 'day', options: {} })
  const rows = { read: 1200, added: 3, changed: 2, missing: 1, refused: 4 }
  await (await registry.harvests.begin(id)).end({ outcome: 'imported', status: 200, rows })
  const failure = { outcome: 'stopped', reason: 'shrink', message: 'for the operator' } as const
  await (await registry.harvests.begin(id)).end(failure)
  const { page, complaints } = await visitor({ locale: 'de-CH' })
  await page.goto(`${origin}/about/`)
  const shown = page.locator(`[data-harvests="${id}"]`)
  await says(
    shown.locator('p').first(),
    /^Fetched from its publisher every day\. Last found up to date: .+\.$/u,
  )
  await says(
    shown.locator('p.strong'),
    /^Out of date since .+: far fewer fountains than before would remain/u,
  )
  await shown.locator('summary').click()
  expect(await shown.locator('li').allTextContents()).toEqual([
    expect.stringContaining(': stopped: far fewer fountains than before'),
    expect.stringMatching(/: 1,200 rows read: 3 new, 2 changed, 1 no longer listed, 4 rejected$/u),
  ])
  expect(await page.content()).not.toContain('for the operator')
  await inspect(page, 'the harvests of a source')
  expect(complaints).toEqual([])
})
