import texts from './texts.json' with { type: 'json' }

/**
 * The words of mails. `{name}` is the registry's, `{origin}` the address of its site, `{minutes}` the lifetime of a
 * code.
 */
interface MailTexts {
  readonly signIn: Purpose
  readonly addition: Purpose
  /** The label of the link, which has the same effect as the code. */
  readonly button: string
  /** States that the code works only in the requesting browser. */
  readonly sameDevice: string
  /** The lifetime of the code, and the advice to keep it secret. */
  readonly validity: string
  /** Advice for a code that somebody else requested. */
  readonly unasked: string
  /** The sender's line. */
  readonly sender: string
  readonly notice: Notice
  readonly digest: DigestTexts
}

/** Notice of an added or removed way to sign in or token. */
interface Notice {
  readonly subject: string
  readonly added: string
  readonly removed: string
  readonly token: string
  readonly passkey: string
  readonly provider: string
  readonly address: string
  /** Advice for a change by somebody else, followed by the address of the account's page. */
  readonly unasked: string
  readonly sender: string
}

/** Digests, and the page that ends them. */
interface DigestTexts {
  readonly subject: string
  readonly lead: string
  /** The length of the queue, followed by its address. */
  readonly waiting: string
  /** Followed by the address of the page with the rest. */
  readonly more: string
  /** Followed by the same address, where the mail has all. */
  readonly all: string
  /** Followed by the address of the page that ends them. */
  readonly end: string
  readonly sender: string
  readonly stopTitle: string
  readonly stopLead: string
  readonly stop: string
  readonly stopped: string
}

interface Purpose {
  readonly subject: string
  readonly lead: string
}

export type MailLanguage = keyof typeof texts

export const mailLanguages = Object.keys(texts)

const isLanguage = (tag: string): tag is MailLanguage => Object.hasOwn(texts, tag)

/** The language of mails for a tag such as `de-AT`; English if there is none. */
export function languageOf(tag: string | undefined): MailLanguage {
  const [language = ''] = (tag ?? '').toLowerCase().split('-')
  return isLanguage(language) ? language : 'en'
}

export const textsIn = (language: MailLanguage): MailTexts => texts[language]
