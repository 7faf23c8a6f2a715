/** @module-tag browser */
import { says } from '@openfountain/testing/browser/page'
import { inspect, visitor } from '@openfountain/testing/site/account-stage'
import { contributingStage } from '@openfountain/testing/site/contributing-stage'
import { builtSite } from '@openfountain/testing/site/sites'
import { expect, it } from 'vitest'
import { notice, sheet } from './walker.ts'

async function invitedOnly(options: { readonly passersBy?: boolean }) {
  const made = await contributingStage(await builtSite('town with API'), {
    ...options,
    // Observations have the date of the browser.
    clock: () => new Date(),
    contact: 'water@lund.example',
  })
  const { id } = await made.registry.waypoints.create(
    { name: 'Market Square', latitude: 55.705, longitude: 13.19 },
    { kind: 'user', userId: await made.person('Brook') },
  )
  return { made, id, ...(await visitor({ viewport: { width: 390, height: 844 } })) }
}

it('where accounts are by invitation, a visitor says that a fountain works or is broken, and reads what takes an account', async () => {
  const { made, id, page, complaints } = await invitedOnly({ passersBy: true })
  const { registry, origin } = made
  await page.goto(`${origin}/waypoint/${id}/`)
  await page.getByRole('button', { name: 'It works', exact: true }).dblclick()
  await says(notice(page), 'Thank you. It is noted.')
  expect(await registry.observations.status(id)).toMatchObject({ state: 'unconfirmed' })
  expect(made.writes).toEqual(['POST /api/observations'])
  await page.getByRole('button', { name: 'It does not work' }).dblclick()
  const seen = sheet(page, /What is wrong with/u)
  await seen.getByRole('radio').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(1)
  expect(await seen.getByLabel('Out of order').isChecked()).toBe(true)
  await inspect(page, 'what a visitor may say')
  await seen.getByRole('button', { name: 'Send' }).click()
  await says(notice(page), 'Thank you. The fountain shows it now.')
  expect(await registry.observations.status(id)).toMatchObject({ state: 'reported' })
  expect(await registry.observations.list({ bubblerId: id })).toEqual([])
  await page.goto(`${origin}/`)
  await page.getByRole('button', { name: 'Add a fountain' }).dblclick()
  const needed = sheet(page, 'Add a fountain')
  await says(needed, /New accounts need an invitation/u)
  await says(needed, /Without an account you can say/u)
  expect(await page.getByRole('dialog').count()).toBe(1)
  const ask = needed.getByRole('link', { name: 'Ask for an invitation' })
  const address = await ask.getAttribute('href')
  expect(address).toMatch(/^mailto:water@lund\.example\?subject=Invitation%20to%20/u)
  await inspect(page, 'what takes an account')
  await needed.getByRole('link', { name: 'Sign in' }).click()
  await page.waitForURL('**/sign-in/')
  await page.getByRole('link', { name: 'Ask for an invitation' }).waitFor()
  expect(complaints).toEqual([])
})

it('where that takes an account, a visitor reads how to get one instead, on the page and beside the map', async () => {
  const { made, id, page, complaints } = await invitedOnly({})
  for (const path of [`?fountain=${id}`, `waypoint/${id}/`]) {
    await page.goto(`${made.origin}/${path}`)
    for (const button of ['It works', 'It does not work']) {
      await page.getByRole('button', { name: button, exact: true }).dblclick()
      const needed = sheet(page, 'What did you see?')
      await says(needed, /New accounts need an invitation/u)
      expect(await needed.textContent()).not.toContain('Without an account')
      await needed.getByRole('link', { name: 'Ask for an invitation' }).waitFor()
      expect(await needed.count()).toBe(1)
      await inspect(page, `what ${button} takes`)
      await page.keyboard.press('Escape')
      await needed.waitFor({ state: 'hidden' })
    }
  }
  expect(made.writes).toEqual([])
  expect((await made.registry.observations.status(id)).state).toBe('unconfirmed')
  expect(complaints).toEqual([])
})
