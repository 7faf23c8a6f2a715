import { fill } from '../../../messages.ts'
import { element } from '../../../map/card/markup.ts'
import type { Act } from '../act.ts'
import { createOf } from '../act.ts'
import { outbox } from '../outbox.ts'
import type { Wording } from '../words.ts'
import { resolveConflict } from './conflict-dialog.ts'
import { correctAct } from './correcting.ts'
import { button, isAgreed } from './dialog.ts'
import { actName, refusalText, stateText } from './wording.ts'

/** One row per submission: its title, its state and its buttons. */
export function rows(wording: Wording, acts: readonly Act[]): HTMLElement[] {
  return acts.map((act) => rowOf(wording, act, acts))
}

function rowOf(wording: Wording, act: Act, all: readonly Act[]): HTMLElement {
  const { words, format } = wording
  const { outbox: text } = words
  const reason = act.state === 'refused' && act.refusal ? refusalText(wording, act.refusal) : undefined
  return element(
    'li',
    { class: 'outbox-row', 'data-key': act.key, 'data-state': act.state },
    element(
      'div',
      { class: 'outbox-text' },
      element('span', { class: 'faint' }, text.kind[act.kind]),
      element('strong', {}, element('bdi', {}, act.subject)),
      element('span', { class: 'outbox-state' }, stateText(wording, act, all)),
      reason === undefined ? undefined : element('span', { class: 'outbox-reason' }, reason),
      element(
        'span',
        { class: 'faint' },
        element('time', { datetime: act.madeAt }, `${format.date(act.madeAt)}, ${format.time(act.madeAt)}`),
      ),
    ),
    element('div', { class: 'actions' }, ...buttonsOf(wording, act, all)),
  )
}

function buttonsOf(wording: Wording, act: Act, all: readonly Act[]): HTMLElement[] {
  const { outbox: text } = wording.words
  const named = (label: string, pressed: () => void, quiet = true): HTMLElement =>
    button(label, pressed, {
      quiet,
      small: true,
      name: fill(wording.words.labelled, { label, text: actName(wording, act) }),
    })
  switch (act.state) {
    case 'conflict':
      return [named(text.decide, () => void resolveConflict(wording, act.key), false)]
    case 'refused':
      return [
        named(text.change, () => void correctAct(wording, act), false),
        named(text.drop, () => void takeBack(wording, act, all)),
      ]
    case 'waiting':
      return [named(text.undo, () => void takeBack(wording, act, all))]
    default:
      return []
  }
}

/** Takes an act back, after asking where that loses more than it seems, or may not be the end of it. */
async function takeBack({ words, format }: Wording, act: Act, all: readonly Act[]): Promise<void> {
  const { outbox: text, account } = words
  const more = all.filter((other) => createOf(other) === act.key).length
  const questions = [
    ...(act.state === 'refused' ? [text.dropAsk] : []),
    ...(act.state === 'waiting' && act.isUncertain ? [text.uncertainAsk] : []),
    ...(more > 0 ? [format.count(text.moreAsk, more)] : []),
  ]
  const yes = act.state === 'refused' ? text.drop : text.undo
  if (questions.length > 0 && !(await isAgreed(questions.join(' '), yes, account.cancel))) return
  await outbox().undo(act.key)
}
