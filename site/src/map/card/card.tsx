import { render, type ComponentChildren } from 'preact'
import { announce } from '../../client/announce.ts'
import type { Fountain } from '../data/cell.ts'
import type { Cells } from '../data/cells.ts'
import type { AreaPick, FountainPick } from '../engine/map-events.ts'
import type { Position } from '../page/position.ts'
import { onPage } from '../../views/on-page.tsx'
import type { Page } from '../../views/page.ts'
import { Icon, UserText } from '../../views/parts.tsx'
import { FountainCard } from './fountain-card.tsx'

/** The page around a card. */
export interface CardHost {
  readonly words: Page
  readonly cells: Cells
  readonly map: { select(fountain: Fountain | undefined): void } | undefined
  /** Opens the fountain that another was merged into. */
  openById(id: number): Promise<void>
  closeCard(): void
  share(): Promise<void>
}

interface CardContent {
  readonly title: string
  readonly icon?: string
  body(from: Position | undefined): ComponentChildren
}

/** The card of the open fountain: a dialog beside the map, which stays usable. */
export class Card {
  readonly #root: HTMLElement
  readonly #page: CardHost
  /** The visitor's position, once they shared it. */
  #from: Position | undefined
  #content: CardContent | undefined
  #fountain: Fountain | 'missing' | undefined
  /** The number of the newest search, which alone fills the card. */
  #search = 0
  #shown = 0
  #returnTo: HTMLElement | undefined

  constructor(root: HTMLElement, page: CardHost) {
    this.#root = root
    this.#page = page
    document.addEventListener('keydown', ({ key, defaultPrevented }) => {
      // With a dialog over the card, Escape only closes the dialog.
      const isForCard = this.isOpen && !defaultPrevented && !document.querySelector('dialog[open]')
      if (key === 'Escape' && isForCard) page.closeCard()
    })
  }

  get isOpen(): boolean {
    return !this.#root.hidden
  }

  /** The fountain in the card; undefined while it loads. */
  get fountain(): Fountain | 'missing' | undefined {
    return this.#fountain
  }

  /** Shows the name alone, until the rest has loaded. */
  wait(name = this.#page.words.text('waypoint.unnamed')): void {
    this.#show({ title: name, body: () => <p class="card-wait" aria-hidden="true" /> })
  }

  /** Fills the card with the found fountain; `isOpening` moves the focus into it. */
  async load(
    { id, name }: Pick<FountainPick, 'id' | 'name'>,
    find: () => Promise<Fountain | undefined>,
    isOpening = true,
  ): Promise<void> {
    const page = this.#page
    const { words, cells } = page
    const search = (this.#search += 1)
    if (isOpening) this.#fountain = undefined
    try {
      const found = await find()
      if (search !== this.#search) return
      const before = this.#fountain
      this.#fountain = found ?? 'missing'
      page.map?.select(found)
      if (found) {
        this.#showFountain(found, isOpening)
        const reviewed = await cells.updates?.withReviews(found)
        if (search === this.#search && reviewed && reviewed !== found) this.#showFountain(reviewed, false)
        return
      }
      const title = name ?? (typeof before === 'object' ? words.title(before) : `#${id}`)
      const into = cells.updates?.mergedInto(id)
      if (into === undefined) return this.#say(title, words.text('map.gone'), isOpening)
      const follow = (event: Event): void => {
        event.preventDefault()
        void page.openById(into)
      }
      const link = <a href={words.fountain(into, false)} onClick={follow}>{`#${into}`}</a>
      this.#show(
        {
          title,
          body: () => (
            <p>
              {words.text('waypoint.mergedInto')} {link}
            </p>
          ),
        },
        false,
      )
    } catch {
      if (search === this.#search) this.#say(name ?? `#${id}`, words.text('map.detailFailed'))
    }
  }

  #showFountain(fountain: Fountain, isOpening: boolean): void {
    const { words } = this.#page
    const body = (from: Position | undefined) => (
      <FountainCard fountain={fountain} from={from} onShare={() => void this.#page.share()} />
    )
    this.#show({ title: words.title(fountain), icon: words.kindIcon(fountain), body }, isOpening)
    const place = this.#root.querySelector<HTMLElement>('.card-more')
    if (place) announce('openfountain:card', { fountain, place })
  }

  /** Shows the note of a marked area. */
  showArea({ name, description }: AreaPick): void {
    const label = this.#page.words.text('map.area')
    const body = () => (
      <>
        <p class="faint">{label}</p>
        <UserText text={description} />
      </>
    )
    this.#show({ title: name || label, body })
  }

  #say(title: string, sentence: string, isOpening = true): void {
    this.#show({ title, body: () => <p class="faint">{sentence}</p> }, isOpening)
  }

  /** Takes the visitor's position: the card then shows distance and direction. */
  locate(from: Position): void {
    this.#from = from
    this.#draw()
  }

  /** Hides the card, ends every search and returns the focus to its former place. */
  close(): void {
    this.#search += 1
    this.#fountain = undefined
    this.#content = undefined
    if (!this.isOpen) return
    const isInside = this.#root.contains(document.activeElement)
    this.#root.hidden = true
    this.#draw()
    if (isInside && this.#returnTo?.isConnected) this.#returnTo.focus({ preventScroll: true })
    this.#returnTo = undefined
  }

  #show(content: CardContent, isOpening = true): void {
    const root = this.#root
    const { activeElement } = document
    const isInside = root.contains(activeElement)
    if (!isInside && activeElement instanceof HTMLElement) this.#returnTo = activeElement
    this.#content = content
    this.#shown += 1
    this.#draw()
    root.setAttribute('aria-labelledby', 'card-title')
    root.hidden = false
    // The focused element was replaced.
    if (isOpening || isInside) root.querySelector('h2')?.focus({ preventScroll: true })
  }

  #draw(): void {
    const { words } = this.#page
    if (!this.#content) return render(null, this.#root)
    const { title, icon, body } = this.#content
    render(
      onPage(
        words,
        <>
          <header class="card-head">
            <span class="card-kind">{icon && <Icon name={icon} />}</span>
            <h2 class="card-title" id="card-title" tabIndex={-1}>
              <bdi>{title}</bdi>
            </h2>
            <button
              type="button"
              class="icon-button"
              aria-label={words.text('map.close')}
              onClick={() => this.#page.closeCard()}
            >
              <Icon name="close" />
            </button>
          </header>
          {/* Other scripts add to the body, which is therefore a new one each time. */}
          <div class="card-body" key={this.#shown}>
            {body(this.#from)}
          </div>
        </>,
      ),
      this.#root,
    )
  }
}
