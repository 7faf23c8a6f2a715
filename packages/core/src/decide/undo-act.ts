import { apiUserId } from '../actor.ts'
import { notFound, RegistryError } from '../errors.ts'
import { actKindOf } from '../log/acts.ts'
import type { StoredEntry } from '../log/entry.ts'
import { moderation } from '../rules.ts'
import { contribution, mustModerate, type Occasion } from './contributor.ts'
import { the, type Deciding, type Decision, type Facts } from './deciding.ts'
import { Act, canRevert, standing, undone, type RevertConflict, type Undoing } from './revert.ts'
import { takeBacksLeft } from './take-backs.ts'
import { mustHaveReason } from './user.ts'

/** What undoing an act did. */
export interface UndoneAct {
  /** The entries that were undone, newest first. */
  readonly undone: readonly number[]
  readonly conflicts: readonly RevertConflict[]
  /** Where the next page begins; absent when there is none. */
  readonly next?: number
}

/** Why an act is undone, where a page of it begins, and whether nothing will be written. */
export interface UndoActOptions {
  readonly reason: string
  readonly before?: number | undefined
  readonly dryRun?: boolean | undefined
}

const page = moderation.revertedAtOnce

/** The entries of an act, oldest first: those that share its link. They follow one another, or nearly. */
function* entriesOf(first: StoredEntry): Deciding<StoredEntry[]> {
  const found = [first]
  if (first.links.act === undefined) return found
  for (let after = first.id; ;) {
    const facts: Facts = yield [{ ask: 'entriesAfter', of: { after, limit: page } }]
    const entries = facts.ask('entriesAfter', { after, limit: page })
    const own = entries.filter(({ links }) => links.act === first.id)
    found.push(...own)
    const last = entries.at(-1)
    if (last === undefined || own.length === 0 || entries.length < page) return found
    after = last.id
  }
}

/** @throws RegistryError NOT_FOUND for what is no act, such as that somebody deleted a review of theirs */
function* actOf(id: number): Deciding<StoredEntry> {
  const entry = yield* the('entry', id)
  if (entry === undefined) throw notFound('act', id)
  const isAct = entry.links.act === undefined ? actKindOf(entry) !== undefined : entry.links.act === id
  const isOwnReview =
    entry.subject === 'review' &&
    entry.action === 'deleted' &&
    entry.links.act === undefined &&
    (yield* the('review', Number(entry.subjectId)))?.userId === entry.by
  if (!isAct || isOwnReview) throw notFound('act', id)
  return entry
}

/**
 * Undoes what an act did, the newest first, except what was changed since. What it undid stands again, what it removed is
 * back, with the XP. Moderators undo acts of moderators, the operator those of all. All entries are one act, which can be
 * undone too.
 *
 * @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND, INVALID_INPUT, RATE_LIMITED, CONFLICT for redactions and blocks
 */
export function* undoAct(
  occasion: Occasion,
  id: number,
  { reason, before = Number.MAX_SAFE_INTEGER, dryRun = false }: UndoActOptions,
): Deciding<Decision<UndoneAct>> {
  const { who } = yield* contribution(occasion)
  mustModerate(who, 'Only moderators may undo acts')
  const given = mustHaveReason(reason)
  const first = yield* actOf(id)
  if (first.by === apiUserId && who.kind !== 'token')
    throw new RegistryError('FORBIDDEN', 'What the operator did is undone by the operator alone')
  if (first.subject === 'user')
    throw new RegistryError('CONFLICT', 'A block is not undone, but ended or made again', {})
  const entries = yield* entriesOf(first)
  if (entries.some(({ subject }) => subject === 'entry'))
    throw new RegistryError('CONFLICT', 'What was redacted cannot come back', {})
  const isFree = dryRun || first.by === who.userId
  const most = isFree ? page : yield* takeBacksLeft(occasion, who, page)
  const act = new Act({ by: who.userId, at: occasion.at })
  const answer = yield* undoEntries(act, { entries, before, reason: given, most, dryRun })
  const { nextEntry } = yield []
  return {
    entries: act.drafts.map((draft) => ({ ...draft, links: { ...draft.links, act: nextEntry } })),
    unlogged: act.unlogged,
    by: who.userId,
    answer,
  }
}

/** Which entries of an act are undone, at most how many, why, and whether nothing will be written. */
interface Page {
  readonly entries: readonly StoredEntry[]
  readonly before: number
  readonly reason: string
  readonly most: number
  readonly dryRun: boolean
}

function* undoEntries(act: Act, { entries, before, reason, most, dryRun }: Page): Deciding<UndoneAct> {
  const undoneIds: number[] = []
  const conflicts: RevertConflict[] = []
  for (const entry of entries.toReversed()) {
    // What a merge moved goes back with the waypoint that it deleted.
    if (!canRevert(entry) || entry.action === 'moved') continue
    if (entry.id >= before) {
      // The pages before were not written.
      const undoing: Undoing = dryRun ? yield* undone(entry, act, reason) : { conflict: [] }
      if ('drafts' in undoing) yield* act.assume(undoing.drafts)
      continue
    }
    if (undoneIds.length >= most || undoneIds.length + conflicts.length >= page)
      return { undone: undoneIds, conflicts, next: entry.id + 1 }
    const undoing = yield* undone(entry, act, reason)
    if ('drafts' in undoing) {
      yield* act.add(undoing.drafts)
      undoneIds.push(entry.id)
    }
    const fields = standing(undoing)
    if (fields !== undefined) conflicts.push({ entry: entry.id, fields })
  }
  return { undone: undoneIds, conflicts }
}
