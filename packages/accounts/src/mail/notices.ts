import type { Registry } from '@openfountain/core'
import type { AccessChange } from '@openfountain/core/internal'
import { addressIn } from '../email-address.ts'
import type { Mail, Outbox } from './outbox.ts'
import { oneLine } from './smtp.ts'
import { languageOf, textsIn } from './letter.ts'

interface Sender {
  readonly name: string
  readonly origin: string
  readonly page: URL
}

function noticeOf(
  { change, what, name: given, language: tag }: AccessChange,
  { name, origin, page }: Sender,
): Omit<Mail, 'to'> {
  const language = languageOf(tag)
  const { notice } = textsIn(language)
  const filled = (text: string): string =>
    text.replaceAll('{name}', oneLine(name)).replaceAll('{origin}', origin)
  const text = `${filled(notice[change])}

    ${notice[what]}: ${oneLine(given)}

${filled(notice.unasked)}
${page.href}

-- 
${filled(notice.sender)}
`
  return { subject: filled(notice.subject), text, language }
}

/** Tells owners of changed ways to sign in, at each address verified before. @returns what stops it */
export const sendNotices = (registry: Registry, outbox: Outbox, sender: Sender): (() => void) =>
  registry.accounts.onAccessChange((changed) => {
    // Read at once: later changes must not affect the recipients.
    const reading = registry.accounts.identities(changed.userId)
    reading.catch(() => undefined)
    outbox.add(async () => {
      const identities = await reading
      const own = identities.filter(({ provider }) => provider === 'email').map(({ label }) => label)
      const others = own.filter((label) => changed.what !== 'address' || label !== changed.name)
      const isRemoved = changed.what === 'address' && changed.change === 'removed'
      const mail = noticeOf(changed, sender)
      return [...others, ...(isRemoved ? [changed.name] : [])].flatMap((label) => {
        const to = addressIn(label)?.mailbox
        return to === undefined ? [] : [{ ...mail, to }]
      })
    })
  })
