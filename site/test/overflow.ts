import type { Page } from 'playwright-core'

export const windows = [
  ['a phone', { width: 390, height: 844 }],
  ['a phone on its side', { width: 844, height: 390 }],
  ['a desktop', { width: 1200, height: 800 }],
] as const

/**
 * The parts of a page that overflow: the page itself when it is wider than the window, parts that scroll sideways,
 * except tables, and texts that are cut off, except those that end in an ellipsis on purpose.
 */
export function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth } = document.documentElement
    const found = scrollWidth > innerWidth ? [`The page is ${scrollWidth} pixels wide`] : []
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.clientWidth <= 1) continue
      const { overflowX, textOverflow } = getComputedStyle(element)
      if (overflowX === 'visible' || element.scrollWidth <= element.clientWidth + 1) continue
      if (textOverflow === 'ellipsis' || element.matches('.table-wrap, :empty')) continue
      found.push(`${element.className} does not show all of: ${element.textContent.trim().slice(0, 80)}`)
    }
    return found
  })
}
