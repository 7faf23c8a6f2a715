const { lang: ofPage, dataset } = document.documentElement
const languages = (dataset['languages'] ?? ofPage).split(' ')

/** Whether a language is the site's default, whose pages have no language in their address. */
export const isDefault = (language: string): boolean => language === languages[0]

/** Stores the visitor's choice for later pages. */
export function remember(language: string): void {
  try {
    localStorage.setItem('language', language)
  } catch {
    // Without storage the next page starts from the browser's languages again.
  }
}

/** The visitor's chosen language of the site, else the browser's first available one, else the page's. */
export function wantedLanguage(): string {
  let stored: string | null = null
  try {
    stored = localStorage.getItem('language')
  } catch {
    // Storage may be blocked: as if it were empty.
  }
  const preferred = stored === null ? navigator.languages : [stored, ...navigator.languages]
  for (const language of preferred) {
    const found =
      languages.find((tag) => tag === language) ?? languages.find((tag) => language.startsWith(`${tag}-`))
    if (found !== undefined) return found
  }
  return ofPage
}
