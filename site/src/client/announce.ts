type PageEvent = keyof DocumentEventMap & `openfountain:${string}`

export function announce<Name extends PageEvent>(
  name: Name,
  detail?: DocumentEventMap[Name]['detail'],
): void {
  document.dispatchEvent(new CustomEvent(name, { detail }))
}
