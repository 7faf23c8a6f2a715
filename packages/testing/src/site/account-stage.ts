import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AccountsOptions } from '@openfountain/accounts'
import type { RegistryOptions } from '@openfountain/core'
import { createApp, nodeListener, type App, type AppOptions } from '@openfountain/server'
import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { siteFolder } from '../../../cli/src/commands/serve.ts'
import { expectAccessibleInBoth } from '../browser/axe.ts'
import { complaintsOf } from '../browser/complaints.ts'
import { newProfile, type ProfileOptions } from '../browser/page.ts'
import { stage } from '../accounts/stage.ts'
import { withAuthenticator } from '../accounts/browser.ts'
import { listening } from '../listening.ts'

export type AccountStage = Awaited<ReturnType<typeof accountStage>>

type Middleware = (request: IncomingMessage, response: ServerResponse, app: App) => void

/** @param site the folder of a site that was built with `api: '/api'` */
export async function accountStage(
  site: string,
  options: (origin: string) => Promise<Partial<AccountsOptions>> = async () => ({}),
  ofRegistry: Partial<RegistryOptions> = {},
  {
    between = (request, response, app) => nodeListener(app)(request, response),
    ...ofApp
  }: AppOptions & { readonly between?: Middleware } = {},
) {
  let app: App | undefined
  const server = createServer((request, response) => {
    if (app !== undefined) between(request, response, app)
  })
  const publicUrl = `http://localhost:${await listening(server, 'localhost')}`
  const made = await stage({ publicUrl, ...(await options(publicUrl)) }, ofRegistry)
  const folder = await siteFolder(site, undefined)
  app = createApp(made.registry, { accounts: made.ways, publicUrl, site: folder, ...ofApp })
  return {
    ...made,
    origin: publicUrl,
    invitation: async (name?: string) =>
      `${publicUrl}/sign-in/#${(await made.registry.accounts.invite({ name })).secret}`,
  }
}

export async function visitor(options: ProfileOptions = {}) {
  const context = await newProfile({ viewport: { width: 1200, height: 900 }, ...options })
  const page = await context.newPage()
  const complaints = complaintsOf(page)
  const { cdp, authenticatorId } = await withAuthenticator(page)
  return { page, context, cdp, authenticatorId, complaints }
}

export async function signInOn(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.waitForURL(({ pathname }) => !pathname.endsWith('/sign-in/'))
  await page.evaluate(() => localStorage.removeItem('first-task'))
  await page.goto(new URL('/account/', link).href)
  await page.locator('#step-account').waitFor()
}

export async function signIn(
  { registry, origin }: Pick<AccountStage, 'registry' | 'origin'>,
  { request }: BrowserContext,
  id: string,
): Promise<void> {
  const data = { secret: (await registry.accounts.link(id)).secret }
  const redeemed = await request.post(`${origin}/api/auth/links/redeem`, { data, headers: { origin } })
  expect(redeemed.status()).toBe(200)
}

export const everywhere: readonly number[] = [360, 1200]

/** Runs axe in both themes, and expects no horizontal overflow. @param widths default that of a phone */
export async function inspect(page: Page, name: string, widths: readonly number[] = [360]): Promise<void> {
  const before = page.viewportSize()
  for (const width of widths) {
    const where = `${name}, ${width} pixels wide`
    await page.setViewportSize({ width, height: 800 })
    await expectAccessibleInBoth(page, where)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow, where).toBeLessThanOrEqual(0)
  }
  if (before) await page.setViewportSize(before)
}
