import type { Action, ChangedFields, Entry } from '../log/entry.ts'
import { RegistryError } from '../errors.ts'
import {
  editableFields,
  type WaypointInput,
  type WaypointPatch,
  type WaypointState,
} from '../schemas/waypoint.ts'
import { earn, passGate, type Contributor, type Occasion } from './contributor.ts'
import { noEffects, type Effects } from './effects.ts'

/** The log's action for each new value of a flag. */
const flagActions = {
  approved: { true: 'approved', false: 'unapproved' },
  verified: { true: 'verified', false: 'unverified' },
} as const
const flags = ['approved', 'verified'] as const
type Flag = (typeof flags)[number]

/** The changes in the log entry of a new waypoint: the given fields in code unit order, as the log writes them. */
function firstChanges(given: WaypointInput, privileged: boolean): ChangedFields {
  const { addedByUserId, amenities, approved, description, image, maintainer, region, verified } = given
  const changes: Record<string, unknown> = {}
  if (privileged && addedByUserId !== undefined) changes['addedByUserId'] = addedByUserId
  if (amenities) changes['amenities'] = amenities
  if (privileged && approved !== undefined) changes['approved'] = approved
  // An empty text is the same as none.
  if (description) changes['description'] = description
  if (image) changes['image'] = image
  changes['latitude'] = given.latitude
  changes['longitude'] = given.longitude
  if (maintainer) changes['maintainer'] = maintainer
  changes['name'] = given.name
  if (region) changes['region'] = region
  if (privileged && verified !== undefined) changes['verified'] = verified
  return changes
}

/** The same waypoint without undefined members. */
function compact(state: WaypointState): WaypointState {
  return Object.fromEntries(
    Object.entries(state).filter(([, value]) => value !== undefined),
  ) as unknown as WaypointState
}

/**
 * Creates a waypoint: a `created` entry with the given fields, XP for the contributor, and the bonus for the creator
 * when it is created verified.
 *
 * @throws RegistryError INSUFFICIENT_XP
 */
export function createWaypoint(
  occasion: Occasion,
  id: number,
  input: () => WaypointInput,
): Effects & { readonly waypoint: { readonly before: undefined; readonly after: WaypointState } } {
  const { contributor, at } = occasion
  passGate(occasion, 'createWaypoint')
  const given = input()
  const privileged = contributor.kind === 'token'
  const verified = privileged && given.verified === true
  const addedByUserId = (privileged ? given.addedByUserId : undefined) ?? contributor.userId
  const { name, latitude, longitude, description, amenities, image, maintainer, region } = given
  // Members are in the order of the schema, because responses have the same order.
  const after: Record<string, unknown> = { id, name, latitude, longitude }
  if (description) after['description'] = description
  after['amenities'] = amenities ?? []
  if (image) after['image'] = image
  if (maintainer) after['maintainer'] = maintainer
  if (region) after['region'] = region
  after['approved'] = privileged && given.approved === true
  after['verified'] = verified
  after['addedByUserId'] = addedByUserId
  after['createdAt'] = at
  after['updatedAt'] = at
  after['verifiedOnce'] = verified
  return {
    waypoint: { before: undefined, after: after as unknown as WaypointState },
    entries: [
      {
        bubblerId: id,
        userId: contributor.userId,
        action: 'created',
        changes: firstChanges(given, privileged),
        timestamp: at,
      },
    ],
    awards: [
      ...earn(occasion, contributor.userId, 'createWaypoint', { waypointId: id }),
      ...(verified ? earn(occasion, addedByUserId, 'waypointVerified', { waypointId: id }) : []),
    ],
    counts: [{ userId: contributor.userId, what: 'waypointsCreated' }],
  }
}

function same(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, index) => each === b[index])
  return a === b
}

/** The fields other than flags whose value a patch changes, with `null` for a cleared one. */
function changedFields(before: WaypointState, patch: WaypointPatch, privileged: boolean): ChangedFields {
  const changes: Record<string, unknown> = {}
  for (const field of editableFields) {
    const given = patch[field]
    if (given === undefined || (field === 'addedByUserId' && !privileged)) continue
    const value = field === 'amenities' ? (given ?? []) : given === '' ? null : given
    if (!same(value, before[field] ?? null)) changes[field] = value
  }
  return changes
}

function changedFlags(
  before: WaypointState,
  patch: WaypointPatch,
  { kind, isModerator }: Contributor,
): Flag[] {
  if (kind !== 'token' && !isModerator) return []
  return flags.filter((flag) => patch[flag] !== undefined && patch[flag] !== before[flag])
}

/** The waypoint after changes; cleared fields are absent. Replaying the log uses the same function. */
export function withChanges(before: WaypointState, changes: ChangedFields, at: string): WaypointState {
  const merged = { ...before, ...changes, updatedAt: at }
  const cleared = Object.entries(merged).filter(([, value]) => value !== null)
  const after = Object.fromEntries(cleared) as unknown as WaypointState
  return after.verified && !after.verifiedOnce ? { ...after, verifiedOnce: true } : after
}

/**
 * Edits a waypoint: one `edited` entry for all changed fields, and one entry for each changed flag. No effects when
 * nothing changes. No gate applies when a moderator changes only flags.
 *
 * @throws RegistryError INSUFFICIENT_XP
 */
export function updateWaypoint(occasion: Occasion, before: WaypointState, patch: WaypointPatch): Effects {
  const { contributor, at } = occasion
  const fields = changedFields(before, patch, contributor.kind === 'token')
  const turned = changedFlags(before, patch, contributor)
  const edited = Object.keys(fields).length > 0
  const entry = (action: Action, changes: ChangedFields): Entry => ({
    bubblerId: before.id,
    userId: contributor.userId,
    action,
    changes,
    timestamp: at,
  })
  const flagChanges = Object.fromEntries(turned.map((flag) => [flag, patch[flag]]))
  if (edited || turned.length === 0) passGate(occasion, 'editWaypoint')
  if (!edited && turned.length === 0) return noEffects
  const after = withChanges(before, { ...fields, ...flagChanges }, at)
  const firstVerified = after.verifiedOnce && !before.verifiedOnce
  return {
    waypoint: { before, after: compact(after) },
    entries: [
      ...(edited ? [entry('edited', fields)] : []),
      ...turned.map((flag) =>
        entry(flagActions[flag][patch[flag] === true ? 'true' : 'false'], { [flag]: patch[flag] }),
      ),
    ],
    awards: [
      ...(edited ? earn(occasion, contributor.userId, 'editWaypoint', { waypointId: before.id }) : []),
      ...(firstVerified
        ? earn(occasion, after.addedByUserId, 'waypointVerified', { waypointId: before.id })
        : []),
    ],
    counts: edited ? [{ userId: contributor.userId, what: 'waypointsEdited' }] : [],
  }
}

/**
 * Turns a waypoint into a tombstone.
 *
 * @throws RegistryError FORBIDDEN for users who do not moderate
 */
export function deleteWaypoint({ contributor, at }: Occasion, before: WaypointState): Effects {
  if (contributor.kind !== 'token' && !contributor.isModerator) {
    throw new RegistryError('FORBIDDEN', 'Only moderators and API tokens may delete a waypoint')
  }
  return {
    ...noEffects,
    waypoint: { before, after: { ...before, updatedAt: at, deletedAt: at } },
    entries: [
      { bubblerId: before.id, userId: contributor.userId, action: 'deleted', changes: {}, timestamp: at },
    ],
  }
}
