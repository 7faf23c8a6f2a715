import { Icon } from './icon.tsx'

export interface ButtonProps {
  readonly text: string | undefined
  readonly onPress?: () => void
  /** Address of a link that looks as a button. */
  readonly href?: string
  readonly kind?: 'main' | 'quiet' | 'danger' | 'text'
  readonly isSmall?: boolean | undefined
  readonly icon?: string
  readonly label?: string | undefined
  /** The key that does the same, shown beside the text. */
  readonly shortcut?: string | undefined
  /** Whether a choice is made; absent for a button that is no choice. */
  readonly isPressed?: boolean | undefined
  readonly isSubmit?: boolean
  /** The name of a submit button in the data of its form, where it is `yes` once it is pressed. */
  readonly name?: string
  readonly isHidden?: boolean
  readonly id?: string
}

const classes = {
  main: 'button',
  quiet: 'button button-quiet',
  danger: 'button button-danger',
  text: 'text-button',
}

export function Button({ text, onPress, href, kind = 'main', isSmall, icon, label, ...more }: ButtonProps) {
  const { shortcut, isPressed, isSubmit, name, isHidden, id } = more
  const looks = isSmall ? `${classes[kind]} button-small` : classes[kind]
  const content = (
    <>
      {icon && <Icon name={icon} />}
      {text}
      {shortcut && <kbd aria-hidden="true">{shortcut}</kbd>}
    </>
  )
  if (href !== undefined)
    return (
      <a class={looks} href={href} id={id}>
        {content}
      </a>
    )
  return (
    <button
      type={isSubmit ? 'submit' : 'button'}
      class={looks}
      aria-label={label}
      aria-keyshortcuts={shortcut}
      aria-pressed={isPressed}
      hidden={isHidden}
      name={name}
      value={name && 'yes'}
      id={id}
      onClick={onPress}
    >
      {content}
    </button>
  )
}
