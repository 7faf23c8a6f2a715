export interface SiteAddress {
  /** Address or path of the API without a slash at its end. */
  readonly api: string
  /** Path of the site on its host, with a slash at both ends. */
  readonly base: string
  /** Language of the page, which may be switched while it is open. */
  readonly tag: string
}

export function siteOfPage(): SiteAddress {
  const { dataset, lang } = document.documentElement
  return { api: dataset['api'] ?? '/api', base: dataset['base'] ?? '/', tag: lang }
}

export function pageAddress(path: string, language?: string): string {
  const { base, tag } = siteOfPage()
  const wanted = language ?? tag
  const [first = tag] = (document.documentElement.dataset['languages'] ?? tag).split(' ')
  return `${base}${wanted === first ? '' : `${wanted}/`}${path}`
}

/** Calls a listener when the page's language changes. */
export function onLanguage(listener: () => void): void {
  new MutationObserver(listener).observe(document.documentElement, { attributeFilter: ['lang'] })
}
