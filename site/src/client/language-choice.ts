import { store, stored } from './storage.ts'

const { lang: ofPage, dataset } = document.documentElement
const languages = (dataset['languages'] ?? ofPage).split(' ')

export const isDefault = (language: string): boolean => language === languages[0]

export const remember = (language: string): void => store('language', language)

/** The visitor's chosen language of the site, else the browser's, else the page's; the default where the page is in that of its region. */
export function wantedLanguage(): string {
  for (const language of [stored('language') ?? [], navigator.languages].flat()) {
    const found =
      languages.find((tag) => tag === language) ?? languages.find((tag) => language.startsWith(`${tag}-`))
    if (found !== undefined) return found
  }
  return dataset['pages'] === 'one' ? (languages[0] ?? ofPage) : ofPage
}
