import type { Map as MapLibreMap } from 'maplibre-gl'
import { isDark } from '../engine/colours.ts'

/** Puts a picture of the map into the page while it is printed: a WebGL canvas is printed empty. */
export function printable(map: MapLibreMap): void {
  const picture = new Image()
  picture.className = 'map-picture'
  picture.alt = ''
  addEventListener('beforeprint', () => {
    // The canvas can be read only in the same task in which it was drawn.
    map.redraw()
    picture.classList.toggle('map-picture-dark', isDark())
    picture.src = map.getCanvas().toDataURL()
    map.getContainer().append(picture)
  })
  addEventListener('afterprint', () => picture.remove())
}
