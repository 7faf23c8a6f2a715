import type { Page } from 'playwright-core'

/**
 * What does not fit a page as it is: the page itself when it is wider than the window, parts that have to be scrolled
 * sideways, but for tables, and texts that are cut off, but for those that end in an ellipsis on purpose.
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
