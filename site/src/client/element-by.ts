/** The first element that matches. @throws Error when the page has none */
export function elementBy<Found extends HTMLElement = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): Found {
  const found = within.querySelector<Found>(selector)
  if (found === null) throw new Error(`The page has no ${selector}`)
  return found
}
