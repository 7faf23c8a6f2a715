import { type Filter, noFilter } from '../list/filter.ts'
import { type Position, wrapLongitude } from '../page/position.ts'

/** What the address of a map page holds: the view, the filter and the open fountain. */
export interface MapState {
  readonly at?: Place
  readonly filter: Filter
  /** Id of the fountain whose card is open. */
  readonly fountain?: number
}

/** The centre of the map and its zoom (0 is the whole earth, each step doubles the scale). */
export interface Place extends Position {
  readonly zoom: number
}

const maxZoom = 19
const maxAmenities = 32
const maxRegionLength = 200

/**
 * Reads `?at=LATITUDE,LONGITUDE,ZOOM&amenity=…&verified=1&region=…&fountain=ID`. `amenity` may be repeated.
 * A part that cannot be read is ignored: people type addresses and cut them off.
 */
export function readState(search: string): MapState {
  const query = new URLSearchParams(search)
  const at = readPlace(query.get('at'))
  const fountain = readId(query.get('fountain'))
  return {
    ...(at && { at }),
    filter: readFilter(query),
    ...(fountain !== undefined && { fountain }),
  }
}

function readFilter(query: URLSearchParams): Filter {
  const amenities = [...new Set(query.getAll('amenity'))]
    .filter((key) => /^[a-z0-9-]{1,64}$/u.test(key))
    .slice(0, maxAmenities)
  const region = query.get('region')?.trim().slice(0, maxRegionLength)
  if (amenities.length === 0 && !query.has('verified') && !region) return noFilter
  return { amenities, verified: query.get('verified') === '1', ...(region ? { region } : {}) }
}

function readPlace(text: string | null): Place | undefined {
  const parts = text?.split(',') ?? []
  if (parts.length !== 3 || parts.some((part) => part.trim() === '')) return undefined
  const [latitude = NaN, longitude = NaN, zoom = NaN] = parts.map(Number)
  if (!Number.isFinite(longitude) || !(Math.abs(latitude) <= 90) || !Number.isFinite(zoom)) return undefined
  return {
    latitude,
    longitude: Math.abs(longitude) <= 180 ? longitude : wrapLongitude(longitude),
    zoom: Math.min(maxZoom, Math.max(0, zoom)),
  }
}

function readId(text: string | null): number | undefined {
  if (text === null || !/^[1-9]\d{0,14}$/u.test(text)) return undefined
  return Number(text)
}

/**
 * Writes a state as a query that {@link readState} reads back, '' when it holds nothing. Coordinates have as
 * many digits as the zoom can show (five digits are one metre).
 */
export function writeState(state: MapState): string {
  const parts: string[] = []
  if (state.at) {
    const { latitude, longitude, zoom } = state.at
    const digits = Math.max(2, Math.min(5, Math.ceil(zoom / 3)))
    parts.push(
      `at=${trimmed(latitude, digits)},${trimmed(wrapLongitude(longitude), digits)},${trimmed(zoom, 1)}`,
    )
  }
  for (const amenity of state.filter.amenities) parts.push(`amenity=${encodeURIComponent(amenity)}`)
  if (state.filter.verified) parts.push('verified=1')
  if (state.filter.region !== undefined) parts.push(`region=${encodeURIComponent(state.filter.region)}`)
  if (state.fountain !== undefined) parts.push(`fountain=${state.fountain}`)
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

function trimmed(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)))
}
