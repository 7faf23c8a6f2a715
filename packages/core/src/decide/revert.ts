import { z } from 'zod'
import { reviewOptionals, reviewValuesOf } from '../fields/review.ts'
import { invalid, notFound, RegistryError } from '../errors.ts'
import { entryFields, type Award, type ChangedFields, type Draft, type StoredEntry } from '../log/entry.ts'
import { foldReview, foldWaypoint, redactedName } from '../log/fold.ts'
import type { ReviewState } from '../log/nouns.ts'
import { moderation } from '../rules.ts'
import { parse } from '../schemas/parse.ts'
import { Instant } from '../schemas/text.ts'
import type { WaypointState } from '../schemas/waypoint.ts'
import { contribution, mustModerate, type Occasion } from './contributor.ts'
import { the, type Deciding, type Decision } from './deciding.ts'
import { cleared } from './redaction.ts'
import { restoration } from './restore.ts'
import { mustHaveReason } from './user.ts'
import { afterDrafts, flagActions, type Flag } from './waypoint.ts'

const Since = z.object({ since: Instant })

/** Entries that are undone in one act at most. */
const mostReverted = moderation.revertedAtOnce
/** Entries that one act looks at: those that are undone already count too. */
const mostRead = 10 * mostReverted

/** An entry that is not undone, because somebody changed these fields since. */
export interface RevertConflict {
  readonly id: number
  readonly fields: readonly string[]
}

/** What undoing a person's changes did. */
export interface Reverted {
  /** The entries that were undone, newest first. */
  readonly reverted: readonly number[]
  readonly conflicts: readonly RevertConflict[]
  /** Where the next page begins; absent when there is none. */
  readonly next?: number
}

/** What undoing an entry makes: drafts, or the fields that stand against it, since it is undone already or for good reasons. */
type Undoing =
  | { readonly drafts: readonly Draft[] }
  | { readonly conflict: readonly string[]; readonly isUndone?: boolean }

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

function takenBack({ awards }: StoredEntry): Award[] {
  return awards.map(([userId, event, amount]) => [userId, event, -amount])
}

/** The nouns as the drafts of the running act leave them. */
class Act {
  readonly waypoints = new Map<number, WaypointState>()
  readonly reviews = new Map<number, ReviewState>()
  readonly drafts: Draft[] = []
  readonly #who: { readonly by: string; readonly at: string }

  constructor(who: { readonly by: string; readonly at: string }) {
    this.#who = who
  }

  *waypoint(id: number): Deciding<WaypointState | undefined> {
    return this.waypoints.get(id) ?? (yield* the('waypoint', id))
  }

  *review(id: number): Deciding<ReviewState | undefined> {
    return this.reviews.get(id) ?? (yield* the('review', id))
  }

  *add(drafts: readonly Draft[]): Deciding<void> {
    for (const draft of drafts) {
      this.drafts.push(draft)
      const id = Number(draft.subjectId)
      if (draft.subject === 'waypoint')
        this.waypoints.set(id, afterDrafts(yield* this.waypoint(id), [draft], this.#who))
      else if (draft.subject === 'review') {
        const entry = { awards: [], links: {}, ...draft, id: 0, ...this.#who }
        this.reviews.set(id, foldReview(yield* this.review(id), entry))
      }
    }
  }
}

/** An entry with what a redaction puts in the place of the values that it lost, so that no older ones show through. */
function withCleared(entry: StoredEntry): StoredEntry {
  const lost = Object.keys(entry.hole?.commitments ?? {}).filter((field) => field in cleared)
  const fields = { ...Object.fromEntries(lost.map((field) => [field, cleared[field]])), ...entry.fields }
  return lost.length === 0 ? entry : { ...entry, fields }
}

/** The entries that later ones undid, and nobody did again. */
function undoneAmong(about: readonly StoredEntry[]): ReadonlySet<number> {
  const undoneIds = new Set<number>()
  for (const { id, links } of about.toReversed())
    if (links.reverts !== undefined && !undoneIds.has(id)) undoneIds.add(links.reverts)
  return undoneIds
}

/** The waypoint as it was before one of its entries. */
function waypointBefore(about: readonly StoredEntry[], entry: StoredEntry): WaypointState | undefined {
  let state: WaypointState | undefined
  for (const earlier of about) {
    if (earlier.id >= entry.id) break
    state = foldWaypoint(state, withCleared(earlier))
  }
  return state
}

/** The names of the fields of the subject that an entry has. */
function ownFields({ fields }: StoredEntry): string[] {
  return Object.keys(fields).filter((field) => !entryFields.has(field))
}

/** The entry that gives fields the values that they had, or the fields that were changed since. */
function undoneEdit(entry: StoredEntry, current: WaypointState, before: WaypointState | undefined): Undoing {
  const had = (before ?? {}) as Readonly<Record<string, unknown>>
  const has: Readonly<Record<string, unknown>> = { ...current }
  const names = ownFields(entry)
  const changed = names.filter((field) => !isSame(has[field], entry.fields[field]))
  if (changed.length > 0 || names.length === 0) return { conflict: changed }
  const fields: ChangedFields = Object.fromEntries(
    names.map((field) => [field, had[field] ?? (field === 'name' ? redactedName : null)]),
  )
  // What a redaction cleared has no other value.
  if (names.every((field) => isSame(has[field], fields[field]))) return { conflict: names }
  const { subject, subjectId } = entry
  const [flag] = names
  if (entry.action !== 'edited' && (flag === 'approved' || flag === 'verified'))
    return { drafts: [{ subject, subjectId, action: turned(flag, fields[flag] === true), fields }] }
  return { drafts: [{ subject, subjectId, action: 'edited', fields }] }
}

function turned(flag: Flag, value: boolean): Draft['action'] {
  return flagActions[flag][value ? 'true' : 'false']
}

function* undoneOfWaypoint(entry: StoredEntry, act: Act, reason: string): Deciding<Undoing> {
  const id = Number(entry.subjectId)
  const about = { subject: 'waypoint', subjectId: id } as const
  const facts = yield [{ ask: 'entriesAbout', of: about }]
  const entries = facts.ask('entriesAbout', about)
  const current = yield* act.waypoint(id)
  if (current === undefined) return { conflict: [] }
  const gone = undoneAmong(entries)
  if (gone.has(entry.id)) return { conflict: ownFields(entry), isUndone: true }
  const links = { reverts: entry.id }
  if (entry.action === 'deleted') {
    const isNewest = entries.findLast(({ action }) => action === 'deleted')?.id === entry.id
    if (current.deletedAt === undefined || !isNewest) return { conflict: ['deletedAt'] }
    return { drafts: yield* restoration(current, { reason, links }) }
  }
  if (current.deletedAt !== undefined) return { conflict: ['deletedAt'] }
  if (entry.action === 'created') {
    // What was undone, and what undid it, changes nothing.
    const others = entries.filter(
      ({ id: later, by, links: its }) =>
        later > entry.id && by !== entry.by && its.reverts === undefined && !gone.has(later),
    )
    const fields = others.flatMap(ownFields)
    if (others.length > 0) return { conflict: [...new Set(fields)] }
    return { drafts: [{ ...about, action: 'deleted', fields: {} }] }
  }
  return undoneEdit(entry, current, waypointBefore(entries, entry))
}

function* undoneOfReview(entry: StoredEntry, act: Act): Deciding<Undoing> {
  const id = Number(entry.subjectId)
  const current = yield* act.review(id)
  if (current === undefined) return { conflict: [] }
  const isGone = current.deletedAt !== undefined
  const about = { subject: 'review', subjectId: id } as const
  if (entry.action === 'created' && !isGone) return { drafts: [{ ...about, action: 'deleted', fields: {} }] }
  const facts = yield [{ ask: 'entriesAbout', of: about }]
  const entries = facts.ask('entriesAbout', about)
  const isUndone = undoneAmong(entries).has(entry.id)
  if (entry.action !== 'deleted')
    return { conflict: [entry.action === 'created' ? 'deletedAt' : 'waypoint'], isUndone }
  if (!isGone || isUndone) return { conflict: ['deletedAt'], isUndone }
  const newest = (name: string) => entries.findLast(({ fields }) => name in fields)?.fields[name]
  const fields = {
    ...reviewValuesOf(Object.fromEntries(reviewOptionals.map((name) => [name, newest(name)]))),
    rating: current.rating,
    waypoint: current.bubblerId,
  }
  return { drafts: [{ ...about, action: 'created', fields, links: { restores: entry.id } }] }
}

/** What undoes one entry, with what it earned. */
function* undone(entry: StoredEntry, act: Act, reason: string): Deciding<Undoing> {
  const undoing =
    entry.subject === 'waypoint'
      ? yield* undoneOfWaypoint(entry, act, reason)
      : yield* undoneOfReview(entry, act)
  if ('conflict' in undoing) return undoing
  const [first, ...others] = undoing.drafts
  if (first === undefined) return undoing
  const links = { ...first.links, reverts: entry.id }
  const fields = { ...first.fields, reason }
  return { drafts: [{ ...first, fields, links, awards: takenBack(entry) }, ...others] }
}

const canRevert = ({ subject }: StoredEntry): boolean => subject === 'waypoint' || subject === 'review'

/**
 * Undoes one entry about a waypoint or a review by a new one; XP that it earned is taken back.
 *
 * @returns the ids of the entries that undo it
 * @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND, INVALID_INPUT, CONFLICT `{ fields }` when somebody changed
 * the same fields since
 */
export function* revertEntry(
  occasion: Occasion,
  id: number,
  { reason }: { readonly reason: string },
): Deciding<Decision<readonly number[]>> {
  const { who, facts } = yield* contribution(occasion, [{ noun: 'entry', key: id }])
  mustModerate(who, 'Only moderators may revert')
  const given = mustHaveReason(reason)
  const entry = facts.get('entry', id)
  if (entry === undefined) throw notFound('log entry', id)
  if (!canRevert(entry)) throw invalid('id', 'names an entry that is not about a waypoint or a review')
  const undoing = yield* undone(entry, new Act({ by: who.userId, at: occasion.at }), given)
  if ('conflict' in undoing) throw new RegistryError('CONFLICT', undefined, { fields: [...undoing.conflict] })
  const last = yield []
  const entries = undoing.drafts
  return { entries, by: who.userId, answer: entries.map((_each, index) => last.nextEntry + index) }
}

/**
 * Undoes a person's changes of waypoints and reviews at or after a time, the newest first, except those that others
 * changed since, and those that are undone already. All entries are one act.
 *
 * @param before only entries with a smaller id: `next` of the page before
 * @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND, INVALID_INPUT
 */
export function* revertPerson(
  occasion: Occasion,
  userId: string,
  {
    since,
    reason,
    before = Number.MAX_SAFE_INTEGER,
  }: {
    readonly since: string
    readonly reason: string
    readonly before?: number | undefined
  },
): Deciding<Decision<Reverted>> {
  const { who, facts } = yield* contribution(occasion, [{ noun: 'user', key: userId }])
  mustModerate(who, 'Only moderators may revert')
  const given = mustHaveReason(reason)
  const from = parse(Since, { since }).since
  if (facts.get('user', userId) === undefined) throw notFound('user', userId)
  const act = new Act({ by: who.userId, at: occasion.at })
  const answer = yield* revertAll(act, { userId, since: from, before }, given)
  const { nextEntry } = yield []
  return {
    entries: act.drafts.map((draft) => ({ ...draft, links: { ...draft.links, act: nextEntry } })),
    by: who.userId,
    answer,
  }
}

/** Undoes a person's entries, the newest first, until there are as many as one act has. */
function* revertAll(
  act: Act,
  { before, ...whose }: { readonly userId: string; readonly since: string; readonly before: number },
  reason: string,
): Deciding<Reverted> {
  const reverted: number[] = []
  const conflicts: RevertConflict[] = []
  for (let from = before, read = 0; ;) {
    const of = { ...whose, before: from, limit: mostReverted }
    const known = yield [{ ask: 'entriesBy', of }]
    const page = known.ask('entriesBy', of)
    for (const entry of page) {
      // What undid something else is not undone, nor is what belongs to an act such as a merge.
      if (!canRevert(entry) || entry.links.reverts !== undefined || entry.links.act !== undefined) continue
      if (reverted.length + conflicts.length === mostReverted)
        return { reverted, conflicts, next: entry.id + 1 }
      const undoing = yield* undone(entry, act, reason)
      if ('drafts' in undoing) {
        yield* act.add(undoing.drafts)
        reverted.push(entry.id)
      } else if (undoing.isUndone !== true) conflicts.push({ id: entry.id, fields: undoing.conflict })
    }
    const last = page.at(-1)
    if (last === undefined || page.length < mostReverted) return { reverted, conflicts }
    from = last.id
    read += page.length
    if (read >= mostRead) return { reverted, conflicts, next: from }
  }
}
