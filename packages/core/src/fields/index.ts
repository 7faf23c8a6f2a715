/**
 * Every field of every noun, described once. Input schemas, rows, the JSON that SQLite builds, merging, redaction, the
 * columns of every export with their descriptions, the API's document and the site's facts follow from it.
 *
 * Plain data. A new optional text is a line in the file of its noun, a column in the migration, and its words in each
 * language of the site.
 */

export { areaFields } from './area.ts'
export {
  forEachOf,
  namesOf,
  optionalNames,
  type Described,
  type Field,
  type GivenProperties,
  type PropertyValue,
  type Properties,
  type Fields,
  type NameOf,
  type OptionalName,
  type ValueOf,
  type ValuesOf,
} from './field.ts'
export {
  harvestFields,
  harvestOutcomes,
  harvestReasons,
  intervals,
  type HarvestOutcome,
  type HarvestReason,
  type Interval,
} from './harvest.ts'
export { observationAuthorities, observationFields, observationKinds } from './observation.ts'
export { photoFields, photoStates, type PhotoState } from './photo.ts'
export { placeColumns, placeFields, type PlaceColumn } from './place.ts'
export { reviewFields } from './review.ts'
export { listingFields, sourceFields, sourceFigures, sourceStates, sourceTerms } from './source.ts'
export { statisticsFields } from './statistics.ts'
export { userCounts, userFields } from './user.ts'
export {
  comparedFields,
  editableFields,
  fieldNames,
  forEachCompared,
  loggedFields,
  optionalFields,
  optionalValuesOf,
  redactableFields,
  waypointFields,
  type ComparedField,
  type EditableField,
  type LoggedField,
  type OptionalField,
  type OptionalValue,
  type OptionalValues,
  type RedactableField,
  type WaypointField,
} from './waypoint.ts'
