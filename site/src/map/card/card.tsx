import { render, type ComponentChildren } from 'preact'
import { announce } from '../../client/announce.ts'
import type { Fountain } from '../data/cell.ts'
import type { AreaPick } from '../page/clicks.ts'
import type { Position } from '../page/position.ts'
import { onPage } from '../../views/on-page.tsx'
import type { Page } from '../../views/page.ts'
import { Icon, UserText } from '../../views/parts.tsx'
import { FountainCard } from './fountain-card.tsx'

export interface CardHost {
  readonly words: Page
  openById(id: number): Promise<void>
  closeCard(): void
  share(): Promise<void>
}

interface CardContent {
  readonly title: string
  readonly icon?: string
  body(from: Position | undefined): ComponentChildren
}

export class Card {
  readonly root: HTMLElement
  readonly #page: CardHost
  #from: Position | undefined
  #content: CardContent | undefined
  #shown = 0
  #returnTo: HTMLElement | undefined

  constructor(root: HTMLElement, page: CardHost) {
    this.root = root
    this.#page = page
    document.addEventListener('keydown', ({ key, defaultPrevented }) => {
      // With a dialog over the card, Escape only closes the dialog.
      const isForCard = this.isOpen && !defaultPrevented && !document.querySelector('dialog[open]')
      if (key === 'Escape' && isForCard) page.closeCard()
    })
  }

  get isOpen(): boolean {
    return !this.root.hidden
  }

  wait(name = this.#page.words.amenity('unknown')): void {
    this.#show({ title: name, body: () => <p class="card-wait" aria-hidden="true" /> })
  }

  /** Shows a fountain; `isOpening` moves the focus into the card. */
  showFountain(fountain: Fountain, isOpening: boolean): void {
    const { words } = this.#page
    const body = (from: Position | undefined) => (
      <FountainCard fountain={fountain} from={from} onShare={() => void this.#page.share()} />
    )
    this.#show({ title: words.title(fountain), icon: words.kindIcon(fountain), body }, isOpening)
    const place = this.root.querySelector<HTMLElement>('.card-more')
    if (place) announce('openfountain:card', { fountain, place })
  }

  showMerged(title: string, into: number): void {
    const page = this.#page
    const follow = (event: Event): void => {
      event.preventDefault()
      void page.openById(into)
    }
    const body = () => (
      <p>
        {page.words.text('waypoint.mergedInto')}{' '}
        <a href={page.words.fountain(into, false)} onClick={follow}>{`#${into}`}</a>
      </p>
    )
    this.#show({ title, body }, false)
  }

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

  say(title: string, sentence: string, isOpening = true): void {
    this.#show({ title, body: () => <p class="faint">{sentence}</p> }, isOpening)
  }

  /** Takes the visitor's position: the card then shows distance and direction. */
  locate(from: Position): void {
    this.#from = from
    this.#draw()
  }

  close(): void {
    this.#content = undefined
    const isInside = this.root.contains(document.activeElement)
    this.root.hidden = true
    this.#draw()
    if (isInside && this.#returnTo?.isConnected) this.#returnTo.focus({ preventScroll: true })
    this.#returnTo = undefined
  }

  #show(content: CardContent, isOpening = true): void {
    const { root } = this
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
    if (!this.#content) return render(null, this.root)
    const { title, icon, body } = this.#content
    render(
      onPage(
        words,
        <>
          <header class="dialog-head">
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
          <div class="stack-4 card-body" key={this.#shown}>
            {body(this.#from)}
          </div>
        </>,
      ),
      this.root,
    )
  }
}
