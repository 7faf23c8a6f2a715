import { render } from 'preact'
import type { PlaceEntry } from '../build/places.ts'
import { nameIn } from '../../naming.ts'
import type { Bounds } from '../../data/region.ts'
import type { Page } from '../../views/page.ts'
import { checkNames, conditionsIn, differencesOf, type Filter, firstFilter, readFilter } from './filter.ts'

export interface FilterFormOptions {
  readonly form: HTMLFormElement
  /** Shows the number of differences from the first filter. */
  readonly badge: HTMLElement
  readonly words: Page
  onChange(filter: Filter, bounds: Bounds | undefined): void
}

/** The filter form; it always shows the current filter. */
export class FilterForm {
  readonly #options: FilterFormOptions
  readonly #select: HTMLSelectElement | null
  #places: readonly PlaceEntry[] = []

  /** @param filter that of the page's address */
  constructor(options: FilterFormOptions, filter: Filter) {
    this.#options = options
    const { form, onChange } = options
    this.#select = form.querySelector('select[name=region]')
    form.addEventListener('change', ({ target }) => {
      const wanted = this.#read()
      this.#count(wanted)
      onChange(wanted, target === this.#select ? this.bounds : undefined)
    })
    form.addEventListener('reset', (event) => {
      event.preventDefault()
      this.set(firstFilter)
      onChange(firstFilter, undefined)
    })
    form.addEventListener('submit', (event) => event.preventDefault())
    this.set(filter)
  }

  /** Makes the form show this filter. A region missing in the list is added to it. */
  set(filter: Filter): void {
    const conditions = conditionsIn(filter)
    for (const box of this.#options.form.querySelectorAll<HTMLInputElement>('input[type=checkbox]'))
      box.checked = conditions.some(
        ({ name, value }) => name === box.name && value.split(',').includes(box.value),
      )
    this.#list(filter.region ?? '')
    this.#count(filter)
  }

  /** Fills the list of regions. */
  offer(places: readonly PlaceEntry[]): void {
    this.#places = places
    this.#list(this.#select?.value ?? '')
  }

  /** The bounds of the selected region, when the page knows them. */
  get bounds(): Bounds | undefined {
    return this.#places.find(([name]) => name === this.#select?.value)?.slice(4, 8) as Bounds | undefined
  }

  #list(chosen: string): void {
    const select = this.#select
    if (!select) return
    const { words } = this.#options
    const isOther = chosen !== '' && !this.#places.some(([name]) => name === chosen)
    render(
      <>
        <option value="">{words.text('map.allRegions')}</option>
        {this.#places.map(([name, count, , , , , , , names]) => (
          <option key={name} value={name}>
            {`${words.format.isolate(nameIn({ name, names }, words.format.tag))} (${words.format.number(count)})`}
          </option>
        ))}
        {isOther && <option value={chosen}>{chosen}</option>}
      </>,
      select,
    )
    select.value = chosen
  }

  #read(): Filter {
    const data = [...new FormData(this.#options.form)].map(([name, value]) => [name, String(value)])
    const off = checkNames.filter((check) => !data.some(([name]) => name === check))
    return readFilter(new URLSearchParams([...data, ...off.map((name) => [name, '0'])]))
  }

  #count(filter: Filter): void {
    const { badge } = this.#options
    const count = differencesOf(filter).length
    badge.textContent = String(count)
    badge.hidden = count === 0
  }
}
