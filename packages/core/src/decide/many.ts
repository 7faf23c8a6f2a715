import type { z } from 'zod'
import { RegistryError } from '../errors.ts'
import type { Draft } from '../log/entry.ts'
import { isLive, type WaypointState } from '../log/nouns.ts'
import { moderation } from '../rules.ts'
import type { ManyChanged, ManyInput } from '../schemas/many.ts'
import type { WaypointPatch } from '../schemas/waypoint.ts'
import { minutesAfter, minutesOf } from '../secrets.ts'
import {
  contribution,
  heldFor,
  keptOf,
  mustModerate,
  passGate,
  tooOften,
  type Contributor,
  type Occasion,
} from './contributor.ts'
import type { Deciding, Unlogged, Decided } from './deciding.ts'
import { takeBacksLeft } from './take-backs.ts'
import { deletion, edits } from './waypoint.ts'

type Change = Pick<z.output<typeof ManyInput>, 'set' | 'remove' | 'reason'>

function patchOf(
  before: WaypointState,
  { addAmenities, removeAmenities, ...set }: NonNullable<Change['set']>,
): WaypointPatch {
  if (addAmenities == null && removeAmenities == null) return set
  const base = set.amenities ?? before.amenities
  const gone = new Set(removeAmenities)
  const amenities = [...new Set([...base, ...(addAmenities ?? [])])].filter((each) => !gone.has(each))
  return { ...set, amenities }
}

/** Whether keepers may make a change of their waypoints: a season. */
export const isOfKeepers = ({ set = {}, remove }: Change): boolean =>
  remove === undefined &&
  Object.entries(set).every(([name, value]) => name === 'season' || value === undefined)

/** @throws RegistryError FORBIDDEN `{ ids }` with those that somebody does not keep, or no longer */
function* mustKeep(who: Contributor, waypoints: readonly WaypointState[]): Deciding<void> {
  const kept = yield* keptOf(who, waypoints)
  const ids = waypoints.flatMap(({ id }) => (kept.has(id) ? [] : [id]))
  if (ids.length === 0) return
  throw new RegistryError('FORBIDDEN', 'You do not keep some of these fountains: choose others', { ids })
}

/** Changes or deletes many waypoints, ascending, as one act, which earns creators what an approval earns them alone. */
export function* changeMany(
  occasion: Occasion,
  ids: readonly number[],
  { set = {}, remove, reason }: Change,
): Decided<ManyChanged> {
  const { rules, at } = occasion
  const { who, facts } = yield* contribution(
    occasion,
    ids.map((key) => ({ noun: 'waypoint', key }) as const),
  )
  const { approved: _approved, verified: _verified, ...fields } = set
  const found = ids.map((id) => facts.get('waypoint', id)).filter((each) => isLive(each))
  const isKeepers = isOfKeepers({ set, remove }) && (who.keeps ?? []).length > 0 && !who.isModerator
  if (isKeepers) yield* mustKeep(who, found)
  else {
    mustModerate(who, 'Only moderators may change many waypoints at once')
    if (Object.values(fields).some((value) => value !== undefined)) passGate(occasion, who, 'editWaypoint')
  }
  if (remove === true) {
    const left = found.length === 0 ? 0 : yield* takeBacksLeft(occasion, who, found.length)
    if (left < found.length) {
      const limit = moderation.takeBacksPerHour
      throw tooOften(
        `Moderators remove at most ${limit} things in an hour, and ${left} are left: choose fewer, or ask the operator`,
        {
          limit,
          minutes: minutesOf.hour,
          at,
          end: minutesAfter(at, minutesOf.hour),
        },
      )
    }
  }
  const terms = { rules: { ...rules, xp: { ...rules.xp, editWaypoint: 0 } } }
  const drafts: Draft[] = []
  const unlogged: Unlogged[] = []
  const changed: number[] = []
  for (const before of found) {
    const own: Draft[] =
      remove === true ? [deletion(before.id)] : edits(terms, who, { before, patch: patchOf(before, set) })
    if (own.length === 0) continue
    changed.push(before.id)
    const approval = own.find(({ action }) => action === 'approved' || action === 'verified')
    const held = approval && (yield* heldFor(before.id, who.userId))
    unlogged.push(...(held?.unlogged ?? []))
    for (const draft of own)
      drafts.push(
        draft === approval ? { ...draft, awards: [...(draft.awards ?? []), ...(held?.awards ?? [])] } : draft,
      )
  }
  const act = facts.nextEntry
  return {
    entries: drafts.map((draft) => ({
      ...draft,
      fields: reason === undefined ? draft.fields : { ...draft.fields, reason },
      links: { act },
    })),
    unlogged,
    by: who.userId,
    answer:
      changed.length === 0 ? { changed, matched: found.length } : { act, changed, matched: found.length },
  }
}
