import {
  fieldNames,
  namesOf,
  placeColumns,
  placeFields,
  reviewFields,
  waypointFields,
} from '@openfountain/core/fields'
import type { Review, Waypoint } from '../data/records.ts'
import { record } from './entries.ts'

/** The row of the export that follows from the API's answer about a fountain. Its sources stay as they were. */
export function rowNow(built: Waypoint, found: Readonly<Record<string, unknown>>): Waypoint {
  const waypoint = record(found['waypoint']) ?? {}
  const place = record(found['place']) ?? {}
  const { average, count } = record(found['rating']) ?? {}
  const { lastConfirmed } = record(found['status']) ?? {}
  const columns = new Map<string, unknown>([
    ...fieldNames.map((name) => [waypointFields[name].column, waypoint[name]] as const),
    ...placeColumns.map(([name, member]) => [placeFields[name].column, place[member]] as const),
    ['rating', average],
    ['review_count', count],
    ['last_confirmed', lastConfirmed],
  ])
  const kept = Object.entries(built).filter(([name]) => !columns.has(name))
  return Object.fromEntries([...kept, ...[...columns].filter(([, value]) => value !== undefined)]) as Waypoint
}

/** The row of the export of a review that the API answers. */
export const reviewRow = (review: Readonly<Record<string, unknown>>): Review =>
  Object.fromEntries(
    namesOf(reviewFields).flatMap((name) =>
      review[name] === undefined ? [] : [[reviewFields[name].column, review[name]]],
    ),
  ) as Review
