/** The places of positions, for `openRegistry`. */

export { parseBoundaries, readBoundaries, type Boundaries } from './boundaries.ts'
export { countryOf } from './places.ts'
export { placesIn, type PlaceOptions } from './places.ts'
