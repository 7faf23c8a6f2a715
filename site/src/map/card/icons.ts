import { drawings } from 'virtual:drawings'

/** The drawing of an icon; names without one get that of a tag. */
export function drawing(name: string): string {
  return (Object.hasOwn(drawings, name) ? drawings[name] : drawings['amenity']) ?? ''
}

/** An icon in the colour of the text around it, hidden from screen readers. */
export function icon(name: string): SVGElement {
  const text =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="20" height="20" fill="none" ' +
    'stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" class="icon" ' +
    `aria-hidden="true">${drawing(name)}</svg>`
  const parsed = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement
  return document.importNode(parsed, true) as unknown as SVGElement
}
