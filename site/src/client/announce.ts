type PageEvent = keyof DocumentEventMap & `openfountain:${string}`

/** Tells the other scripts of the page (page-events.ts). */
export function announce<Name extends PageEvent>(
  name: Name,
  detail?: DocumentEventMap[Name]['detail'],
): void {
  document.dispatchEvent(new CustomEvent(name, { detail }))
}
