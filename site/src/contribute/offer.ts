import { rememberReturn } from '../api/return.ts'
import { icon } from '../map/card/icons.ts'
import { element } from '../map/card/markup.ts'
import { edit, move } from './acts/edit.ts'
import { withPlace } from './acts/here.ts'
import { missingText, returnAddress } from './acts/gate.ts'
import { remove } from './acts/remove.ts'
import { report } from './acts/report.ts'
import { review } from './acts/review.ts'
import type { Subject } from './acts/subject.ts'
import { rightTo, type Deed } from './rights.ts'
import type { Setting } from './setting.ts'

type OfFountain = Exclude<Deed, 'add'>

const drawings: Readonly<Record<OfFountain, string>> = {
  review: 'star',
  edit: 'edited',
  move: 'pin',
  report: 'broken',
  remove: 'deleted',
}

/** Does something about a fountain. */
export async function act(setting: Setting, deed: OfFountain, subject: Subject): Promise<void> {
  switch (deed) {
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
export function offered(setting: Setting, begin: (deed: OfFountain) => void): Node[] {
  const { words, asker, mayAnybodyReport } = setting
  const { contribute, rules } = words
  const buttons: Node[] = []
  const missing = new Set<string | Node>()
  if (asker === undefined) {
    const link = element('a', { href: setting.signInPage }, contribute.signInFirst)
    link.addEventListener('click', () => rememberReturn(returnAddress('choose')))
    missing.add(link)
  }
  for (const deed of Object.keys(drawings) as OfFountain[]) {
    const right = rightTo(deed, asker, rules, mayAnybodyReport)
    if (right.state === 'allowed') {
      const button = element(
        'button',
        { type: 'button', class: 'button button-quiet button-small' },
        icon(drawings[deed]),
        contribute.deed[deed],
      )
      button.addEventListener('click', () => begin(deed))
      buttons.push(button)
      continue
    }
    const text = missingText(setting, deed, right)
    if (text !== undefined) missing.add(text)
  }
  const mayObserve = setting.person && rightTo('report', asker, rules).state === 'allowed'
  return [
    ...(mayObserve ? [withPlace(setting)] : []),
    ...(buttons.length === 0 ? [] : [element('div', { class: 'actions' }, ...buttons)]),
    ...[...missing].map((text) => element('p', { class: 'contribute-missing' }, text)),
  ]
}
