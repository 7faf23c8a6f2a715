import { RegistryError } from '../errors.ts'
import type { LoggedEntry, Via } from '../log/entry.ts'
import { namesOf } from '../log/fold.ts'
import type { LastIds, NounName, Profile } from '../log/nouns.ts'
import { operator } from './contributor.ts'
import type { Deciding, Decision, Facts, Need } from './deciding.ts'
import { fieldsProblem } from './mirrored-fields.ts'
import { redactableFields } from './redaction.ts'

/** An entry of another registry that does not continue the log here. */
export function broken(id: number, reason: string): RegistryError {
  return new RegistryError('CHAIN_BROKEN', `Entry ${id} does not continue the log here: ${reason}`, { id })
}

/** How far another registry's clock may be ahead, in milliseconds. */
const aheadAtMost = 24 * 60 * 60 * 1000

/** What an entry refers to, besides its own subject: each must exist. */
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

const isFirst = ({ action, links }: LoggedEntry): boolean =>
  (action === 'created' && links.restores === undefined) || action === 'started' || action === 'linked'

/** @throws RegistryError CHAIN_BROKEN unless a new noun has the id that it would have been given here */
function mustBeNext(entry: LoggedEntry, last: LastIds): void {
  const { id, subject, subjectId } = entry
  if (!isFirst(entry) || subject === 'user') return
  const next = subject === 'record' ? id : last[subject as keyof LastIds] + 1
  if (subjectId !== next) throw broken(id, `${subject} ${next} is expected next, not ${subjectId}`)
}

/** @throws RegistryError CHAIN_BROKEN unless a redaction names fields that can be redacted */
function* mustBeRedactable(entry: LoggedEntry): Deciding<void> {
  const target = Number(entry.subjectId)
  if (target >= entry.id) throw broken(entry.id, 'it redacts an entry that comes later')
  const facts = yield [{ noun: 'entry', key: target }]
  const redacted = facts.get('entry', target)
  if (redacted === undefined) throw broken(entry.id, `there is no entry ${target} to redact`)
  const { subject, subjectId } = redacted
  const known: Facts = subject === 'waypoint' ? yield [{ noun: 'waypoint', key: Number(subjectId) }] : facts
  const waypoint = subject === 'waypoint' ? known.get('waypoint', Number(subjectId)) : undefined
  const allowed = redactableFields(subject, waypoint?.deletedAt !== undefined)
  for (const name of namesOf({ ...entry, action: 'redacted' })) {
    if (!allowed.includes(name)) throw broken(entry.id, `${name} of entry ${target} cannot be redacted`)
    if (!(name in redacted.fields) && redacted.hole?.commitments[name] === undefined)
      throw broken(entry.id, `entry ${target} has no ${name}`)
  }
}

/**
 * Takes over an entry of another registry, if a local write could have made it.
 *
 * @param names the names of people who join, by id
 * @param now the time here, ISO 8601 in UTC
 * @throws RegistryError CHAIN_BROKEN `{ id }`
 */
export function* mirrorEntry(
  entry: LoggedEntry,
  names: ReadonlyMap<string, string>,
  now: string,
): Deciding<Decision<undefined>> {
  const { id, subject, action, at } = entry
  const needs = references(entry)
  const facts = yield needs
  if (id !== facts.nextEntry) throw broken(id, `entry ${facts.nextEntry} is expected next`)
  if (Date.parse(at) > Date.parse(now) + aheadAtMost) throw broken(id, `its time ${at} is in the future`)
  const problem = fieldsProblem(entry)
  if (problem !== undefined) throw broken(id, problem)
  if (entry.withheld !== undefined) throw broken(id, 'its fields are withheld')
  for (const { noun, key } of needs)
    if (facts.get(noun, key as never) === undefined) throw broken(id, `there is no ${noun} ${String(key)}`)
  mustBeNext(entry, facts.last)
  if (subject === 'entry') yield* mustBeRedactable(entry)
  const isPerson = subject === 'user' && action === 'created'
  const person = String(entry.subjectId)
  const profile: Profile = { id: person, name: names.get(person) ?? person, updatedAt: at }
  return {
    entries: [{ sealed: entry }],
    unlogged: isPerson ? [{ noun: 'profile', after: profile }] : [],
    by: operator,
    answer: undefined,
  }
}
