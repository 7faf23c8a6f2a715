import { z } from 'zod'
import { invalid, RegistryError, required } from '../errors.ts'
import { isOfPosition } from '../fields/waypoint.ts'
import {
  draftOf,
  entryFields,
  type Award,
  type ChangedFields,
  type Draft,
  type StoredEntry,
} from '../log/entry.ts'
import { isSameValue } from '../log/leaf.ts'
import { foldDraft, foldSubject, isRevertible, subjects, type Revertible } from '../log/fold.ts'
import { isLive, type KeyOf, type PhotoFacts, type VouchedNouns } from '../log/nouns.ts'
import { redactedName } from '../log/states.ts'
import { moderation } from '../rules.ts'
import { parse } from '../schemas/parse.ts'
import { Instant } from '../schemas/text.ts'
import { contribution, hasScope, isBuiltIn, mustModerate, type Occasion } from './contributor.ts'
import { asked, nounOf, nounsWhere, type Deciding, type Unlogged, type Decided } from './deciding.ts'
import { movedObservers, movesOf, restoration } from './merge.ts'
import { turnedAround } from './observation.ts'
import { cleared } from './redaction.ts'
import { takeBacksLeft } from './take-backs.ts'
import { mustHaveReason } from './user.ts'
import { deletion, flagActions, type Flag } from './waypoint.ts'

export const Since = z.object({ since: Instant })

const mostReverted = moderation.revertedAtOnce
const mostRead = 10 * mostReverted

/** Fields of an entry that are not undone, because somebody changed them since. */
export interface RevertConflict {
  readonly entry: number
  readonly fields: readonly string[]
}

export interface Reverted {
  readonly reverted: readonly number[]
  readonly conflicts: readonly RevertConflict[]
  /** Where the next page begins; absent when there is none. */
  readonly next?: number | undefined
}

/** Drafts, with the fields that stay since somebody changed them later; or the fields that prevent the undoing. */
export type Undoing =
  | { readonly drafts: readonly Draft[]; readonly kept?: readonly string[] }
  | { readonly conflict: readonly string[]; readonly isUndone?: boolean }

const isSame = (one: unknown, other: unknown): boolean => isSameValue(one ?? null, other ?? null)

function takenBack({ awards }: StoredEntry): Award[] {
  return awards.map(([userId, event, amount]) => [userId, event, -amount])
}

interface History {
  readonly entries: readonly StoredEntry[]
  /** The entries that later ones undid, and nobody did again. */
  readonly undone: ReadonlySet<number>
  before(entry: StoredEntry): object | undefined
}

function historyOf(entries: readonly StoredEntry[], subject: Revertible): History {
  let states: Map<number, object | undefined> | undefined
  return {
    entries,
    undone: undoneAmong(entries),
    before(entry) {
      states ??= statesBefore(entries, subject)
      return states.get(entry.id)
    },
  }
}

/** An act in the making: its drafts, the undone entries, and the nouns after the drafts. */
export class Act {
  readonly drafts: Draft[] = []
  readonly unlogged: Unlogged[] = []
  readonly undone: number[] = []
  readonly conflicts: RevertConflict[] = []
  readonly #states = new Map<string, object>()
  readonly #histories = new Map<string, History>()
  readonly #who: { readonly by: string; readonly at: string }

  constructor(who: { readonly by: string; readonly at: string }) {
    this.#who = who
  }

  get at(): string {
    return this.#who.at
  }

  /** Whether it has as many entries as one act undoes. */
  isFull(most: number): boolean {
    const { length } = this.undone
    return length >= most || length + this.conflicts.length >= mostReverted
  }

  /** A noun as the drafts leave it. */
  *state<Noun extends Revertible>(noun: Noun, id: number): Deciding<VouchedNouns[Noun] | undefined> {
    const state = this.#states.get(subjectKey({ subject: noun, subjectId: id }))
    return (state as VouchedNouns[Noun] | undefined) ?? (yield* nounOf(noun, id as KeyOf<Noun>))
  }

  /** The history of an entry's subject, read once, since one person may have made thousands of entries about it. */
  *history({ subject, subjectId }: StoredEntry): Deciding<History> {
    const key = subjectKey({ subject, subjectId })
    const known = this.#histories.get(key)
    if (known !== undefined) return known
    const entries = yield* asked('entriesAbout', { subject, subjectId })
    const history = historyOf(entries, subject as Revertible)
    this.#histories.set(key, history)
    return history
  }

  *undo(entry: StoredEntry, reason: string): Deciding<void> {
    const undoing = yield* undone(entry, this, reason)
    if ('drafts' in undoing) {
      this.drafts.push(...undoing.drafts)
      yield* this.#assume(undoing.drafts)
      this.undone.push(entry.id)
    }
    const fields = obstacleFields(undoing)
    if (fields !== undefined) this.conflicts.push({ entry: entry.id, fields })
  }

  /** Takes an entry as undone by another act, which was not written. */
  *assumeUndone(entry: StoredEntry, reason: string): Deciding<void> {
    const undoing = yield* undone(entry, this, reason)
    if ('drafts' in undoing) yield* this.#assume(undoing.drafts)
  }

  *#assume(drafts: readonly Draft[]): Deciding<void> {
    for (const draft of drafts) {
      const { subject } = draft
      if (!isRevertible(subject)) continue
      const before = yield* this.state(subject, Number(draft.subjectId))
      this.#states.set(subjectKey(draft), foldDraft(subject, before as never, draft, this.#who))
    }
  }

  *decision<Answer>(answer: Answer): Decided<Answer> {
    const { nextEntry: act } = yield []
    const entries = this.drafts.map((draft) => ({ ...draft, links: { ...draft.links, act } }))
    return { entries, unlogged: this.unlogged, by: this.#who.by, answer }
  }
}

const subjectKey = ({ subject, subjectId }: Pick<Draft, 'subject' | 'subjectId'>): string =>
  `${subject} ${subjectId}`

/** An entry with a redaction's cleared values in place of the lost ones, so that no older ones reappear. */
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

function statesBefore<Noun extends Revertible>(
  about: readonly StoredEntry[],
  noun: Noun,
): Map<number, object | undefined> {
  const states = new Map<number, object | undefined>()
  let state: VouchedNouns[Noun] | undefined
  for (const entry of about) {
    states.set(entry.id, state)
    state = foldSubject(noun, state, withCleared(entry))
  }
  return states
}

export function ownFields({ fields }: StoredEntry): string[] {
  return Object.keys(fields).filter((field) => !entryFields.has(field))
}

/** The entry that restores the former values of fields, without fields changed since. */
function undoneEdit(entry: StoredEntry, current: object, before: object | undefined): Undoing {
  const had = (before ?? {}) as Readonly<Record<string, unknown>>
  const has: Readonly<Record<string, unknown>> = { ...current }
  const names = ownFields(entry)
  const changed = names.filter((field) => !isSame(has[field], entry.fields[field]))
  // Half of a position is none.
  const isMoved = changed.some(isOfPosition)
  const kept = names.filter((field) => changed.includes(field) || (isMoved && isOfPosition(field)))
  const back = names.filter((field) => !kept.includes(field))
  const fields: ChangedFields = Object.fromEntries(
    back.map((field) => [field, had[field] ?? (field === 'name' ? redactedName : null)]),
  )
  // A field that a redaction cleared has no other value.
  if (back.every((field) => isSame(has[field], fields[field])))
    return { conflict: kept.length > 0 ? kept : names }
  if (typeof fields['maintainer'] === 'string' && had['isAttested'] === true)
    Object.assign(fields, { attested: true })
  const { subject, subjectId } = entry
  const [flag] = back
  const isFlag = entry.action !== 'edited' && (flag === 'approved' || flag === 'verified')
  const action = isFlag ? turned(flag, fields[flag] === true) : 'edited'
  return { drafts: [{ subject, subjectId, action, fields }], ...(kept.length > 0 && { kept }) }
}

/** Whether an entry is the newest deletion, or one that this one did again, since its restoration was undone. */
function isDeletionInForce({ id }: StoredEntry, about: readonly StoredEntry[]): boolean {
  const byId = new Map(about.map((each) => [each.id, each]))
  let newest = about.findLast(({ action }) => action === 'deleted')
  while (newest !== undefined && newest.id !== id)
    newest = byId.get(byId.get(newest.links.reverts ?? 0)?.links.restores ?? 0)
  return newest !== undefined
}

function turned(flag: Flag, value: boolean): Draft['action'] {
  return flagActions[flag][value ? 'true' : 'false']
}

function* undoneOfWaypoint(entry: StoredEntry, act: Act, reason: string): Deciding<Undoing> {
  const id = Number(entry.subjectId)
  const history = yield* act.history(entry)
  const { entries, undone: gone } = history
  const current = yield* act.state('waypoint', id)
  if (current === undefined) return { conflict: [] }
  if (gone.has(entry.id)) return { conflict: ownFields(entry), isUndone: true }
  const links = { reverts: entry.id }
  if (entry.action === 'deleted') {
    if (current.deletedAt === undefined || !isDeletionInForce(entry, entries))
      return { conflict: ['deletedAt'] }
    if (current.redactedFields?.includes('latitude')) return { conflict: ['latitude', 'longitude'] }
    return { drafts: yield* restoration(current, { reason, links }) }
  }
  if (current.deletedAt !== undefined) return { conflict: ['deletedAt'] }
  if (entry.action === 'created') {
    // Undone entries, and their undoings, change nothing.
    const others = entries.filter(
      ({ id: later, by, links: its }) =>
        later > entry.id && by !== entry.by && its.reverts === undefined && !gone.has(later),
    )
    const fields = others.flatMap(ownFields)
    if (others.length > 0) return { conflict: [...new Set(fields)] }
    const into = entries.find((each) => each.id === entry.links.restores)?.links.mergedInto
    if (into !== undefined) return yield* mergedAgain(entry, into, act)
    return { drafts: [deletion(id)] }
  }
  return undoneEdit(entry, current, history.before(entry))
}

/** The drafts that merge a restored waypoint again, with the nouns that its restoration moved back. */
function* mergedAgain(entry: StoredEntry, into: number, act: Act): Deciding<Undoing> {
  if (!isLive(yield* act.state('waypoint', into))) return { conflict: ['mergedInto'] }
  const id = Number(entry.subjectId)
  const moves = yield* movesOf(entry, { from: id, to: into })
  const facts = yield [
    { noun: 'review', where: { bubblerId: id } },
    { noun: 'photo', where: { bubblerId: id } },
    { noun: 'observation', where: { bubblerId: id } },
    { noun: 'record', where: { waypointId: id } },
  ]
  const here = {
    review: facts.find('review', { bubblerId: id }).filter(isLive),
    photo: facts.find('photo', { bubblerId: id }).filter(isLive),
    observation: facts.find('observation', { bubblerId: id }).filter(isLive),
    record: facts.find('record', { waypointId: id }),
  }
  const isMoved = (subject: string, subjectId: number): boolean =>
    moves.some((draft) => draft.subject === subject && draft.subjectId === subjectId)
  const added = Object.entries(here).flatMap(([subject, all]) =>
    all.every((each) => isMoved(subject, each.id)) ? [] : [`${subject}s`],
  )
  if (added.length > 0) return { conflict: added }
  const { nextEntry } = yield []
  const links = { act: nextEntry }
  const merged = { ...deletion(id), links: { ...links, mergedInto: into } }
  return { drafts: [merged, ...moves.map((draft) => ({ ...draft, links }))] }
}

/** The fields of a restored review or observation: its current ones, and the newest values of cleared ones. */
function restoredFields(
  subject: Post,
  current: VouchedNouns[Post],
  entries: readonly StoredEntry[],
): ChangedFields {
  const state: Readonly<Record<string, unknown>> = { ...current, waypoint: current.bubblerId }
  // A redaction of the newest value leaves none, so that no older one shows through.
  const known = entries.map(withCleared)
  const fields: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(subjects[subject].actions.created.fields.shape)) {
    if (entryFields.has(name)) continue
    const isKept = !(field instanceof z.ZodOptional)
    const value = isKept ? state[name] : known.findLast((each) => name in each.fields)?.fields[name]
    if (value !== undefined && value !== null && value !== '') fields[name] = value
  }
  return fields
}

type Post = 'review' | 'observation'

/** Undoes an entry about a review or an observation: deletes a new one, restores a deleted one, reverts an edit. */
function* undoneOfPosted(entry: StoredEntry, act: Act, subject: Post): Deciding<Undoing> {
  const { subjectId, action } = entry
  const current = yield* act.state(subject, Number(subjectId))
  if (current === undefined) return { conflict: [] }
  const isGone = current.deletedAt !== undefined
  if (action === 'created' && !isGone) return { drafts: [draftOf(subject, subjectId, 'deleted')] }
  const { entries, undone: gone, before } = yield* act.history(entry)
  const isUndone = gone.has(entry.id)
  if (subject === 'review' && action === 'edited' && !isGone)
    return isUndone ? { conflict: ownFields(entry), isUndone } : undoneEdit(entry, current, before(entry))
  if (action !== 'deleted') return { conflict: [action === 'moved' ? 'waypoint' : 'deletedAt'], isUndone }
  if (!isGone || isUndone) return { conflict: ['deletedAt'], isUndone }
  const fields = restoredFields(subject, current, entries)
  return { drafts: [{ ...draftOf(subject, subjectId, 'created', fields), links: { restores: entry.id } }] }
}

function* undoneOfObservation(entry: StoredEntry, act: Act): Deciding<Undoing> {
  const undoing = yield* undoneOfPosted(entry, act, 'observation')
  const sign = entry.action === 'created' ? 1 : -1
  if ('drafts' in undoing) act.unlogged.push(...(yield* turnedAround(Number(entry.subjectId), sign, act.at)))
  return undoing
}

/** A new photo is hidden: its files would not come back. What was hidden or shown is again as it was before. */
function* undoneOfPhoto(entry: StoredEntry, act: Act): Deciding<Undoing> {
  const { subjectId, action } = entry
  const current = yield* act.state('photo', Number(subjectId))
  if (current === undefined) return { conflict: [] }
  const history = yield* act.history(entry)
  const isUndone = history.undone.has(entry.id)
  if (action === 'moved') return { conflict: ['waypoint'], isUndone }
  if (isUndone || !isLive(current)) return { conflict: ['deletedAt'], isUndone }
  const before = history.before(entry) as PhotoFacts | undefined
  if (action === 'edited' && entry.fields['state'] === undefined) return undoneEdit(entry, current, before)
  const changed = history.entries.some(({ id, ...later }) => id > entry.id && saysState(later))
  const made = action === 'hidden' || action === 'shown' ? action : 'waiting'
  if (action !== 'created' && (changed || current.state !== made)) return { conflict: ['state'] }
  const state = action === 'created' ? 'hidden' : (before?.state ?? 'hidden')
  if (state === current.state) return { conflict: ['state'] }
  const draft =
    state === 'waiting'
      ? draftOf('photo', subjectId, 'edited', { state })
      : draftOf('photo', subjectId, state)
  return { drafts: [draft] }
}

const saysState = ({ action, fields }: Pick<StoredEntry, 'action' | 'fields'>): boolean =>
  action === 'hidden' || action === 'shown' || fields['state'] !== undefined

export function* undone(entry: StoredEntry, act: Act, reason: string): Deciding<Undoing> {
  const undoing =
    entry.subject === 'waypoint'
      ? yield* undoneOfWaypoint(entry, act, reason)
      : entry.subject === 'observation'
        ? yield* undoneOfObservation(entry, act)
        : entry.subject === 'photo'
          ? yield* undoneOfPhoto(entry, act)
          : yield* undoneOfPosted(entry, act, 'review')
  if ('conflict' in undoing) return undoing
  const [first, ...others] = undoing.drafts
  if (first === undefined) return undoing
  const links = { ...first.links, reverts: entry.id }
  const fields = { ...first.fields, reason }
  act.unlogged.push(...(yield* movedObservers(others)))
  return { ...undoing, drafts: [{ ...first, fields, links, awards: takenBack(entry) }, ...others] }
}

/** The fields that prevent undoing an entry or a part of it; undefined when it is undone as a whole. */
function obstacleFields(undoing: Undoing): readonly string[] | undefined {
  if ('drafts' in undoing) return undoing.kept
  return undoing.isUndone === true ? undefined : undoing.conflict
}

export const canRevert = ({ subject }: StoredEntry): boolean => isRevertible(subject)

/** Undoings, and entries of an act such as a merge, are not undone with a person's changes. */
const isOwnChange = (entry: StoredEntry): boolean =>
  canRevert(entry) && entry.links.reverts === undefined && entry.links.act === undefined

/** Undoes one entry, as `changes.revert` says. @returns the ids of the entries that undo it */
export function* revertEntry(
  occasion: Occasion,
  id: number,
  { reason }: { readonly reason: string },
): Decided<readonly number[]> {
  const { who, facts } = yield* contribution(occasion, [{ noun: 'entry', key: id }])
  mustModerate(who, 'Only moderators may revert')
  const given = mustHaveReason(reason)
  const entry = required(facts.get('entry', id), 'log entry', id)
  if (!canRevert(entry))
    throw invalid('id', 'names an entry that is not about a waypoint, a review, a photo or an observation')
  if (entry.by !== who.userId) yield* takeBacksLeft(occasion, who)
  const act = new Act({ by: who.userId, at: occasion.at })
  const undoing = yield* undone(entry, act, given)
  if ('conflict' in undoing || undoing.kept !== undefined)
    throw new RegistryError('CONFLICT', undefined, {
      fields: [...('conflict' in undoing ? undoing.conflict : (undoing.kept ?? []))],
    })
  const last = yield []
  const entries = undoing.drafts
  return {
    entries,
    unlogged: act.unlogged,
    by: who.userId,
    answer: entries.map((_each, index) => last.nextEntry + index),
  }
}

export interface RevertOptions {
  readonly since: string
  readonly reason: string
  readonly before?: number | undefined
  readonly dryRun?: boolean | undefined
  readonly evenBuiltIn?: boolean | undefined
}

/** Undoes entries before `before` as one act. With `dryRun` those of the pages before count as undone. */
export function* revertPerson(
  occasion: Occasion,
  userId: string,
  { since, reason, before = Number.MAX_SAFE_INTEGER, dryRun = false, evenBuiltIn = false }: RevertOptions,
): Decided<Reverted> {
  const { who, facts } = yield* contribution(occasion, [{ noun: 'user', key: userId }])
  mustModerate(who, 'Only moderators may revert')
  const given = mustHaveReason(reason)
  const from = parse(Since, { since }).since
  required(facts.get('user', userId), 'user', userId)
  if (isBuiltIn(userId) && !(evenBuiltIn && hasScope(who, 'administer')))
    throw new RegistryError(
      'FORBIDDEN',
      'What imports, programs and observers did is not undone as a whole: openfountain user revert does it, for the operator',
    )
  const isFree = dryRun || userId === who.userId
  const most = isFree ? mostReverted : yield* takeBacksLeft(occasion, who, mostReverted)
  const act = new Act({ by: who.userId, at: occasion.at })
  const next = yield* revertAll(act, { userId, since: from, before, reason: given, dryRun, most })
  return yield* act.decision({ reverted: act.undone, conflicts: act.conflicts, next })
}

type Undone = Required<Omit<RevertOptions, 'evenBuiltIn'>> & {
  readonly userId: string
  readonly most: number
}

/** Undoes a person's entries, the newest first, until there are as many as one act has. @returns where the next page begins */
function* revertAll(act: Act, { reason, dryRun, most, ...which }: Undone): Deciding<number | undefined> {
  const assumed = new Set<string>()
  const observed = (yield* nounsWhere('observer', { userId: which.userId })).map(({ id }) => id)
  for (let before = which.before, read = 0; ;) {
    const { userId, since } = which
    const page = yield* asked('entriesBy', { userId, since, before, limit: mostReverted })
    const oldest = page.length < mostReverted ? undefined : page.at(-1)
    const between = observed.filter((id) => id < before && id > (oldest?.id ?? 0))
    const observations = yield* observationsSince(between, since)
    for (const entry of [...page, ...observations].toSorted((one, other) => other.id - one.id)) {
      if (!isOwnChange(entry)) continue
      if (act.isFull(most)) return entry.id + 1
      const key = subjectKey(entry)
      if (dryRun && !assumed.has(key)) {
        assumed.add(key)
        yield* assumePagesBefore(act, entry, { reason, ...which })
      }
      yield* act.undo(entry, reason)
    }
    const last = page.at(-1)
    if (last === undefined || page.length < mostReverted) return undefined
    before = last.id
    read += page.length
    if (read >= mostRead) return before
  }
}

function* observationsSince(ids: readonly number[], since: string): Deciding<StoredEntry[]> {
  if (ids.length === 0) return []
  const facts = yield ids.map((key) => ({ noun: 'entry', key }) as const)
  const day = since.slice(0, 10)
  return ids.flatMap((id) => {
    const entry = facts.get('entry', id)
    return entry === undefined || entry.at.slice(0, 10) < day ? [] : [entry]
  })
}

/** Counts entries about the subject as undone that the pages before would have undone. */
function* assumePagesBefore(
  act: Act,
  entry: StoredEntry,
  { userId, since, before, reason }: Omit<Undone, 'dryRun' | 'most'>,
): Deciding<void> {
  const { entries } = yield* act.history(entry)
  for (const newer of entries.toReversed()) {
    if (newer.id < before) return
    if (newer.by !== userId || newer.at < since || !isOwnChange(newer)) continue
    yield* act.assumeUndone(newer, reason)
  }
}
