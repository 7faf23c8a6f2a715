import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { afterwards } from '../afterwards.ts'
import { startChromium } from './chromium.ts'

export type ProfileOptions = NonNullable<Parameters<Browser['newContext']>[0]>

let shared: Promise<Browser> | undefined

/** @param isPatient whether pages wait for news as usual; those of other profiles ask each second */
export async function newProfile({
  isPatient = false,
  ...options
}: ProfileOptions & { readonly isPatient?: boolean } = {}): Promise<BrowserContext> {
  if (shared === undefined || !(await shared).isConnected()) shared = startChromium()
  const profile = await (await shared).newContext({ locale: 'en-GB', ...options })
  afterwards(() => profile.close())
  if (!isPatient)
    await profile.addInitScript(
      "setInterval(() => document.dispatchEvent(new Event('openfountain:sent')), 1000)",
    )
  return profile
}

export const newPage = async (options: ProfileOptions = {}): Promise<Page> =>
  (await newProfile(options)).newPage()

export async function says(
  element: Locator,
  expected: string | RegExp,
  options: { readonly timeout?: number } = {},
): Promise<void> {
  const text = () => element.textContent()
  if (typeof expected === 'string') await expect.poll(text, options).toBe(expected)
  else await expect.poll(text, options).toMatch(expected)
}

const active = `(({ activeElement: found }) => found?.ariaLabel ?? found?.textContent ?? '')(document)`

export const focused = (page: Page): Promise<string> => page.evaluate<string>(active)
