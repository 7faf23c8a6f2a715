/** @module-tag browser */
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSite } from '../../src/index.ts'
import { visitor } from '@openfountain/testing/site/account-stage'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { exportSample, freshFolder } from '@openfountain/testing/site/sample'
import {
  deskStage,
  expectTextAlone,
  focused,
  hostile,
  inspectDesk,
  onPhone,
  problem,
  rows,
  said,
  title,
} from './desk-stage.ts'

let site: string
let browser: Browser

beforeAll(async () => {
  site = join(await freshFolder(), 'site')
  await buildSite({ data: await exportSample(), out: site, api: '/api', languages: ['en', 'de'] })
  browser = await startChromium()
})

afterAll(() => browser?.close())

const dialog = (page: Page) => page.locator('.desk-dialog[open]')

/** Presses the key of an act once what it is about is shown: until then it does nothing, so that nobody acts twice. */
async function act(page: Page, key: string): Promise<void> {
  await page.locator('#desk-detail:not([aria-busy="true"])').waitFor()
  await page.keyboard.press(key)
}

/** Finds a fountain or a person. */
async function find(page: Page, text: string): Promise<void> {
  await page.getByLabel('Fountain or person').fill(text)
  await page.keyboard.press('Enter')
}

async function confirm(page: Page, label: string, reason?: string): Promise<void> {
  if (reason !== undefined) await dialog(page).getByLabel('Reason').fill(reason)
  await dialog(page).getByRole('button', { name: label }).click()
  await dialog(page).waitFor({ state: 'detached' })
}

describe('a vandal who made 60 changes', () => {
  it('has all of them undone in one act, but what others changed since, and XP is as before', async () => {
    const made = await deskStage(site)
    const { registry, clock, by, vandal, ada } = made
    const ids: number[] = []
    for (let index = 0; index < 12; index += 1) ids.push(await made.fountain(`Fountain ${index}`))
    const xpBefore = (await registry.users.profile(vandal)).xp
    clock.advance({ minutes: 5 })
    const before = await Promise.all(ids.map((id) => registry.waypoints.get(id)))
    for (let index = 0; index < 60; index += 1)
      await registry.waypoints.update(
        ids[index % 12] ?? 0,
        { [index % 2 === 0 ? 'name' : 'description']: `${hostile} ${index}` },
        by(vandal),
      )
    expect((await registry.users.profile(vandal)).xp).toBeGreaterThan(xpBefore)
    // The last change of the first fountain is repaired by somebody.
    await registry.waypoints.update(ids[0] ?? 0, { name: 'Repaired' }, by(ada))
    const { page, complaints } = await made.as(browser, made.mo, '/moderation/#bursts')
    await expect.poll(() => rows(page).allTextContents()).toEqual([`Vandal ${hostile}`])
    expect(await page.locator('[data-view="bursts"] [data-count]').textContent()).toBe('1')
    await expect.poll(() => title(page).textContent()).toBe(`Vandal ${hostile}`)
    await expectTextAlone(page)
    await inspectDesk(page, 'bursts', onPhone)
    await act(page, 'r')
    await dialog(page).waitFor()
    expect(await dialog(page).getByLabel('Since').inputValue()).toBe('2026-01-01T00:17')
    await inspectDesk(page, 'revert-person')
    await dialog(page).getByRole('button', { name: 'Check first' }).click()
    await expect
      .poll(() => dialog(page).locator('.desk-told p').allTextContents())
      .toEqual(['55 changes would be undone.', '5 stay, since others changed the same:'])
    expect(await focused(page)).toBe('Undo for good')
    expect((await registry.waypoints.get(ids[1] ?? 0)).description).toContain('49')
    await page.keyboard.press('Enter')
    await expect.poll(() => problem(page).textContent()).toContain('Give a reason')
    await confirm(page, 'Undo for good', `Vandalism ${hostile}`)
    await expect.poll(() => said(page).textContent()).toBe('55 changes were undone.')
    await expect.poll(() => page.locator('#desk-detail').textContent()).toBe('Nothing waits here.')
    expect(await focused(page)).toBe('Many changes')
    const after = await Promise.all(ids.map((id) => registry.waypoints.get(id)))
    expect(after.map(({ name, description }) => [name, description])).toEqual(
      before.map(({ name, description }, index) => [index === 0 ? 'Repaired' : name, description]),
    )
    expect((await registry.users.profile(vandal)).xp).toBe(xpBefore + 50)
    expect(await registry.changes.verify()).toMatchObject({ ok: true })
    await page.goto(`${made.origin}/moderation/acts/`)
    await expect.poll(() => page.locator('.act .entry-name').first().textContent()).toBe(`Vandal ${hostile}`)
    expect(await page.locator('.act').first().textContent()).toContain('Vandalism <img')
    expect(await page.locator('.act').first().textContent()).toContain('55 entries of the log')
    await expectTextAlone(page)
    await inspectDesk(page, 'acts')
    expect(complaints).toEqual([])
  })
})

describe('a fountain that waits', () => {
  it('is approved and verified by keys alone, taken back, and the next one is reached', async () => {
    const made = await deskStage(site)
    const fountains = [
      ['One'],
      ['Trinkbrunnen at 47.2000, 8.0000', { amenities: ['tap'], region: 'Lund' }],
      [`Three ${hostile}`],
    ] as const
    for (const [name, more] of fountains) await made.fountain(name, { description: hostile, ...more })
    // The second has no name of its own.
    const two = 'Tap, Lund'
    const { registry } = made
    const { page, complaints } = await made.as(browser, made.mo, '/moderation/#unapproved')
    await expect.poll(() => rows(page).allTextContents()).toEqual(['One', two, `Three ${hostile}`])
    await expect.poll(() => title(page).textContent()).toBe('One')
    await page.keyboard.press('j')
    await expect.poll(() => focused(page)).toContain(two)
    await expect.poll(() => title(page).textContent()).toBe(two)
    await act(page, 'a')
    await expect.poll(() => said(page).textContent()).toBe(`Approved: ${two}`)
    await expect.poll(() => rows(page).allTextContents()).toEqual(['One', `Three ${hostile}`])
    expect(await focused(page)).toContain('Three')
    expect((await registry.waypoints.get(2)).approved).toBe(true)
    await expectTextAlone(page)
    await inspectDesk(page, 'unapproved')
    await page.keyboard.press('u')
    await expect.poll(() => said(page).textContent()).toBe('Undone.')
    await expect.poll(() => rows(page).allTextContents()).toEqual(['One', two, `Three ${hostile}`])
    expect((await registry.waypoints.get(2)).approved).toBe(false)
    // Verifying it does not take it out of those to approve.
    await expect.poll(() => title(page).textContent()).toBe('One')
    await act(page, 'v')
    await expect.poll(() => said(page).textContent()).toBe('Verified: One')
    await expect.poll(() => rows(page).count()).toBe(3)
    expect((await registry.waypoints.get(1)).verified).toBe(true)
    expect(complaints).toEqual([])
  })

  it('that was changed meanwhile is not approved, and what changed is shown', async () => {
    const made = await deskStage(site)
    const id = await made.fountain('One')
    const { page } = await made.as(browser, made.mo, '/moderation/#unapproved')
    await expect.poll(() => title(page).textContent()).toBe('One')
    await made.registry.waypoints.update(id, { name: `Rubbish ${hostile}` }, made.by(made.vandal))
    await act(page, 'a')
    await expect.poll(() => problem(page).textContent()).toContain('Somebody changed this meanwhile.')
    const changed = page.locator('#desk-detail > .changes')
    expect(await changed.locator('del').textContent()).toBe('One')
    expect(await changed.locator('ins').textContent()).toBe(`Rubbish ${hostile}`)
    await expect.poll(() => title(page).textContent()).toBe(`Rubbish ${hostile}`)
    expect((await made.registry.waypoints.get(id)).approved).toBe(false)
    await inspectDesk(page, 'changed', onPhone)
    await expectTextAlone(page)
    // Now it is known what is approved.
    await act(page, 'a')
    await expect.poll(() => said(page).textContent()).toContain('Approved: ')
    expect((await made.registry.waypoints.get(id)).approved).toBe(true)
  })

  it('has an entry reverted with a reason, which is undone again; a conflict names the fields', async () => {
    const made = await deskStage(site)
    const { registry, by, vandal, ada } = made
    const id = await made.fountain('One', { description: 'Cold' })
    await registry.waypoints.update(id, { name: 'Rubbish', description: 'Rubbish' }, by(vandal))
    const { page } = await made.as(browser, made.mo, `/moderation/#find`)
    await find(page, `${made.origin}/waypoint/${id}/`)
    await expect.poll(() => title(page).textContent()).toBe('Rubbish')
    await act(page, 'r')
    await confirm(page, 'Revert', 'Rubbish')
    await expect.poll(() => title(page).textContent()).toBe('One')
    expect((await registry.waypoints.get(id)).description).toBe('Cold')
    await page.keyboard.press('u')
    await expect.poll(() => title(page).textContent()).toBe('Rubbish')
    await registry.waypoints.update(id, { description: 'Warm' }, by(ada))
    await page.locator('#desk-detail [data-entry] button').nth(1).click()
    await dialog(page).getByLabel('Reason').fill('Again')
    await dialog(page).getByRole('button', { name: 'Revert' }).click()
    await expect
      .poll(() => problem(page).textContent())
      .toContain('others changed the same since (description, name)')
    await inspectDesk(page, 'conflict', onPhone)
  })

  it('is merged with the one it is, side by side, and restored', async () => {
    const made = await deskStage(site)
    const { registry } = made
    const older = await made.fountain('Market', { description: 'By the lime tree' })
    const { latitude, longitude } = await registry.waypoints.get(older)
    const newer = await made.fountain(`Market ${hostile}`, { latitude: latitude + 0.0001, longitude })
    const { page } = await made.as(browser, made.mo, '/moderation/#unapproved')
    await expect.poll(() => title(page).textContent()).toBe('Market')
    await page.keyboard.press('j')
    await expect.poll(() => title(page).textContent()).toBe(`Market ${hostile}`)
    await act(page, 'm')
    await dialog(page).waitFor()
    await inspectDesk(page, 'merge-with', onPhone)
    await dialog(page).getByRole('button', { name: 'Merge' }).click()
    await expect.poll(() => dialog(page).locator('h2').textContent()).toBe('Merge two fountains')
    expect(await dialog(page).locator('.differs th').allTextContents()).toContain('name')
    await inspectDesk(page, 'merge')
    await expectTextAlone(page)
    await confirm(page, 'Merge', 'The same')
    await expect.poll(() => said(page).textContent()).toBe('Merged into Market')
    await expect(registry.waypoints.get(newer)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await page.keyboard.press('u')
    await expect.poll(() => said(page).textContent()).toBe('Undone.')
    expect((await registry.waypoints.get(newer)).name).toBe(`Market ${hostile}`)
  })

  it('is deleted, found again by its number, and restored with a reason', async () => {
    const made = await deskStage(site)
    const id = await made.fountain('One')
    const { page } = await made.as(browser, made.mo, '/moderation/#unapproved')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await confirm(page, 'Delete')
    await expect.poll(() => said(page).textContent()).toBe('Deleted: One')
    await page.locator('[data-view="find"]').click()
    await find(page, String(id))
    await expect
      .poll(() => page.locator('#desk-detail .notice').textContent())
      .toBe('This fountain is deleted.')
    await inspectDesk(page, 'deleted', onPhone)
    await page.getByRole('button', { name: 'Restore' }).click()
    await confirm(page, 'Restore', 'It is there')
    await expect.poll(() => title(page).textContent()).toBe('One')
    expect((await made.registry.waypoints.get(id)).name).toBe('One')
  })
})

describe('two that may be the same', () => {
  it('stand side by side, are said to be two, or merged into the one that was there before', async () => {
    const made = await deskStage(site)
    const { registry } = made
    const pairs = ['Market', `Mill ${hostile}`]
    for (const name of pairs) {
      const older = await made.fountain(name)
      const { latitude, longitude } = await registry.waypoints.get(older)
      await made.fountain(name, { latitude: latitude + 0.0001, longitude })
    }
    const { page, complaints } = await made.as(browser, made.mo, '/moderation/#duplicates')
    await expect.poll(() => rows(page).allTextContents()).toEqual(pairs)
    await expect
      .poll(() => page.locator('.desk-compare thead th').allTextContents())
      .toEqual(['#2, newer', '#1, older'])
    await inspectDesk(page, 'duplicates')
    await act(page, 'n')
    await dialog(page).getByText('leaves the queue for good, which cannot be undone').waitFor()
    await confirm(page, 'Not the same')
    await expect.poll(() => said(page).textContent()).toBe('Not the same: the two stay')
    await expect.poll(() => title(page).textContent()).toContain(hostile)
    await expectTextAlone(page)
    await act(page, 'm')
    await confirm(page, 'Merge', 'The same')
    await expect.poll(() => said(page).textContent()).toMatch(/^Merged into .*Mill/u)
    await expect.poll(() => page.locator('#desk-detail').textContent()).toBe('Nothing waits here.')
    await expect(registry.waypoints.get(4)).rejects.toMatchObject({ details: { mergedInto: 3 } })
    await page.locator('#desk-reload').click()
    await expect.poll(() => page.locator('[data-view="duplicates"] [data-count]').textContent()).toBe('0')
    expect(complaints).toEqual([])
  })
})

describe('reports', () => {
  it('are shown with what they are about, and decided with a note; the reported stay until then', async () => {
    const made = await deskStage(site)
    const { registry, by, ada, vandal } = made
    const id = await made.fountain('One')
    const review = await registry.reviews.create(
      { bubblerId: id, rating: 1, comment: `Bad ${hostile}` },
      by(vandal),
    )
    await registry.reports.create({ bubblerId: id, reason: 'wrong', comment: hostile }, by(ada))
    await registry.reports.create({ bubblerId: id, reason: 'gone' }, by(vandal))
    await registry.reports.create({ reviewId: review.id, reason: 'offensive' }, by(ada))
    await registry.reports.create({ userId: vandal, reason: 'private' }, by(ada))
    const { page, complaints } = await made.as(browser, made.mo, '/moderation/')
    await expect
      .poll(() => rows(page).allTextContents())
      .toEqual(['One', 'Review of One', `Vandal ${hostile}`])
    expect(await page.locator('.desk-reports li').first().textContent()).toContain(hostile)
    await expectTextAlone(page)
    await inspectDesk(page, 'reported')
    await act(page, 'a')
    await expect.poll(() => said(page).textContent()).toBe('Approved: One')
    await expect.poll(() => rows(page).count()).toBe(3)
    await expect.poll(() => title(page).textContent()).toBe('One')
    await act(page, 'd')
    await dialog(page).getByLabel('Note').fill(`Looked ${hostile}`)
    await confirm(page, 'Done')
    await expect.poll(() => said(page).textContent()).toBe('2 reports decided')
    await expect.poll(() => title(page).textContent()).toBe('Review of One')
    await page.keyboard.press('u')
    await expect.poll(() => said(page).textContent()).toBe('Undone.')
    await expect.poll(() => rows(page).count()).toBe(3)
    expect(await registry.reports.list({}, by(made.mo))).toHaveLength(4)
    await expect.poll(() => title(page).textContent()).toBe('One')
    await act(page, 'd')
    await confirm(page, 'Done')
    await expect.poll(() => title(page).textContent()).toBe('Review of One')
    await inspectDesk(page, 'reported-review', onPhone)
    await act(page, 'r')
    await confirm(page, 'Delete the review', `Rude ${hostile}`)
    await expect.poll(() => said(page).textContent()).toBe('The review was deleted')
    expect(await registry.reviews.list({ bubblerId: id })).toEqual([])
    const { acts } = await registry.moderation.acts({ limit: 1 })
    expect(acts).toMatchObject([{ kind: 'deleted', reason: `Rude ${hostile}`, review: { id: review.id } }])
    await page.keyboard.press('u')
    await expect.poll(() => said(page).textContent()).toBe('Undone.')
    expect(await registry.reviews.list({ bubblerId: id })).toMatchObject([{ comment: `Bad ${hostile}` }])
    // Somebody else was quicker.
    const open = await registry.reports.list({}, by(made.mo))
    await registry.reports.decide(open[0]?.id ?? 0, { state: 'dismissed' }, by(made.mo))
    await act(page, 'd')
    await dialog(page).getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => problem(page).textContent()).toContain('has decided this already')
    expect(complaints.filter((text) => !text.includes('409'))).toEqual([])
  })
})

describe('a person', () => {
  it('is blocked until a day with a public reason, and let in again', async () => {
    const made = await deskStage(site)
    const { registry, by, vandal } = made
    const id = await made.fountain('One')
    const { page } = await made.as(browser, made.mo, '/moderation/#find')
    await find(page, vandal)
    await expect.poll(() => title(page).textContent()).toBe(`Vandal ${hostile}`)
    await act(page, 'b')
    await dialog(page).getByLabel('Until').fill('2026-02-01T12:00')
    await inspectDesk(page, 'block', onPhone)
    await confirm(page, 'Block', hostile)
    await expect.poll(() => said(page).textContent()).toContain('Blocked: ')
    await expect(registry.waypoints.update(id, { name: 'X' }, by(vandal))).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { blockedUntil: '2026-02-01T12:00:00.000Z', reason: hostile },
    })
    await page.getByRole('button', { name: 'End the block' }).click()
    await confirm(page, 'End the block')
    await registry.waypoints.update(id, { name: 'X' }, by(vandal))
    // Keys do something once the person is shown as they are now.
    await expect.poll(() => focused(page)).toBe(`Vandal ${hostile}`)
    await act(page, 'b')
    await dialog(page).getByLabel('Until').fill('2020-02-01T12:00')
    await dialog(page).getByLabel('Reason').fill('Spam')
    await dialog(page).getByRole('button', { name: 'Block' }).click()
    await expect.poll(() => problem(page).textContent()).toContain('in the future, or none')
  })
})

describe('the desk', () => {
  it('is worked by the keyboard alone, and read by a screen reader', async () => {
    const made = await deskStage(site)
    await made.fountain('One')
    await made.fountain('Two')
    const { page } = await made.as(browser, made.mo, '/moderation/#unapproved')
    await expect.poll(() => title(page).textContent()).toBe('One')
    expect(await page.locator('main').ariaSnapshot()).toMatch(
      /heading "Moderation" \[level=1\][\s\S]*navigation "Queues"[\s\S]*link "To approve 2"[\s\S]*button "Reload"[\s\S]*button "Keys"[\s\S]*region "To approve"[\s\S]*heading "To approve" \[level=2\][\s\S]*list[\s\S]*button "One[\s\S]*button "Two[\s\S]*region "What to do"[\s\S]*heading "One" \[level=2\][\s\S]*button "Approve"[\s\S]*button "Verify"[\s\S]*button "Revert an entry"[\s\S]*img "Map of the surroundings of One"[\s\S]*heading "History" \[level=3\]/u,
    )
    await page.keyboard.press('?')
    await dialog(page).waitFor()
    await inspectDesk(page, 'keys', onPhone)
    await page.keyboard.press('?')
    await dialog(page).waitFor({ state: 'detached' })
    // From the list to the act by Tab alone, without any letter.
    await page.locator('.desk-row').first().focus()
    await page.keyboard.press('Tab')
    expect(await focused(page)).toContain('Two')
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toBe('Two')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toContain('Approve')
    await page.keyboard.press('Enter')
    await expect.poll(() => said(page).textContent()).toBe('Approved: Two')
    // Letters may be turned off.
    await page.locator('#desk-keys').click()
    await page.getByLabel('Use these keys').uncheck()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await expect.poll(() => title(page).textContent()).toBe('One')
    await act(page, 'a')
    await page.locator('#desk-reload').click()
    await expect.poll(() => rows(page).allTextContents()).toEqual(['One'])
    expect((await made.registry.waypoints.get(1)).approved).toBe(false)
  })

  it('says to others why they do not see it, and what they can do', async () => {
    const made = await deskStage(site)
    const { page, complaints } = await made.as(browser, made.ada, '/moderation/')
    await page.getByRole('heading', { name: 'This page is for moderators' }).waitFor()
    expect(await page.locator('[data-desk]:visible').count()).toBe(0)
    await inspectDesk(page, 'not-moderator', onPhone)
    const nobody = await visitor(browser)
    await nobody.page.goto(`${made.origin}/de/moderation/`)
    await nobody.page.locator('#desk-step-signed-out').getByRole('link', { name: 'Anmelden' }).waitFor()
    await inspectDesk(nobody.page, 'signed-out', onPhone)
    expect([...complaints, ...nobody.complaints]).toEqual([])
  })

  it('is linked for moderators, and does not load for anybody else', async () => {
    const made = await deskStage(site)
    const { page } = await made.as(browser, made.mo, '/account/')
    await page.locator('#step-account').getByRole('link', { name: 'Moderation' }).waitFor()
    await page.goto(`${made.origin}/about/`)
    await page.locator('.nav').getByRole('link', { name: 'Moderation' }).click()
    await page.locator('#desk-step-desk').waitFor()
    const other = await visitor(browser)
    const loaded: string[] = []
    other.page.on('request', (request) => loaded.push(request.url()))
    await other.page.goto(`${made.origin}/about/`)
    expect(loaded.filter((url) => url.includes('/moderators/'))).toEqual([])
    expect(await other.page.locator('[data-desk]:visible').count()).toBe(0)
  })

  it('says what to do when the network, the session or the right to moderate is gone, and does the act once', async () => {
    const made = await deskStage(site)
    const { registry, mo } = made
    await made.fountain('One')
    await made.fountain('Two')
    const { page, context } = await made.as(browser, mo, '/moderation/#unapproved')
    await expect.poll(() => title(page).textContent()).toBe('One')
    await context.setOffline(true)
    await act(page, 'a')
    await expect.poll(() => problem(page).textContent()).toContain('The server cannot be reached.')
    await context.setOffline(false)
    await act(page, 'a')
    await expect.poll(() => said(page).textContent()).toBe('Approved: One')
    await expect.poll(() => title(page).textContent()).toBe('Two')
    await registry.users.setModerator(mo, false)
    await act(page, 'a')
    await expect.poll(() => problem(page).textContent()).toContain('You may no longer be a moderator')
    await context.clearCookies()
    await act(page, 'a')
    await expect.poll(() => problem(page).textContent()).toContain('You are no longer signed in.')
    await inspectDesk(page, 'problem', onPhone)
    expect((await registry.waypoints.get(2)).approved).toBe(false)
  })
})
