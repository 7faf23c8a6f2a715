import { NewAccounts } from '../../account/new-accounts.tsx'
import { fill } from '../../messages.ts'
import { rememberedUser } from '../../api/signed-in.ts'
import { rememberReturn } from '../../api/return.ts'
import { pageAddress } from '../../api/site.ts'
import { Button } from '../../ui/button.tsx'
import { Earnings } from '../../views/earnings.tsx'
import { blockedWords } from '../../ui/refusal.ts'
import { tell } from '../../ui/toast.tsx'
import { rightTo, type Action, type Right } from '../rights.ts'
import type { Setting } from '../setting.ts'
import { openMessage } from '../sheet.tsx'

/** Opens the sign-in page, with a return to an action; before it, for new people, the conditions of accounts that are not open to all. */
export async function offerSignIn(setting: Setting, title: string, action: string): Promise<void> {
  const { offer, words } = setting
  if (!navigator.onLine) return tell(words.problem.offline)
  const isForAll = offer === undefined || offer.registration === 'open'
  rememberReturn(returnAddress(action))
  if (isForAll || rememberedUser() !== undefined) return location.assign(pageAddress('sign-in/'))
  await openMessage(
    setting,
    title,
    <>
      <p>{words.account.needed}</p>
      <NewAccounts offer={offer} words={words.account} />
      <p class="actions">
        <Button href={pageAddress('sign-in/')} text={words.account.signIn} />
      </p>
    </>,
  )
}

export const returnAddress = (action: string): string => `${location.pathname}${location.search}#${action}`

/** Shows all that earns XP, and what the visitor may do already, below a sentence. */
export function showEarnings(setting: Setting, sentence?: string): Promise<void> {
  const { visitor, page, format, words } = setting
  const { contribute, earnings } = words
  const xp = visitor === 'unknown' ? undefined : visitor?.xp
  return openMessage(
    setting,
    sentence === undefined ? earnings.title : contribute.notYet,
    <>
      {sentence !== undefined && <p>{sentence}</p>}
      <Earnings words={earnings} format={format} icons={page.icons} xp={xp} />
      <p class="faint">{contribute.howToReview}</p>
    </>,
  )
}

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

function titleOf({ words: { contribute } }: Setting, action: Action): string {
  if (action === 'add') return contribute.add
  return action === 'observe' ? contribute.observe.legend : contribute.action[action]
}

/** Whether this visitor has the right; if not, shows the reason and the remedy. @param back the action after a sign-in */
export async function passes(setting: Setting, action: Action, back: string = action): Promise<boolean> {
  const { visitor, words, passersBy } = setting
  const right = rightTo(action, visitor, words.rules, passersBy)
  if (right.state === 'allowed') return true
  if (right.state === 'signIn') await offerSignIn(setting, titleOf(setting, action), back)
  const text = missingText(setting, action, right)
  if (text === undefined) return false
  if (right.state === 'xp') await showEarnings(setting, text)
  else await openMessage(setting, words.contribute.notYet, <p>{text}</p>)
  return false
}
