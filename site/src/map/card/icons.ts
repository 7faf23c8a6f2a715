import { drawings } from '../../ui/icon.tsx'

/** Drawings of the kinds of fountains, each the inner markup of an SVG of 24 × 24; inserted by `build/icon-drawings.ts` when the scripts are bundled. */
declare const MAP_ICONS: Readonly<Record<string, string>>

/** Amenities of the kinds of fountains, in the vocabulary's order; inserted like the drawings. */
declare const MAP_KINDS: readonly string[]

/** Amenities of the kinds of fountains, in the vocabulary's order. */
export const kinds: readonly string[] = MAP_KINDS

/** The first kind among amenities in the vocabulary's order, or undefined when there is none. */
export function kindOf(amenities: readonly string[]): string | undefined {
  return kinds.find((kind) => amenities.includes(kind))
}

/** The drawing of a kind. */
export const drawing = (kind: string): string => MAP_ICONS[kind] ?? ''

/** An icon in the colour of the text around it, hidden from screen readers. @param sheet the address of the drawings */
export function icon(name: string, sheet = drawings()): SVGElement {
  const [svg, use] = ['svg', 'use'].map((tag) => document.createElementNS('http://www.w3.org/2000/svg', tag))
  if (!svg || !use) throw new Error('This browser has no SVG')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('aria-hidden', 'true')
  use.setAttribute('href', `${sheet}#${name}`)
  svg.append(use)
  return svg as SVGElement
}
