/** @module-tag browser */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { importFile } from '@openfountain/exchange'
import { focused, says } from '@openfountain/testing/browser/page'
import { everywhere, inspect, visitor } from '@openfountain/testing/site/account-stage'
import { builtSite } from '@openfountain/testing/site/sites'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { deskStage, expectTextAlone, hostile, problem, rows, said, title } from './desk-stage.ts'
import { newFolder } from '@openfountain/testing/folder'

const site = await builtSite('sample with API')

const dialog = (page: Page) => page.locator('.desk-dialog[open]')
const detail = (page: Page) => page.locator('#desk-detail')
async function listed(page: Page, names: readonly string[]): Promise<void> {
  await expect.poll(() => rows(page).allTextContents()).toEqual(names)
}

async function find(page: Page, text: string): Promise<void> {
  await page.getByLabel('Fountain or person').fill(text)
  await page.keyboard.press('Enter')
}

async function confirm(page: Page, label: string, reason?: string): Promise<void> {
  if (reason !== undefined) await dialog(page).getByLabel('Reason').fill(reason)
  await dialog(page).getByRole('button', { name: label }).click()
  await dialog(page).waitFor({ state: 'detached' })
}

async function undo(page: Page): Promise<void> {
  await page.keyboard.press('u')
  await says(said(page), 'Undone.')
}

it('a fountain that waits is approved, verified and taken back by keys alone, but not what was changed meanwhile', async () => {
  const made = await deskStage(site)
  const { waypoints } = made.registry
  const names = ['One', 'Two', `Three ${hostile}`] as const
  for (const name of names) await made.fountain(name, { description: hostile })
  const { page, complaints } = await made.as(made.mo, '/moderation/#unapproved')
  await listed(page, names)
  await says(title(page), 'One')
  expect(await page.locator('main').ariaSnapshot()).toMatch(
    /heading "Moderation" \[level=1\][^]*navigation "Queues"[^]*link "To approve 3"[^]*region "To approve"[^]*button "One[^]*region "What to do"[^]*heading "One" \[level=2\][^]*button "Approve"[^]*img "Map of the surroundings of One"[^]*heading "History" \[level=3\]/u,
  )
  await page.keyboard.press('?')
  await dialog(page).waitFor()
  await inspect(page, 'keys')
  await page.keyboard.press('?')
  await dialog(page).waitFor({ state: 'detached' })
  await page.keyboard.press('j')
  await says(title(page), 'Two')
  await page.keyboard.press('a')
  await says(said(page), 'Approved: Two')
  await listed(page, [names[0], names[2]])
  expect(await focused(page)).toContain('Three')
  expect((await waypoints.get(2)).approved).toBe(true)
  await expectTextAlone(page)
  await inspect(page, 'unapproved', everywhere)
  await undo(page)
  await listed(page, names)
  expect((await waypoints.get(2)).approved).toBe(false)
  await says(title(page), 'One')
  await page.keyboard.press('v')
  await says(said(page), 'Verified: One')
  await listed(page, names)
  expect((await waypoints.get(1)).verified).toBe(true)
  await expect
    .poll(async () => {
      await page.locator('.desk-row').first().press('Tab')
      expect(await page.locator(':focus').getAttribute('type')).toBe('checkbox')
      await page.keyboard.press('Tab')
      return focused(page)
    })
    .toContain('Two')
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toBe('Two')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toContain('Approve')
  const rubbish = `Rubbish ${hostile}`
  await waypoints.update(2, { name: rubbish }, made.by(made.vandal))
  await page.keyboard.press('Enter')
  await says(problem(page), /Somebody changed this meanwhile\./u)
  const changed = page.locator('#desk-detail > .changes')
  expect(await changed.locator('del, ins').allTextContents()).toEqual(['Two', rubbish])
  await says(title(page), rubbish)
  expect((await waypoints.get(2)).approved).toBe(false)
  await inspect(page, 'changed')
  await expectTextAlone(page)
  // Now the item is shown. The next one may be opened before the answer comes.
  await page.route('**/api/waypoints/*', (route) => page.keyboard.press('j').then(() => route.fallback()), {
    times: 1,
  })
  await page.keyboard.press('a')
  await says(said(page), /Approved: /u)
  await listed(page, [names[0], names[2]])
  await says(title(page), names[2])
  expect((await waypoints.get(2)).approved).toBe(true)
  // Keys that are pressed faster than the server answers are all taken, in their order.
  await undo(page)
  await listed(page, [names[0], rubbish, names[2]])
  for (const key of ['k', 'j', 'k', 'a', 'a']) await page.keyboard.press(key)
  await listed(page, [names[2]])
  await undo(page)
  await listed(page, [rubbish, names[2]])
  expect([(await waypoints.get(1)).approved, (await waypoints.get(2)).approved]).toEqual([true, false])
  await page.locator('#desk-keys').click()
  await page.getByLabel('Use these keys').uncheck()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await page.keyboard.press('a')
  await page.locator('#desk-reload').click()
  await listed(page, [rubbish, names[2]])
  expect(complaints.filter((text) => !text.includes('412'))).toEqual([])
})

it('what is found is reverted and back, a conflict names the fields; it is deleted and restored; who wrote it is blocked and let in', async () => {
  const made = await deskStage(site)
  const { by, vandal } = made
  const { waypoints } = made.registry
  const id = await made.fountain('One', { description: 'Cold' })
  await waypoints.update(id, { name: 'Rubbish', description: 'Rubbish' }, by(vandal))
  const { page } = await made.as(made.mo, '/moderation/#find')
  await find(page, `${made.origin}/waypoint/${id}/`)
  await says(title(page), 'Rubbish')
  await page.keyboard.press('r')
  await confirm(page, 'Revert', 'Rubbish')
  await says(title(page), 'One')
  expect((await waypoints.get(id)).description).toBe('Cold')
  await page.keyboard.press('u')
  await says(title(page), 'Rubbish')
  await waypoints.update(id, { description: 'Warm' }, by(made.ada))
  await page.locator('#desk-detail [data-entry] button').nth(1).click()
  await dialog(page).getByLabel('Reason').fill('Again')
  await dialog(page).getByRole('button', { name: 'Revert' }).click()
  await says(problem(page), /others changed the same since \(description, name\)/u)
  await inspect(page, 'conflict')

  await page.goto('about:blank')
  await page.goto(`${made.origin}/moderation/#unapproved`)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await confirm(page, 'Delete')
  await says(said(page), 'Deleted: Rubbish')
  await page.locator('[data-view="find"]').click()
  await find(page, String(id))
  await says(page.locator('#desk-detail .notice'), 'This fountain is deleted.')
  await inspect(page, 'deleted')
  await page.getByRole('button', { name: 'Restore' }).click()
  await confirm(page, 'Restore', 'It is there')
  await says(title(page), 'Rubbish')

  await find(page, vandal)
  await says(title(page), `Vandal ${hostile}`)
  await page.keyboard.press('b')
  await dialog(page).getByLabel('Until').fill('2026-02-01T12:00')
  await inspect(page, 'block')
  await confirm(page, 'Block', hostile)
  await says(said(page), /Blocked: /u)
  const details = { blockedUntil: '2026-02-01T12:00:00.000Z', reason: hostile }
  await expect(waypoints.update(id, { name: 'X' }, by(vandal))).rejects.toMatchObject({ details })
  await page.getByRole('button', { name: 'End the block' }).click()
  await confirm(page, 'End the block')
  await waypoints.update(id, { name: 'X' }, by(vandal))
  await page.goto(`${made.origin}/moderation/acts/`)
  await expectTextAlone(page)
  await inspect(page, 'acts', everywhere)
})

it('two that may be the same stand side by side, are said to be two, or merged into the one that was there before, and restored', async () => {
  const made = await deskStage(site)
  const { waypoints } = made.registry
  const pairs = ['Market', `Mill ${hostile}`]
  for (const name of pairs) {
    const { latitude, longitude } = await waypoints.get(await made.fountain(name))
    await made.fountain(name, { latitude: latitude + 0.0001, longitude })
  }
  const { page, complaints } = await made.as(made.mo, '/moderation/#duplicates')
  await listed(page, pairs)
  const heads = page.locator('.desk-compare thead th')
  await expect.poll(() => heads.allTextContents()).toEqual(['#2, newer', '#1, older'])
  await inspect(page, 'duplicates', everywhere)
  await page.keyboard.press('n')
  await dialog(page).getByText('leaves the queue for good, which cannot be undone').waitFor()
  await confirm(page, 'Not the same')
  await says(said(page), 'Not the same: the two stay')
  await expect.poll(() => title(page).textContent()).toContain(hostile)
  await expectTextAlone(page)
  await page.keyboard.press('m')
  await confirm(page, 'Merge', 'The same')
  await says(said(page), /^Merged into .*Mill/u)
  await says(detail(page), 'Nothing waits here.')
  await expect(waypoints.get(4)).rejects.toMatchObject({ details: { mergedInto: 3 } })
  await undo(page)
  expect((await waypoints.get(4)).name).toBe(pairs[1])
  await page.locator('#desk-reload').click()
  await says(page.locator('[data-view="duplicates"] [data-count]'), '1')
  expect(complaints).toEqual([])
})

it('reports are shown with what they are about, and decided with a note; the reported stay until then', async () => {
  const made = await deskStage(site)
  const { registry, by, ada, vandal, mo } = made
  const { reviews, reports } = registry
  const id = await made.fountain('One')
  const comment = `Bad ${hostile}`
  const review = await reviews.create({ bubblerId: id, rating: 1, comment }, by(vandal))
  await reports.create({ bubblerId: id, reason: 'wrong', comment: hostile }, by(ada))
  await reports.create({ bubblerId: id, reason: 'gone' }, by(vandal))
  await reports.create({ reviewId: review.id, reason: 'offensive' }, by(ada))
  await reports.create({ userId: vandal, reason: 'private' }, by(ada))
  const { page, complaints } = await made.as(mo, '/moderation/')
  await listed(page, ['One', 'Review of One', `Vandal ${hostile}`])
  expect(await page.locator('.desk-reports li').first().textContent()).toContain(hostile)
  await expectTextAlone(page)
  await inspect(page, 'reported', everywhere)
  await page.keyboard.press('d')
  await dialog(page).getByLabel('Note').fill(`Looked ${hostile}`)
  await confirm(page, 'Done')
  await says(said(page), '2 reports decided')
  await says(title(page), 'Review of One')
  await undo(page)
  await expect.poll(() => rows(page).count()).toBe(3)
  expect(await reports.list({}, by(mo))).toHaveLength(4)
  await says(title(page), 'One')
  await page.keyboard.press('d')
  await confirm(page, 'Done')
  await says(title(page), 'Review of One')
  await inspect(page, 'reported-review')
  await page.keyboard.press('r')
  await confirm(page, 'Delete the review', `Rude ${hostile}`)
  await says(said(page), 'The review was deleted')
  expect(await reviews.list({ bubblerId: id })).toEqual([])
  await undo(page)
  expect(await reviews.list({ bubblerId: id })).toMatchObject([{ comment }])
  const [open] = await reports.list({}, by(mo))
  await reports.decide(open?.id ?? 0, { state: 'dismissed' }, by(mo))
  await page.keyboard.press('d')
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await says(problem(page), /has decided this already/u)
  expect(complaints.filter((text) => !text.includes('409'))).toEqual([])
})

it('the desk is linked for moderators, does not load for anybody else, and says to others why they do not see it', async () => {
  const made = await deskStage(site)
  const { page } = await made.as(made.mo, '/account/')
  await page.locator('#step-account').getByRole('link', { name: 'Moderation' }).waitFor()
  await page.goto(`${made.origin}/about/`)
  await page.locator('.nav').getByRole('link', { name: 'Moderation' }).click()
  await page.locator('#desk-step-desk').waitFor()
  const ada = await made.as(made.ada, '/moderation/')
  await ada.page.getByRole('heading', { name: 'This page is for moderators' }).waitFor()
  expect(await ada.page.locator('[data-of=moderator]:visible').count()).toBe(0)
  await inspect(ada.page, 'not-moderator')
  const nobody = await visitor()
  const loaded: string[] = []
  nobody.page.on('request', (request) => loaded.push(request.url()))
  await nobody.page.goto(`${made.origin}/about/`)
  expect(loaded.filter((url) => url.includes('/_astro/desk/'))).toEqual([])
  expect(await nobody.page.locator('[data-of=moderator]:visible').count()).toBe(0)
  await nobody.page.goto(`${made.origin}/de/moderation/`)
  await nobody.page.locator('#desk-step-signed-out').getByRole('link', { name: 'Anmelden' }).waitFor()
  await inspect(nobody.page, 'signed-out')
  expect([...ada.complaints, ...nobody.complaints]).toEqual([])
})

it('no key that is pressed is lost: while an act is being sent it waits, and where it cannot be done it is named', async () => {
  const made = await deskStage(site)
  const { registry, by, ada, mo } = made
  const { waypoints, reports } = registry
  for (const name of ['One', 'Two', 'Three', 'Four']) await made.fountain(name)
  const { page, complaints } = await made.as(mo, '/moderation/#unapproved')
  const refused = page.locator('#desk-refused')
  await says(title(page), 'One')
  const slow = async () =>
    page.route('**/api/**', async (route) => {
      if (route.request().method() !== 'GET') await new Promise((resolve) => setTimeout(resolve, 150))
      await route.fallback()
    })
  await slow()
  for (const key of ['a', 'A', 'x', 'v']) await page.keyboard.press(key)
  await listed(page, ['Three', 'Four'])
  await says(said(page), 'Verified: Three')
  await says(refused, 'Not done, press again if still wanted: x')
  const flags = async (id: number) => {
    const { approved, verified } = await waypoints.get(id)
    return [approved, verified]
  }
  expect([await flags(1), await flags(2), await flags(3), await flags(4)]).toEqual([
    [true, false],
    [true, false],
    [false, true],
    [false, false],
  ])
  await page.locator('#desk-detail[aria-busy=false]').waitFor()
  await inspect(page, 'refused key', everywhere)
  await page.route('**/api/waypoints/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.fallback()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await route.abort()
  })
  for (const key of ['a', 'a', 'j', 'a']) await page.keyboard.press(key)
  await says(problem(page), /The server cannot be reached\./u)
  await says(refused, /: a, j, a$/u)
  await page.unroute('**/api/waypoints/*')
  expect([await flags(3), await flags(4)]).toEqual([
    [false, true],
    [false, false],
  ])
  // Keys pressed while the answer of a dialog is sent are for the desk, not for its fields.
  for (const id of [3, 4]) await reports.create({ bubblerId: id, reason: 'gone' }, by(ada))
  await page.goto(`${made.origin}/moderation/#reported`)
  await listed(page, ['Three', 'Four'])
  await says(title(page), 'Three')
  await page.keyboard.press('d')
  await dialog(page).getByLabel('Note').fill('Looked')
  await page.keyboard.press('Enter')
  await page.keyboard.press('x')
  await says(said(page), '1 report decided')
  await dialog(page).getByRole('heading', { name: 'Dismiss' }).waitFor()
  await dialog(page).getByRole('button', { name: 'Dismiss' }).click()
  await says(detail(page), 'Nothing waits here.')
  expect(await reports.list({}, by(mo))).toEqual([])
  expect(complaints.filter((text) => !text.includes('ERR_FAILED'))).toEqual([])
})

it('the desk says what to do when the network, the session or the right to moderate is gone, and does the act once', async () => {
  const made = await deskStage(site)
  const { registry, mo } = made
  await made.fountain('One')
  await made.fountain('Two')
  const { page, context } = await made.as(mo, '/moderation/#unapproved')
  await says(title(page), 'One')
  await context.setOffline(true)
  await page.keyboard.press('a')
  await says(problem(page), /The server cannot be reached\./u)
  await context.setOffline(false)
  await page.keyboard.press('a')
  await says(said(page), 'Approved: One')
  await says(title(page), 'Two')
  await registry.users.setModerator(mo, false)
  await page.keyboard.press('a')
  await says(problem(page), /You may no longer be a moderator/u)
  await context.clearCookies()
  await page.keyboard.press('a')
  await says(problem(page), /You are no longer signed in\./u)
  await inspect(page, 'problem')
  expect((await registry.waypoints.get(2)).approved).toBe(false)
})

it('the totals of an open desk follow what others do, and an open queue says that it has changed but stays as it is', async () => {
  const made = await deskStage(site)
  const { registry, ada, mo } = made
  await made.fountain('One')
  await made.fountain('Two')
  const { page, complaints } = await made.as(mo, '/moderation/#unapproved')
  const total = (queue: string) => page.locator(`[data-view="${queue}"] [data-count]`)
  const news = page.locator('#desk-news')
  await says(title(page), 'One')
  await page.keyboard.press('j')
  await says(title(page), 'Two')
  await says(total('reported'), '0')
  await page.clock.install()
  const pass = (seconds: number) => page.clock.runFor(seconds * 1000)
  await page.evaluate(() => document.dispatchEvent(new Event('openfountain:sent')))
  await page.waitForLoadState('networkidle')
  await made.fountain('Three')
  await pass(11)
  await says(total('unapproved'), '3')
  await says(news, 'This queue has changed.')
  await listed(page, ['One', 'Two'])
  expect(await focused(page)).toContain('Two')
  await inspect(page, 'news', everywhere)
  await registry.reports.create({ bubblerId: 1, reason: 'gone' }, made.by(ada))
  await page.waitForLoadState('networkidle')
  await pass(11)
  await says(total('reported'), '1')
  const renewed = () => page.waitForResponse(/kind=unverified/u)
  const reloaded = renewed()
  await page.getByRole('button', { name: 'Reload' }).click()
  await listed(page, ['One', 'Two', 'Three'])
  await says(title(page), 'Two')
  await says(news, '')
  await reloaded
  const followed = renewed()
  await page.keyboard.press('a')
  await listed(page, ['One', 'Three'])
  await says(total('unapproved'), '2')
  await followed
  expect(await news.textContent()).toBe('')
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await pass(600)
  expect(asked).toEqual([])
  expect(complaints).toEqual([])
})

it('a moderator goes from an author to all that they did, on a map, and from there to each fountain', async () => {
  const made = await deskStage(site)
  const { by, vandal, registry } = made
  const one = await made.fountain('One')
  const two = await made.fountain('Two')
  await registry.waypoints.update(one, { latitude: 47.1005 }, by(vandal))
  await registry.waypoints.update(two, { name: hostile }, by(vandal))
  await registry.reviews.create({ bubblerId: one, rating: 2, comment: `Warm ${hostile}` }, by(vandal))
  await registry.observations.create({ bubblerId: one, kind: 'dry' }, by(vandal))
  await registry.reports.create({ bubblerId: two, reason: 'gone', comment: hostile }, by(vandal))
  const { page, complaints } = await made.as(made.mo, '/moderation/#find')
  await find(page, String(one))
  await says(title(page), 'One')
  const map = page.locator('.desk-places[data-drawn]')
  await expect.poll(() => map.locator('> .dot-removed, > .dot-changed').count()).toBe(2)
  await detail(page).getByRole('link', { name: 'Vandal' }).first().click()
  await says(title(page), `Vandal ${hostile}`)
  for (const [kind, name, text] of [
    ['waypoints', 'One', '#1'],
    ['reviews', 'One', `Warm ${hostile}`],
    ['observations', 'One', 'No water'],
    ['reports', hostile, 'It is gone'],
  ] as const) {
    const section = page.locator(`[data-work=${kind}]`)
    await section.getByRole('link', { name }).first().waitFor()
    expect(await section.textContent()).toContain(text)
  }
  await expect.poll(() => map.locator('> .dot').count()).toBe(2)
  await expectTextAlone(page)
  await inspect(page, 'person', everywhere)
  await page.locator('#all-of-person').click()
  await says(page.locator('dialog.many #many-chosen'), /^2 /u)
  await page.keyboard.press('Escape')
  await page.locator('[data-work=waypoints]').getByRole('link', { name: 'One', exact: true }).click()
  await says(title(page), 'One')
  expect(complaints).toEqual([])
})

it('doubtful rows of an import are decided by keys, several at once, and what was left out is taken back', async () => {
  const made = await deskStage(site)
  const names = ['One', 'Two', 'Three'] as const
  for (const name of names) await made.fountain(name)
  const file = join(newFolder(), 'city.geojson')
  const features = (await made.registry.waypoints.list({})).map(({ name, latitude, longitude }) => ({
    type: 'Feature',
    id: name,
    properties: { name, description: hostile },
    geometry: { type: 'Point', coordinates: [longitude, latitude + 60 / 111_195] },
  }))
  await writeFile(file, JSON.stringify({ type: 'FeatureCollection', features }))
  await importFile(made.registry, { file, source: { name: `City ${hostile}`, license: 'CC0-1.0' } })
  const { page, complaints } = await made.as(made.mo, '/moderation/#doubtful')
  await listed(page, names)
  await says(title(page), 'One')
  const compared = page.locator('.desk-compare .differs th[scope=row]')
  expect(await compared.allTextContents()).toEqual(['Position', 'description'])
  await expectTextAlone(page)
  await inspect(page, 'doubtful', everywhere)
  await page.keyboard.press('s')
  await says(title(page), 'Two')
  await page.keyboard.press('s')
  await says(page.locator('#desk-selected'), '2 selected')
  await page.locator('.desk-row').first().click()
  await says(title(page), 'One')
  await page.keyboard.press('r')
  await confirm(page, 'Leave out')
  await listed(page, [names[2]])
  await undo(page)
  await listed(page, names)
  await says(title(page), 'One')
  await page.keyboard.press('m')
  await says(said(page), /The same fountain: One/u)
  await listed(page, names.slice(1))
  expect((await made.registry.waypoints.get(1)).description).toContain('=1+1')
  expect((await made.registry.waypoints.sources(1)).map(({ name }) => name)).toEqual([`City ${hostile}`])
  expect(complaints).toEqual([])
})
