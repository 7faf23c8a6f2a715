import { distanceMetres } from '@openfountain/core/geodesy'
import type { FountainEntry, RegionEntry } from '../../search/shard.ts'
import type { Search } from '../../search/search.ts'
import { fill } from '../../messages.ts'
import { kindOf } from '../../kinds.ts'
import { icon } from '../card/icons.ts'
import { element } from '../card/markup.ts'
import type { Position } from '../page/position.ts'
import type { Wording } from '../card/wording.ts'

export interface SearchBoxOptions {
  readonly form: HTMLFormElement
  readonly input: HTMLInputElement
  readonly results: HTMLElement
  readonly status: HTMLElement
  readonly search: Search
  readonly wording: Wording
  /** The origin of distances; undefined while too much of the world is in view. */
  from(): Position | undefined
  onRegion(region: RegionEntry): void
  onFountain(fountain: { id: number; name: string; latitude: number; longitude: number }): void
}

const debounceMilliseconds = 120

/** The search field: a combobox for arrow keys, mouse and touch. */
export class SearchBox {
  readonly #options: SearchBoxOptions
  #timer: ReturnType<typeof setTimeout> | undefined
  #run = 0
  #active = -1
  #choices: { readonly item: HTMLElement; choose(): void }[] = []

  constructor(options: SearchBoxOptions) {
    this.#options = options
  }

  /** Adds the listeners for input and keys. */
  start(): void {
    const { form, input, results } = this.#options
    results.setAttribute('role', 'listbox')
    for (const [name, value] of [
      ['role', 'combobox'],
      ['aria-expanded', 'false'],
      ['aria-autocomplete', 'list'],
      ['aria-controls', results.id],
    ] as const) {
      input.setAttribute(name, value)
    }
    input.addEventListener('input', () => {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => void this.#runSearch(), debounceMilliseconds)
    })
    input.addEventListener('keydown', (event) => this.#key(event))
    input.addEventListener('focus', () => {
      if (this.#choices.length > 0) this.#open()
    })
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void this.#runSearch().then(() => this.#choices[Math.max(0, this.#active)]?.choose())
    })
    document.addEventListener('pointerdown', ({ target }) => {
      if (target instanceof Node && !form.contains(target) && !results.contains(target)) this.#close()
    })
  }

  /** Searches again, unless the results are closed or the visitor is choosing. */
  refresh(): void {
    const { results } = this.#options
    if (!results.hidden && this.#active < 0 && results.childElementCount > 0) void this.#runSearch()
  }

  async #runSearch(): Promise<void> {
    clearTimeout(this.#timer)
    const { input, search, status, wording } = this.#options
    const from = this.#options.from()
    this.#run += 1
    const run = this.#run
    const query = input.value.trim()
    if (query === '') return this.#clear()
    try {
      const { regions, fountains } = await search.find(query, from)
      if (run !== this.#run) return
      const { map } = wording.strings
      const found = regions.length + fountains.length
      const nothing = fill(map.noResults, { query: wording.format.isolate(query) })
      status.textContent = found === 0 ? nothing : wording.count(map.results, found)
      this.#choices = [
        ...regions.map((region) => this.#region(region)),
        ...fountains.map((fountain) => this.#fountain(fountain, from)),
      ]
      this.#show(found === 0 ? nothing : undefined)
    } catch {
      if (run === this.#run) this.#show(wording.strings.map.searchFailed)
    }
  }

  #region(region: RegionEntry): { item: HTMLElement; choose(): void } {
    const { wording, onRegion } = this.#options
    const [given, fountains, , , , , , , { country, code, names } = {}] = region
    const { strings, format } = wording
    const name = code === undefined ? (names?.[format.tag] ?? given) : format.country(code)
    const about = [
      fountains > 0 ? wording.count(strings.count.fountains, fountains) : strings.map.place,
      country === undefined ? undefined : format.country(country),
    ]
    return this.#choice('region', name, about.filter(Boolean).join(' · '), () => onRegion(region))
  }

  /** Many fountains have the same name: place and distance tell them apart. */
  #fountain(
    [id, given, region, latitude, longitude, amenities = []]: FountainEntry,
    from: Position | undefined,
  ): { item: HTMLElement; choose(): void } {
    const { wording, onFountain } = this.#options
    const name = wording.nameOf({ name: given, amenities, region })
    const distance = from && wording.distance(distanceMetres(from, { latitude, longitude }))
    const about = [region === '' ? undefined : wording.format.isolate(region), distance]
    return this.#choice(kindOf(amenities) ?? 'water', name, about.filter(Boolean).join(' · '), () =>
      onFountain({ id, name, latitude, longitude }),
    )
  }

  #choice(
    drawing: string,
    name: string,
    about: string,
    chosen: () => void,
  ): { item: HTMLElement; choose(): void } {
    const item = element(
      'li',
      { role: 'option', class: 'result', 'aria-selected': 'false' },
      icon(drawing),
      element('span', { class: 'result-name' }, element('bdi', {}, name)),
      element('span', { class: 'result-about' }, element('bdi', {}, about)),
    )
    const choose = (): void => {
      this.#close()
      this.#options.input.value = name
      chosen()
    }
    item.addEventListener('click', choose)
    return { item, choose }
  }

  #show(sentence?: string): void {
    const { results } = this.#options
    this.#active = -1
    if (sentence !== undefined) this.#choices = []
    this.#choices.forEach(({ item }, place) => (item.id = `result-${place}`))
    results.replaceChildren(
      ...(sentence === undefined
        ? this.#choices.map(({ item }) => item)
        : [element('li', { class: 'result-none', role: 'option', 'aria-disabled': 'true' }, sentence)]),
    )
    results.scrollTop = 0
    this.#open()
  }

  #clear(): void {
    this.#choices = []
    this.#options.status.textContent = ''
    this.#options.results.replaceChildren()
    this.#close()
  }

  #open(): void {
    this.#options.results.hidden = false
    this.#options.input.setAttribute('aria-expanded', 'true')
  }

  #close(): void {
    this.#options.results.hidden = true
    this.#options.input.setAttribute('aria-expanded', 'false')
    this.#activate(-1)
  }

  #key(event: KeyboardEvent): void {
    const last = this.#choices.length - 1
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && last >= 0) {
      event.preventDefault()
      this.#open()
      const next = this.#active + step
      this.#activate(next > last ? 0 : next < 0 ? last : next)
    } else if (event.key === 'Escape' && !this.#options.results.hidden) {
      event.preventDefault()
      this.#close()
    }
  }

  #activate(place: number): void {
    const { input } = this.#options
    this.#choices[this.#active]?.item.setAttribute('aria-selected', 'false')
    this.#active = place
    const chosen = this.#choices[place]?.item
    chosen?.setAttribute('aria-selected', 'true')
    chosen?.scrollIntoView({ block: 'nearest' })
    if (chosen) input.setAttribute('aria-activedescendant', chosen.id)
    else input.removeAttribute('aria-activedescendant')
  }
}
