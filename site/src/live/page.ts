import type { Labels } from '../build/labels.ts'
import { siteOfPage } from '../api/site.ts'
import { formatFor } from '../messages.ts'
import { Page } from '../views/page.ts'

const root = document.documentElement
const read = new Map<string, Promise<Page>>()

/** The page that is open, in its current language, which may have changed. @throws when its texts cannot be read */
export function pageNow(): Promise<Page> {
  const { base, tag } = siteOfPage()
  const known = read.get(tag) ?? pageIn(base, tag)
  read.set(tag, known)
  known.catch(() => read.delete(tag))
  return known
}

async function pageIn(base: string, tag: string): Promise<Page> {
  const response = await fetch(`${base}languages/${tag}.json`)
  const labels = (await response.json()) as Labels
  const icons = document.querySelector('svg use')?.getAttribute('href')?.split('#', 1)[0]
  return new Page({
    ...labels,
    format: formatFor(tag),
    base,
    icons: icons ?? '',
    isSwitched: root.dataset['pages'] === 'one',
    hasForms: true,
    isBuilt: false,
    now: new Date(),
    userAgent: navigator.userAgent,
  })
}
