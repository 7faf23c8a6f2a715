import { element } from '../../map/card/markup.ts'
import { mark } from '../form/control.ts'

/** A single choice as large toggle buttons. */
export interface Choice {
  readonly root: HTMLElement
  /** Empty when none is chosen. */
  value: string
  problem: string
  focus(): void
}

let made = 0

/** @param options in order, each with its content and, for a drawing, its accessible label */
export function choiceOf(
  legend: string,
  options: readonly { readonly value: string; readonly label: string | Node; readonly spoken?: string }[],
  className = 'contribute-choices',
): Choice {
  made += 1
  const name = `contribute-choice-${made}`
  const problem = element('p', { class: 'contribute-problem', id: `${name}-problem` })
  const inputs = options.map(({ value, spoken }) =>
    element('input', { type: 'radio', name, value, 'aria-describedby': problem.id, 'aria-label': spoken }),
  )
  const root = element(
    'fieldset',
    { class: 'contribute-field' },
    element('legend', {}, legend),
    element(
      'div',
      { class: className },
      ...options.map(({ label }, index) =>
        element('label', { class: 'contribute-toggle' }, inputs[index], label),
      ),
    ),
    problem,
  )
  return {
    root,
    get value() {
      return inputs.find(({ checked }) => checked)?.value ?? ''
    },
    set value(given) {
      for (const input of inputs) input.checked = input.value === given
    },
    get problem() {
      return problem.textContent
    },
    set problem(text) {
      mark(inputs, problem, text)
    },
    focus: () => (inputs.find(({ checked }) => checked) ?? inputs[0])?.focus(),
  }
}
