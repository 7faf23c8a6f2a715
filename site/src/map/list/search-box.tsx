import { render } from 'preact'
import { distanceMetres } from '@openfountain/core/geodesy'
import { elementBy } from '../../client/element-by.ts'
import { extentOf, type FountainEntry, type RegionEntry } from '../../search/shard.ts'
import type { Search } from '../../search/search.ts'
import type { Sheet } from './sheet.ts'
import { besideName, nameIn } from '../../naming.ts'
import { onPage } from '../../views/on-page.tsx'
import { Icon } from '../../views/parts.tsx'
import type { MapPage } from '../page/map-page.tsx'
import type { Position } from '../page/position.ts'

interface Choice {
  readonly icon: string
  readonly name: string
  readonly about: string
  choose(): void
}

const debounceMilliseconds = 120

/** From this zoom on the middle of the map is an exact place, from which distances are told. */
const distanceZoom = 8

export class SearchBox {
  readonly #page: MapPage
  readonly #search: Search
  readonly #sheet: Sheet
  readonly #form = elementBy('#search')
  readonly #input = elementBy<HTMLInputElement>('#query')
  readonly #results = elementBy('#results')
  #timer: ReturnType<typeof setTimeout> | undefined
  #run = 0
  #active = -1
  #choices: readonly Choice[] = []
  /** The message in place of results. */
  #sentence: string | undefined

  constructor(page: MapPage, search: Search, sheet: Sheet) {
    this.#page = page
    this.#search = search
    this.#sheet = sheet
    const [form, input, results] = [this.#form, this.#input, this.#results]
    const searchSoon = (): void => {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => void this.#find(), debounceMilliseconds)
    }
    if (input.value !== '') searchSoon()
    input.addEventListener('input', searchSoon)
    input.addEventListener('keydown', (event) => this.#key(event))
    input.addEventListener('focus', () => {
      if (this.#choices.length > 0) this.#draw(true)
    })
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void this.#find().then(() => this.#choose(this.#choices[Math.max(0, this.#active)]))
    })
    document.addEventListener('pointerdown', ({ target }) => {
      if (target instanceof Node && !form.contains(target) && !results.contains(target)) this.#draw(false)
    })
  }

  /** Searches again, unless the results are closed or the visitor is choosing. */
  refresh(): void {
    if (!this.#results.hidden && this.#active < 0) void this.#find()
  }

  async #find(): Promise<void> {
    clearTimeout(this.#timer)
    const { map, words, status } = this.#page
    const from = map && map.place.zoom >= distanceZoom ? map.place : undefined
    const run = (this.#run += 1)
    const query = this.#input.value.trim()
    this.#active = -1
    if (query === '') {
      status.textContent = ''
      return this.#show([])
    }
    try {
      const { regions, fountains } = await this.#search.find(query, from)
      if (run !== this.#run) return
      const found = [
        ...regions.map((region) => this.#region(region)),
        ...fountains.map((fountain) => this.#fountain(fountain, from)),
      ]
      const nothing = words.text('map.noResults', { query: words.format.isolate(query) })
      status.textContent = found.length === 0 ? nothing : words.plural('map.results', found.length)
      this.#show(found, found.length === 0 ? nothing : undefined)
    } catch {
      if (run === this.#run) this.#show([], words.text('map.searchFailed'))
    }
  }

  #region(region: RegionEntry): Choice {
    const { words } = this.#page
    const [given, fountains, , , , , , , { country, code, names } = {}] = region
    const { format } = words
    const about = [
      fountains > 0 ? words.plural('fountains', fountains) : words.text('map.place'),
      country && format.country(country),
    ]
    return {
      icon: 'region',
      name: code === undefined ? (names?.[format.tag] ?? given) : format.country(code),
      about: about.filter(Boolean).join(' · '),
      choose: () => this.#page.fit(extentOf(region)),
    }
  }

  /** Many fountains have the same name: place and distance tell them apart. */
  #fountain(
    [id, given, region, latitude, longitude, more = { amenities: [] }]: FountainEntry,
    from: Position | undefined,
  ): Choice {
    const { words } = this.#page
    const fountain = { name: given, region, ...more }
    const name = words.title(fountain)
    const { place } = besideName(fountain)
    const about = [
      place && words.format.isolate(nameIn(place, words.format.tag)),
      from && words.distance(distanceMetres(from, { latitude, longitude })),
    ]
    return {
      icon: words.kindIcon(more),
      name,
      about: about.filter(Boolean).join(' · '),
      choose: () => void this.#page.openAt({ id, name, latitude, longitude }),
    }
  }

  #choose(choice: Choice | undefined): void {
    if (!choice) return
    this.#draw(false)
    this.#input.value = choice.name
    // The map shows it.
    this.#sheet.show('collapsed')
    choice.choose()
  }

  #show(choices: readonly Choice[], sentence?: string): void {
    this.#choices = choices
    this.#sentence = sentence
    this.#draw(choices.length > 0 || sentence !== undefined)
    this.#results.scrollTop = 0
  }

  #key(event: KeyboardEvent): void {
    const last = this.#choices.length - 1
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && last >= 0) {
      event.preventDefault()
      const next = this.#active + step
      this.#active = next > last ? 0 : next < 0 ? last : next
      this.#draw(true)
    } else if (event.key === 'Escape' && !this.#results.hidden) {
      event.preventDefault()
      this.#draw(false)
    }
  }

  #draw(isOpen: boolean): void {
    const [input, results] = [this.#input, this.#results]
    if (!isOpen) this.#active = -1
    const items =
      this.#sentence === undefined ? (
        this.#choices.map((choice, place) => {
          const { icon, name, about } = choice
          return (
            <li
              key={place}
              id={`result-${place}`}
              role="option"
              class="result"
              aria-selected={place === this.#active}
              onClick={() => this.#choose(choice)}
            >
              <Icon name={icon} />
              <span class="result-name">
                <bdi>{name}</bdi>
              </span>
              <span class="faint result-about">
                <bdi>{about}</bdi>
              </span>
            </li>
          )
        })
      ) : (
        <li class="result-none" role="option" aria-disabled="true">
          {this.#sentence}
        </li>
      )
    render(onPage(this.#page.words, items), results)
    results.hidden = !isOpen
    input.setAttribute('aria-expanded', String(isOpen))
    const active = results.querySelector('[aria-selected=true]')
    active?.scrollIntoView({ block: 'nearest' })
    if (active) input.setAttribute('aria-activedescendant', active.id)
    else input.removeAttribute('aria-activedescendant')
  }
}
