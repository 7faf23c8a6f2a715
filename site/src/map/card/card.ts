import { distanceMetres } from '@openfountain/core/geodesy'
import { directionsLink } from './apps.ts'
import type { Fountain } from '../data/cell.ts'
import { mapFacts, type MapFacts } from '../data/facts.ts'
import type { MapConfig } from '../data/config.ts'
import type { AreaPick, FountainPick } from '../engine/map-events.ts'
import { kindOf } from '../../kinds.ts'
import { icon } from './icons.ts'
import { appsOf, sourceOf } from './links.ts'
import { element } from './markup.ts'
import type { Wording } from './wording.ts'
import { bearingDegrees, type Position } from '../page/position.ts'
import { stageOn, today } from '../../status/stage.ts'
import { iconOf, toneOf } from '../../status/words.ts'

export interface CardActions {
  onClose(): void
  onShare(): void
}

/** Within this distance of a fountain, the visitor's clock shows its local time, except across a border. */
const sameClocksMetres = 20_000

/** The card of the open fountain: a dialog beside the map, which stays usable. */
export class Card {
  readonly #root: HTMLElement
  readonly #config: MapConfig
  readonly #wording: Wording
  readonly #actions: CardActions
  /** The visitor's position, once they shared it. */
  #from: Position | undefined
  #way: { readonly fountain: Fountain; readonly place: HTMLElement } | undefined
  #returnTo: HTMLElement | undefined

  constructor(root: HTMLElement, config: MapConfig, wording: Wording, actions: CardActions) {
    this.#root = root
    this.#config = config
    this.#wording = wording
    this.#actions = actions
    document.addEventListener('keydown', ({ key, defaultPrevented }) => {
      // With a dialog over the card, Escape only closes the dialog.
      const isForCard = !root.hidden && !defaultPrevented && !document.querySelector('dialog[open]')
      if (key === 'Escape' && isForCard) actions.onClose()
    })
  }

  get open(): boolean {
    return !this.#root.hidden
  }

  /** Shows the fields that the map has, until the rest has loaded. */
  showPick(pick: FountainPick): void {
    this.#show(
      pick.name ?? this.#wording.strings.waypoint.unnamed,
      true,
      element('p', { class: 'card-wait', 'aria-hidden': 'true' }),
    )
  }

  /** @param isOpening whether the focus moves into the card */
  showFountain(fountain: Fountain, isOpening = true): void {
    const { strings } = this.#wording
    const way = element('p', { class: 'card-way', hidden: true })
    const name = this.#wording.nameOf(fountain)
    // A slot that other scripts of the page fill.
    const place = element('div', { class: 'card-more', 'data-name': name })
    this.#show(
      name,
      isOpening,
      way,
      this.#stage(fountain),
      this.#tags(fountain),
      fountain.description === undefined
        ? undefined
        : element('p', { class: 'card-description text-user', dir: 'auto' }, fountain.description),
      this.#amenities(fountain),
      this.#facts(fountain),
      element(
        'div',
        { class: 'actions' },
        element(
          'a',
          {
            class: 'button',
            href: directionsLink({ ...fountain, name }, navigator.userAgent),
            rel: 'noopener noreferrer',
          },
          icon('directions'),
          strings.waypoint.directions,
        ),
        fountain.page
          ? element(
              'a',
              { class: 'button button-quiet', href: `${this.#config.fountains}${fountain.id}/` },
              strings.map.open,
            )
          : undefined,
        this.#button('share', strings.map.share, () => this.#actions.onShare()),
      ),
      place,
      appsOf(fountain, strings),
    )
    this.#way = { fountain, place: way }
    this.#showWay()
    document.dispatchEvent(new CustomEvent('openfountain:card', { detail: { fountain, place } }))
    this.#kind(kindOf(fountain.amenities) ?? 'water')
  }

  /** Sets the visitor's position: the card then shows distance and direction. */
  locate(from: Position): void {
    this.#from = from
    this.#showWay()
  }

  #showWay(): void {
    const from = this.#from
    if (!from || !this.#way) return
    const { fountain, place } = this.#way
    const bearing = bearingDegrees(from, fountain)
    const arrow = icon('arrow')
    arrow.style.rotate = `${Math.round(bearing)}deg`
    const way = `${this.#wording.distance(distanceMetres(from, fountain))} ${this.#wording.direction(bearing)}`
    place.replaceChildren(arrow, ` ${way}`)
    place.hidden = false
  }

  /** Shows the note of a marked area. */
  showArea(area: AreaPick): void {
    const { map } = this.#wording.strings
    this.#show(
      area.name || map.area,
      true,
      element('p', { class: 'faint' }, map.area),
      area.description ? element('p', { class: 'text-user', dir: 'auto' }, area.description) : undefined,
    )
  }

  /** Shows a sentence in place of an unreadable fountain. */
  showFailure(name: string, sentence: string, isOpening = true): void {
    this.#show(name, isOpening, element('p', { class: 'faint' }, sentence))
  }

  /** Shows a link from a merged fountain to its target. */
  showMerged(name: string, into: number, follow: () => void): void {
    const { home, live } = this.#config
    const link = element('a', { href: `${home}?fountain=${into}` }, `#${into}`)
    link.addEventListener('click', (event) => {
      event.preventDefault()
      follow()
    })
    this.#show(name, false, element('p', {}, `${live?.words.merged ?? ''} `, link))
  }

  /** Hides the card and returns the focus to its former place. */
  close(): void {
    if (this.#root.hidden) return
    const focused = this.#root.contains(document.activeElement)
    this.#root.hidden = true
    this.#root.replaceChildren()
    this.#way = undefined
    if (focused && this.#returnTo?.isConnected) this.#returnTo.focus({ preventScroll: true })
    this.#returnTo = undefined
  }

  #show(title: string, isOpening: boolean, ...content: readonly (Node | undefined)[]): void {
    const root = this.#root
    const inside = root.contains(document.activeElement)
    if (!inside && document.activeElement instanceof HTMLElement) this.#returnTo = document.activeElement
    const heading = element(
      'h2',
      { class: 'card-title', id: 'card-title', tabindex: '-1' },
      element('bdi', {}, title),
    )
    root.replaceChildren(
      element(
        'header',
        { class: 'card-head' },
        element('span', { class: 'card-kind' }),
        heading,
        this.#button('close', this.#wording.strings.map.close, () => this.#actions.onClose(), true),
      ),
      element('div', { class: 'card-body' }, ...content),
    )
    root.setAttribute('aria-labelledby', 'card-title')
    root.hidden = false
    // The focused element was replaced.
    if (isOpening || inside) heading.focus({ preventScroll: true })
  }

  #kind(name: string): void {
    this.#root.querySelector('.card-kind')?.replaceChildren(icon(name))
  }

  #tags(fountain: Fountain): HTMLElement {
    const { waypoint, count, fact } = this.#wording.strings
    return element(
      'ul',
      { class: 'tags' },
      fountain.isWaiting
        ? element('li', { class: 'tag tag-warm' }, icon('waiting'), this.#config.live?.words.waiting)
        : undefined,
      fountain.drinkable === 'no'
        ? element('li', { class: 'tag tag-warm' }, icon('broken'), fact['drinkable.no'])
        : undefined,
      fountain.verified
        ? element('li', { class: 'tag tag-verified' }, icon('verified'), waypoint.verified)
        : fountain.source === undefined
          ? element('li', { class: 'tag' }, icon('unverified'), waypoint.notVerified)
          : element('li', { class: 'tag' }, icon('listed'), this.#listed(fountain.source, fountain.listed)),
      fountain.approved || fountain.source !== undefined
        ? undefined
        : element('li', { class: 'tag tag-warm' }, icon('waiting'), waypoint.notApproved),
      fountain.rating === undefined
        ? undefined
        : element(
            'li',
            { class: 'tag', title: this.#wording.rating(fountain.rating) },
            icon('star'),
            `${this.#wording.format.number(fountain.rating)} · ${this.#wording.count(count.reviews, fountain.reviews)}`,
          ),
    )
  }

  /** The status, where it is known. */
  #stage({ stages }: Fountain): HTMLElement | undefined {
    const stage = stageOn(stages, today())
    const text = stage && this.#wording.stage(stage)
    if (!stage || text === undefined) return undefined
    return element(
      'p',
      { class: `status ${toneOf(stage.state)}`.trim(), 'data-state': stage.state },
      icon(iconOf(stage.state)),
      element('span', {}, text),
    )
  }

  /** The source, with the day as of which it lists the fountain. */
  #listed(source: string, day: string | undefined): string {
    const { strings, format } = this.#wording
    const name = format.isolate(source)
    const { listed } = strings.waypoint
    return `${name}, ${day === undefined ? strings.status.undated : `${listed} ${format.date(day)}`}`
  }

  #amenities({ amenities }: Fountain): HTMLElement | undefined {
    if (amenities.length === 0) return undefined
    return element(
      'ul',
      { class: 'card-amenities', 'aria-label': this.#wording.strings.waypoint.amenities },
      ...amenities.map((key) => element('li', {}, icon(key), this.#wording.amenity(key))),
    )
  }

  #facts(fountain: Fountain): HTMLElement {
    const { waypoint, fact } = this.#wording.strings
    const facts: readonly (readonly [string, string | Node | undefined])[] = [
      ...mapFacts.map((name) => [fact[name], this.#fact(name, fountain)] as const),
      [waypoint.region, fountain.region ?? fountain.place],
      [waypoint.source, sourceOf(fountain, this.#wording.strings)],
    ]
    return element(
      'dl',
      { class: 'card-facts' },
      ...facts.flatMap(([term, value]) =>
        value === undefined
          ? []
          : [element('div', {}, element('dt', {}, term), element('dd', {}, element('bdi', {}, value)))],
      ),
    )
  }

  /** A fact as the card lists it; undefined where it is unknown. Water that is not for drinking is a tag. */
  #fact(name: keyof MapFacts, fountain: Fountain): string | Node | undefined {
    const value = fountain[name]
    if (value === undefined || name === 'drinkable') return undefined
    if (name === 'openingHours') return this.#hours(value, fountain)
    return name === 'season' ? this.#wording.season(value) : value
  }

  /** The hours in words, once the parser has loaded; until then as written. */
  #hours(hours: string, fountain: Fountain): HTMLElement {
    const place = element('span', {}, hours)
    void this.#fillHours(place, hours, fountain)
    return place
  }

  async #fillHours(place: HTMLElement, hours: string, fountain: Fountain): Promise<void> {
    try {
      const { shownHours } = await import('../../hours/shown.ts')
      const { flat, format } = this.#wording
      const from = this.#from
      const isNear = from !== undefined && distanceMetres(from, fountain) < sameClocksMetres
      place.textContent = shownHours(flat, format, hours, { longitude: fountain.longitude, isNear })
    } catch {
      // Without a network the text stays as it is.
    }
  }

  #button(drawing: string, label: string, pressed: () => void, quiet = false): HTMLButtonElement {
    const button = element(
      'button',
      quiet
        ? { type: 'button', class: 'icon-button', 'aria-label': label }
        : { type: 'button', class: 'button button-quiet' },
      icon(drawing),
      quiet ? undefined : label,
    )
    button.addEventListener('click', pressed)
    return button
  }
}
