import { rememberReturn } from '../api/return.ts'
import { icon } from '../map/card/icons.ts'
import { element } from '../map/card/markup.ts'
import { edit, move } from './actions/edit.ts'
import { withPlace } from './actions/here.ts'
import { missingText, returnAddress } from './actions/gate.ts'
import { remove } from './actions/remove.ts'
import { report } from './actions/report.ts'
import { review } from './actions/review.ts'
import type { Subject } from './actions/subject.ts'
import { rightTo, type Action } from './rights.ts'
import type { Setting } from './setting.ts'

type FountainAction = Exclude<Action, 'add'>

const drawings: Readonly<Record<FountainAction, string>> = {
  review: 'star',
  edit: 'edited',
  move: 'pin',
  report: 'broken',
  remove: 'deleted',
}

/** Does something about a fountain. */
export async function startAction(setting: Setting, action: FountainAction, subject: Subject): Promise<void> {
  switch (action) {
    case 'edit':
      return edit(setting, subject)
    case 'move':
      return move(setting, subject)
    case 'review':
      return review(setting, subject)
    case 'report':
      return report(setting, { bubblerId: subject.id }, subject.name)
    case 'remove':
      return remove(setting, subject)
  }
}

/** The visitor's possible actions on a fountain as buttons, and the missing requirements of the others. */
export function offered(setting: Setting, begin: (action: FountainAction) => void): Node[] {
  const { words, visitor, mayAnybodyReport } = setting
  const { contribute, rules } = words
  const buttons: Node[] = []
  const missing = new Set<string | Node>()
  if (visitor === undefined) {
    const link = element('a', { href: setting.signInPage }, contribute.signInFirst)
    link.addEventListener('click', () => rememberReturn(returnAddress('choose')))
    missing.add(link)
  }
  for (const action of Object.keys(drawings) as FountainAction[]) {
    const right = rightTo(action, visitor, rules, mayAnybodyReport)
    if (right.state === 'allowed') {
      const button = element(
        'button',
        { type: 'button', class: 'button button-quiet button-small' },
        icon(drawings[action]),
        contribute.action[action],
      )
      button.addEventListener('click', () => begin(action))
      buttons.push(button)
      continue
    }
    const text = missingText(setting, action, right)
    if (text !== undefined) missing.add(text)
  }
  const mayObserve = setting.person && rightTo('report', visitor, rules).state === 'allowed'
  return [
    ...(mayObserve ? [withPlace(setting)] : []),
    ...(buttons.length === 0 ? [] : [element('div', { class: 'actions' }, ...buttons)]),
    ...[...missing].map((text) => element('p', { class: 'contribute-missing' }, text)),
  ]
}
