import {
  fieldNames,
  namesOf,
  placeColumns,
  placeFields,
  reviewFields,
  waypointFields,
} from '@openfountain/core/fields'
import type { Review, Waypoint } from '../data/records.ts'
import type { Stages } from '../status/stage.ts'
import { record, type Answer } from './asking.ts'
import { siteOfPage } from '../api/site.ts'
import { photosIn, stageIn } from './answers.ts'
import { movedFrom } from './fold.ts'

/** The row of the export that follows from the API's answer about a fountain, with its status. */
type RowNow = Waypoint & { readonly stages: Stages }

/** @param built the row of the build, whose sources stay as they were */
export function rowNow(found: Answer, built?: Waypoint): RowNow {
  const part = (name: string): Answer => record(found[name]) ?? {}
  const [waypoint, place, rating, status] = [part('waypoint'), part('place'), part('rating'), part('status')]
  const columns = new Map<string, unknown>([
    ...fieldNames.map((name) => [waypointFields[name].column, waypoint[name]] as const),
    // The name is a label of the registry's.
    ...(waypoint['nameIsMade'] === true ? [['name', ''] as const] : []),
    ...placeColumns.map(([name, member]) => [placeFields[name].column, place[member]] as const),
    ['rating', rating['average']],
    ['review_count', rating['count']],
    ['last_confirmed', status['lastConfirmed']],
    ['photo', photosIn(siteOfPage().api, found)[0]],
  ])
  const kept = Object.entries(built ?? {}).filter(([name]) => !columns.has(name))
  const known = [...columns].filter(([, value]) => value !== undefined)
  const values = Object.fromEntries(known) as Partial<Waypoint>
  const row = { ...Object.fromEntries(kept), ...values, ...(built && movedFrom(built, values)) } as Waypoint
  const stage = stageIn(status, row.season)
  return { ...row, stages: stage ? [stage] : [] }
}

export const reviewRow = (review: Answer): Review =>
  Object.fromEntries(
    namesOf(reviewFields).flatMap((name) =>
      review[name] === undefined ? [] : [[reviewFields[name].column, review[name]]],
    ),
  ) as Review
