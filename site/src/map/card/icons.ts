import { drawings as markup } from 'virtual:drawings'
import { drawings } from '../../ui/icon.tsx'

/** The drawing of a kind of fountains, or of `water`. */
export const drawing = (kind: string): string => markup[kind] ?? ''

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
