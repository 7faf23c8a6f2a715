import type { Page } from 'playwright-core'
import { complaintsOf } from '../browser/complaints.ts'
import { newProfile } from '../browser/page.ts'

export type Visit = Awaited<ReturnType<typeof visit>>

/** Waits until the map is drawn. @param options `today` is the visitor’s date */
export async function visit(
  address: string,
  { today, ...options }: NonNullable<Parameters<typeof newProfile>[0]> & { readonly today?: string } = {},
) {
  const context = await newProfile({
    viewport: { width: 1200, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  if (today !== undefined) await page.clock.setFixedTime(`${today}T12:00:00Z`)
  const complaints = complaintsOf(page)
  const requests: string[] = []
  context.on('request', (request) => requests.push(request.url()))
  await page.goto(address)
  if (options.javaScriptEnabled !== false) await mapReady(page)
  return { page, context, complaints, requests }
}

export async function mapReady(page: Page): Promise<void> {
  await page.waitForSelector('html.map-ready', { timeout: 60_000 })
}

export async function heading(page: Page, expected: string | RegExp): Promise<string> {
  const found = page.locator('#list-section[aria-busy=false] #list-heading', { hasText: expected })
  await found.waitFor({ timeout: 30_000 })
  return (await found.textContent()) ?? ''
}

export async function clickMiddle(page: Page): Promise<void> {
  const box = await page.locator('#map').boundingBox()
  if (!box) throw new Error('The page has no map')
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

export function query(page: Page): URLSearchParams {
  return new URL(page.url()).searchParams
}

export async function addressFits(page: Page, fits: (query: URLSearchParams) => boolean): Promise<void> {
  await page.waitForURL((url) => fits(url.searchParams), { timeout: 30_000 })
}
