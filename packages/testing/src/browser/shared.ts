import type { Browser, BrowserContext } from 'playwright-core'
import { afterwards } from '../afterwards.ts'
import { startChromium } from './chromium.ts'

/** Of a profile: its language, its window, its permissions … */
export type ProfileOptions = NonNullable<Parameters<Browser['newContext']>[0]>

let shared: Promise<Browser> | undefined

/** Opens a profile in the browser of this worker, which is started when a test first needs it. It ends with the test. */
export async function newProfile(options: ProfileOptions = {}): Promise<BrowserContext> {
  if (shared === undefined || !(await shared).isConnected()) shared = startChromium()
  const profile = await (await shared).newContext({ locale: 'en-GB', ...options })
  afterwards(() => profile.close())
  return profile
}
