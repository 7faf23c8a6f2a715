import { siteOfPage } from '../../../api/site.ts'
import { formatFor } from '../../../messages.ts'
import type { OutboxWords, Wording } from '../words.ts'

/** The texts of a language. @throws when they cannot be read */
export async function wordingOf(tag: string): Promise<Wording> {
  const address = `${siteOfPage().base}languages/outbox/${tag}.json`
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${address} returned ${response.status}`)
  const words: OutboxWords = await response.json()
  return { words, format: formatFor(tag) }
}

/** Address of a page in the language of this one. */
export function pageAddress(path: string): string {
  const { base, tag } = siteOfPage()
  const [first = tag] = (document.documentElement.dataset['languages'] ?? tag).split(' ')
  return `${base}${tag === first ? '' : `${tag}/`}${path}`
}

/** Calls a listener when the page's language changes. */
export function onLanguage(listener: () => void): void {
  new MutationObserver(listener).observe(document.documentElement, { attributeFilter: ['lang'] })
}
