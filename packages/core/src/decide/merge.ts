import { invalid, notFound, RegistryError } from '../errors.ts'
import { loggedFields } from '../fields/waypoint.ts'
import { draftOf, type Draft, type Links, type StoredEntry } from '../log/entry.ts'
import { isMovable } from '../log/fold.ts'
import {
  type ObservationState,
  type RecordState,
  type ReviewState,
  type WaypointState,
  type Distinction,
} from '../log/nouns.ts'
import type { Waypoint } from '../schemas/waypoint.ts'
import { contribution, mustModerate, type Occasion } from './contributor.ts'
import {
  type Deciding,
  type Facts,
  type Unlogged,
  asked,
  entriesOfAct,
  nounOf,
  type Need,
  type Decided,
} from './deciding.ts'
import type { PseudonymOf } from './observation.ts'
import { takeBacksLeft } from './take-backs.ts'
import { mustHaveReason } from './user.ts'
import { deletion, liveWaypoint, afterDrafts, shown } from './waypoint.ts'

export function* mergeWaypoints(
  occasion: Occasion,
  id: number,
  { into, reason }: { readonly into: number; readonly reason: string },
  pseudonymOf: PseudonymOf,
): Decided<Waypoint> {
  const { who, facts } = yield* contribution(occasion, [
    { noun: 'waypoint', key: id },
    { noun: 'waypoint', key: into },
    { noun: 'review', where: { bubblerId: id } },
    { noun: 'photo', where: { bubblerId: id } },
    { noun: 'observation', where: { bubblerId: id } },
    { noun: 'observer', where: { bubblerId: id } },
    { noun: 'record', where: { waypointId: id } },
  ])
  mustModerate(who, 'Only moderators may merge waypoints')
  const given = mustHaveReason(reason)
  if (id === into) throw invalid('into', 'must be another waypoint')
  liveWaypoint(facts, id)
  const kept = liveWaypoint(facts, into)
  yield* takeBacksLeft(occasion, who)
  const links = { act: facts.nextEntry }
  const moved = (subject: 'review' | 'photo' | 'record') => (each: { readonly id: number }) => ({
    ...draftOf(subject, each.id, 'moved', { waypoint: into }),
    links,
  })
  const entries: Draft[] = [
    { ...deletion(id), fields: { reason: given }, links: { ...links, mergedInto: into } },
    ...facts.find('review', { bubblerId: id }).map(moved('review')),
    ...facts.find('photo', { bubblerId: id }).map(moved('photo')),
    ...facts.find('record', { waypointId: id }).map(moved('record')),
  ]
  const observed = movedObservations(facts, { id, into, links, pseudonymOf })
  return {
    entries: [...entries, ...observed.entries],
    unlogged: observed.unlogged,
    by: who.userId,
    answer: shown(occasion, kept),
  }
}

/** Observations of the same fountain: one person is one there, so that they get the pseudonym which they have there. */
function movedObservations(
  facts: Facts,
  {
    id,
    into,
    links,
    pseudonymOf,
  }: {
    readonly id: number
    readonly into: number
    readonly links: NonNullable<Draft['links']>
    readonly pseudonymOf: PseudonymOf
  },
): { readonly entries: Draft[]; readonly unlogged: Unlogged[] } {
  const observers = facts.find('observer', { bubblerId: id })
  const userOf = new Map(observers.map((each) => [each.id, each.userId]))
  const moved = (each: ObservationState): Draft => {
    const userId = userOf.get(each.id)
    const observer = userId === undefined ? each.observer : pseudonymOf(userId, into)
    return { ...draftOf('observation', each.id, 'moved', { waypoint: into, observer }), links }
  }
  return {
    entries: facts.find('observation', { bubblerId: id }).map(moved),
    unlogged: observers.map((each) => ({ noun: 'observer', after: { ...each, bubblerId: into } })),
  }
}

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

function* observerBefore(subjectId: number, entryId: number): Deciding<unknown> {
  const entries = yield* asked('entriesAbout', { subject: 'observation', subjectId })
  return entries.findLast(({ id, fields }) => id < entryId && fields['observer'] !== undefined)?.fields[
    'observer'
  ]
}

/** Restores a deleted waypoint, which earns nothing, as `waypoints.restore` says. */
export function* restoreWaypoint(
  occasion: Occasion,
  id: number,
  { reason }: { readonly reason: string },
): Decided<Waypoint> {
  const { who, facts } = yield* contribution(occasion, [{ noun: 'waypoint', key: id }])
  mustModerate(who, 'Only moderators may restore a waypoint')
  const given = mustHaveReason(reason)
  const before = facts.get('waypoint', id)
  if (before?.deletedAt === undefined) throw notFound('deleted waypoint', id)
  const entries = yield* restoration(before, { reason: given })
  const unlogged = yield* movedObservers(entries)
  const by = who.userId
  const about = entries.filter(({ subject }) => subject === 'waypoint')
  return {
    entries,
    unlogged,
    by,
    answer: shown(occasion, afterDrafts(before, about, { by, at: occasion.at })),
  }
}

export type Pair = readonly [smaller: number, greater: number]

const pairId = ([smaller, greater]: Pair): string => `${smaller}-${greater}`

export function* distinguish(occasion: Occasion, one: number, other: number): Decided<Pair> {
  const pair: Pair = [Math.min(one, other), Math.max(one, other)]
  const id = pairId(pair)
  const { who, facts } = yield* contribution(occasion, [
    { noun: 'waypoint', key: one },
    { noun: 'waypoint', key: other },
    { noun: 'distinction', key: id },
  ])
  mustModerate(who, 'Only moderators may say that two waypoints are not the same')
  if (one === other) throw invalid('from', 'must be another waypoint')
  liveWaypoint(facts, one)
  liveWaypoint(facts, other)
  const [smaller, greater] = pair
  const distinction: Distinction = { id, smaller, greater, by: who.userId, createdAt: occasion.at }
  const isNew = facts.get('distinction', id) === undefined
  return {
    entries: [],
    unlogged: isNew ? [{ noun: 'distinction', after: distinction }] : [],
    by: who.userId,
    answer: pair,
  }
}
