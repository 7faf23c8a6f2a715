import type { Waypoint } from '../data/records.ts'
import type { Region } from '../data/region.ts'
import { picked } from '../messages.ts'
import { drawPlan } from '../drawing/plan.ts'
import type { Around, FountainData } from '../views/fountain.tsx'
import type { SurroundingsData } from '../views/surroundings.tsx'
import type { SiteContext } from './context.ts'
import type { View } from './view.ts'
import { personOf, shownEntry } from './view-page.ts'

const languageOf = ({ fountainLanguages, languages }: SiteContext, { id }: Waypoint): string =>
  fountainLanguages.get(String(id)) ?? languages[0].tag

export function fountainData(context: SiteContext, row: Waypoint): FountainData {
  const { data } = context
  const { activity } = data
  const region = data.regionOf(row)
  const photos = data.photosOf(row.id)
  return {
    row,
    tag: languageOf(context, row),
    license: data.folder.registry.license,
    stages: data.stagesOf(row),
    within: region
      ? aroundOf({ site: context, tag: languageOf(context, row) }, [...region.within, region])
      : [],
    adder: personOf(context, row.added_by),
    ...(photos.length > 0 && { photos }),
    reviews: activity.reviews(row.id).map((review) => ({ ...review, by: personOf(context, review.user_id) })),
    history: activity
      .history(row.id)
      .map((entry) => shownEntry(context, entry, { isNamed: false, hasAuthor: true })),
    hasMore: activity.hasMore(row.id),
    ...(data.folder.signed && { isProven: true }),
  }
}

export function aroundOf({ site, tag }: Pick<View, 'site' | 'tag'>, within: readonly Region[]): Around[] {
  return within.map(({ kind, name, slug, town }) => {
    const names = kind === 'subdivision' ? site.subdivisions[name] : undefined
    const label = names?.[tag] ?? names?.['']
    return { kind, name, slug, label, ...(town && { town }) }
  })
}

export function surroundingsOf({ data }: SiteContext, waypoint: Waypoint): SurroundingsData {
  const { width, height, rings, points } = drawPlan(data.nearest(waypoint, 6))
  return {
    plan: { width, height, rings },
    nearby: points.map(({ x, y, neighbour: { waypoint: near, distanceMetres } }) => {
      const fountain = picked(
        near,
        'id',
        'name',
        'amenities',
        'street',
        'place',
        'region',
        'town',
        'verified',
        'access',
        'drinkable',
      )
      return { fountain, stages: data.stagesOf(near), metres: distanceMetres, x, y }
    }),
  }
}
