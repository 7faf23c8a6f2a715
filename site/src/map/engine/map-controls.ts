import { icon } from '../card/icons.ts'
import type { Page } from '../../views/page.ts'

/** A button over the map: an icon, with a label for screen readers and as a tooltip. */
export function mapButton(
  page: Page,
  drawing: string,
  label: string,
  pressed: () => void,
): HTMLButtonElement {
  const made = document.createElement('button')
  Object.assign(made, { type: 'button', className: 'map-button', ariaLabel: label, title: label })
  made.append(icon(drawing, page.icons))
  made.addEventListener('click', pressed)
  return made
}

/** The buttons over the map: zoom in, zoom out, and a place for more. */
export function mapControls(page: Page, zoomBy: (steps: number) => void): HTMLElement {
  const controls = document.createElement('div')
  controls.className = 'map-controls'
  controls.append(
    mapButton(page, 'zoomIn', page.text('map.zoomIn'), () => zoomBy(1)),
    mapButton(page, 'zoomOut', page.text('map.zoomOut'), () => zoomBy(-1)),
  )
  return controls
}
