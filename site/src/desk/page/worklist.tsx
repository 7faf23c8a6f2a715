import type { ComponentChildren, JSX } from 'preact'
import { Failure } from '../../ui/opened.tsx'
import type { Act } from './act.tsx'
import { desk, words, wordingOf } from './config.ts'
import { PanelView, type Panel } from './item-panel.tsx'

export interface WorkItem {
  readonly key: string
  row(): ComponentChildren
  /** The box that chooses it, where several are decided together. */
  choice?(): Pick<JSX.InputHTMLAttributes, 'aria-label' | 'checked' | 'onChange'>
  open(): Promise<Panel>
  /** Shows what follows an act on it, or the undoing of one. */
  follow(isUndone: boolean): Promise<void>
}

/** A list of items to decide, with the selected one open beside it. */
export class Worklist {
  items: readonly WorkItem[] = []
  index = 0
  isLoading = false
  /** The panel beside the list, which stays while the next one loads, with what belongs above it. */
  shown: (Panel & { readonly run: number; readonly before?: ComponentChildren }) | undefined
  #run = 0
  readonly #draw: () => void

  constructor(draw: () => void) {
    this.#draw = draw
  }

  get current(): WorkItem | undefined {
    return this.items[this.index]
  }

  get acts(): readonly Act[] {
    return this.isLoading ? [] : (this.shown?.acts ?? [])
  }

  async show(items: readonly WorkItem[]): Promise<void> {
    this.items = items
    this.shown = undefined
    await this.select(0)
  }

  /** Opens an item; with `focus` its row or its panel gets the focus. */
  async select(index: number, focus?: 'row' | 'detail'): Promise<void> {
    this.index = Math.max(0, Math.min(index, this.items.length - 1))
    this.#draw()
    if (focus === 'row') this.focusRow()
    await this.reopen()
    if (focus === 'detail') this.focusDetail()
  }

  async move(step: number): Promise<void> {
    const next = this.index + step
    if (next < 0 || next >= this.items.length) return this.focusRow()
    await this.select(next, 'row')
  }

  /** Shows the items as they are now: the current one stays open, or the next one opens. */
  async renew(items: readonly WorkItem[], focus?: 'row'): Promise<void> {
    const index = items.findIndex(({ key }) => key === this.current?.key)
    this.items = items
    if (index === -1) return this.select(this.index, focus)
    this.index = index
    this.#draw()
  }

  async reopen(before?: ComponentChildren): Promise<void> {
    const run = (this.#run += 1)
    const item = this.current
    this.isLoading = item !== undefined
    if (!item) this.shown = undefined
    this.#draw()
    if (!item) return
    const panel = await item.open().catch((error: unknown) => this.#failed(error))
    if (run !== this.#run) return
    this.shown = { ...panel, run, before }
    this.isLoading = false
    this.#draw()
  }

  /** Reloads the current item, which gets the focus unless that was moved meanwhile. */
  async again(before?: ComponentChildren): Promise<void> {
    const focused = document.activeElement
    await this.reopen(before)
    if ([focused, document.body].includes(document.activeElement)) this.focusDetail()
  }

  #failed(error: unknown): Panel {
    const retry = (): void => void this.reopen()
    return {
      acts: [],
      content: <Failure text={wordingOf(error)} label={words.account.retry} retry={retry} />,
    }
  }

  focusRow(): void {
    focusOn(document.querySelector('.desk-row[aria-current]'))
  }

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
  readonly children?: ComponentChildren
  /** In place of an item where there is none. */
  readonly instead?: ComponentChildren
}

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
              {item.choice && (
                <label class="flag">
                  <input type="checkbox" {...item.choice()} />
                </label>
              )}
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
            <PanelView key={shown.run} panel={shown} />
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
