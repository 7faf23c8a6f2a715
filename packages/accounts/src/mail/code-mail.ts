import { lifetimes } from '@openfountain/core/rules'
import type { Mail } from './outbox.ts'
import { oneLine } from './smtp.ts'
import { textsIn, type MailLanguage } from './texts.ts'

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

// Two groups of four digits are easier to read and copy.
const grouped = (code: string): string => `${code.slice(0, 4)} ${code.slice(4)}`

/**
 * The mail with a code, as text and as HTML without remote content.
 *
 * @param about `link` has the same effect as the code; `origin` is the registry's
 */
export function codeMail({
  code,
  link,
  name: given,
  origin,
  purpose,
  language,
}: {
  readonly code: string
  readonly link: string
  readonly name: string
  readonly origin: string
  readonly purpose: 'signIn' | 'addition'
  readonly language: MailLanguage
}): Omit<Mail, 'to'> {
  const name = oneLine(given)
  const words = textsIn(language)
  const values = { name, origin, minutes: String(lifetimes.code.minutes) }
  const filled = (text: string): string =>
    text.replaceAll(/\{(name|origin|minutes)\}/gu, (_, key: keyof typeof values) => values[key])
  const subject = filled(words[purpose].subject)
  const [lead, sameDevice, validity, unasked, sender] = [
    words[purpose].lead,
    words.sameDevice,
    words.validity,
    words.unasked,
    words.sender,
  ].map(filled)
  const text = `${lead}

    ${grouped(code)}

${words.button}
${link}

${sameDevice} ${validity}

${unasked}

-- 
${sender}
`
  const paragraph = (content = '', style = 'margin:0 0 16px'): string =>
    `<p style="${style}">${escaped(content)}</p>`
  const html = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
<style>
:root { color-scheme: light dark }
@media (prefers-color-scheme: dark) {
  .page { background: #14181b !important; color: #e8ecee !important }
  .code { background: #232a2f !important; color: #ffffff !important }
  .button { background: #7cc4e8 !important; color: #0b1c26 !important }
  .quiet { color: #a9b4ba !important }
}
</style>
</head>
<body class="page" style="margin:0;background:#ffffff;color:#1b2328">
<div class="page" style="box-sizing:border-box;max-width:520px;margin:0 auto;padding:24px;font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere;background:#ffffff;color:#1b2328">
${paragraph(lead)}
<p class="code" style="margin:0 0 16px;padding:16px;border-radius:8px;background:#eef4f7;color:#10202a;font:700 28px/1.2 ui-monospace,monospace;letter-spacing:2px;text-align:center;white-space:nowrap">${grouped(code)}</p>
<p style="margin:0 0 24px;text-align:center"><a class="button" href="${escaped(link)}" style="display:inline-block;padding:12px 28px;border-radius:8px;background:#0b5f86;color:#ffffff;font-weight:600;text-decoration:none">${escaped(words.button)}</a></p>
${paragraph(`${sameDevice} ${validity}`)}
${paragraph(unasked)}
<p class="quiet" style="margin:24px 0 0;font-size:14px;color:#55636b">${escaped(sender ?? '')}</p>
</div>
</body>
</html>
`
  return { subject, text, html, language }
}
