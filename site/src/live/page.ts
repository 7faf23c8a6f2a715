import { siteOfPage } from '../api/site.ts'
import { labelsOf } from '../client/labels-of.ts'
import { formatFor } from '../messages.ts'
import { drawings } from '../ui/icon.tsx'
import { Page } from '../views/page.ts'

/** The page that is open, in its current language, which may have changed. @throws when its texts cannot be read */
export async function pageNow(): Promise<Page> {
  const { base, tag } = siteOfPage()
  const labels = await labelsOf(tag)
  // Another script may have switched the language meanwhile.
  if (siteOfPage().tag !== tag) return pageNow()
  return new Page({
    ...labels,
    format: formatFor(tag),
    base,
    icons: drawings(),
    isSwitched: document.documentElement.dataset['pages'] === 'one',
    hasForms: true,
    isBuilt: false,
    now: new Date(),
    userAgent: navigator.userAgent,
  })
}
