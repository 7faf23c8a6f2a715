import type { Map as MapLibreMap } from 'maplibre-gl'
import { isDark } from '../engine/colours.ts'

/** Replaces the map by a picture while the page is printed: a WebGL canvas prints empty. */
export function printable(map: MapLibreMap): void {
  const picture = new Image()
  picture.className = 'map-picture'
  picture.alt = ''
  addEventListener('beforeprint', () => {
    // The canvas can only be read in the task that drew it.
    map.redraw()
    picture.classList.toggle('map-picture-dark', isDark())
    picture.src = map.getCanvas().toDataURL()
    map.getContainer().append(picture)
  })
  addEventListener('afterprint', () => picture.remove())
}
