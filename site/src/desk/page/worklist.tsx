import type { ComponentChildren } from 'preact'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { desk, words, wordingOf } from './config.ts'
import { PanelView, type Panel } from './panel.tsx'

/** Something to decide. */
export interface WorkItem {
  readonly key: string
  /** The content of its row in the list. */
  row(): ComponentChildren
  open(): Promise<Panel>
}

/** A list of items to decide, with the selected one open beside it. */
export class Worklist {
  items: readonly WorkItem[] = []
  index = 0
  /** The open item with its acts; undefined while it loads. */
  panel: Panel | undefined
  isLoading = false
  /** What is shown beside the list: a panel or a problem, with what belongs above it. */
  shown:
    | { readonly run: number; readonly before?: ComponentChildren; readonly panel: Panel | string }
    | undefined
  #run = 0
  readonly #draw: () => void

  /** @param draw shows the list as it is now */
  constructor(draw: () => void) {
    this.#draw = draw
  }

  get current(): WorkItem | undefined {
    return this.items[this.index]
  }

  /** Shows other items, and opens one of them. */
  async show(items: readonly WorkItem[], index = 0): Promise<void> {
    this.items = items
    this.shown = undefined
    await this.select(index)
  }

  /** Adds items at the end. */
  async add(items: readonly WorkItem[]): Promise<void> {
    this.items = [...this.items, ...items]
    if (this.panel === undefined) await this.select(this.index)
    else this.#draw()
  }

  /** Opens an item; with `focus` its row or its panel gets the focus. */
  async select(index: number, focus?: 'row' | 'detail'): Promise<void> {
    this.index = Math.max(0, Math.min(index, this.items.length - 1))
    this.#draw()
    if (focus === 'row') this.focusRow()
    await this.reopen()
    if (focus === 'detail') this.focusDetail()
  }

  /** Opens the next or the previous item. */
  async move(step: number): Promise<void> {
    const next = this.index + step
    if (next < 0 || next >= this.items.length) return this.focusRow()
    await this.select(next, 'row')
  }

  /** Removes an item that is still there; where it was the current one, the next one opens. */
  async remove(item: WorkItem): Promise<void> {
    const place = this.items.indexOf(item)
    if (place === -1) return
    this.items = this.items.filter((other) => other !== item)
    if (place === this.index) return this.select(place, 'row')
    if (place < this.index) this.index -= 1
    this.#draw()
  }

  /** Reloads the current item, and shows something above it. */
  async reopen(before?: ComponentChildren): Promise<void> {
    const run = (this.#run += 1)
    this.panel = undefined
    const item = this.current
    this.isLoading = item !== undefined
    if (!item) this.shown = undefined
    this.#draw()
    if (!item) return
    const panel = await item.open().catch(wordingOf)
    if (run !== this.#run) return
    if (typeof panel !== 'string') this.panel = panel
    this.shown = { run, before, panel }
    this.isLoading = false
    this.#draw()
  }

  focusRow(): void {
    focusOn(document.querySelector('.desk-row[aria-current]'))
  }

  /** Moves the focus to the panel. */
  focusDetail(): void {
    focusOn(document.querySelector('#desk-detail h2'))
  }
}

function focusOn(element: HTMLElement | null): void {
  element?.focus()
  element?.scrollIntoView({ block: 'nearest' })
}

export interface WorkProps {
  readonly work: Worklist
  readonly title: string
  readonly hasList: boolean
  readonly isReading: boolean
  /** Below the list. */
  readonly children?: ComponentChildren
  /** In place of an item where there is none. */
  readonly instead?: ComponentChildren
}

/** A worklist with the open item. */
export function Work({ work, title, hasList, isReading, children, instead }: WorkProps) {
  const { shown, isLoading } = work
  return (
    <div class="desk-work" id="desk-work" data-list={hasList ? '' : 'none'}>
      <section class="stack-3 desk-side" aria-labelledby="desk-list-title">
        <h2 id="desk-list-title" tabIndex={-1}>
          {title}
        </h2>
        <ol class="stack-1 desk-list" id="desk-list" aria-busy={isReading}>
          {work.items.map((item, index) => (
            <li key={item.key}>
              <button
                type="button"
                class="surface desk-row"
                aria-current={index === work.index ? 'true' : undefined}
                onClick={() => void work.select(index, 'detail')}
              >
                {item.row()}
              </button>
            </li>
          ))}
        </ol>
        {children}
      </section>
      <section class="desk-detail" id="desk-detail" aria-label={desk.actions} aria-busy={isLoading}>
        {shown ? (
          <>
            <button type="button" class="text-button desk-back" onClick={() => work.focusRow()}>
              {desk.backToList}
            </button>
            {shown.before}
            {typeof shown.panel === 'string' ? (
              <div class="stack-4" key={shown.run}>
                <Problem text={shown.panel} />
                <Button kind="quiet" onPress={() => void work.reopen()} text={desk.retry} />
              </div>
            ) : (
              <PanelView key={shown.run} panel={shown.panel} />
            )}
          </>
        ) : isLoading ? (
          <p class="quiet">{words.account.loading}</p>
        ) : (
          instead
        )}
      </section>
    </div>
  )
}
