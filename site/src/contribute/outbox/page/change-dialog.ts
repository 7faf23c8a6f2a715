import { element } from '../../../map/card/markup.ts'
import type { Act } from '../act.ts'
import { fieldsOf } from '../conflict.ts'
import { outbox } from '../outbox.ts'
import type { Wording } from '../words.ts'
import { button, openDialog } from './dialog.ts'
import { fieldName, refusalText } from './wording.ts'

/** Fields whose text is long. */
const long: ReadonlySet<string> = new Set(['description', 'comment'])

/** Lets somebody change the texts and numbers of what was not accepted, and sends it again. */
export async function changeAct(wording: Wording, act: Act): Promise<void> {
  const { words } = wording
  const { outbox: text, account } = words
  const wrong = wrongFields(act)
  const controls = Object.entries(fieldsOf(act.body)).flatMap(([name, value]) =>
    name !== 'bubblerId' && (typeof value === 'string' || typeof value === 'number')
      ? [{ name, isNumber: typeof value === 'number', control: control(name, value, wrong.includes(name)) }]
      : [],
  )
  const form = element(
    'form',
    { method: 'dialog', class: 'outbox-form', novalidate: true },
    element('p', { class: 'outbox-reason' }, act.refusal && refusalText(wording, act.refusal)),
    ...controls.map(({ name, control: made }) =>
      element('label', { class: 'outbox-field' }, element('span', {}, fieldName(wording, name)), made),
    ),
    element(
      'div',
      { class: 'actions' },
      element(
        'button',
        { type: 'submit', class: 'button' },
        act.refusal?.code === 'DUPLICATE' ? text.addAnyway : text.again,
      ),
      button(account.cancel, () => root.close(), { quiet: true }),
    ),
  )
  const { root, closed } = openDialog(act.subject, form)
  form.addEventListener('submit', () => {
    const given = Object.fromEntries(
      controls.map(({ name, isNumber, control: { value } }) => [name, isNumber ? Number(value) : value]),
    )
    void outbox().revise(act.key, (kept) => ({
      ...kept,
      // Whoever has seen the fountains nearby need not be asked again.
      path: kept.refusal?.code === 'DUPLICATE' ? (kept.path.split('?')[0] ?? kept.path) : kept.path,
      ...(kept.body !== undefined && { body: { ...fieldsOf(kept.body), ...given } }),
      ...(typeof given['name'] === 'string' && given['name'] !== '' && { subject: given['name'] }),
    }))
  })
  await closed
}

function control(
  name: string,
  value: string | number,
  isWrong: boolean,
): HTMLInputElement | HTMLTextAreaElement {
  const made = long.has(name)
    ? element('textarea', { rows: '4', dir: 'auto', 'aria-invalid': isWrong && 'true' })
    : element('input', {
        type: 'text',
        dir: 'auto',
        inputmode: typeof value === 'number' ? 'decimal' : undefined,
        'aria-invalid': isWrong && 'true',
      })
  made.value = String(value)
  return made
}

function wrongFields({ refusal }: Act): readonly string[] {
  const { issues } = refusal?.details ?? {}
  return Array.isArray(issues) ? issues.map(({ path }: { path?: unknown }) => String(path)) : []
}
