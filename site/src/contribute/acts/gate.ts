import { element } from '../../map/card/markup.ts'
import { fill } from '../../messages.ts'
import { rememberReturn } from '../../api/return.ts'
import { openSheet } from '../dialog.ts'
import { blockedText } from '../problems.ts'
import { rightTo, type Deed, type Right } from '../rights.ts'
import type { Setting } from '../setting.ts'

/** Leads to the page for signing in, and back to where this was tapped. */
export function leadToSignIn(setting: Setting, deed: string): void {
  rememberReturn(returnAddress(deed))
  location.assign(setting.signInPage)
}

/** The address of this page, on which the same is begun again. */
export const returnAddress = (deed: string): string => `${location.pathname}${location.search}#${deed}`

/** The missing requirement and the way to meet it, in sentences. */
export function missingText(setting: Setting, deed: Deed, right: Right): string | undefined {
  if (right.state === 'blocked') return blockedText(setting, right.block)
  if (right.state !== 'xp') return undefined
  const { words, format } = setting
  const { contribute, rules } = words
  const { required, current, reviews } = right
  const numbers = { required: format.number(required), current: format.number(current) }
  const missing = fill(
    deed === 'add' ? contribute.xpToAdd : deed === 'review' ? contribute.xpMissing : contribute.xpToEdit,
    numbers,
  )
  if (reviews === undefined) return missing
  return `${missing} ${fill(format.count(contribute.reviewsMissing, reviews), { xp: format.number(rules.xp.postReview) })}`
}

/** Whether this visitor has the right; if not, shows the reason and the remedy. */
export async function passes(setting: Setting, deed: Deed): Promise<boolean> {
  const { asker, words, mayAnybodyReport } = setting
  const right = rightTo(deed, asker, words.rules, mayAnybodyReport)
  if (right.state === 'allowed') return true
  if (right.state === 'signIn') leadToSignIn(setting, deed)
  const text = missingText(setting, deed, right)
  if (text === undefined) return false
  const { contribute } = setting.words
  const sheet = openSheet(setting, {
    title: contribute.notYet,
    content: [
      element('p', {}, text),
      right.state === 'xp' ? element('p', { class: 'faint' }, contribute.howToReview) : undefined,
    ],
  })
  await sheet.closed
  return false
}
