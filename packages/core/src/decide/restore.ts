import { notFound, RegistryError } from '../errors.ts'
import { loggedFields } from '../fields/waypoint.ts'
import type { Draft, Links, StoredEntry } from '../log/entry.ts'
import { isMovable } from '../log/fold.ts'
import { type RecordState, type ReviewState, published, type WaypointState } from '../log/nouns.ts'
import type { Waypoint } from '../schemas/waypoint.ts'
import { contribution, mustModerate, type Occasion } from './contributor.ts'
import {
  asked,
  entriesOfAct,
  nounOf,
  type Deciding,
  type Decision,
  type Need,
  type Unlogged,
} from './deciding.ts'
import { mustHaveReason } from './user.ts'
import { afterDrafts } from './waypoint.ts'

/** The fields that a restored waypoint has again, in code unit order. */
function fieldsOf(state: WaypointState): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const name of loggedFields) if (state[name] !== undefined) fields[name] = state[name]
  return fields
}

/** The drafts that restore a tombstone, and move back its reviews, observations and records after a merge. */
export function* restoration(
  before: WaypointState,
  { reason, links = {} }: { readonly reason: string; readonly links?: Links },
): Deciding<Draft[]> {
  const about = { subject: 'waypoint', subjectId: before.id } as const
  const facts = yield [{ ask: 'entriesAbout', of: about }]
  const deleted = facts.ask('entriesAbout', about).findLast(({ action }) => action === 'deleted')
  if (deleted === undefined) throw new Error(`waypoint ${before.id} has no deletion in the log`)
  if (before.redactedFields?.includes('latitude'))
    throw new RegistryError('CONFLICT', 'The position of this waypoint was redacted: it cannot come back', {
      fields: ['latitude', 'longitude'],
    })
  const { mergedInto } = deleted.links
  const moves = mergedInto === undefined ? [] : yield* movesOf(deleted, { from: mergedInto, to: before.id })
  const act = moves.length > 0 ? { act: facts.nextEntry } : {}
  return [
    {
      ...about,
      action: 'created',
      fields: { ...fieldsOf(before), reason },
      links: { ...links, restores: deleted.id, ...act },
    },
    ...moves.map((draft) => ({ ...draft, links: act })),
  ]
}

/** Where a review or an observation is, or a record. */
type Placed = Partial<Pick<ReviewState, 'bubblerId'> & Pick<RecordState, 'waypointId'>>

/** The drafts that move reviews, observations and records back from where an act moved them, unless they were moved on. */
export function* movesOf(
  { id: entry, links: { act = entry } }: StoredEntry,
  { from, to }: { readonly from: number; readonly to: number },
): Deciding<Draft[]> {
  const moved = (yield* entriesOfAct(act)).filter(({ action }) => action === 'moved')
  const known = yield moved.map(
    ({ subject, subjectId }) => ({ noun: subject, key: Number(subjectId) }) as Need,
  )
  const drafts: Draft[] = []
  for (const { subject, subjectId, fields: moving } of moved) {
    const id = Number(subjectId)
    if (!isMovable(subject) || moving['waypoint'] !== from) continue
    const { bubblerId, waypointId = bubblerId }: Placed = known.get(subject, id) ?? {}
    if (waypointId !== from) continue
    const observer = subject === 'observation' ? yield* observerBefore(id, act) : undefined
    const fields = { waypoint: to, ...(observer !== undefined && { observer }) }
    drafts.push({ subject, subjectId: id, action: 'moved', fields })
  }
  return drafts
}

/** The observers of moved observations, stored outside the log with their new waypoint. */
export function* movedObservers(drafts: readonly Draft[]): Deciding<Unlogged[]> {
  const unlogged: Unlogged[] = []
  for (const { subject, subjectId, action, fields } of drafts) {
    if (subject !== 'observation' || action !== 'moved') continue
    const observer = yield* nounOf('observer', Number(subjectId))
    const after = observer && { ...observer, bubblerId: Number(fields['waypoint']) }
    if (after !== undefined) unlogged.push({ noun: 'observer', after })
  }
  return unlogged
}

/** The pseudonym that an observation had before an entry. */
function* observerBefore(subjectId: number, entryId: number): Deciding<unknown> {
  const entries = yield* asked('entriesAbout', { subject: 'observation', subjectId })
  return entries.findLast(({ id, fields }) => id < entryId && fields['observer'] !== undefined)?.fields[
    'observer'
  ]
}

/**
 * Restores a deleted waypoint under its id. Its creator, the time of its creation and the one-time bonus stay; it earns
 * nothing.
 *
 * @throws RegistryError UNAUTHORIZED, FORBIDDEN, INVALID_INPUT without a reason, NOT_FOUND for anything but a tombstone
 */
export function* restoreWaypoint(
  occasion: Occasion,
  id: number,
  { reason }: { readonly reason: string },
): Deciding<Decision<Waypoint>> {
  const { who, facts } = yield* contribution(occasion, [{ noun: 'waypoint', key: id }])
  mustModerate(who, 'Only moderators may restore a waypoint')
  const given = mustHaveReason(reason)
  const before = facts.get('waypoint', id)
  if (before?.deletedAt === undefined) throw notFound('deleted waypoint', id)
  const entries = yield* restoration(before, { reason: given })
  const unlogged = yield* movedObservers(entries)
  const by = who.userId
  const about = entries.filter(({ subject }) => subject === 'waypoint')
  return { entries, unlogged, by, answer: published(afterDrafts(before, about, { by, at: occasion.at })) }
}
