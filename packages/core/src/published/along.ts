import type { Waypoint } from '../schemas/waypoint.ts'
import { xmlElement, xmlText } from './xml.ts'

/** A waypoint along a route, in metres. */
export interface Passed {
  readonly waypoint: Pick<Waypoint, 'id' | 'name' | 'latitude' | 'longitude' | 'drinkable'> & {
    readonly attribution?: string | undefined
  }
  readonly along: number
  readonly off: number
}

const kilometres = (metres: number): string => `${(metres / 1000).toFixed(1)} km`

/** Waypoints along a route as GeoJSON or GPX 1.1, in its order. */
export function passedText(
  format: 'geojson' | 'gpx',
  passed: readonly Passed[],
  { name, author, license }: { readonly name: string; readonly author: string; readonly license: string },
): string {
  if (format === 'geojson') {
    const features = passed.map(({ waypoint, along, off }) => ({
      type: 'Feature',
      id: waypoint.id,
      geometry: { type: 'Point', coordinates: [waypoint.longitude, waypoint.latitude] },
      properties: { ...waypoint, along, off },
    }))
    return JSON.stringify({ type: 'FeatureCollection', license, author, features })
  }
  const points = passed.map(
    ({ waypoint, along, off }) =>
      `<wpt lat="${waypoint.latitude}" lon="${waypoint.longitude}">` +
      xmlElement('name', waypoint.name) +
      xmlElement('desc', `${kilometres(along)}, ${Math.round(off)} m beside`) +
      xmlElement('src', waypoint.attribution) +
      xmlElement('sym', waypoint.drinkable === 'no' ? 'Water Source' : 'Drinking Water') +
      '</wpt>\n',
  )
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<gpx version="1.1" creator="openfountain" xmlns="http://www.topografix.com/GPX/1/1">\n' +
    `<metadata>${xmlElement('name', name)}${xmlElement('desc', license)}` +
    `<copyright author="${xmlText(author)}"/></metadata>\n${points.join('')}</gpx>\n`
  )
}
