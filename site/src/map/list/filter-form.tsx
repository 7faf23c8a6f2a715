import { render } from 'preact'
import type { PlaceEntry } from '../build/places.ts'
import { elementBy } from '../../client/element-by.ts'
import { nameIn } from '../../naming.ts'
import type { Bounds } from '../../data/region.ts'
import type { MapPage } from '../page/map-page.tsx'
import { checkNames, conditionsIn, differencesOf, type Filter, firstFilter, readFilter } from './filter.ts'

export class FilterForm {
  readonly #page: MapPage
  readonly #form = elementBy<HTMLFormElement>('#filter-form')
  readonly #select = this.#form.querySelector<HTMLSelectElement>('select[name=region]')
  #places: readonly PlaceEntry[] = []

  constructor(page: MapPage) {
    this.#page = page
    this.#show(page.filter)
    this.#form.addEventListener('change', ({ target }) => {
      const wanted = this.#read()
      this.#count(wanted)
      page.setFilter(wanted, target === this.#select ? this.bounds : undefined)
    })
    this.#form.addEventListener('reset', (event) => {
      event.preventDefault()
      this.set(firstFilter)
    })
    this.#form.addEventListener('submit', (event) => event.preventDefault())
  }

  set(filter: Filter): void {
    this.#show(filter)
    this.#page.setFilter(filter)
  }

  offer(places: readonly PlaceEntry[]): void {
    this.#places = places
    this.#list(this.#select?.value ?? '')
  }

  get bounds(): Bounds | undefined {
    return this.#places.find(([name]) => name === this.#select?.value)?.slice(4, 8) as Bounds | undefined
  }

  #show(filter: Filter): void {
    const conditions = conditionsIn(filter)
    for (const box of this.#form.querySelectorAll<HTMLInputElement>('input[type=checkbox]'))
      box.checked = conditions.some(
        ({ name, value }) => name === box.name && value.split(',').includes(box.value),
      )
    this.#list(filter.region ?? '')
    this.#count(filter)
  }

  #list(chosen: string): void {
    const select = this.#select
    if (!select) return
    const { words } = this.#page
    const isOther = chosen !== '' && !this.#places.some(([name]) => name === chosen)
    render(
      <>
        <option value="">{words.text('map.allRegions')}</option>
        {this.#places.map(([name, count, , , , , , , , names]) => (
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
    const data = [...new FormData(this.#form)].map(([name, value]) => [name, String(value)])
    const off = checkNames.filter((check) => !data.some(([name]) => name === check))
    return readFilter(new URLSearchParams([...data, ...off.map((name) => [name, '0'])]))
  }

  #count(filter: Filter): void {
    const badge = elementBy('#filter-count')
    const count = differencesOf(filter).length
    badge.textContent = String(count)
    badge.hidden = count === 0
  }
}
