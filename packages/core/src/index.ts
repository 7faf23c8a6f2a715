export { amenityOf, kindOf, normaliseAmenity, osmBase, osmTagsOf, vocabulary } from './vocabulary.ts'
export type { Amenity, KnownAmenity } from './vocabulary.ts'
