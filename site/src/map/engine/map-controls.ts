import { icon } from '../card/icons.ts'
import { element } from '../card/markup.ts'
import type { MapStrings } from '../data/config.ts'

/** A button over the map: an icon, with a label for screen readers and as a tooltip. */
export function mapButton(drawing: string, label: string, pressed: () => void): HTMLButtonElement {
  const made = element(
    'button',
    { type: 'button', class: 'map-button', 'aria-label': label, title: label },
    icon(drawing),
  )
  made.addEventListener('click', pressed)
  return made
}

/** The buttons over the map: zoom in, zoom out, and a place for more. */
export function mapControls(strings: MapStrings, zoomBy: (steps: number) => void): HTMLElement {
  return element(
    'div',
    { class: 'map-controls' },
    mapButton('zoomIn', strings.map.zoomIn, () => zoomBy(1)),
    mapButton('zoomOut', strings.map.zoomOut, () => zoomBy(-1)),
  )
}
