import type { PlaceEntry } from '../build/places.ts'
import type { Bounds } from '../data/config.ts'
import { conditionCount, conditionsOf, type Filter, noFilter, readFilter } from './filter.ts'
import { element } from '../card/markup.ts'

export interface FilterFormOptions {
  readonly form: HTMLFormElement
  /** Shows the number of conditions. */
  readonly badge: HTMLElement | undefined
  onChange(filter: Filter, bounds: Bounds | undefined): void
}

/** The filter form; it always shows the current filter. */
export class FilterForm {
  readonly #options: FilterFormOptions

  constructor(options: FilterFormOptions) {
    this.#options = options
    const { form, onChange } = options
    form.addEventListener('change', ({ target }) => {
      const filter = this.#read()
      this.#count(filter)
      onChange(filter, target instanceof HTMLSelectElement ? boundsOf(target) : undefined)
    })
    form.addEventListener('reset', (event) => {
      event.preventDefault()
      this.set(noFilter)
      onChange(noFilter, undefined)
    })
    form.addEventListener('submit', (event) => event.preventDefault())
  }

  /**
   * Makes the form show the filter of the page's address, with the visitor's changes before this script had loaded;
   * such changes are reported to `onChange`.
   */
  begin(filter: Filter, early: readonly Event[]): void {
    const { form, onChange } = this.#options
    const own = early.filter(({ target }) => target instanceof Node && form.contains(target))
    const reset = own.findLastIndex(({ type }) => type === 'reset')
    const changed = own
      .slice(reset + 1)
      .flatMap(({ type, target }) =>
        type === 'change' && target instanceof HTMLInputElement ? [{ target, checked: target.checked }] : [],
      )
    this.set(reset < 0 ? filter : noFilter)
    if (reset < 0 && changed.length === 0) return
    for (const { target, checked } of changed) target.checked = checked
    const wanted = this.#read()
    this.#count(wanted)
    onChange(wanted, undefined)
  }

  /** Makes the form show this filter. A region missing in the list is added to it. */
  set(filter: Filter): void {
    const { form } = this.#options
    const conditions = new URLSearchParams(conditionsOf(filter))
    for (const box of form.querySelectorAll<HTMLInputElement>('input[type=checkbox]')) {
      box.checked = conditions.getAll(box.name).includes(box.value)
    }
    const select = this.#select()
    if (select) {
      const wanted = filter.region ?? ''
      if (![...select.options].some(({ value }) => value === wanted)) {
        select.append(element('option', { value: wanted }, wanted))
      }
      select.value = wanted
    }
    this.#count(filter)
  }

  /** Fills the list of regions; `label` formats a region with its number of fountains. */
  offer(places: readonly PlaceEntry[], label: (name: string, fountains: number) => string): void {
    const select = this.#select()
    if (!select) return
    const chosen = select.value
    const [all] = select.options
    select.replaceChildren(
      ...(all ? [all] : []),
      ...places.map(([name, fountains, , , ...bounds]) =>
        element('option', { value: name, 'data-bounds': bounds.join(',') }, label(name, fountains)),
      ),
    )
    if (!places.some(([name]) => name === chosen) && chosen !== '')
      select.append(element('option', { value: chosen }, chosen))
    select.value = chosen
  }

  /** The bounds of the selected region, when the page knows them. */
  get bounds(): Bounds | undefined {
    const select = this.#select()
    return select && boundsOf(select)
  }

  #read(): Filter {
    const data = [...new FormData(this.#options.form)]
    return readFilter(new URLSearchParams(data.map(([name, value]) => [name, String(value)])))
  }

  #select(): HTMLSelectElement | undefined {
    return this.#options.form.querySelector<HTMLSelectElement>('select[name=region]') ?? undefined
  }

  #count(filter: Filter): void {
    const { badge } = this.#options
    if (!badge) return
    const count = conditionCount(filter)
    badge.textContent = String(count)
    badge.hidden = count === 0
  }
}

function boundsOf(select: HTMLSelectElement): Bounds | undefined {
  const numbers = select.selectedOptions[0]?.dataset['bounds']?.split(',').map(Number) ?? []
  const [west, south, east, north] = numbers
  if (west === undefined || south === undefined || east === undefined || north === undefined) return undefined
  return numbers.every(Number.isFinite) ? [west, south, east, north] : undefined
}
