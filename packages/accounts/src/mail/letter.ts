import texts from './texts.json' with { type: 'json' }

export const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

export const paragraph = (content = '', style = 'margin:0 0 16px'): string =>
  `<p style="${style}">${escaped(content)}</p>`

const buttonStyle =
  'display:inline-block;padding:12px 28px;border:0;border-radius:8px;background:#0b5f86;color:#ffffff;font:inherit;font-weight:600;text-decoration:none'

/** A link, or without an address what sends the form around it. */
export const button = (text: string, href?: string): string =>
  `<p style="margin:0 0 24px;text-align:center">${
    href === undefined
      ? `<button class="button" style="${buttonStyle}">${escaped(text)}</button>`
      : `<a class="button" href="${escaped(href)}" style="${buttonStyle}">${escaped(text)}</a>`
  }</p>`

export const quiet = (text: string): string =>
  `<p class="quiet" style="margin:24px 0 0;font-size:14px;color:#55636b">${escaped(text)}</p>`

/** A document of HTML without remote content. */
export const letter = (
  language: string,
  title: string,
  content: readonly string[],
): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(title)}</title>
<style>
:root { color-scheme: light dark }
@media (prefers-color-scheme: dark) {
  .page { background: #14181b !important; color: #e8ecee !important }
  .code { background: #232a2f !important; color: #ffffff !important }
  .button { background: #7cc4e8 !important; color: #0b1c26 !important }
  .quiet { color: #a9b4ba !important }
  .link { color: #7cc4e8 !important }
}
</style>
</head>
<body class="page" style="margin:0;background:#ffffff;color:#1b2328">
<div class="page" style="box-sizing:border-box;max-width:520px;margin:0 auto;padding:24px;font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere;background:#ffffff;color:#1b2328">
${content.join('\n')}
</div>
</body>
</html>
`

export type MailLanguage = keyof typeof texts

export const mailLanguages = Object.keys(texts)

const isLanguage = (tag: string): tag is MailLanguage => Object.hasOwn(texts, tag)

export function languageOf(tag: string | undefined): MailLanguage {
  const [language = ''] = (tag ?? '').toLowerCase().split('-')
  return isLanguage(language) ? language : 'en'
}

/** The words of mails; in them `{name}` is the registry's, `{origin}` the address of its site. */
export const textsIn = (language: MailLanguage): (typeof texts)['en'] => texts[language]
