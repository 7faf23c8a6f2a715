import { drawn, element, named } from '../../desk/page/element.ts'
import { fill, type Format } from '../../messages.ts'
import type { ExploreConfig } from '../config.ts'
import type { FacetColumn } from '../selection.ts'

/** Values of a column shown at first, and with each "more". */
const shownAtFirst = 12

/** The number of waypoints by value, the most frequent first. */
export type ValueCounts = readonly (readonly [value: string, waypoints: number])[]

interface FacetOptions {
  readonly column: FacetColumn
  readonly config: ExploreConfig
  readonly format: Format
  onChange(value: string, isChosen: boolean): void
}

/** The values of a column with their counts, as checkboxes. */
export class FacetView {
  readonly element: HTMLElement
  readonly #options: FacetOptions
  readonly #list = element('ul', 'explore-values')
  readonly #more = element('button', 'text-button')
  readonly #find = element('input')
  readonly #rows = new Map<string, HTMLElement>()
  #counts: ValueCounts = []
  #chosen: readonly string[] = []
  #limit = shownAtFirst

  constructor(options: FacetOptions) {
    this.#options = options
    const { column, config } = options
    const name = config.columns[column]
    this.#find.type = 'search'
    this.#find.ariaLabel = fill(config.words.find, { column: name })
    this.#find.placeholder = config.words.findShort
    this.#find.autocomplete = 'off'
    this.#find.hidden = true
    this.#find.addEventListener('input', () => this.#show())
    // The search within the list is no condition of the selection.
    this.#find.addEventListener('change', (event) => event.stopPropagation())
    this.#more.type = 'button'
    this.#more.addEventListener('click', () => this.#showMore())
    this.element = element(
      'fieldset',
      'box explore-facet',
      element('legend', '', name),
      this.#find,
      this.#list,
      this.#more,
    )
    this.element.dataset['column'] = column
  }

  show(counts: ValueCounts, chosen: readonly string[]): void {
    const known = new Set(counts.map(([value]) => value))
    this.#chosen = chosen
    this.#counts = [
      ...chosen.flatMap((value) => (known.has(value) ? [] : [[value, 0] as const])),
      ...counts,
    ].toSorted(([one], [other]) => Number(chosen.includes(other)) - Number(chosen.includes(one)))
    if (this.#counts.length > shownAtFirst) this.#find.hidden = false
    this.#show()
  }

  #show(): void {
    const words = this.#find.value.trim().toLowerCase()
    const found = this.#counts.filter(
      ([value]) => words === '' || this.#nameOf(value).toLowerCase().includes(words),
    )
    const most = Math.max(1, ...found.map(([, waypoints]) => waypoints))
    const focused = document.activeElement
    this.#list.replaceChildren(
      ...found.slice(0, this.#limit).map(([value, waypoints]) => this.#rowOf(value, waypoints, most)),
    )
    // A reinserted element loses the focus.
    if (focused instanceof HTMLElement && this.#list.contains(focused)) focused.focus({ preventScroll: true })
    const more = found.length - this.#limit
    this.#more.hidden = more <= 0
    this.#more.textContent = this.#options.format.count(this.#options.config.words.more, Math.max(more, 0))
  }

  #showMore(): void {
    const before = this.#limit
    this.#limit += shownAtFirst * 4
    this.#show()
    this.#list.children[before]?.querySelector('input')?.focus()
  }

  #rowOf(value: string, waypoints: number, most: number): HTMLElement {
    const row = this.#rows.get(value) ?? this.#newRow(value)
    this.#rows.set(value, row)
    const box = row.querySelector('input')
    if (box) box.checked = this.#chosen.includes(value)
    row.querySelector('rect')?.setAttribute('width', String(Math.round((waypoints / most) * 1000) / 10))
    const number = row.querySelector('.bars-value')
    if (number) number.textContent = this.#options.format.number(waypoints)
    return row
  }

  #newRow(value: string): HTMLElement {
    const box = element('input')
    box.type = 'checkbox'
    box.addEventListener('change', () => this.#options.onChange(value, box.checked))
    const bar = drawn(
      'svg',
      { class: 'bars-bar', viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      drawn('rect', { class: 'bars-whole', height: 10, rx: 0.6 }),
    )
    return element(
      'li',
      '',
      element(
        'label',
        '',
        box,
        element('span', 'explore-name', named(this.#nameOf(value))),
        bar,
        element('span', 'bars-value'),
      ),
    )
  }

  #nameOf(value: string): string {
    const { column, config, format } = this.#options
    const names = config.names[column] ?? {}
    if (Object.hasOwn(names, value)) return names[value] ?? value
    if (value === '') return config.words.notGiven
    return column === 'country' ? format.country(value) : value
  }
}
