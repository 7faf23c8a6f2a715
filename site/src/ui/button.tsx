import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

export interface ButtonProps {
  readonly children: ComponentChildren
  readonly onPress?: () => void
  readonly kind?: 'main' | 'quiet' | 'danger' | 'text'
  readonly isSmall?: boolean
  readonly icon?: string
  /** The accessible label, where several buttons have the same text. */
  readonly label?: string
  readonly isSubmit?: boolean
  readonly id?: string
}

const classes = {
  main: 'button',
  quiet: 'button button-quiet',
  danger: 'button button-danger',
  text: 'text-button',
}

/** A button that does something. */
export function Button({
  children,
  onPress,
  kind = 'main',
  isSmall,
  icon,
  label,
  isSubmit,
  id,
}: ButtonProps) {
  return (
    <button
      type={isSubmit ? 'submit' : 'button'}
      class={isSmall ? `${classes[kind]} button-small` : classes[kind]}
      aria-label={label}
      id={id}
      onClick={onPress}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}
