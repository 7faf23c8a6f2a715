/** Drawings by name, each the inner markup of an SVG of 24 × 24; inserted by `build/icon-drawings.ts` when the scripts are bundled. */
declare const MAP_ICONS: Readonly<Record<string, string>>

/**
 * Amenities of the kinds of fountains, in the vocabulary's order; inserted by `build/icon-drawings.ts` when the scripts
 * are bundled.
 */
declare const MAP_KINDS: readonly string[]

/** Amenities of the kinds of fountains, in the vocabulary's order. */
export const kinds: readonly string[] = MAP_KINDS

/** The first kind among amenities in the vocabulary's order, or undefined when there is none. */
export function kindOf(amenities: readonly string[]): string | undefined {
  return kinds.find((kind) => amenities.includes(kind))
}

/** The drawing of an icon; names without one get that of a tag. */
export function drawing(name: string): string {
  return (Object.hasOwn(MAP_ICONS, name) ? MAP_ICONS[name] : MAP_ICONS['amenity']) ?? ''
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
