import { differencesOf, type Filter, firstFilter, readFilter } from '../list/filter.ts'
import { type Position, wrapLongitude } from '../page/position.ts'

export interface MapState {
  readonly at?: Place
  readonly filter: Filter
  readonly fountain?: number
}

/** The centre of the map and its zoom (0 is the whole earth, each step doubles the scale). */
export interface Place extends Position {
  readonly zoom: number
}

const maxZoom = 19

/** Reads `?at=LATITUDE,LONGITUDE,ZOOM&fountain=ID` and conditions such as `&verified=1`; invalid parts are ignored. */
export function readState(search: string): MapState {
  const query = new URLSearchParams(search)
  const at = readPlace(query.get('at'))
  const fountain = readId(query.get('fountain'))
  return { at, filter: readFilter(query), fountain }
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

/** Writes a state as a query that {@link readState} reads back, '' when empty, with the digits that the zoom can show. */
export function writeState({ at, filter = firstFilter, fountain }: Partial<MapState>): string {
  const parts: string[] = []
  if (at) {
    const { latitude, longitude, zoom } = at
    const digits = Math.max(2, Math.min(5, Math.ceil(zoom / 3)))
    parts.push(
      `at=${trimmed(latitude, digits)},${trimmed(wrapLongitude(longitude), digits)},${trimmed(zoom, 1)}`,
    )
  }
  for (const [name, value] of differencesOf(filter)) parts.push(`${name}=${encodeURIComponent(value)}`)
  if (fountain !== undefined) parts.push(`fountain=${fountain}`)
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

function trimmed(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)))
}
