/** An error in a live region. It is empty before each attempt, so that the same text is announced again. */
export const Problem = ({
  text,
  href,
  label,
}: {
  readonly text: string
  readonly href?: string
  readonly label?: string
}) => (
  <p class="problem" role="alert">
    {text}
    {href !== undefined && (
      <>
        {' '}
        <a href={href}>{label}</a>
      </>
    )}
  </p>
)
