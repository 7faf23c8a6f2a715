import type { ComponentChildren } from 'preact'
import { Button } from '../../ui/button.tsx'

/** Undoes an act. */
export type Undo = () => Promise<unknown>

/** An act that was done. */
export interface Done {
  /** What is announced. */
  readonly said: string
  readonly undo?: Undo
  /** Whether the item still waits for a decision. */
  readonly stays?: boolean
}

/** The setting of the acts on the open item. */
export interface Setting {
  /** Announces an act; once it has decided the item, the next one opens. */
  done(done: Done): void
  /** Reloads and shows the item, with the last error and what belongs to it. */
  again(problem: string, more: ComponentChildren): void
  /** Runs work, one run at a time, and shows its error. */
  attempt(work: () => Promise<void>): void
  /** Shows the panel again, which has loaded more. */
  redraw(): void
}

/** An act on the open item, by a button and optionally by a key. */
export interface PanelAction {
  readonly label: string
  readonly key?: string
  readonly isMain?: boolean
  /** Whether this is the chosen one of several decisions. */
  readonly isPressed?: boolean
  run(): void
}

/** The content beside the list for the selected item. */
export interface Panel {
  /** Absent where nothing was found. */
  readonly title?: ComponentChildren
  readonly actions: readonly PanelAction[]
  content(): ComponentChildren
}

/** The acts follow the title in reading order, so that no user has to tab through the whole history. */
export const PanelView = ({ panel: { title, actions, content } }: { readonly panel: Panel }) =>
  title === undefined ? (
    content()
  ) : (
    <div class="stack-4">
      <h2 tabIndex={-1}>{title}</h2>
      <div class="actions">
        {actions.map(({ label, key, isMain, isPressed, run }) => (
          <Button
            key={label}
            kind={isMain ? 'main' : 'quiet'}
            shortcut={key}
            isPressed={isPressed}
            onPress={run}
            text={label}
          />
        ))}
      </div>
      {content()}
    </div>
  )
