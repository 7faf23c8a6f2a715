declare global {
  interface Window {
    /** The events that the page's inline script has recorded, see `client/early-script.ts`. */
    early?: Event[]
  }
}

/** Clicks, changes and submits from before this script ran, oldest first. Later ones are not recorded. */
export function takeEarly(page: Window): readonly Event[] {
  const events = page.early ?? []
  delete page.early
  return events
}

/** The last pressed button with one of these ids. */
export function lastPressed(events: readonly Event[], ids: readonly string[]): HTMLElement | undefined {
  return (
    events
      .filter(({ type }) => type === 'click')
      .map(({ target }) => (target instanceof Element ? target.closest<HTMLElement>('button[id]') : null))
      .findLast((button) => button !== null && ids.includes(button.id)) ?? undefined
  )
}
