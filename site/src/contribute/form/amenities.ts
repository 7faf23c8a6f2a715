import { limits } from '@openfountain/core/rules'
import { vocabulary } from '@openfountain/core/vocabulary'
import { icon } from '../../map/card/icons.ts'
import { element } from '../../map/card/markup.ts'
import type { Setting } from '../setting.ts'
import { mark, type Control } from './control.ts'

/** The kind and the features of a fountain, as large toggle buttons. */
export class Amenities implements Control {
  readonly name = 'amenities'
  readonly root: HTMLElement
  readonly #setting: Setting
  readonly #features: HTMLElement
  readonly #problem = element('p', { class: 'contribute-problem' })

  constructor(setting: Setting) {
    this.#setting = setting
    const { contribute } = setting.words
    const group = (role: 'kind' | 'feature', legend: string) => {
      const keys = Object.entries(vocabulary).flatMap(([key, one]) => (one.role === role ? [key] : []))
      const toggles = element('div', { class: 'contribute-toggles' }, ...keys.map((key) => this.#toggle(key)))
      return { toggles, root: element('fieldset', {}, element('legend', {}, legend), toggles) }
    }
    const kinds = group('kind', contribute.kindLegend)
    const features = group('feature', contribute.featuresLegend)
    this.#features = features.toggles
    this.root = element('div', { class: 'contribute-amenities' }, kinds.root, this.#problem, features.root)
  }

  get value(): readonly string[] {
    return [...this.#boxes()].flatMap(({ checked, value }) => (checked ? [value] : []))
  }

  set value(given: unknown) {
    const chosen = Array.isArray(given) ? given.map(String) : []
    // Keys that are not in the vocabulary are kept.
    const known = new Set([...this.#boxes()].map(({ value }) => value))
    this.#features.append(...chosen.filter((key) => !known.has(key)).map((key) => this.#toggle(key)))
    for (const box of this.#boxes()) box.checked = chosen.includes(box.value)
  }

  get problem(): string {
    return this.#problem.textContent
  }

  set problem(text: string) {
    mark(this.#boxes(), this.#problem, text)
  }

  /** Whether more are chosen than the limit. */
  get isTooMany(): boolean {
    return this.value.length > limits.amenities
  }

  focus(): void {
    this.root.querySelector('input')?.focus()
  }

  #boxes(): NodeListOf<HTMLInputElement> {
    return this.root.querySelectorAll<HTMLInputElement>('input')
  }

  #toggle(key: string): HTMLElement {
    return element(
      'label',
      { class: 'contribute-toggle' },
      element('input', { type: 'checkbox', value: key }),
      icon(key),
      element('bdi', {}, this.#setting.amenity(key)),
    )
  }
}
