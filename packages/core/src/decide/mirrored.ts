import { apiUserId } from '../actor.ts'
import { broken } from '../errors.ts'
import type { LoggedEntry, Via } from '../log/entry.ts'
import { namesOf } from '../log/fold.ts'
import type { LastIds, NounName, Profile } from '../log/nouns.ts'
import { operator } from './contributor.ts'
import type { WaypointState } from '../schemas/waypoint.ts'
import { nounOf, withoutEntries, type Deciding, type Decision, type Need, type Unlogged } from './deciding.ts'
import { fieldsProblem } from './mirrored-fields.ts'
import { isFirst, shapeProblem, standingProblem } from './mirrored-standing.ts'
import { clearing, forgotten, redactableFields, stateOf } from './redaction.ts'

/** How far another registry's clock may be ahead, in milliseconds. */
const aheadAtMost = 24 * 60 * 60 * 1000

/** References of an entry besides its own subject: each must exist. */
function references({
  by,
  awards,
  fields,
  subject,
}: LoggedEntry): (Need & { noun: NounName; key: unknown })[] {
  const { addedByUserId, waypoint, source } = fields
  const via = fields['via'] as Via | undefined
  const people = [by, ...awards.map(([userId]) => userId), addedByUserId]
  return [
    ...people
      .filter((userId) => typeof userId === 'string')
      .map((userId) => ({ noun: 'user', key: userId }) as const),
    ...(typeof waypoint === 'number' ? [{ noun: 'waypoint', key: waypoint } as const] : []),
    ...(via ? [{ noun: 'source', key: via.source } as const] : []),
    ...(via ? [{ noun: 'import', key: via.run } as const] : []),
    ...(subject === 'import' && typeof source === 'number' ? [{ noun: 'source', key: source } as const] : []),
  ]
}

/** @throws RegistryError CHAIN_BROKEN unless a new noun has the id that it would have been given here */
function mustBeNext(entry: LoggedEntry, last: LastIds): void {
  const { id, subject, subjectId } = entry
  if (!isFirst(entry) || subject === 'user') return
  const next = subject === 'record' || subject === 'observation' ? id : last[subject as keyof LastIds] + 1
  if (subjectId !== next) throw broken(id, `${subject} ${next} is expected next, not ${subjectId}`)
}

/**
 * The merge bases without the values that a redaction removes.
 *
 * @throws RegistryError CHAIN_BROKEN unless it names fields that can be redacted, and are not in force
 */
function* redaction(entry: LoggedEntry): Deciding<Unlogged[]> {
  const target = Number(entry.subjectId)
  if (target >= entry.id) throw broken(entry.id, 'it redacts an entry that comes later')
  const redacted = yield* nounOf('entry', target)
  if (redacted === undefined) throw broken(entry.id, `there is no entry ${target} to redact`)
  const { subject, subjectId } = redacted
  const state = subject === 'record' ? undefined : yield* stateOf({ subject, subjectId })
  const isTombstone = state !== undefined && 'deletedAt' in state
  const allowed = redactableFields(subject, isTombstone)
  const names = namesOf({ ...entry, action: 'redacted' })
  for (const name of names) {
    if (!allowed.includes(name)) throw broken(entry.id, `${name} of entry ${target} cannot be redacted`)
    if (redacted.fields[name] === undefined && redacted.hole?.commitments[name] === undefined)
      throw broken(entry.id, `entry ${target} has no ${name}`)
  }
  const [inForce] = clearing(
    redacted,
    names.filter((name) => redacted.fields[name] !== undefined),
    state,
  )
  if (inForce !== undefined)
    throw broken(entry.id, `${Object.keys(inForce.fields).join(', ')} of entry ${target} is still in force`)
  if (subject !== 'waypoint' || state === undefined) return []
  return yield* forgotten(state as WaypointState, [redacted], new Set(names))
}

/** @throws RegistryError CHAIN_BROKEN unless a registry could have made the entry, as far as it says so by itself */
export function mustBeWellMade(
  entry: LoggedEntry,
  { next, now }: { readonly next: number; readonly now: number },
): void {
  const { id, at, withheld } = entry
  if (id !== next) throw broken(id, `entry ${next} is expected next`)
  if (Date.parse(at) > now + aheadAtMost) throw broken(id, `its time ${at} is in the future`)
  if (withheld !== undefined) throw broken(id, 'its fields are withheld')
  const problem = fieldsProblem(entry) ?? shapeProblem(entry)
  if (problem !== undefined) throw broken(id, problem)
}

/**
 * Takes over an entry of another registry, if a local write could have made it.
 *
 * @param names the names of people who join, by id; somebody without one has left
 * @param now the time here, ISO 8601 in UTC
 * @throws RegistryError CHAIN_BROKEN `{ id }`
 */
export function* mirrorEntry(
  entry: LoggedEntry,
  names: ReadonlyMap<string, string>,
  now: string,
): Deciding<Decision<undefined>> {
  const { id, subject, action, at } = entry
  const { nextEntry } = yield []
  mustBeWellMade(entry, { next: nextEntry, now: Date.parse(now) })
  const needs = references(entry)
  const facts = yield needs
  for (const { noun, key } of needs)
    if (facts.get(noun, key as never) === undefined) throw broken(id, `there is no ${noun} ${String(key)}`)
  mustBeNext(entry, facts.last)
  const standing = yield* standingProblem(entry)
  if (standing !== undefined) throw broken(id, standing)
  const unlogged = subject === 'entry' ? yield* redaction(entry) : []
  const isPerson = subject === 'user' && action === 'created'
  const person = String(entry.subjectId)
  const name = names.get(person)
  // Somebody without a name there has left.
  const profile: Profile = {
    id: person,
    name: name ?? '',
    updatedAt: at,
    ...(name === undefined && { leftAt: at }),
  }
  return {
    entries: [{ sealed: entry }],
    unlogged: isPerson ? [{ noun: 'profile', after: profile }] : unlogged,
    by: operator,
    answer: undefined,
  }
}

/** Removes the name of a person who has left the registry that is mirrored. @returns whether there was one */
export function* forgetPerson(id: string, at: string): Deciding<Decision<boolean>> {
  const profile = yield* nounOf('profile', id)
  if (profile === undefined || profile.leftAt !== undefined || id === apiUserId) return withoutEntries(false)
  const after: Profile = { id, name: '', updatedAt: at, leftAt: at }
  return withoutEntries(true, [{ noun: 'profile', after }])
}
