import { z } from 'zod'
import { broken, RegistryError } from '../errors.ts'
import {
  entryFields,
  type GivenEntry,
  type StoredEntry,
  type Via,
  apiUserId,
  observerUserId,
} from '../log/entry.ts'
import { isSameValue, canonicalJson } from '../log/leaf.ts'

import { isFirst, isRestorable, isRevertible, keyOf, namesOf, ruleOf, subjects } from '../log/fold.ts'
import {
  isLive,
  type LastIds,
  type NounName,
  type Profile,
  type RecordState,
  type ReviewState,
  type WaypointState,
} from '../log/nouns.ts'
import { limits } from '../rules.ts'
import { parseForeign } from '../schemas/parse.ts'
import { UserId } from '../schemas/user.ts'
import { operator } from './contributor.ts'
import {
  nounOf,
  nounsWhere,
  withoutEntries,
  type Deciding,
  type Need,
  type Unlogged,
  type Decided,
} from './deciding.ts'
import { cleared, clearing, forgotten, redactableFields, stateOf } from './redaction.ts'

/** Checks of entries from another registry: a local write could have made them, given the state here. */

function schemaOf(entry: GivenEntry): z.ZodObject | undefined {
  const { commitments = {} } = entry
  const shape = ruleOf(entry)?.fields.shape
  if (shape === undefined) return undefined
  const left = Object.entries(shape).map(([name, field]) => [
    name,
    Object.hasOwn(commitments, name) ? z.optional(field) : field,
  ])
  return z.strictObject(Object.fromEntries(left))
}

export function fieldsProblem(entry: GivenEntry): string | undefined {
  const schema = schemaOf(entry)
  if (schema === undefined) return `${entry.subject} ${entry.action} is unknown`
  try {
    const given = parseForeign(schema, entry.fields)
    // A waypoint without a name has an empty one.
    const { name, ...others } = given
    const values = Object.values(entry.subject === 'waypoint' && name === '' ? others : given)
    if (values.includes('')) return 'an empty text is written as none'
    if (entry.action === 'created' && values.includes(null)) return 'what is new has no empty fields'
    const isEdit = entry.action === 'edited' && entry.subject !== 'record' && entry.commitments === undefined
    if (isEdit && Object.keys(given).every((name) => entryFields.has(name))) return 'it changes nothing'
    return canonicalJson(given) === canonicalJson(entry.fields) ? undefined : 'its fields are not normalised'
  } catch (error) {
    if (error instanceof RegistryError) return error.message
    throw error
  }
}

const event = /^[A-Za-z]{1,64}$/u

function subjectProblem({ subject, subjectId }: GivenEntry): string | undefined {
  if (subject !== 'user')
    return typeof subjectId === 'number' ? undefined : `${subject} ${subjectId} is not a number`
  if (subjectId === apiUserId || subjectId === observerUserId) return 'the built-in user cannot be changed'
  const id = UserId.safeParse(subjectId)
  return id.success && id.data === subjectId ? undefined : 'its subject is not the id of a user'
}

function awardsProblem({ awards }: GivenEntry): string | undefined {
  for (const [userId, name, amount] of awards) {
    if (userId === apiUserId || userId === observerUserId) return 'the built-in user earns no XP'
    if (!event.test(name)) return `${JSON.stringify(name)} is not an event that earns XP`
    if (amount === 0 || Math.abs(amount) > limits.xp)
      return `an award is of 1 to ${limits.xp} XP, not ${amount}`
  }
  return undefined
}

/** Checks that an entry has its seed, or the salts of all its fields and the commitments of the lost ones. */
function proofProblem({ subject, fields, seed, salts, commitments }: GivenEntry): string | undefined {
  if (seed !== undefined)
    return salts === undefined && commitments === undefined ? undefined : 'it has both a seed and salts'
  if (salts === undefined || commitments === undefined)
    return 'it has neither a seed nor salts and commitments'
  const lost = Object.keys(commitments)
  if (lost.length === 0) return 'it has no seed, although it lost no field'
  const allowed = redactableFields(subject, true)
  const wrong = lost.find((name) => !allowed.includes(name) || Object.hasOwn(fields, name))
  if (wrong !== undefined) return `it cannot have lost ${wrong}`
  const isSalted =
    Object.keys(salts).length === Object.keys(fields).length &&
    Object.keys(fields).every((name) => Object.hasOwn(salts, name))
  return isSalted ? undefined : 'its salts are not those of its fields'
}

function linksProblem({ id, subject, action, links }: GivenEntry): string | undefined {
  const { act, reverts, restores, mergedInto } = links
  if (act !== undefined && act > id) return 'its act begins later'
  if (reverts !== undefined && (!isRevertible(subject) || reverts >= id))
    return `it cannot revert entry ${reverts}`
  if (restores !== undefined && (!isRestorable(subject) || action !== 'created' || restores >= id))
    return `it cannot restore what entry ${restores} deleted`
  if (mergedInto !== undefined && (subject !== 'waypoint' || action !== 'deleted'))
    return 'only a deleted waypoint is merged into another'
  return undefined
}

/** New observations are by nobody, and nothing else is. */
function authorProblem(entry: GivenEntry): string | undefined {
  const isObservation = entry.subject === 'observation' && isFirst(entry)
  return isObservation === (entry.by === observerUserId) ? undefined : `it cannot be by ${entry.by}`
}

function shapeProblem(entry: GivenEntry): string | undefined {
  return (
    authorProblem(entry) ??
    subjectProblem(entry) ??
    awardsProblem(entry) ??
    proofProblem(entry) ??
    linksProblem(entry)
  )
}

/** Whether an edit does nothing but clear, as it comes before a redaction. */
function isClearing({ action, fields }: GivenEntry): boolean {
  return (
    action === 'edited' &&
    Object.entries(fields).every(([name, value]) => name in cleared && isSameValue(value, cleared[name]))
  )
}

function* subjectStandingProblem(entry: GivenEntry): Deciding<string | undefined> {
  const { subject, subjectId, action, links } = entry
  if (subject === 'entry') return undefined
  const state: object | undefined = yield* nounOf(subject, keyOf(subject, entry))
  if (isFirst(entry)) return undefined
  if (state === undefined) return `there is no ${subject} ${subjectId}`
  const { deletedAt, redactedFields } = state as Partial<WaypointState & ReviewState>
  if (links.restores !== undefined) {
    if (deletedAt === undefined) return `${subject} ${subjectId} is not deleted`
    if (redactedFields?.includes('latitude')) return `the position of ${subject} ${subjectId} was redacted`
    const deletion = yield* nounOf('entry', links.restores)
    const isDeletion = isAbout(deletion, entry) && deletion?.action === 'deleted'
    return isDeletion ? undefined : `entry ${links.restores} did not delete ${subject} ${subjectId}`
  }
  if (deletedAt !== undefined && action !== 'moved' && !isClearing(entry))
    return `${subject} ${subjectId} is deleted`
  return undefined
}

function isAbout(entry: StoredEntry | undefined, { subject, subjectId }: GivenEntry): boolean {
  return entry?.subject === subject && entry.subjectId === subjectId
}

function* referenceProblem(entry: GivenEntry): Deciding<string | undefined> {
  const { id, subject, subjectId, action, fields, links } = entry
  if (links.reverts !== undefined && !isAbout(yield* nounOf('entry', links.reverts), entry))
    return `entry ${links.reverts} is not about ${subject} ${subjectId}`
  const { waypoint, name } = fields
  const isOfWaypoint = subject === 'review' || subject === 'observation' || subject === 'photo'
  const target = links.mergedInto ?? (isOfWaypoint && isFirst(entry) ? waypoint : undefined)
  if (typeof target === 'number') {
    const other = yield* nounOf('waypoint', target)
    if (!isLive(other)) return `there is no waypoint ${target}`
    if (target === links.mergedInto && target === subjectId) return 'a waypoint is not merged into itself'
  }
  if (subject === 'source' && action === 'created' && typeof name === 'string') {
    const known = yield* nounsWhere('source', { name })
    if (known.length > 0) return `there is a source with the name ${name}`
  }
  const via = fields['via'] as Via | undefined
  if (via !== undefined) {
    const run = yield* nounOf('import', via.run)
    if (run?.sourceId !== via.source) return `import ${via.run} is not of source ${via.source}`
  }
  const record: RecordState | undefined =
    subject === 'record' && !isFirst(entry) ? yield* nounOf('record', Number(subjectId)) : undefined
  const ref = fields['ref'] ?? (isFirst(entry) ? via?.ref : undefined)
  const sourceId = record?.sourceId ?? via?.source
  if (typeof ref !== 'string' || sourceId === undefined) return undefined
  const others = yield* nounsWhere('record', { sourceId, ref })
  return others.some((other) => other.id !== (record?.id ?? id))
    ? `source ${sourceId} has another record with the reference ${ref}`
    : undefined
}

function* standingProblem(entry: GivenEntry): Deciding<string | undefined> {
  return (yield* subjectStandingProblem(entry)) ?? (yield* referenceProblem(entry))
}

const aheadAtMost = 24 * 60 * 60 * 1000

/** References of an entry besides its own subject: each must exist. */
function references({
  by,
  awards,
  fields,
  subject,
}: GivenEntry): (Need & { noun: NounName; key: unknown })[] {
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
function mustBeNext(entry: GivenEntry, last: LastIds): void {
  const { id, subject, subjectId } = entry
  const { ids } = subjects[subject]
  if (!isFirst(entry) || ids === 'given') return
  const next = ids === 'of its entry' ? id : last[subject as keyof LastIds] + 1
  if (subjectId !== next) throw broken(id, `${subject} ${next} is expected next, not ${subjectId}`)
}

/** The merge bases without removed values. @throws RegistryError CHAIN_BROKEN for fields that cannot go, or are in force */
function* redaction(entry: GivenEntry): Deciding<Unlogged[]> {
  const target = Number(entry.subjectId)
  if (target >= entry.id) throw broken(entry.id, 'it redacts an entry that comes later')
  const redacted = yield* nounOf('entry', target)
  if (redacted === undefined) throw broken(entry.id, `there is no entry ${target} to redact`)
  const { subject, subjectId } = redacted
  const state = subject === 'record' ? undefined : yield* stateOf({ subject, subjectId })
  const isTombstone = state !== undefined && 'deletedAt' in state
  const allowed = redactableFields(subject, isTombstone)
  const names = namesOf(entry)
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
  entry: GivenEntry,
  { next, now }: { readonly next: number; readonly now: number },
): void {
  const { id, at, withheld } = entry
  if (id !== next) throw broken(id, `entry ${next} is expected next`)
  if (Date.parse(at) > now + aheadAtMost) throw broken(id, `its time ${at} is in the future`)
  if (withheld !== undefined) throw broken(id, 'its fields are withheld')
  const problem = fieldsProblem(entry) ?? shapeProblem(entry)
  if (problem !== undefined) throw broken(id, problem)
}

/** Takes over an entry of another registry at the time `now`. `names` are of people who join; one without has left. */
export function* mirrorEntry(
  entry: GivenEntry,
  names: ReadonlyMap<string, string>,
  now: string,
): Decided<undefined> {
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
export function* forgetPerson(id: string, at: string): Decided<boolean> {
  const profile = yield* nounOf('profile', id)
  if (profile === undefined || profile.leftAt !== undefined || id === apiUserId) return withoutEntries(false)
  const after: Profile = { id, name: '', updatedAt: at, leftAt: at }
  return withoutEntries(true, [{ noun: 'profile', after }])
}
