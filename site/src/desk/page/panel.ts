import { button, element, type Content } from './element.ts'
import type { Undo } from './status.ts'

/** An act on the open item, by a button and optionally by a key. */
export interface PanelAction {
  readonly label: string
  readonly key?: string
  readonly isMain?: boolean
  run(): void
}

/** The content beside the list for the selected item. */
export interface Panel {
  readonly root: HTMLElement
  readonly actions: readonly PanelAction[]
}

/** The setting of a panel's actions. */
export interface Setting {
  /** Announces that the item is decided, and opens the next one. */
  settle(text: string, undo?: Undo): void
  /** Announces an action that does not decide the item, and reloads it. */
  update(text: string, undo?: Undo): void
  /** Reloads and shows the item, with the last error. */
  again(problem?: string, ...more: readonly Node[]): void
  /** Runs work, one run at a time, and shows its error. */
  attempt(work: () => Promise<void>): void
}

/** A panel with a title, the buttons of its actions, and its parts. */
export function panelOf(
  title: Content,
  actions: readonly PanelAction[],
  ...parts: readonly (Node | undefined)[]
): Panel {
  const heading = element('h2', 'desk-title', title)
  heading.tabIndex = -1
  const bar = element('div', 'actions desk-acts')
  for (const { label, key, isMain, run } of actions)
    bar.append(
      button(label, run, {
        key,
        className: isMain === true ? 'button' : 'button button-quiet',
      }),
    )
  const root = element('div', 'desk-panel', heading)
  root.append(...parts.filter((part) => part !== undefined))
  // Beside the title in reading order, so that no user has to tab through the whole history.
  heading.after(bar)
  return { root, actions }
}
