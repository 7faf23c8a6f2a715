import type { Waypoint } from '../data/records.ts'
import type { Position } from '../map/page/position.ts'

/** The position of a fountain, to seven decimals: a centimetre. */
export const placeOf = ({ latitude, longitude }: Position): Position => ({
  latitude: Number(latitude.toFixed(7)),
  longitude: Number(longitude.toFixed(7)),
})

/** The OpenStreetMap object of a fountain: its reference, its page there, and the address of its editor. */
export function osmObject({ osm_type: type, osm_id: id }: Pick<Waypoint, 'osm_type' | 'osm_id'>) {
  if (!type || !id) return undefined
  const [ref, host] = [`${type}/${id}`, 'https://www.openstreetmap.org']
  return { ref, href: `${host}/${ref}`, edit: `${host}/edit?${type}=${id}` }
}

/** A reference that an import derived from a row's place: a keyed hash without meaning to people. */
const placeRef = /^place:[0-9a-f]{16}$/u

/** The source ids of a fountain that people can look up; empty when there are none. */
export function lookupRefs(row: Pick<Waypoint, 'source_refs' | 'osm_type' | 'osm_id'>): string {
  const object = osmObject(row)
  return row.source_refs.filter((ref) => ref !== '' && !placeRef.test(ref) && ref !== object?.ref).join('; ')
}
