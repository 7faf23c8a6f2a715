/** Which fountains match; an empty filter matches all. */
export interface Filter {
  /** Keys of the vocabulary; a fountain must have every one. */
  readonly amenities: readonly string[]
  readonly verified: boolean
  /** Name of a region, as the fountains have it. */
  readonly region?: string
}

/** Matches every fountain. */
export const noFilter: Filter = { amenities: [], verified: false }

/** What a filter reads of a fountain. */
export interface Filterable {
  readonly amenities: readonly string[]
  readonly verified: boolean
  readonly region?: string
}

/** Whether a fountain matches. */
export function matches(filter: Filter, fountain: Filterable): boolean {
  if (filter.verified && !fountain.verified) return false
  if (filter.region !== undefined && fountain.region !== filter.region) return false
  return filter.amenities.every((amenity) => fountain.amenities.includes(amenity))
}

/** How many conditions a filter sets. */
export function conditionCount(filter: Filter): number {
  return filter.amenities.length + (filter.verified ? 1 : 0) + (filter.region === undefined ? 0 : 1)
}
