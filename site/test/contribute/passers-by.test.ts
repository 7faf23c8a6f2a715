/** @module-tag browser */
import { says } from '@openfountain/testing/browser/page'
import { inspect, visitor } from '@openfountain/testing/site/account-stage'
import { contributingStage } from '@openfountain/testing/site/contributing-stage'
import { builtSite } from '@openfountain/testing/site/sites'
import { expect, it } from 'vitest'
import { notice, sheet } from './walker.ts'

it('where accounts are by invitation, a visitor says that a fountain works or is broken, and reads what takes an account', async () => {
  const made = await contributingStage(await builtSite('town with API'), {
    passersBy: true,
    // Observations have the date of the browser.
    clock: () => new Date(),
    contact: 'water@lund.example',
  })
  const { registry, origin, person } = made
  const { id } = await registry.waypoints.create(
    { name: 'Market Square', latitude: 55.705, longitude: 13.19 },
    { kind: 'user', userId: await person('Brook') },
  )
  const { page, complaints } = await visitor({ viewport: { width: 390, height: 844 } })
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
