import type { Position } from './position.ts'

/** A link that opens a place in a map app or on a map site. */
export interface MapApp {
  readonly name: string
  readonly href: string
}

/** The usual map apps, open ones first. They are opened only when somebody follows the link. */
export function mapApps({ latitude, longitude }: Position): readonly MapApp[] {
  const place = `${latitude},${longitude}`
  return [
    {
      name: 'OpenStreetMap',
      href: `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=18/${latitude}/${longitude}`,
    },
    { name: 'Organic Maps', href: `https://omaps.app/map?v=1&ll=${place}` },
    { name: 'Apple Maps', href: `https://maps.apple.com/?ll=${place}` },
    { name: 'Google Maps', href: `https://www.google.com/maps/search/?api=1&query=${place}` },
  ]
}

/** A `geo:` link (RFC 5870) with the name as most apps read it; phones offer their map apps for it. */
export function geoLink({ latitude, longitude, name }: Position & { readonly name: string }): string {
  const place = `${latitude},${longitude}`
  return `geo:${place}?q=${place}(${encodeURIComponent(name).replaceAll(/[()']/gu, escaped)})`
}

const escaped = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
