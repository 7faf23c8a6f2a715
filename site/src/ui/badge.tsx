import type { ComponentChildren } from 'preact'

export type Tone = 'verified' | 'accent' | 'warm' | 'danger'

/** A word or two about what it stands beside. */
export const Badge = ({
  tone,
  children,
}: {
  readonly tone?: Tone | undefined
  readonly children?: ComponentChildren
}) => <span class={tone === undefined ? 'badge' : `badge tag-${tone}`}>{children}</span>
