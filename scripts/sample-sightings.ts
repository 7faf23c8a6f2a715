import type { ObservationInput } from '@openfountain/core'
import { Dice, type Act } from './sample-recipe.ts'

/** An observation at a fountain of the sample. */
export interface Sighting {
  readonly at: string
  readonly act: 'observe'
  readonly by: string
  readonly waypoint: number
  readonly kind: ObservationInput['kind']
}

const day = 86_400_000

/** The number of days that the fictional observers walk. */
const walks = 21

/** The history of each group of fountains: its share of all, its change, and its observations. */
const stories: readonly {
  readonly share: number
  readonly change?: Readonly<Record<string, string>>
  readonly seen: readonly ObservationInput['kind'][]
}[] = [
  { share: 0.3, change: { drinkable: 'yes' }, seen: ['works'] },
  { share: 0.1, change: { openingHours: 'Mo-Fr 07:00-20:00; Sa,Su 09:00-18:00' }, seen: ['works'] },
  { share: 0.05, change: { openingHours: '24/7', drinkable: 'yes' }, seen: ['works', 'works'] },
  { share: 0.08, change: { season: '04-01/10-31' }, seen: [] },
  { share: 0.03, change: { season: '10-15/05-15' }, seen: [] },
  { share: 0.02, change: { drinkable: 'no' }, seen: ['dirty'] },
  { share: 0.03, seen: ['broken', 'broken'] },
  { share: 0.03, seen: ['dry'] },
  { share: 0.02, seen: ['blocked'] },
  { share: 0.01, seen: ['gone', 'gone'] },
]

/**
 * The observations of the sample's fountains in the three weeks after the last act of its recipe, or before today if
 * that is later, with hours and seasons. The dates are relative to today: observations expire after some weeks, and a
 * sample opened in a year must have working fountains, too.
 */
export function sightingsBefore(today: Date, recipe: readonly Act[]): (Act | Sighting)[] {
  const dice = new Dice(20_261_001)
  const end = Math.max(today.getTime(), Date.parse(recipe.at(-1)?.at ?? '') + (walks + 1) * day)
  const people = recipe.flatMap((act) => (act.act === 'join' ? [act.id] : []))
  const editor = recipe.find((act) => act.act === 'join' && act.moderator === true)
  if (editor?.act !== 'join') throw new Error('the sample has no moderator')
  const count = recipe.reduce(
    (sum, act) => sum + (act.act === 'import' ? act.rows.length : Number(act.act === 'create')),
    0,
  )
  const gone = new Set(recipe.flatMap((act) => (act.act === 'delete' ? [act.waypoint] : [])))
  const acts: (Act | Sighting)[] = []
  for (let waypoint = 1; waypoint <= count; waypoint++) {
    let drawn = dice.next()
    const story = stories.find(({ share }) => (drawn -= share) < 0)
    if (story === undefined || gone.has(waypoint)) continue
    const { change, seen } = story
    const noted = new Date(end - walks * day + waypoint * 1000).toISOString()
    if (change) acts.push({ at: noted, act: 'edit', by: editor.id, waypoint, change })
    const first = dice.below(people.length)
    for (const [index, kind] of seen.entries()) {
      const at = new Date(end - (1 + dice.below(walks - 2)) * day - dice.below(day / 2)).toISOString()
      const by = people[(first + index) % people.length] ?? editor.id
      acts.push({ at, act: 'observe', by, waypoint, kind })
    }
  }
  return acts.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
}
