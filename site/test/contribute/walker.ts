import { join } from 'node:path'
import { user, type RegistryOptions } from '@openfountain/core'
import type { ProfileOptions } from '@openfountain/testing/browser/page'
import { accountStage, signInOn, visitor, type AccountStage } from '@openfountain/testing/site/account-stage'
import { builtSite } from '@openfountain/testing/site/sites'
import { exportTown, hostileName, square } from '@openfountain/testing/site/town'
import { mapReady } from '@openfountain/testing/site/visit'
import type { Page, Request } from 'playwright-core'
import { buildSite } from '../../src/index.ts'
import { newFolder } from '@openfountain/testing/folder'

type Declared = Pick<RegistryOptions, 'properties'>

export async function contributeSite(declared: Declared): Promise<string> {
  const out = join(newFolder(), 'site')
  await buildSite({ data: await exportTown(declared), out, api: '/api', languages: ['en', 'de'] })
  return out
}

/** The registry has the square, and twelve metres from it a fountain with a hostile name. */
export async function contributeStage(declared: Declared = {}, site?: string): Promise<AccountStage> {
  const made = await accountStage(site ?? (await builtSite('town with API')), undefined, declared)
  const { registry } = made
  const { id } = await registry.users.create({ name: 'Brook', xp: 100 })
  const common = { amenities: ['bubbler', 'wheelchair'], region: 'Linden Quarter' }
  await registry.waypoints.create({ name: 'Market Square', ...square, ...common }, user(id))
  const beside = { name: hostileName, latitude: 55.7051, longitude: 13.1901, amenities: ['well'] }
  await registry.waypoints.create(beside, user(id))
  return made
}

interface WalkerOptions extends ProfileOptions {
  readonly xp?: number
  readonly at?: string
}

export async function walker(
  { invitation, registry, origin }: AccountStage,
  { xp = 0, at, ...options }: WalkerOptions = {},
) {
  const made = await visitor({ viewport: { width: 390, height: 844 }, hasTouch: true, ...options })
  const { page } = made
  // Maps are drawn by the processor here.
  page.setDefaultTimeout(60_000)
  await signInOn(page, await invitation('Ada'))
  const id = (await registry.users.list()).users.find(({ name }) => name === 'Ada')?.id ?? ''
  if (xp > 0) await registry.users.grantXp(id, xp, 'So that they may')
  const writes: Request[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && request.url().includes('/api/')) writes.push(request)
  })
  if (at !== undefined) await openMap(page, origin, at)
  return { ...made, id, writes }
}

export async function openMap(page: Page, origin: string, query = besideSquare): Promise<void> {
  await page.goto(`${origin}/${query}`)
  await mapReady(page)
}

export const besideSquare = `?at=${square.latitude},${square.longitude},17.5`
export const atSquare = `?at=${square.latitude},${square.longitude},18&fountain=1`

export const addButton = (page: Page) => page.getByRole('button', { name: 'Add a fountain' })
export const placing = (page: Page) => page.getByRole('dialog', { name: 'Where is the fountain?' })
export const takeIt = (page: Page) => page.getByRole('button', { name: 'It is here' })
export const sheet = (page: Page, name: string | RegExp = 'New fountain') =>
  page.getByRole('dialog', { name })

export const offers = (page: Page) => page.locator('.card-more')
export const press = (page: Page, name: string) =>
  offers(page).getByRole('button', { name, exact: true }).click()

export const notice = (page: Page) => page.locator('.toast:not([hidden])').last()
export const problems = (form: ReturnType<typeof sheet>) => form.locator('.field-problem:not(:empty)')
