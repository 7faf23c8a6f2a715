import { actKindOf, entryUndoneBy } from './log/acts.ts'
import { apiUserId, observerUserId, type StoredEntry } from './log/entry.ts'
import { redactedName } from './log/states.ts'
import type { ActKind, ModerationAct } from './schemas/moderation.ts'
import type { NamedUser } from './schemas/report.ts'
import type { ActEntries } from './store/answers.ts'
import type { Reads } from './store/reads.ts'

/** Somebody by id, and by name unless they have left. */
export async function namedUser({ users }: Pick<Reads, 'users'>, id: string): Promise<NamedUser> {
  const name = (await users.get(id))?.name ?? ''
  return name === '' ? { id } : { id, name }
}

/** The subject of an act. */
async function subjectOf(
  read: Reads,
  kind: ActKind,
  { subject, subjectId, links }: StoredEntry,
): Promise<Pick<ModerationAct, 'waypoint' | 'into' | 'review'>> {
  if (kind === 'redacted') {
    const entry = await read.entries.get(Number(subjectId))
    return entry === undefined || entry.subject === 'entry' ? {} : subjectOf(read, 'deleted', entry)
  }
  const named = async (id: number) => ({
    id,
    name: (await read.moderation.waypointName(id)) ?? redactedName,
  })
  const id = Number(subjectId)
  if (subject === 'waypoint') {
    const { mergedInto } = links
    return { waypoint: await named(id), ...(mergedInto !== undefined && { into: await named(mergedInto) }) }
  }
  const observed = subject === 'observation' ? await read.observations.waypointOf(id) : undefined
  if (observed !== undefined) return { waypoint: await named(observed) }
  const review = subject === 'review' ? await read.moderation.review(id) : undefined
  return review === undefined ? {} : { review: { id, waypoint: await named(review.bubblerId) } }
}

/** The person concerned by an act: the blocked one, or the author of the undone or redacted entry. */
async function personOf(read: Reads, kind: ActKind, entry: StoredEntry): Promise<NamedUser | undefined> {
  if (kind === 'blocked' || kind === 'unblocked') return namedUser(read, String(entry.subjectId))
  const undone = entryUndoneBy(kind, entry)
  const by = undone === undefined ? undefined : (await read.entries.get(undone))?.by
  const isNobody = by === undefined || by === apiUserId || by === observerUserId
  return isNobody ? undefined : namedUser(read, by)
}

/** An act of moderation in public words; undefined for other entries, such as the deletion of one's own review. */
export async function describeAct(
  read: Reads,
  { first, last }: ActEntries,
): Promise<ModerationAct | undefined> {
  // A redaction is preceded by an entry that clears values in force.
  const newest = last === first.id ? first : await read.entries.get(last)
  const entry = newest?.subject === 'entry' ? newest : first
  const kind = actKindOf(entry)
  if (kind === undefined) return undefined
  if (kind === 'deleted' && first.subject === 'review') {
    const review = await read.moderation.review(Number(first.subjectId))
    if (review?.userId === first.by) return undefined
  }
  const { reason, until } = entry.fields
  const [user, person, about] = await Promise.all([
    namedUser(read, first.by),
    personOf(read, kind, entry),
    subjectOf(read, kind, entry),
  ])
  return {
    id: first.id,
    kind,
    timestamp: first.at,
    user,
    ...(typeof reason === 'string' && { reason }),
    ...(entry.hole?.commitments['reason'] !== undefined && { redacted: true as const }),
    entries: Array.from({ length: last - first.id + 1 }, (_each, index) => first.id + index),
    ...about,
    person,
    ...(kind === 'blocked' && typeof until === 'string' && { until }),
  }
}
