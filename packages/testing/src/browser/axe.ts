import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const colourSchemes = ['light', 'dark'] as const

/** The rules of axe that depend on colours. All others are the same in both themes, and take most of the time. */
const colourRules = ['color-contrast', 'link-in-text-block']

async function expectAccessible(
  page: Page,
  where: string,
  { colours = false }: { readonly colours?: boolean } = {},
): Promise<void> {
  // In the page itself: the default mode opens another page each time, for cross-origin frames, which no page here has.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  const { violations } = await (colours ? axe.withRules(colourRules) : axe).analyze()
  expect(violations.map(({ id, nodes }) => [where, id, nodes.map(({ html }) => html)])).toEqual([])
}

export async function expectAccessibleInBoth(page: Page, where: string): Promise<void> {
  for (const colorScheme of colourSchemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expectStill(page, where)
    await expectAccessible(page, `${where}, in ${colorScheme} colours`, { colours: colorScheme === 'dark' })
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
}

/** Waits for the end of animations: colours change gradually, also while axe runs. */
async function expectStill(page: Page, where: string): Promise<void> {
  const moving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .map(({ effect }) => (effect instanceof KeyframeEffect ? effect.target?.outerHTML : '')),
    )
  await expect.poll(moving, { timeout: 60_000, message: where }).toEqual([])
}
