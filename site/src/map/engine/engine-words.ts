import { fill } from '../../messages.ts'
import type { MapStrings } from '../data/config.ts'

/** The texts of MapLibre's own controls in the language of the page, by MapLibre's keys. */
export function engineWords({ map }: MapStrings): Readonly<Record<string, string>> {
  return {
    'Map.Title': map.label,
    'ScaleControl.Meters': unitOf(map.distanceMetres),
    'ScaleControl.Kilometers': unitOf(map.distanceKilometres),
    'CooperativeGesturesHandler.WindowsHelpText': fill(map.gestureScroll, { key: map.gestureKey }),
    'CooperativeGesturesHandler.MacHelpText': fill(map.gestureScroll, { key: '⌘' }),
    'CooperativeGesturesHandler.MobileHelpText': map.gestureTouch,
  }
}

/** The unit of a distance such as `{n} km`. */
function unitOf(distance: string): string {
  return distance.replace('{n}', '').trim()
}
