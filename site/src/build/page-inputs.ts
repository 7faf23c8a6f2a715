import { madeName } from '@openfountain/core/names'
import type { Entry } from '../data/entry.ts'
import type { Waypoint } from '../data/records.ts'
import type { Nameable } from '../naming.ts'
import type { SiteContext } from './context.ts'

/** The inputs of a waypoint's page that are not shared by all of them. */
export function inputsOfWaypoint(context: SiteContext, waypoint: Waypoint): unknown {
  const { data, contributorPages } = context
  const { activity, contributors } = data
  const person = (id: string) => {
    const { name, badge } = contributors.get(id) ?? {}
    return [id, name, badge, contributorPages.has(id)]
  }
  const history = activity.history(waypoint.id)
  const region = data.regionOf(waypoint)
  return [
    data.stagesOf(waypoint),
    person(waypoint.added_by),
    region && [...region.within, region].map(({ slug, kind, name }) => [slug, kind, name]),
    data
      .nearest(waypoint, 6)
      .map(({ waypoint: near, ...where }) => [
        near.id,
        calledOf(near),
        near.verified,
        data.stagesOf(near),
        where,
      ]),
    activity.reviews(waypoint.id).map((review) => [review, person(review.user_id)]),
    history.map((entry) => [inputsOfEntry(context, entry), person(entry.userId)]),
    activity.hasMore(waypoint.id),
  ]
}

/** The inputs of a shown log entry, except its author. */
export function inputsOfEntry({ data }: SiteContext, entry: Entry): unknown {
  const another = (id: number) => [id, calledOf(data.named(id)), data.hasPage(id)]
  return [entry, another(entry.waypointId), entry.mergedInto === undefined ? [] : another(entry.mergedInto)]
}

/** The inputs of a fountain's displayed name. */
function calledOf(one: Nameable | undefined): unknown {
  if (one === undefined || madeName(one.name) === undefined) return one?.name
  return [one.name, one.amenities, one.place, one.region]
}
