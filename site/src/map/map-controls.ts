import { icon } from './icons.ts'
import { element } from './markup.ts'
import type { MapStrings } from './config.ts'

/** The buttons that lie over the map: nearer, farther. */
export function mapControls(strings: MapStrings, zoomBy: (steps: number) => void): HTMLElement {
  const button = (drawing: string, label: string, steps: number): HTMLElement => {
    const made = element(
      'button',
      { type: 'button', class: 'map-button', 'aria-label': label, title: label },
      icon(drawing),
    )
    made.addEventListener('click', () => zoomBy(steps))
    return made
  }
  return element(
    'div',
    { class: 'map-controls' },
    button('zoomIn', strings.map.zoomIn, 1),
    button('zoomOut', strings.map.zoomOut, -1),
  )
}
