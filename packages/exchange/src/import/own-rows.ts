import { restoreCell, splitList } from '../export/cell.ts'
import type { Position } from './geometry.ts'
import type { ReadWaypoint } from './waypoint-reading.ts'

/**
 * A row of this project's own export, its values exactly as they were: nothing is tidied, renamed or left out.
 * Text cells of CSV that were made harmless for spreadsheets get their own form back.
 */
export function readOwnRow(
  fields: Readonly<Record<string, unknown>>,
  [longitude, latitude]: Position,
): ReadWaypoint {
  const { amenities } = fields
  // Only in CSV are the coordinates text, and only there are text cells guarded.
  const guarded = typeof fields['latitude'] === 'string'
  const text = (value: unknown) =>
    typeof value !== 'string' ? undefined : guarded ? restoreCell(value) : value
  const optional = (name: 'description' | 'image' | 'maintainer' | 'region') => {
    const value = text(fields[name])
    return value === undefined ? {} : { [name]: value }
  }
  const flag = (name: 'approved' | 'verified') => {
    const value = fields[name]
    return value === true || value === 1 || value === 'true' ? { [name]: true } : {}
  }
  return {
    name: text(fields['name']) ?? '',
    latitude,
    longitude,
    amenities: Array.isArray(amenities)
      ? amenities.map(String)
      : typeof amenities === 'string'
        ? listIn(guarded ? restoreCell(amenities) : amenities)
        : [],
    ...optional('description'),
    ...optional('image'),
    ...optional('maintainer'),
    ...optional('region'),
    ...flag('approved'),
    ...flag('verified'),
  }
}

/** A list in a text column: JSON where the format writes it so, else as CSV joins it. */
function listIn(text: string): string[] {
  if (text.startsWith('[')) {
    try {
      const parsed: unknown = JSON.parse(text)
      if (Array.isArray(parsed)) return parsed.map(String)
    } catch {
      // An amenity may begin with a bracket.
    }
  }
  return splitList(text)
}
