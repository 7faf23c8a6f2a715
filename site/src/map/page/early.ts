declare global {
  interface Window {
    /** The events that the page's inline script has kept, see `client/early-script.ts`. */
    early?: Event[]
  }
}

/** What was pressed, chosen and sent before this script was there, oldest first. From now on nothing is kept. */
export function takeEarly(page: Window): readonly Event[] {
  const events = page.early ?? []
  delete page.early
  return events
}

/** The button with one of these ids that was pressed last. */
export function lastPressed(events: readonly Event[], ids: readonly string[]): HTMLElement | undefined {
  return (
    events
      .filter(({ type }) => type === 'click')
      .map(({ target }) => (target instanceof Element ? target.closest<HTMLElement>('button[id]') : null))
      .findLast((button) => button !== null && ids.includes(button.id)) ?? undefined
  )
}
