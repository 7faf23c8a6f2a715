import type { ComponentChildren } from 'preact'
import { Badge } from './badge.tsx'
import { Button } from './button.tsx'

export interface Item {
  readonly id: number
  readonly title: string
  readonly details: readonly string[]
  /** Marks the row, such as the current device. */
  readonly badge?: string | undefined
  readonly actions: readonly (readonly [label: string, run: () => void])[]
  /** In place of the row, while it is edited. */
  readonly form?: ComponentChildren
}

export const List = ({
  items,
  none,
}: {
  readonly items: readonly Item[]
  /** The message of an empty list. */
  readonly none?: string | undefined
}) => (
  <>
    {items.length === 0 && none !== undefined && <p class="quiet">{none}</p>}
    <ul class="items">
      {items.map(({ id, title, details, badge, actions, form }) => (
        <li class="split item" key={id}>
          {form || (
            <>
              <div class="stack-0">
                <strong class="item-title">
                  <bdi>{title}</bdi>
                  {badge && ' '}
                  {badge && <Badge tone="verified">{badge}</Badge>}
                </strong>
                <span class="faint">{details.join(' · ')}</span>
              </div>
              <div class="actions">
                {actions.map(([label, run]) => (
                  // The label names the row, since several rows have the same button.
                  <Button kind="quiet" isSmall text={label} label={`${label}: ${title}`} onPress={run} />
                ))}
              </div>
            </>
          )}
        </li>
      ))}
    </ul>
  </>
)
