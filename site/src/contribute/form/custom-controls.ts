import { limits } from '@openfountain/core/rules'
import { element } from '../../map/card/markup.ts'
import { titleOf, type DeclaredField } from '../../custom-fields.ts'
import { customName } from '../members.ts'
import type { Setting } from '../setting.ts'
import { mark, type Control } from './control.ts'
import { ofEntry, textEntry, type TextFormat } from './controls.ts'

const number: TextFormat = {
  textOf: (value) => (typeof value === 'number' ? String(value) : ''),
  valueOf: Number,
}
const flag: TextFormat = {
  textOf: (value) => (typeof value === 'boolean' ? String(value) : ''),
  valueOf: (text) => text === 'true',
}
const list: TextFormat = {
  textOf: (value) => (Array.isArray(value) ? value.join('\n') : ''),
  valueOf: (text) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
}

/**
 * The control for a custom field by its declaration. A value stored under an earlier declaration stays until it is
 * changed.
 */
export function customControl(setting: Setting, field: DeclaredField): Control {
  const { contribute } = setting.words
  const name = customName(field.name)
  const label = setting.format.isolate(titleOf(field))
  const hint = hintOf(field)
  switch (field.type) {
    case 'boolean': {
      const options = [
        ['true', contribute.yes],
        ['false', contribute.no],
      ] as const
      return ofEntry(name, select(contribute.unknown, options), label, hint, flag)
    }
    case 'integer':
    case 'number':
      return ofEntry(name, numberEntry(field), label, hint, number)
    case 'array': {
      const values = field.items?.enum
      if (values) return new Choices(name, label, hint, values)
      const hints = [hint, contribute.onePerLine].filter((text) => text !== '')
      const attributes = { dir: 'auto', rows: '3', autocomplete: 'off' }
      return ofEntry(name, element('textarea', attributes), label, hints.join(' '), list)
    }
    default:
      return ofEntry(name, entryOfText(setting, field), label, hint)
  }
}

/** The description of a field, and the range of its numbers. */
const hintOf = ({ description, ...field }: DeclaredField): string =>
  [description, ...rangeOf(field)].filter(Boolean).join(' · ')

/** The limits of a number, except those that zod gives every integer. */
function rangeOf(field: Omit<DeclaredField, 'description'>): readonly string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = field
  const limitsOf = [
    ['≥', minimum],
    ['>', exclusiveMinimum],
    ['≤', maximum],
    ['<', exclusiveMaximum],
  ] as const
  return limitsOf.flatMap(([sign, limit]) =>
    limit === undefined || Math.abs(limit) >= Number.MAX_SAFE_INTEGER ? [] : [`${sign} ${limit}`],
  )
}

function numberEntry({ type, minimum, maximum }: DeclaredField): HTMLInputElement {
  return element('input', {
    type: 'number',
    inputmode: 'decimal',
    autocomplete: 'off',
    step: type === 'integer' ? '1' : 'any',
    ...(minimum !== undefined && { min: String(minimum) }),
    ...(maximum !== undefined && { max: String(maximum) }),
  })
}

function entryOfText(
  setting: Setting,
  { enum: values, format, maxLength }: DeclaredField,
): HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement {
  if (values) {
    const options = values.map((value) => [value, value] as const)
    return select(setting.words.contribute.unknown, options)
  }
  if (format === 'date') return element('input', { type: 'date' })
  const limit = String(Math.min(maxLength ?? limits.properties.text, limits.properties.text))
  const attributes = { maxlength: limit, dir: 'auto', autocomplete: 'off' }
  if (format === 'uri') return element('input', { ...attributes, type: 'url', placeholder: 'https://' })
  if (format === 'date-time')
    return element('input', { ...attributes, type: 'text', placeholder: '2026-06-30T12:00:00Z' })
  // Without a maximum it is more likely an inventory number than a description.
  return maxLength === undefined
    ? element('input', { ...attributes, type: 'text' })
    : textEntry(Number(limit))
}

const select = (unknown: string, options: readonly (readonly [string, string])[]): HTMLSelectElement =>
  element(
    'select',
    {},
    element('option', { value: '' }, unknown),
    ...options.map(([value, text]) => element('option', { value }, text)),
  )

/** A choice of several texts, as toggle buttons. */
class Choices implements Control {
  readonly name: string
  readonly root: HTMLElement
  readonly #toggles: HTMLElement
  readonly #problem = element('p', { class: 'contribute-problem' })
  #given: unknown
  #shown = ''

  constructor(name: string, label: string, hint: string, values: readonly string[]) {
    this.name = name
    this.#toggles = element('div', { class: 'contribute-toggles' }, ...values.map(toggle))
    this.root = element(
      'fieldset',
      { class: 'contribute-field' },
      element('legend', {}, label),
      this.#toggles,
      this.#problem,
      element('p', { class: 'faint' }, hint),
    )
  }

  get value(): unknown {
    const chosen = this.#chosen()
    if (chosen.join('\n') === this.#shown) return this.#given
    return chosen.length === 0 ? undefined : chosen
  }

  set value(given: unknown) {
    this.#given = given ?? undefined
    const values: readonly unknown[] = Array.isArray(given) ? given : []
    const known = new Set([...this.#boxes()].map((box) => box.value))
    // A value that is no longer declared can be removed, and survives changes of other values.
    const older = values.filter((value) => typeof value === 'string' && !known.has(value)).map(String)
    this.#toggles.append(...older.map(toggle))
    for (const box of this.#boxes()) box.checked = values.includes(box.value)
    this.#shown = this.#chosen().join('\n')
  }

  get problem(): string {
    return this.#problem.textContent
  }

  set problem(text: string) {
    mark(this.#boxes(), this.#problem, text)
  }

  focus(): void {
    this.root.querySelector('input')?.focus()
  }

  #chosen(): string[] {
    return [...this.#boxes()].flatMap(({ checked, value }) => (checked ? [value] : []))
  }

  #boxes(): NodeListOf<HTMLInputElement> {
    return this.root.querySelectorAll<HTMLInputElement>('input')
  }
}

const toggle = (value: string): HTMLElement =>
  element(
    'label',
    { class: 'contribute-toggle' },
    element('input', { type: 'checkbox', value }),
    element('bdi', {}, value),
  )
