import { notFound, RegistryError, required } from '../errors.ts'
import { type StoredEntry, apiUserId } from '../log/entry.ts'
import { actKindOf } from '../log/fold.ts'
import { contribution, mustModerate, type Occasion } from './contributor.ts'
import { entriesOfAct, nounOf, type Deciding, type Decided } from './deciding.ts'
import { Act, canRevert, type RevertConflict, type RevertOptions } from './revert.ts'
import { takeBacksLeft } from './take-backs.ts'
import { mustHaveReason } from './user.ts'

export interface UndoneAct {
  readonly undone: readonly number[]
  readonly conflicts: readonly RevertConflict[]
  /** Where the next page begins; absent when there is none. */
  readonly next?: number | undefined
}

export type UndoActOptions = Pick<RevertOptions, 'reason' | 'before' | 'dryRun'>

/** @throws RegistryError NOT_FOUND for an entry that is no act, such as the deletion of one's own review or photo */
function* actOf(id: number): Deciding<StoredEntry> {
  const entry = required(yield* nounOf('entry', id), 'act', id)
  const isAct = entry.links.act === undefined ? actKindOf(entry) !== undefined : entry.links.act === id
  const { subject } = entry
  const isOwn =
    (subject === 'review' || subject === 'photo') &&
    entry.action === 'deleted' &&
    entry.links.act === undefined &&
    (yield* nounOf(subject, Number(entry.subjectId)))?.userId === entry.by
  if (!isAct || isOwn) throw notFound('act', id)
  return entry
}

export function* undoAct(
  occasion: Occasion,
  id: number,
  { reason, before = Number.MAX_SAFE_INTEGER, dryRun = false }: UndoActOptions,
): Decided<UndoneAct> {
  const { who } = yield* contribution(occasion)
  mustModerate(who, 'Only moderators may undo acts')
  const given = mustHaveReason(reason)
  const first = yield* actOf(id)
  if (first.by === apiUserId && who.kind !== 'token')
    throw new RegistryError('FORBIDDEN', 'What the operator did is undone by the operator alone')
  if (first.subject === 'user')
    throw new RegistryError('CONFLICT', 'A block is not undone, but ended or made again', {})
  const entries = first.links.act === undefined ? [first] : yield* entriesOfAct(id)
  if (entries.some(({ subject }) => subject === 'entry'))
    throw new RegistryError('CONFLICT', 'What was redacted cannot come back', {})
  const isFree = dryRun || first.by === who.userId
  const most = isFree ? entries.length : yield* takeBacksLeft(occasion, who, entries.length)
  const act = new Act({ by: who.userId, at: occasion.at })
  const next = yield* undoEntries(act, { entries, before, reason: given, most, dryRun })
  return yield* act.decision({ undone: act.undone, conflicts: act.conflicts, next })
}

type Page = Required<UndoActOptions> & { readonly entries: readonly StoredEntry[]; readonly most: number }

/** @returns where the next page begins */
function* undoEntries(
  act: Act,
  { entries, before, reason, most, dryRun }: Page,
): Deciding<number | undefined> {
  for (const entry of entries.toReversed()) {
    // Moved nouns go back with the waypoint that the merge deleted.
    if (!canRevert(entry) || entry.action === 'moved') continue
    if (entry.id >= before) {
      // The pages before were not written.
      if (dryRun) yield* act.assumeUndone(entry, reason)
      continue
    }
    if (act.undone.length >= most) return entry.id + 1
    yield* act.undo(entry, reason)
  }
  return undefined
}
