import { render } from 'preact'
import { rememberReturn } from '../api/return.ts'
import { Button } from '../ui/button.tsx'
import { edit, move } from './actions/edit.tsx'
import { NearConsent } from './actions/here.tsx'
import { missingText, returnAddress } from './actions/gate.tsx'
import { remove } from './actions/remove.ts'
import { report } from './actions/report.tsx'
import { review } from './actions/review.tsx'
import { rightTo, type Action } from './rights.ts'
import type { Setting, Subject } from './setting.ts'

type FountainAction = Exclude<Action, 'add'>

/** What can be done about a fountain, each with its icon. */
const actions: Readonly<
  Record<
    FountainAction,
    readonly [icon: string, start: (setting: Setting, subject: Subject) => Promise<void>]
  >
> = {
  review: ['star', review],
  edit: ['edited', edit],
  move: ['pin', move],
  report: ['broken', (setting, { id, name }) => report(setting, { bubblerId: id }, name)],
  remove: ['deleted', remove],
}

/** Does something about a fountain. */
export const startAction = (setting: Setting, action: FountainAction, subject: Subject): Promise<void> =>
  actions[action][1](setting, subject)

/** Shows the visitor's possible actions on a fountain as buttons, and the missing requirements of the others. */
export function showOffer(setting: Setting, place: Element, begin: (action: FountainAction) => void): void {
  const { words, visitor, mayAnybodyReport } = setting
  const { contribute, rules } = words
  const all = (Object.keys(actions) as FountainAction[]).map(
    (action) => [action, rightTo(action, visitor, rules, mayAnybodyReport)] as const,
  )
  const allowed = all.filter(([, { state }]) => state === 'allowed')
  const missing = new Set(all.flatMap(([action, right]) => missingText(setting, action, right) ?? []))
  render(
    <>
      {setting.person && rightTo('report', visitor, rules).state === 'allowed' && (
        <NearConsent setting={setting} />
      )}
      {allowed.length > 0 && (
        <div class="actions">
          {allowed.map(([action]) => (
            <Button
              key={action}
              kind="quiet"
              isSmall
              icon={actions[action][0]}
              text={contribute.action[action]}
              onPress={() => begin(action)}
            />
          ))}
        </div>
      )}
      {visitor === undefined && (
        <p class="contribute-missing">
          <a href={setting.signInPage} onClick={() => rememberReturn(returnAddress('choose'))}>
            {contribute.signInFirst}
          </a>
        </p>
      )}
      {[...missing].map((text) => (
        <p key={text} class="contribute-missing">
          {text}
        </p>
      ))}
    </>,
    place,
  )
}
