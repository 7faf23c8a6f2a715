import { apiUserId, observerUserId } from '../actor.ts'
import { isSameValue } from '../log/canonical-json.ts'
import { isRevertible, type LoggedEntry, type StoredEntry, type Via } from '../log/entry.ts'
import { isLive, type RecordState, type ReviewState } from '../log/nouns.ts'
import { limits } from '../rules.ts'
import { UserId } from '../schemas/user.ts'
import type { WaypointState } from '../schemas/waypoint.ts'
import { nounOf, nounsWhere, type Deciding, type Need } from './deciding.ts'
import { cleared, redactableFields } from './redaction.ts'

/**
 * What an entry of another registry must be besides its fields: its subject, its awards, its links and its proof are
 * such as a local write makes, given what stands here.
 */

/** Whether an entry makes its subject. */
export const isFirst = ({ action, links }: LoggedEntry): boolean =>
  (action === 'created' && links.restores === undefined) || action === 'started' || action === 'linked'

const event = /^[A-Za-z]{1,64}$/u

function subjectProblem({ subject, subjectId }: LoggedEntry): string | undefined {
  if (subject !== 'user')
    return typeof subjectId === 'number' ? undefined : `${subject} ${subjectId} is not a number`
  if (subjectId === apiUserId || subjectId === observerUserId) return 'the built-in user cannot be changed'
  const id = UserId.safeParse(subjectId)
  return id.success && id.data === subjectId ? undefined : 'its subject is not the id of a user'
}

function awardsProblem({ awards }: LoggedEntry): string | undefined {
  for (const [userId, name, amount] of awards) {
    if (userId === apiUserId || userId === observerUserId) return 'the built-in user earns no XP'
    if (!event.test(name)) return `${JSON.stringify(name)} is not an event that earns XP`
    if (amount === 0 || Math.abs(amount) > limits.xp)
      return `an award is of 1 to ${limits.xp} XP, not ${amount}`
  }
  return undefined
}

/** An entry has its seed, or the salts of all fields that it has and the commitments of those that it lost. */
function proofProblem({ subject, fields, seed, salts, commitments }: LoggedEntry): string | undefined {
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

function linksProblem({ id, subject, action, links }: LoggedEntry): string | undefined {
  const { act, reverts, restores, mergedInto } = links
  const isUndoable = isRevertible(subject)
  const isRestorable = isUndoable || subject === 'area'
  if (act !== undefined && act > id) return 'its act begins later'
  if (reverts !== undefined && (!isUndoable || reverts >= id)) return `it cannot revert entry ${reverts}`
  if (restores !== undefined && (!isRestorable || action !== 'created' || restores >= id))
    return `it cannot restore what entry ${restores} deleted`
  if (mergedInto !== undefined && (subject !== 'waypoint' || action !== 'deleted'))
    return 'only a deleted waypoint is merged into another'
  return undefined
}

/** New observations are by nobody, and nothing else is. */
function authorProblem(entry: LoggedEntry): string | undefined {
  const isObservation = entry.subject === 'observation' && isFirst(entry)
  return isObservation === (entry.by === observerUserId) ? undefined : `it cannot be by ${entry.by}`
}

/** The problem with an entry by itself, or undefined. */
export function shapeProblem(entry: LoggedEntry): string | undefined {
  return (
    authorProblem(entry) ??
    subjectProblem(entry) ??
    awardsProblem(entry) ??
    proofProblem(entry) ??
    linksProblem(entry)
  )
}

/** Whether an edit does nothing but clear, as it comes before a redaction. */
function isClearing({ action, fields }: LoggedEntry): boolean {
  return (
    action === 'edited' &&
    Object.entries(fields).every(([name, value]) => name in cleared && isSameValue(value, cleared[name]))
  )
}

/** The problem with an entry given its subject as it stands, or undefined. */
function* subjectStandingProblem(entry: LoggedEntry): Deciding<string | undefined> {
  const { subject, subjectId, action, links } = entry
  if (subject === 'entry') return undefined
  const needs = [{ noun: subject, key: subjectId } as Need]
  const facts = yield needs
  const state: object | undefined = facts.get(subject, subjectId as never)
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

function isAbout(entry: StoredEntry | undefined, { subject, subjectId }: LoggedEntry): boolean {
  return entry?.subject === subject && entry.subjectId === subjectId
}

/** The problem with the other nouns that an entry refers to, or undefined. */
function* referenceProblem(entry: LoggedEntry): Deciding<string | undefined> {
  const { id, subject, subjectId, action, fields, links } = entry
  if (links.reverts !== undefined && !isAbout(yield* nounOf('entry', links.reverts), entry))
    return `entry ${links.reverts} is not about ${subject} ${subjectId}`
  const { waypoint, name } = fields
  const isOfWaypoint = subject === 'review' || subject === 'observation'
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

/** The problem with an entry given the nouns here, or undefined. */
export function* standingProblem(entry: LoggedEntry): Deciding<string | undefined> {
  return (yield* subjectStandingProblem(entry)) ?? (yield* referenceProblem(entry))
}
