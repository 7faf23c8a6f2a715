import type { Fountain } from '../data/cell.ts'
import type { NearFountain } from '../data/cells.ts'
import { kindOf, kinds } from '../../kinds.ts'
import { icon } from '../card/icons.ts'
import { element } from '../card/markup.ts'
import { bearingDegrees, type Position } from '../page/position.ts'
import type { Wording } from '../card/wording.ts'
import { besideName } from '../../naming.ts'
import { isDry } from '../../status/stage.ts'
import { iconOf } from '../../status/words.ts'

/** The content of a list. */
export interface ListContent {
  readonly title: string
  readonly fountains: readonly NearFountain[]
  /** The origin of distances and directions; absent when they are not shown. */
  readonly from?: Position
  /** A sentence above the list, such as the number of fountains left out. */
  readonly note?: string
}

export interface ListOptions {
  readonly section: HTMLElement
  readonly heading: HTMLElement
  readonly note: HTMLElement
  readonly list: HTMLElement
  readonly wording: Wording
  /** The label of fountains with unsent changes; absent without an API. */
  readonly waiting?: string | undefined
  /** The link of an entry: the fountain's page, or its place on the map when it has none. */
  address(fountain: Fountain): string
  onChoose(fountain: Fountain): void
}

/** The list beside the map. Every entry is a link, so that it can be opened in a new tab. */
export class FountainList {
  readonly #options: ListOptions
  #shown = ''

  constructor(options: ListOptions) {
    this.#options = options
  }

  /** Fills the list; an unchanged list keeps the focus where it is. */
  show(content: ListContent): void {
    const { section, heading, note, list } = this.#options
    heading.textContent = content.title
    note.textContent = content.note ?? ''
    note.hidden = content.note === undefined
    section.hidden = false
    section.setAttribute('aria-busy', 'false')
    const key = JSON.stringify([content.fountains.map(({ fountain }) => fountain), content.from])
    if (key === this.#shown) return
    this.#shown = key
    const focused = this.#focusedId()
    list.replaceChildren(...content.fountains.map((near) => this.#item(near, content.from)))
    if (focused !== undefined) list.querySelector<HTMLElement>(`a[data-id="${focused}"]`)?.focus()
  }

  /** Marks the list as busy until it is filled. */
  expect(): void {
    this.#options.section.setAttribute('aria-busy', 'true')
  }

  /** The fountain whose entry has the focus, which is kept when the list is filled again. */
  #focusedId(): string | undefined {
    const { list } = this.#options
    const { activeElement } = document
    return activeElement instanceof HTMLElement && list.contains(activeElement)
      ? activeElement.dataset['id']
      : undefined
  }

  #item({ fountain, metres }: NearFountain, from: Position | undefined): HTMLElement {
    const { address, onChoose, wording } = this.#options
    const link = element(
      'a',
      {
        class: ['fountain', isDry(fountain.state) && 'fountain-dry', fountain.isWaiting && 'fountain-waiting']
          .filter(Boolean)
          .join(' '),
        href: address(fountain),
        'data-id': String(fountain.id),
      },
      element('span', { class: 'fountain-kind' }, icon(kindOf(fountain.amenities) ?? 'water')),
      element(
        'span',
        { class: 'fountain-text' },
        element('span', { class: 'fountain-name', dir: 'auto' }, wording.nameOf(fountain)),
        element('span', { class: 'fountain-about' }, ...this.#facts(fountain)),
      ),
      fountain.verified ? this.#verified() : undefined,
      from ? element('span', { class: 'fountain-way' }, ...this.#way(fountain, metres, from)) : undefined,
    )
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
      event.preventDefault()
      onChoose(fountain)
    })
    return element('li', {}, link)
  }

  #verified(): HTMLElement {
    const { wording } = this.#options
    return element(
      'span',
      { class: 'fountain-verified' },
      icon('verified'),
      element('span', { class: 'visually-hidden' }, wording.strings.waypoint.verified),
    )
  }

  /** The status and other facts. */
  #facts(fountain: Fountain): (Node | string)[] {
    const state = this.#state(fountain)
    const about = this.#about(fountain)
    return [...(state ? [state] : []), ...(state && about !== '' ? [' · '] : []), about]
  }

  /** The status, by its mark and in words. */
  #state({ state }: Fountain): HTMLElement | undefined {
    const text = state && this.#options.wording.state({ state })
    if (state === undefined || text === undefined) return undefined
    return element('span', { class: `state state-${state}` }, icon(iconOf(state)), text)
  }

  #about(fountain: Fountain): string {
    const { wording, waiting } = this.#options
    const { amenities, place } = besideName(fountain, kinds)
    return [
      ...(fountain.isWaiting && waiting !== undefined ? [waiting] : []),
      ...amenities.slice(0, 3).map((key) => wording.amenity(key)),
      ...(place === undefined ? [] : [wording.format.isolate(place)]),
    ].join(' · ')
  }

  #way(to: Position, metres: number, from: Position): Node[] {
    const { wording } = this.#options
    const bearing = bearingDegrees(from, to)
    const arrow = icon('arrow')
    arrow.style.rotate = `${Math.round(bearing)}deg`
    return [
      element('span', { class: 'fountain-distance' }, wording.distance(metres)),
      arrow,
      element('span', { class: 'visually-hidden' }, wording.direction(bearing)),
    ]
  }
}
