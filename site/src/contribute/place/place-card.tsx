import type { ComponentChildren, RefObject } from 'preact'
import { Icon } from '../../ui/icon.tsx'

interface PlaceCardProps {
  readonly id: string
  readonly title: string
  readonly close: string
  readonly root: RefObject<HTMLElement>
  onClose(): void
  readonly children?: ComponentChildren
}

/** A card beside the map, for something that is chosen on it; Escape closes it. */
export function PlaceCard({ id, title, close, root, onClose, children }: PlaceCardProps) {
  return (
    <section
      class="card contribute-place"
      role="dialog"
      aria-modal="false"
      aria-labelledby={id}
      ref={root}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
    >
      <header class="dialog-head">
        <h2 class="card-title" id={id} tabIndex={-1}>
          <bdi>{title}</bdi>
        </h2>
        <button type="button" class="icon-button" aria-label={close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </section>
  )
}
