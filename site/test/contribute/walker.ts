import { join } from 'node:path'
import { user, type RegistryOptions } from '@openfountain/core'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { buildSite } from '../../src/index.ts'
import { expectAccessibleInBoth } from '@openfountain/testing/browser/axe'
import {
  accountStage,
  visitor,
  type AccountStage,
  type Visitor,
} from '@openfountain/testing/site/account-stage'
import { exportTown, hostileName, square } from '../map/town.ts'
import { mapReady } from '../map/visit.ts'
import { freshFolder } from '@openfountain/testing/site/sample'

/** Builds the site of the fictional town as people contribute on it. */
export async function contributeSite(
  languages: readonly string[] = ['en', 'de'],
  declared: Pick<RegistryOptions, 'properties'> = {},
): Promise<string> {
  const out = join(await freshFolder(), 'site')
  await buildSite({ data: await exportTown(declared), out, api: '/api', languages })
  return out
}

/** A server with that site, whose registry has the square, and twelve metres from it a fountain with a hostile name. */
export async function contributeStage(
  site: string,
  declared: Pick<RegistryOptions, 'properties'> = {},
): Promise<AccountStage> {
  const made = await accountStage(site, undefined, declared)
  const { registry } = made
  const { id } = await registry.users.create({ name: 'Brook', xp: 100 })
  const common = { amenities: ['bubbler', 'wheelchair'], region: 'Linden Quarter' }
  await registry.waypoints.create({ name: 'Market Square', ...square, ...common }, user(id))
  await registry.waypoints.create(
    { name: hostileName, latitude: 55.7051, longitude: 13.1901, amenities: ['well'] },
    user(id),
  )
  return made
}

export interface Walker extends Visitor {
  readonly id: string
}

/** Somebody who is signed in by a link, on a phone unless said otherwise. */
export async function walker(
  browser: Browser,
  { invitation, registry }: AccountStage,
  {
    xp = 0,
    name = 'Ada',
    ...options
  }: { readonly xp?: number; readonly name?: string } & Parameters<Browser['newContext']>[0] = {},
): Promise<Walker> {
  const made = await visitor(browser, { viewport: { width: 390, height: 844 }, hasTouch: true, ...options })
  // Maps are drawn by the processor here.
  made.page.setDefaultTimeout(120_000)
  await made.page.goto(await invitation(name))
  await made.page.waitForURL('**/account/')
  await made.page.locator('#step-account').waitFor()
  const id = (await registry.users.list()).users.find((one) => one.name === name)?.id ?? ''
  if (xp > 0) await registry.users.grantXp(id, xp, 'So that they may')
  return { ...made, id }
}

/** Opens the map at a place, and waits until it is drawn. */
export async function openMap(
  page: Page,
  origin: string,
  query = `?at=${square.latitude},${square.longitude},17.5`,
): Promise<void> {
  await page.goto(`${origin}/${query}`)
  await mapReady(page)
}

export const addButton = (page: Page) => page.getByRole('button', { name: 'Add a fountain' })
export const placing = (page: Page) => page.getByRole('dialog', { name: 'Where is the fountain?' })
export const takeIt = (page: Page) => page.getByRole('button', { name: 'It is here' })
export const sheet = (page: Page, name: string | RegExp = 'New fountain') =>
  page.getByRole('dialog', { name })

/** What the page says after something was done. */
export const told = (page: Page) => page.locator('.contribute-notice')

const sizes: readonly (readonly [width: number, height: number])[] = [
  [360, 740],
  [1200, 900],
]

/** Axe in both colours over a map that takes long to draw; default on a phone and on a desktop. */
export async function inspectAll(page: Page, name: string, on = sizes): Promise<void> {
  const before = page.viewportSize()
  for (const [width, height] of on) {
    await page.setViewportSize({ width, height })
    await expectAccessibleInBoth(page, `${name}, ${width} wide`)
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      name,
    ).toBeLessThanOrEqual(0)
  }
  if (before) await page.setViewportSize(before)
}

/** The same on a phone alone. */
export const inspectOnPhone = (page: Page, name: string): Promise<void> =>
  inspectAll(page, name, sizes.slice(0, 1))
