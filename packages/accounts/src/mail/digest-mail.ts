import { timingSafeEqual } from 'node:crypto'
import {
  happenedWordsIn,
  keyedHashes,
  type Digest,
  type MailsOf,
  type Notification,
} from '@openfountain/core/internal'
import { rhythms } from '@openfountain/core/rules'
import { button, escaped, letter, paragraph, quiet, languageOf, textsIn } from './letter.ts'
import type { Mail } from './outbox.ts'
import { oneLine } from './smtp.ts'

interface Sender {
  readonly name: string
  readonly origin: string
  readonly home: URL
  readonly page: URL
  readonly queue: URL
  /** The endpoint that ends mails, without its token. */
  readonly ending: URL
}

const filledBy =
  ({ name, origin }: Pick<Sender, 'name' | 'origin'>) =>
  (text: string): string =>
    text.replaceAll(/\{(name|origin)\}/gu, (_, key) => (key === 'name' ? oneLine(name) : origin))

/** The mail of a digest, with one-click unsubscription (RFC 8058). */
export function digestMail(digest: Digest, token: string, sender: Sender): Omit<Mail, 'to'> {
  const language = languageOf(digest.language)
  const { digest: words } = textsIn(language)
  const { event: events, by: tellers, report: decisions } = happenedWordsIn(language)
  const filled = filledBy(sender)
  const subject = filled(words.subject)
  const ending = new URL(sender.ending)
  ending.searchParams.set('token', token)
  const addressOf = ({ isRemoved, bubblerId }: Notification): string =>
    isRemoved ? sender.page.href : new URL(`?fountain=${bubblerId}`, sender.home).href
  const reports = digest.reports.map(({ state, createdAt, decidedAt }) => ({
    title: decisions[state],
    details: `${createdAt.slice(0, 10)} – ${decidedAt.slice(0, 10)}`,
    href: sender.page.href,
  }))
  const happened = digest.notifications.map((each) => ({
    title: `${events[each.event]}: ${oneLine(each.name)}`,
    details: [each.at.slice(0, 10), oneLine(each.byName ?? tellers[each.by]), oneLine(each.reason ?? '')]
      .filter((part) => part !== '')
      .join(' · '),
    href: addressOf(each),
  }))
  const items = [...reports, ...happened]
  const { waiting } = digest
  const count = words.waiting.replace('{count}', () => String(waiting))
  const parts = items.map(({ title, details, href }) => `* ${title}\n  ${details}\n  ${href}\n`)
  if (parts.length > 0) parts.unshift(`${filled(words.lead)}\n`)
  if (waiting > 0) parts.unshift(`${count}\n${sender.queue.href}\n`)
  const rest = digest.isMore ? words.more : words.all
  const text = `${parts.join('\n')}
${rest}
${sender.page.href}

${words.end}
${ending.href}

-- 
${filled(words.sender)}
`
  const link = (content: string, href: string) =>
    `<a class="link" href="${escaped(href)}" style="color:#0b5f86">${escaped(content)}</a>`
  const html = letter(language, subject, [
    ...(waiting > 0 ? [`<p style="margin:0 0 16px">${link(count, sender.queue.href)}</p>`] : []),
    ...(items.length > 0 ? [paragraph(filled(words.lead))] : []),
    ...items.map(
      ({ title, details, href }) =>
        `<p style="margin:0 0 16px">${link(title, href)}<br><span class="quiet" style="font-size:14px;color:#55636b">${escaped(details)}</span></p>`,
    ),
    `<p style="margin:0 0 16px">${escaped(rest)} ${link(sender.page.href, sender.page.href)}</p>`,
    `<p style="margin:0 0 16px">${link(words.stop, ending.href)}</p>`,
    quiet(filled(words.sender)),
  ])
  return {
    subject,
    text,
    html,
    language,
    headers: {
      'Message-ID': `<${digest.id}@${sender.home.hostname}>`,
      'List-Unsubscribe': `<${ending.href}>`,
      // Only https is allowed there.
      ...(ending.protocol === 'https:' && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
  }
}

/** The page that ends mails, as HTML. Before it is sent nothing ends: programs open links. */
export function endingPage(tag: string | undefined, isEnded: boolean, sender: Sender): string {
  const language = languageOf(tag)
  const { digest: words } = textsIn(language)
  const filled = filledBy(sender)
  const content = isEnded
    ? [paragraph(filled(words.stopped))]
    : [paragraph(filled(words.stopLead)), `<form method="post">${button(words.stop)}</form>`]
  return letter(language, filled(words.stopTitle), content)
}

/** The token in mails that ends them. It is not stored, and good as long as the key. */
export const endingToken = ({ userId, rhythm }: MailsOf, key: string): string =>
  `${rhythm}.${keyedHashes(key, 'mail')(`${rhythm} ${userId}`).slice(0, 32)}.${userId}`

export function endedBy(token: string, key: string): MailsOf | undefined {
  const [, word, userId = ''] = /^([a-z-]+)\.[\da-f]{32}\.(.+)$/su.exec(token) ?? []
  const rhythm = rhythms.find((each) => each === word)
  if (rhythm === undefined) return undefined
  const given = Buffer.from(token)
  const right = Buffer.from(endingToken({ userId, rhythm }, key))
  return given.length === right.length && timingSafeEqual(given, right) ? { userId, rhythm } : undefined
}
