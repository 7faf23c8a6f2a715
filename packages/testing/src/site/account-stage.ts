import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AccountsOptions } from '@openfountain/accounts'
import type { RegistryOptions } from '@openfountain/core'
import { createApp, nodeListener, type App } from '@openfountain/server'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { expect } from 'vitest'
import { siteFolder } from '../../../cli/src/commands/serve.ts'
import { expectAccessibleInBoth } from '../browser/axe.ts'
import { ofTheBrowser } from '../browser/chromium.ts'
import { stage, type Stage } from '../accounts/stage.ts'
import { afterwards } from '../afterwards.ts'

/** A server with its site, as people visit it. */
export interface AccountStage extends Stage {
  readonly origin: string
  /** The address of a link with which somebody gets an account. */
  invitation(name?: string): Promise<string>
}

/**
 * @param site the folder of a site that was built with `api: '/api'`
 * @param ofRegistry further options of the registry, which is empty
 */
export async function accountStage(
  site: string,
  options: (origin: string) => Promise<Partial<AccountsOptions>> = async () => ({}),
  ofRegistry: Partial<RegistryOptions> = {},
): Promise<AccountStage> {
  let app: App | undefined
  const server = createServer((request, response) => {
    if (app !== undefined) nodeListener(app)(request, response)
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  afterwards(async () => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const made = await stage({ publicUrl: origin, ...(await options(origin)) }, ofRegistry)
  app = createApp(made.registry, {
    accounts: made.ways,
    publicUrl: origin,
    site: await siteFolder(site, undefined),
  })
  return {
    ...made,
    origin,
    invitation: async (name) =>
      `${origin}/sign-in/#${(await made.registry.accounts.invite({ name })).secret}`,
  }
}

/** A browser with an authenticator of its own, and what it complained of. */
export interface Visitor {
  readonly page: Page
  readonly context: BrowserContext
  readonly cdp: CDPSession
  readonly authenticatorId: string
  readonly complaints: string[]
}

export async function visitor(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 1200, height: 900 },
    ...options,
  })
  afterwards(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    const text = message.text()
    if (['error', 'warning'].includes(message.type()) && !ofTheBrowser.test(text)) complaints.push(text)
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { page, context, cdp, authenticatorId, complaints }
}

/** Axe in both colours on a phone, where nothing may be wider than the screen. */
export async function inspect(page: Page, name: string): Promise<void> {
  const before = page.viewportSize()
  await page.setViewportSize({ width: 360, height: 800 })
  await expectAccessibleInBoth(page, name)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow, name).toBeLessThanOrEqual(0)
  if (before) await page.setViewportSize(before)
}
