import type { Field } from '@openfountain/core/fields'
import { element } from '../../map/card/markup.ts'
import type { Setting } from '../setting.ts'
import { mark, type Control } from './control.ts'
import { Season } from './season.ts'

type Entry = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

let made = 0

/** A field's name as a label, capitalized: the translations have it as it is written within a sentence. */
export function labelOf(setting: Setting, name: string): string {
  const names: Readonly<Record<string, string>> = setting.words.field
  const text = names[name] ?? name
  return text.charAt(0).toLocaleUpperCase(setting.format.tag) + text.slice(1)
}

/** The hint of a field. */
export function hintOf(setting: Setting, name: string): string {
  const hints: Readonly<Record<string, string>> = setting.words.contribute.hint
  return hints[name] ?? ''
}

/** A field with its label, control, hint and error. */
export function labelled(
  entry: Entry,
  label: string,
  hint: string,
): { readonly root: HTMLElement; readonly hint: HTMLElement; readonly problem: HTMLElement } {
  made += 1
  const id = `contribute-${made}`
  entry.id = id
  const problem = element('p', { class: 'contribute-problem', id: `${id}-problem` })
  const described = element('p', { class: 'faint', id: `${id}-hint` }, hint)
  entry.setAttribute('aria-describedby', hint === '' ? problem.id : `${problem.id} ${described.id}`)
  const root = element(
    'div',
    { class: 'contribute-field' },
    element('label', { for: id }, label),
    entry,
    problem,
    described,
  )
  return { root, hint: described, problem }
}

/** A control with an entry and the element of its hint, which its owner may change. */
export interface EntryControl<Kind extends Entry> extends Control {
  readonly entry: Kind
  readonly hint: HTMLElement
}

/** Conversion between a value and the text of its input. */
export interface TextFormat {
  textOf(value: unknown): string
  /** @param text the trimmed entry */
  valueOf(text: string): unknown
}

const plain: TextFormat = {
  textOf: (value) => (typeof value === 'string' ? value : ''),
  valueOf: (text) => text,
}

/**
 * The control of one input. Its value is the trimmed entry, undefined when that is empty; a value that was set stays
 * unchanged until the user enters another.
 *
 * @param writing default a text
 */
export function ofEntry<Kind extends Entry>(
  name: string,
  entry: Kind,
  label: string,
  hint: string,
  { textOf, valueOf }: TextFormat = plain,
): EntryControl<Kind> {
  const { root, hint: described, problem } = labelled(entry, label, hint)
  let given: unknown
  let shown = entry.value
  return {
    name,
    root,
    entry,
    hint: described,
    get value() {
      if (entry.value === shown) return given
      const text = entry.value.trim()
      return text === '' ? undefined : valueOf(text)
    },
    set value(next) {
      given = next === '' ? undefined : (next ?? undefined)
      entry.value = textOf(next)
      shown = entry.value
    },
    get isRight() {
      return entry.validity.valid || (given !== undefined && entry.value === shown)
    },
    get problem() {
      return problem.textContent
    },
    set problem(text) {
      mark([entry], problem, text)
    },
    focus: () => entry.focus(),
  }
}

/** Texts with at least this maximum length get several lines. */
const longText = 500

/** The control for a field by its description. Positions and amenities have controls of their own. */
export function controlOf(setting: Setting, name: string, field: Field): Control {
  const label = labelOf(setting, name)
  const hint = hintOf(setting, name)
  switch (field.type) {
    case 'season':
      return new Season(setting, name, label, hint)
    case 'flag':
      return flag(name, label, hint)
    case 'choice':
      return ofEntry(name, choices(setting, name, field.values ?? []), label, hint)
    case 'address':
      return ofEntry(
        name,
        element('input', {
          type: 'url',
          inputmode: 'url',
          placeholder: 'https://',
          maxlength: '2000',
          autocomplete: 'off',
        }),
        label,
        hint,
      )
    default:
      return ofEntry(name, textEntry(field.maxLength ?? longText), label, hint)
  }
}

/** A text input for the user's own words, in any direction of writing. */
export function textEntry(maxLength: number): HTMLInputElement | HTMLTextAreaElement {
  const attributes = { maxlength: String(maxLength), dir: 'auto', autocomplete: 'off' }
  return maxLength > longText
    ? element('textarea', { ...attributes, rows: '3' })
    : element('input', { ...attributes, type: 'text' })
}

function choices(setting: Setting, name: string, values: readonly string[]): HTMLSelectElement {
  const facts: Readonly<Record<string, string>> = setting.words.fact
  return element(
    'select',
    {},
    element('option', { value: '' }, setting.words.contribute.unknown),
    ...values.map((value) => element('option', { value }, facts[`${name}.${value}`] ?? value)),
  )
}

function flag(name: string, label: string, hint: string): Control {
  made += 1
  const box = element('input', { type: 'checkbox', 'aria-describedby': `contribute-flag-${made}` })
  const problem = element('p', { class: 'contribute-problem' })
  return {
    name,
    root: element(
      'div',
      { class: 'contribute-field' },
      element('label', { class: 'contribute-flag' }, box, label),
      problem,
      element('p', { class: 'faint', id: `contribute-flag-${made}` }, hint),
    ),
    get value() {
      return box.checked
    },
    set value(given) {
      box.checked = given === true
    },
    get problem() {
      return problem.textContent
    },
    set problem(text) {
      mark([box], problem, text)
    },
    focus: () => box.focus(),
  }
}
