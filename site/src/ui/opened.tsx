import type { ComponentChildren } from 'preact'
import { Button } from './button.tsx'
import { Problem } from './problem.tsx'

/** A sentence in place of a page, with the way on. */
export const Instead = ({
  text,
  label,
  href,
}: {
  readonly text: string
  readonly label: string
  readonly href: string
}) => (
  <div class="stack-4">
    <p class="lead">{text}</p>
    <p class="actions">
      <Button href={href} text={label} />
    </p>
  </div>
)

/** A problem with a button to try again. */
export const Failure = ({
  text,
  label,
  retry,
}: {
  readonly text: string
  readonly label: string
  retry(): void
}) => (
  <div class="stack-4">
    <Problem text={text} />
    <p class="actions">
      <Button kind="quiet" onPress={retry} text={label} />
    </p>
  </div>
)

export interface Opening<Found> {
  readonly words: { readonly loading: string; readonly retry: string }
  /** Reads what the page shows. */
  load(): Promise<Found>
  wordingOf(error: unknown): string
  draw(content: ComponentChildren): void
}

/** Reads the data of a page. Until then the page says so; a refusal is shown with a button to try again. */
export async function opened<Found>({ words, load, wordingOf, draw }: Opening<Found>): Promise<Found> {
  draw(<p class="lead">{words.loading}</p>)
  try {
    return await load()
  } catch (error) {
    await new Promise<void>((retry) =>
      draw(<Failure text={wordingOf(error)} label={words.retry} retry={retry} />),
    )
    return opened({ words, load, wordingOf, draw })
  }
}
