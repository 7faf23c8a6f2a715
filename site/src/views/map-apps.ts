import type { Position } from '../map/page/position.ts'

type MapApp = { readonly name: string; readonly href: string }

/** The usual map apps, open ones first: two show the place, the others walking directions. @param object of OpenStreetMap, if known */
export function mapApps(to: Position, object?: string): readonly MapApp[] {
  const place = placeOf(to)
  const { latitude, longitude } = to
  return [
    {
      name: 'OpenStreetMap',
      href:
        object ??
        `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=18/${latitude}/${longitude}`,
    },
    { name: 'Organic Maps', href: `https://omaps.app/map?v=1&ll=${place}` },
    { name: 'Apple Maps', href: appleDirections(to) },
    {
      name: 'Google Maps',
      href: `https://www.google.com/maps/dir/?api=1&destination=${place}&travelmode=walking`,
    },
  ]
}

/** OpenStreetMap's router for pedestrians, which works in every browser; it asks for the start. */
export function webDirections(to: Position): string {
  return `https://www.openstreetmap.org/directions?engine=fossgis_osrm_foot&route=%3B${encodeURIComponent(placeOf(to))}`
}

/** Walking directions with the apps of the device: of Android or Apple, else OpenStreetMap's router. @param userAgent of the browser */
export function directionsLink(to: Position & { readonly name: string }, userAgent: string): string {
  if (/Android/u.test(userAgent)) return geoLink(to)
  if (/iPhone|iPad|iPod|Macintosh/u.test(userAgent)) return appleDirections(to)
  return webDirections(to)
}

function appleDirections(to: Position): string {
  return `https://maps.apple.com/?daddr=${placeOf(to)}&dirflg=w`
}

/** A `geo:` link (RFC 5870) with the name as most apps read it; phones offer their map apps for it. */
function geoLink(to: Position & { readonly name: string }): string {
  const place = placeOf(to)
  return `geo:${place}?q=${place}(${encodeURIComponent(to.name).replaceAll(/[()']/gu, escaped)})`
}

const placeOf = ({ latitude, longitude }: Position) => `${latitude},${longitude}`

const escaped = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
