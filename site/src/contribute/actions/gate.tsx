import { fill } from '../../messages.ts'
import { rememberReturn } from '../../api/return.ts'
import { pageAddress } from '../../api/site.ts'
import { blockedWords } from '../../ui/refusal.ts'
import { rightTo, type Action, type Right } from '../rights.ts'
import type { Setting } from '../setting.ts'
import { openMessage } from '../sheet.tsx'

/** Opens the sign-in page, with a return to this action. */
export function leadToSignIn(action: string): void {
  rememberReturn(returnAddress(action))
  location.assign(pageAddress('sign-in/'))
}

/** The address of this page that starts the same action. */
export const returnAddress = (action: string): string => `${location.pathname}${location.search}#${action}`

/** The missing requirement and the way to meet it, in sentences. */
export function missingText(setting: Setting, action: Action, right: Right): string | undefined {
  const { words, format } = setting
  const { contribute, rules, problem } = words
  if (right.state === 'blocked')
    return blockedWords({ ...right.block, blockedUntil: right.block.until }, { problem, format })
  if (right.state !== 'xp') return undefined
  const { required, current, reviews } = right
  const { xpMissing, xpToAdd, xpToEdit, reviewsMissing } = contribute
  const missing = fill(action === 'add' ? xpToAdd : action === 'review' ? xpMissing : xpToEdit, {
    required: format.number(required),
    current: format.number(current),
  })
  if (reviews === undefined) return missing
  return `${missing} ${fill(format.count(reviewsMissing, reviews), { xp: format.number(rules.xp.postReview) })}`
}

/**
 * Whether this visitor has the right; if not, shows the reason and the remedy.
 *
 * @param back the action that starts after a sign-in; default the same
 */
export async function passes(setting: Setting, action: Action, back: string = action): Promise<boolean> {
  const { visitor, words, mayAnybodyReport } = setting
  const right = rightTo(action, visitor, words.rules, mayAnybodyReport)
  if (right.state === 'allowed') return true
  if (right.state === 'signIn') leadToSignIn(back)
  const text = missingText(setting, action, right)
  if (text === undefined) return false
  const { notYet, howToReview } = words.contribute
  await openMessage(
    setting,
    notYet,
    <>
      <p>{text}</p>
      {right.state === 'xp' && <p class="faint">{howToReview}</p>}
    </>,
  )
  return false
}
