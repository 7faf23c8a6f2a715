import { desk, words } from './config.ts'
import { button, element, type Content } from './element.ts'
import type { Panel } from './panel.ts'
import { wordingOf } from './problem.ts'

export interface WorklistOptions<Item> {
  readonly list: HTMLElement
  readonly detail: HTMLElement
  row(item: Item): readonly Content[]
  open(item: Item): Promise<Panel>
}

/** A list of items to decide, with the selected one open beside it. */
export class Worklist<Item> {
  readonly #options: WorklistOptions<Item>
  #items: Item[] = []
  #index = 0
  #panel: Panel | undefined
  #opening = 0

  constructor(options: WorklistOptions<Item>) {
    this.#options = options
  }

  get items(): readonly Item[] {
    return this.#items
  }

  get current(): Item | undefined {
    return this.#items[this.#index]
  }

  /** The panel beside the list. */
  get panel(): Panel | undefined {
    return this.#panel
  }

  /** Shows other items, and opens one of them. */
  async show(items: readonly Item[], index = 0): Promise<void> {
    this.#items = [...items]
    this.#options.list.replaceChildren(...this.#items.map((item) => this.#rowOf(item)))
    await this.select(index)
  }

  /** Adds items at the end. */
  add(items: readonly Item[]): void {
    this.#items.push(...items)
    this.#options.list.append(...items.map((item) => this.#rowOf(item)))
    if (this.#panel === undefined) void this.select(this.#index)
  }

  /** Opens an item; with `focus` its row or its panel gets the focus. */
  async select(index: number, focus?: 'row' | 'detail'): Promise<void> {
    this.#index = Math.max(0, Math.min(index, this.#items.length - 1))
    for (const [at, row] of this.#rows().entries()) row.ariaCurrent = at === this.#index ? 'true' : null
    if (focus === 'row') this.#focusRow()
    await this.reopen()
    if (focus === 'detail') this.focusDetail()
  }

  /** Opens the next or the previous item. */
  async move(step: number): Promise<void> {
    const next = this.#index + step
    if (next < 0 || next >= this.#items.length) return this.#focusRow()
    await this.select(next, 'row')
  }

  /** Removes the current item, and opens the next one. */
  async remove(): Promise<void> {
    this.#items.splice(this.#index, 1)
    this.#rows()[this.#index]?.closest('li')?.remove()
    await this.select(this.#index, 'row')
  }

  /** Shows the row of the current item again. */
  renew(): void {
    const { current } = this
    const row = this.#rows()[this.#index]
    if (current !== undefined && row !== undefined) row.replaceChildren(...this.#options.row(current))
  }

  /** Reloads the current item. */
  async reopen(before: readonly Node[] = []): Promise<void> {
    const { detail } = this.#options
    const run = (this.#opening += 1)
    this.#panel = undefined
    const item = this.current
    if (item === undefined) return detail.replaceChildren()
    detail.ariaBusy = 'true'
    if (detail.childElementCount === 0) detail.append(element('p', 'quiet', words.loading))
    let shown: Node
    try {
      const panel = await this.#options.open(item)
      if (run !== this.#opening) return
      this.#panel = panel
      shown = panel.root
    } catch (error) {
      if (run !== this.#opening) return
      const problem = element('p', 'problem', wordingOf(error))
      problem.role = 'alert'
      shown = element(
        'div',
        'desk-panel',
        problem,
        button(desk.retry, () => void this.reopen()),
      )
    }
    const back = button(desk.backToList, () => this.#focusRow(), {
      className: 'text-button desk-back',
    })
    detail.replaceChildren(back, ...before, shown)
    detail.ariaBusy = 'false'
  }

  /** Moves the focus to the panel. */
  focusDetail(): void {
    const { detail } = this.#options
    const heading = detail.querySelector<HTMLElement>('h2')
    heading?.focus()
    heading?.scrollIntoView({ block: 'nearest' })
  }

  #rows(): HTMLButtonElement[] {
    return [...this.#options.list.querySelectorAll<HTMLButtonElement>('.desk-row')]
  }

  #focusRow(): void {
    const row = this.#rows()[this.#index]
    row?.focus()
    row?.scrollIntoView({ block: 'nearest' })
  }

  #rowOf(item: Item): HTMLElement {
    const row = element('button', 'desk-row', ...this.#options.row(item))
    row.type = 'button'
    row.addEventListener('click', () => void this.select(this.#items.indexOf(item), 'detail'))
    return element('li', '', row)
  }
}
