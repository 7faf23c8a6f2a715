import { render } from 'preact'
import { rememberReturn } from '../api/return.ts'
import { pageAddress } from '../api/site.ts'
import { Button } from '../ui/button.tsx'
import { edit, move } from './actions/edit.tsx'
import { missingText, passes, returnAddress } from './actions/gate.tsx'
import { NearConsent } from './actions/here.tsx'
import { problem, works } from './actions/observe.tsx'
import { remove } from './actions/remove.ts'
import { report } from './actions/report.tsx'
import { review } from './actions/review.tsx'
import { rightTo, type Action } from './rights.ts'
import type { Setting, Subject } from './setting.ts'

/** The actions at a fountain. */
const starts = {
  review,
  edit,
  move,
  report: (setting: Setting, { id, name }: Subject) => report(setting, { bubblerId: id }, name),
  remove,
  works,
  problem,
}

export type FountainAction = keyof typeof starts

/** Does something about a fountain, if the visitor may. */
export async function startAction(setting: Setting, action: FountainAction, subject: Subject): Promise<void> {
  const isAllowed =
    action === 'works' || action === 'problem' ? passes(setting, 'report', 'choose') : passes(setting, action)
  if (await isAllowed) await starts[action](setting, subject)
}

/** The actions that are offered as buttons, with their icons. */
const offered = [
  ['review', 'star'],
  ['edit', 'edited'],
  ['move', 'pin'],
  ['report', 'broken'],
  ['remove', 'deleted'],
] as const satisfies readonly [Action, string][]

/** Shows the visitor's possible actions on a fountain as buttons, and the missing requirements of the others. */
export function showOffer(setting: Setting, place: Element, begin: (action: FountainAction) => void): void {
  const { words, visitor, person, mayAnybodyReport } = setting
  const { contribute, rules } = words
  const all = offered.map(([action, icon]) => {
    const right = rightTo(action, visitor, rules, mayAnybodyReport)
    return {
      action,
      icon,
      isAllowed: right.state === 'allowed',
      missing: missingText(setting, action, right),
    }
  })
  const allowed = all.filter(({ isAllowed }) => isAllowed)
  const missing = new Set(all.flatMap((one) => one.missing ?? []))
  render(
    <>
      {person && allowed.some(({ action }) => action === 'report') && <NearConsent setting={setting} />}
      {allowed.length > 0 && (
        <div class="actions">
          {allowed.map(({ action, icon }) => (
            <Button
              key={action}
              kind="quiet"
              isSmall
              icon={icon}
              text={contribute.action[action]}
              onPress={() => begin(action)}
            />
          ))}
        </div>
      )}
      {visitor === undefined && (
        <p class="faint">
          <a href={pageAddress('sign-in/')} onClick={() => rememberReturn(returnAddress('choose'))}>
            {contribute.signInFirst}
          </a>
        </p>
      )}
      {[...missing].map((text) => (
        <p key={text} class="faint">
          {text}
        </p>
      ))}
    </>,
    place,
  )
}
