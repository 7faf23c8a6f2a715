/** @module-tag browser */
import { token, user } from '@openfountain/core'
import { says } from '@openfountain/testing/browser/page'
import { inspect, visitor } from '@openfountain/testing/site/account-stage'
import { liveStage, liveTown } from '@openfountain/testing/site/live-stage'
import { expect, it } from 'vitest'

const town = await liveTown()

it('the leaderboard is also one of this week and of a region, by what was earned then and there', async () => {
  const stage = await liveStage(town)
  const { registry, origin } = stage
  const { page, complaints } = await visitor({ locale: 'en-GB' })
  const names = page.locator('#leaders tbody th')
  const found = page.locator('#leaders-found')
  await page.goto(`${origin}/leaderboard/?since=week`)
  await says(found, /Since .+ \(UTC\)\. Nobody has earned XP then and there yet\.$/u)
  await registry.users.create({ name: 'Rich', xp: 900 })
  const ada = await registry.users.create({ name: 'Ada <b>', xp: 20 })
  const bo = await registry.users.create({ name: 'Bo', xp: 20 })
  await registry.reviews.create({ bubblerId: 1, rating: 4 }, user(ada.id))
  const { id } = await stage.add({ region: 'Elsewhere' })
  for (const bubblerId of [id, 2]) await registry.reviews.create({ bubblerId, rating: 5 }, user(bo.id))
  await page.getByLabel('When').selectOption('')
  await expect.poll(() => names.allTextContents()).toEqual(['Rich', 'Bo', 'Ada <b>'])
  await page.getByLabel('When').selectOption('week')
  await expect.poll(() => names.allTextContents()).toEqual(['Bo', 'Ada <b>'])
  expect(await page.locator('#leaders td.strong').allTextContents()).toEqual(['10', '5'])
  expect(await page.locator('#leaders thead').textContent()).toContain('XP earned')
  expect(await found.textContent()).toMatch(/^Since .+ \(UTC\)\.$/u)
  await inspect(page, 'the leaderboard of a week')
  await page.getByLabel('Where').selectOption('Linden Quarter')
  await expect.poll(() => page.url()).toBe(`${origin}/leaderboard/?since=week&region=Linden+Quarter`)
  await expect.poll(() => page.locator('#leaders td.strong').allTextContents()).toEqual(['5', '5'])
  await page.goto(`${origin}/leaderboard/?region=Elsewhere`)
  await expect.poll(() => names.allTextContents()).toEqual(['Bo'])
  expect(await page.getByLabel('Where').inputValue()).toBe('Elsewhere')
  await registry.waypoints.delete(id, token())
  expect(complaints).toEqual([])
})

it('the leaderboard says when the server does not answer, and keeps what it shows', async () => {
  const stage = await liveStage(town)
  const { page } = await visitor({ locale: 'en-GB' })
  await page.goto(`${stage.origin}/leaderboard/`)
  stage.interfere = (_request, response) => {
    response.writeHead(500).end()
    return true
  }
  await page.getByLabel('When').selectOption('week')
  await says(
    page.locator('#leaders-problem'),
    'The server cannot be reached. Check your connection and try again.',
  )
  expect(await page.locator('#leaders').getAttribute('aria-busy')).toBe('false')
})
