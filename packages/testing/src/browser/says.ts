import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Waits until an element says just this, or what fits. */
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

/** What is read of whatever has the focus. */
export const focused = (page: Page): Promise<string> => page.evaluate<string>(active)
