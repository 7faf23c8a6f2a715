import texts from './texts.json' with { type: 'json' }

export type MailLanguage = keyof typeof texts

export const mailLanguages = Object.keys(texts)

const isLanguage = (tag: string): tag is MailLanguage => Object.hasOwn(texts, tag)

/** The language of mails for a tag such as `de-AT`; English if there is none. */
export function languageOf(tag: string | undefined): MailLanguage {
  const [language = ''] = (tag ?? '').toLowerCase().split('-')
  return isLanguage(language) ? language : 'en'
}

/** The words of mails; in them `{name}` is the registry's, `{origin}` the address of its site. */
export const textsIn = (language: MailLanguage): (typeof texts)['en'] => texts[language]
