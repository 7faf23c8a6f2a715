import { useEffect, useRef } from 'preact/hooks'
import { Button } from './button.tsx'

export interface SecretProps {
  readonly title: string
  readonly secret: string
  readonly copy: string
  copied(): void
}

/** A secret that is shown once, as text to copy. It gets the focus. */
export function Secret({ title, secret, copy, copied }: SecretProps) {
  const box = useRef<HTMLDivElement>(null)
  const code = useRef<HTMLElement>(null)
  useEffect(() => box.current?.focus(), [secret])
  const copyIt = (): void =>
    void navigator.clipboard.writeText(secret).then(
      copied,
      // Without the clipboard permission the secret is selected for manual copying.
      () => code.current && getSelection()?.selectAllChildren(code.current),
    )
  return (
    <div class="notice stack-2 secret" role="group" aria-labelledby="secret-title" tabIndex={-1} ref={box}>
      <p id="secret-title">{title}</p>
      <code data-secret ref={code}>
        {secret}
      </code>
      <p class="actions">
        <Button kind="quiet" isSmall icon="copy" text={copy} onPress={copyIt} />
      </p>
    </div>
  )
}
