import { lifetimes } from '@openfountain/core/rules'
import { button, letter, paragraph, quiet, textsIn, type MailLanguage } from './letter.ts'
import type { Mail } from './outbox.ts'
import { oneLine } from './smtp.ts'

// Two groups of four digits are easier to read and copy.
const grouped = (code: string): string => `${code.slice(0, 4)} ${code.slice(4)}`

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
  const html = letter(language, subject, [
    paragraph(lead),
    `<p class="code" style="margin:0 0 16px;padding:16px;border-radius:8px;background:#eef4f7;color:#10202a;font:700 28px/1.2 ui-monospace,monospace;letter-spacing:2px;text-align:center;white-space:nowrap">${grouped(code)}</p>`,
    button(words.button, link),
    paragraph(`${sameDevice} ${validity}`),
    paragraph(unasked),
    quiet(sender ?? ''),
  ])
  return { subject, text, html, language }
}
