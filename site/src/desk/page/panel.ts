import { button, element, type Content } from './element.ts'
import type { Undo } from './status.ts'

/** Something that can be done with what is shown, by a button and perhaps by a key. */
export interface PanelAct {
  readonly label: string
  readonly key?: string
  readonly isMain?: boolean
  run(): void
}

/** What is shown beside the list for the chosen item. */
export interface Panel {
  readonly root: HTMLElement
  readonly acts: readonly PanelAct[]
}

/** Where the acts of a panel take place. */
export interface Setting {
  /** The item was decided: says so, and goes on to the next. */
  settle(text: string, undo?: Undo): void
  /** Something was done that does not decide the item: says so, and shows it as it is now. */
  update(text: string, undo?: Undo): void
  /** Shows the item again as it is now, with what went wrong before. */
  again(problem?: string, ...more: readonly Node[]): void
  /** Does something once at a time, and shows what went wrong. */
  attempt(work: () => Promise<void>): void
}

/** A panel with a title, the buttons of its acts, and its parts. */
export function panelOf(
  title: Content,
  acts: readonly PanelAct[],
  ...parts: readonly (Node | undefined)[]
): Panel {
  const heading = element('h2', 'desk-title', title)
  heading.tabIndex = -1
  const bar = element('div', 'actions desk-acts')
  for (const { label, key, isMain, run } of acts)
    bar.append(
      button(label, run, {
        ...(key !== undefined && { key }),
        className: isMain === true ? 'button' : 'button button-quiet',
      }),
    )
  const root = element('div', 'desk-panel', heading)
  root.append(...parts.filter((part) => part !== undefined))
  // Beside the title in the order of reading, so that one need not tab through the whole history.
  heading.after(bar)
  return { root, acts }
}
