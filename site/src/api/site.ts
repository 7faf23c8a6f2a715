/** The addresses of a site and its API, and the language of the page. */
export interface SiteAddress {
  /** Address or path of the API without a slash at its end. */
  readonly api: string
  /** Path of the site on its host, with a slash at both ends. */
  readonly base: string
  /** Language of the page, which may be switched while it is open. */
  readonly tag: string
}

/** The site of this page. */
export function siteOfPage(): SiteAddress {
  const { dataset, lang } = document.documentElement
  return { api: dataset['api'] ?? '/api', base: dataset['base'] ?? '/', tag: lang }
}
