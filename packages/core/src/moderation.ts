import { isBuiltIn, userIdOf, type Actor, type Occasion } from './decide/contributor.ts'
import type { Job } from './decide/deciding.ts'
import { decideDoubt, eraseDoubt, keptRow } from './decide/doubt.ts'
import { distinguish, type Pair } from './decide/merge.ts'
import { mayModerate } from './decide/report.ts'
import { ownFields } from './decide/revert.ts'
import { undoAct, type UndoActOptions, type UndoneAct } from './decide/undo-act.ts'
import { scrubbed } from './erased.ts'
import { RegistryError, required } from './errors.ts'
import { apiUserId, observerUserId, type StoredEntry } from './log/entry.ts'
import { actKindOf, entryUndoneBy } from './log/fold.ts'
import type { StoredDoubt } from './log/nouns.ts'
import { redactedName } from './log/states.ts'
import { pagesOf } from './paged.ts'
import { answerOf } from './log/script.ts'
import { shownPhoto } from './photos.ts'
import { mustModerate, namedUser, reportFor } from './reports.ts'
import { bursts, pages, reporting } from './rules.ts'
import {
  RowDecisions,
  rowFields,
  type DecidedRow,
  type DoubtfulRow,
  type KeptDoubtfulRow,
} from './schemas/doubt.ts'
import {
  ActsQuery,
  PersonQuery,
  QueueQuery,
  type ModerationAct,
  type QueueItem,
  type QueueKind,
  type ActKind,
  type PersonWork,
  type Work,
  type WorkKind,
} from './schemas/moderation.ts'
import { knownOptions, parse } from './schemas/parse.ts'
import type { NamedUser } from './schemas/report.ts'
import { publicOrFormer, type FormerUser, type PublicUser } from './schemas/user.ts'
import type { Waypoint } from './schemas/waypoint.ts'
import { minutesAfter, minutesOf } from './secrets.ts'
import { Part } from './shared.ts'
import type { QueuePlace, ReportedSubject, ActEntries } from './store/answers.ts'
import type { Reads } from './store/reads.ts'

export interface QueuePage {
  readonly items: readonly QueueItem[]
  readonly total: number
  /** The id after which the next page begins; absent when there is none. */
  readonly next?: number
}

/** A place in a queue, with its item unless that was decided or deleted while the page was read. */
interface Placed {
  readonly item: QueueItem | undefined
  readonly place: number
}

interface Found {
  readonly placed: readonly Placed[]
  readonly total: number
}

const isRowField = (name: string): boolean => (rowFields as readonly string[]).includes(name)

function likeness(found: { readonly metres: number; readonly score: number }, other: string) {
  const metres = Math.round(found.metres * 10) / 10
  const percent = Math.round(found.score * 100)
  return { metres, score: percent / 100, why: `${metres} m from ${other}, ${percent} % alike` }
}

/** Queues of moderators, and their acts. */
export class Moderation extends Part {
  /**
   * A page of the queue, oldest first; limit is 50 by default and 100 at most. For moderators, who alone see the authors
   * of reports, and API tokens.
   *
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, INVALID_INPUT, NOT_FOUND for a source that there is not
   */
  async queue(query: QueueQuery, actor: Actor): Promise<QueuePage> {
    const { kind, source, limit, after } = parse(QueueQuery, query)
    await mustModerate(this.shared, actor)
    // One more shows whether there is a next page.
    const place = { after, limit: limit + 1 }
    const queues: { readonly [Kind in QueueKind]: () => Promise<Found> } = {
      unapproved: () => this.#flagged('unapproved', place),
      unverified: () => this.#flagged('unverified', place),
      reported: () => this.#reported(place, actor),
      bursts: () => this.#bursts(place),
      duplicates: () => this.#duplicates(place),
      doubtful: () => this.#doubtful(place, source),
      photos: () => this.#photos(place),
    }
    const { placed, total } = await queues[kind]()
    const page = placed.slice(0, limit)
    const last = page.at(-1)
    return {
      items: page.flatMap(({ item }) => item ?? []),
      total,
      ...(placed.length > limit && last !== undefined && { next: last.place }),
    }
  }

  async #flagged(kind: 'unapproved' | 'unverified', place: QueuePlace): Promise<Found> {
    const { moderation } = this.read
    const [waypoints, total] = await Promise.all([moderation[kind](place), moderation.total(kind)])
    const placed = await Promise.all(
      waypoints.map(async (waypoint): Promise<Placed> => {
        const { id, addedByUserId, createdAt } = waypoint
        const user = addedByUserId === apiUserId ? undefined : await this.#user(addedByUserId)
        const why = kind === 'unapproved' ? 'Nobody has approved it' : 'Nobody has verified it'
        return { place: id, item: { kind, waypoint, user, why, since: createdAt } }
      }),
    )
    return { placed, total }
  }

  async #reported(place: QueuePlace, actor: Actor): Promise<Found> {
    const { reports } = this.read
    const [subjects, total] = await Promise.all([reports.subjects(place), reports.total()])
    const placed = await Promise.all(
      subjects.map(async (subject): Promise<Placed> => {
        const open = await reports.openAbout(subject, reporting.shown)
        const shown = await Promise.all(open.map((each) => reportFor(actor, this.read, each)))
        const reasons = [...new Set(shown.map(({ reason }) => reason))].join(', ')
        const why = `${subject.count} open ${subject.count === 1 ? 'report' : 'reports'}: ${reasons}`
        const [first] = shown
        const since = first?.createdAt ?? ''
        const about = await this.#subjectOf(subject)
        return { place: subject.first, item: { kind: 'reported', ...about, why, since, reports: shown } }
      }),
    )
    return { placed, total }
  }

  async #photos(place: QueuePlace): Promise<Found> {
    const { photos } = this.read
    const [waiting, total] = await Promise.all([photos.waiting(place), photos.waitingTotal()])
    const placed = await Promise.all(
      waiting.map(async (stored): Promise<Placed> => {
        const { id, bubblerId, userId, createdAt } = stored
        const [photo, waypoint, user] = await Promise.all([
          shownPhoto(this.shared, stored),
          this.#waypoint(bubblerId),
          this.#user(userId),
        ])
        const why = 'Nobody has decided whether it is shown'
        return { place: id, item: { kind: 'photos', photo, waypoint, user, why, since: createdAt } }
      }),
    )
    return { placed, total }
  }

  async #subjectOf({
    bubblerId,
    reviewId,
    photoId,
    userId,
  }: Pick<ReportedSubject, 'bubblerId' | 'reviewId' | 'photoId' | 'userId'>): Promise<
    Pick<QueueItem, 'waypoint' | 'review' | 'photo' | 'user'>
  > {
    const { photos, reviews } = this.read
    const review = reviewId === null ? undefined : await reviews.get(reviewId)
    const stored = photoId === null ? undefined : await photos.get(photoId)
    const photo = stored && (await shownPhoto(this.shared, stored))
    const waypoint = await this.#waypoint(bubblerId ?? review?.bubblerId ?? photo?.bubblerId)
    const user = userId === null ? undefined : await this.#user(userId)
    return { waypoint, review, photo, user }
  }

  async #waypoint(id: number | undefined): Promise<Waypoint | undefined> {
    return id === undefined ? undefined : this.read.waypoints.get(id)
  }

  async #duplicates(place: QueuePlace): Promise<Found> {
    const { pairs, total } = await this.read.moderation.duplicates(place)
    const found = await Promise.all(
      pairs.map(async ({ newer, older, metres, score }): Promise<Placed> => {
        const [waypoint, other] = await Promise.all([this.#waypoint(newer), this.#waypoint(older)])
        if (waypoint === undefined || other === undefined) return { place: newer, item: undefined }
        const alike = likeness({ metres, score }, other.name)
        const since = waypoint.createdAt
        return { place: newer, item: { kind: 'duplicates', waypoint, other, ...alike, since } }
      }),
    )
    return { placed: found, total }
  }

  async #doubtful(place: QueuePlace, named: string | undefined): Promise<Found> {
    const { doubts, sources } = this.read
    const only = named === undefined ? undefined : await sources.byName(named)
    if (named !== undefined && only === undefined)
      throw new RegistryError('NOT_FOUND', 'There is no source with this name', { name: named })
    const { rows, total } = await doubts.open(place, only?.id)
    const placed = await Promise.all(
      rows.map(async (doubt): Promise<Placed> => {
        const { number = 0, sourceId, ref, row, waypointId, createdAt } = doubt
        const [source, waypoint] = await Promise.all([
          sources.byId(sourceId),
          this.read.waypoints.get(waypointId),
        ])
        const { input } = keptRow(doubt)
        const values = Object.entries(input as object).filter(([name]) => isRowField(name))
        const about = { id: number, sourceId, source: source?.name ?? '', ref, row }
        const shown = { ...about, ...Object.fromEntries(values) } as DoubtfulRow
        const alike = likeness(doubt, `waypoint ${waypointId}`)
        const item = { kind: 'doubtful', waypoint, row: shown, ...alike, since: createdAt } as const
        return { place: number, item }
      }),
    )
    return { placed, total }
  }

  /**
   * Decides doubtful rows of imports, at most 100, in one transaction; a refused one touches no other. What is imported
   * has the author of its import, and earns nothing. A repetition changes nothing. For moderators and API tokens.
   *
   * @returns the outcomes, in the order of the decisions
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, INVALID_INPUT
   */
  async decide(given: RowDecisions, actor: Actor): Promise<DecidedRow[]> {
    const { decisions } = parse(RowDecisions, given)
    await mustModerate(this.shared, actor)
    const doubts = await Promise.all(decisions.map(({ id }) => this.read.doubts.get(id)))
    const { store, rules, properties, labelOf } = this.shared
    const occasionAt = (at: string): Occasion => ({ rules, properties, labelOf, actor, at })
    const jobs = decisions.map((decision, index): Job<Omit<DecidedRow, 'id'>> => ({
      decide: (at) => decideDoubt(occasionAt(at), doubts[index]?.id ?? '', decision),
    }))
    // The first is never refused, and has the key of the request.
    const first: Job<unknown> = { decide: (at) => mayModerate(occasionAt(at)) }
    const [, ...outcomes] = await store.writeBatch<unknown>([first, ...jobs])
    return outcomes.map((outcome, index) => {
      const { id = 0 } = decisions[index] ?? {}
      if (outcome.ok) return { id, ...(outcome.answer as Omit<DecidedRow, 'id'>) }
      const { code, message } = outcome.error as RegistryError
      return { id, error: { code, message } }
    })
  }

  /** All doubtful rows of imports by id, decided ones too, to search for a text. For operators. */
  async *rows(): AsyncGenerator<KeptDoubtfulRow> {
    const limit = pages.queue.max
    const read = (last?: StoredDoubt) => this.read.doubts.after({ after: last?.number ?? 0, limit })
    for await (const page of pagesOf(limit, read))
      for (const doubt of page) yield { id: doubt.number ?? 0, ref: doubt.ref, values: keptRow(doubt) }
  }

  /**
   * Deletes doubtful rows permanently, with every trace of their texts; decisions stay, and unknown ids are skipped. For
   * operators. The next import of such a row brings it back, and so does an older backup.
   *
   * @throws RegistryError STORAGE_NOT_ERASED `{ leftovers }` when they are deleted but traces remain
   */
  async eraseRows(ids: readonly number[]): Promise<void> {
    const found = await Promise.all(ids.map((id) => this.read.doubts.get(id)))
    const jobs = found.flatMap((doubt) =>
      doubt === undefined ? [] : [{ decide: () => eraseDoubt(doubt.id) }],
    )
    if (jobs.length === 0) return
    for (const outcome of await this.store.writeBatch(jobs)) answerOf(outcome)
    await scrubbed(this.shared)
  }

  async #bursts({ after, limit }: QueuePlace): Promise<Found> {
    const since = minutesAfter(await this.store.time(), -bursts.hours * minutesOf.hour)
    const all = await this.read.moderation.bursts(since, bursts)
    const found = await Promise.all(
      all.map(async ({ userId, changes, first, since: begun }): Promise<Placed | undefined> => {
        const state = await this.read.users.get(userId)
        if (state === undefined || state.isModerator) return undefined
        const user = publicOrFormer(state, this.shared.rules)
        const why = `${changes} changes within ${bursts.hours} hours`
        return { place: first, item: { kind: 'bursts', user, why, since: begun, changes } }
      }),
    )
    const placed = found.filter((each) => each !== undefined)
    return { placed: placed.filter((each) => each.place > after).slice(0, limit), total: placed.length }
  }

  async #user(id: string): Promise<PublicUser | FormerUser | undefined> {
    const found = await this.read.users.get(id)
    return found && publicOrFormer(found, this.shared.rules)
  }

  /**
   * What a person did and stands, oldest first; limit is 50 by default and 100 at most. For moderators and the operator.
   *
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, INVALID_INPUT, NOT_FOUND, also for the built-in users
   */
  async person(id: string, query: PersonQuery, actor: Actor): Promise<PersonWork> {
    const { kind, limit, after } = parse(PersonQuery, query)
    await mustModerate(this.shared, actor)
    const user = required(isBuiltIn(id) ? undefined : await this.#user(id), 'user', id)
    const all = await this.#workOf(id, kind, { after, limit: limit + 1 }, actor)
    const items = await Promise.all(
      all.slice(0, limit).map(async (work) => ({ ...work, waypoint: await this.#waypoint(work.waypointId) })),
    )
    const { review, photo, observation, report, waypointId } = items.at(-1) ?? {}
    const next = (review ?? photo ?? observation ?? report)?.id ?? waypointId
    return { user, items, ...(all.length > limit && next !== undefined && { next }) }
  }

  async #workOf(id: string, kind: WorkKind, page: QueuePlace, actor: Actor): Promise<Work[]> {
    const { moderation, reviews, photos, observations, reports } = this.read
    switch (kind) {
      case 'waypoints':
        return (await moderation.waypointsBy(id, page)).map((waypointId) => ({ waypointId }))
      case 'reviews':
        return (await reviews.list({ userId: id, ...page })).map((review) => ({
          waypointId: review.bubblerId,
          review,
        }))
      case 'photos':
        return Promise.all(
          (await photos.list({ userId: id, isShown: false }, page)).map(async (stored) => ({
            waypointId: stored.bubblerId,
            photo: await shownPhoto(this.shared, stored),
          })),
        )
      case 'observations':
        return (await observations.by(id, page)).map(({ madeOn: _madeOn, xp: _xp, ...observation }) => ({
          waypointId: observation.bubblerId,
          observation,
        }))
      case 'reports':
        return Promise.all(
          (await reports.by(id, page)).map(async (kept) => {
            const report = await reportFor(actor, this.read, kept)
            const { bubblerId, reviewId = 0, photoId = 0 } = report
            const review = await this.read.moderation.review(reviewId)
            const photo = await this.read.photos.last(photoId)
            return { waypointId: bubblerId ?? review?.bubblerId ?? photo?.bubblerId, report }
          }),
        )
    }
  }

  /**
   * Records that two waypoints are not the same fountain: they leave the queue. For moderators and the operator.
   *
   * @returns their ids, the smaller one first
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND, INVALID_INPUT when both are the same
   */
  async distinguish(id: number, from: number, actor: Actor): Promise<Pair> {
    return this.shared.contribute(actor, (occasion) => distinguish(occasion, id, from))
  }

  /**
   * Acts by moderators and the operator, which are public, newest first; limit is 50 by default and 100 at most.
   *
   * @throws RegistryError INVALID_INPUT
   */
  async acts(query: ActsQuery = {}): Promise<{ readonly acts: ModerationAct[]; readonly next?: number }> {
    const { limit, after = Number.MAX_SAFE_INTEGER } = parse(ActsQuery, query)
    const found = await this.read.moderation.acts({ before: after, limit: limit + 1 })
    const page = found.slice(0, limit)
    const acts: ModerationAct[] = []
    for (const entries of page) {
      const act = await describeAct(this.read, entries)
      if (act === undefined) continue
      const newer = acts.at(-1)
      // The texts of a person who leaves are redacted entry by entry.
      if (newer !== undefined && isSameRedaction(newer, act))
        acts.splice(-1, 1, { ...act, entries: [...act.entries, ...newer.entries] })
      else acts.push(act)
    }
    const last = page.at(-1)
    return { acts, ...(found.length > limit && last !== undefined && { next: last.first.id }) }
  }

  /**
   * Undoes an act, a revert, a merge or another, the newest entry first; `next` is where to go on after an hourly limit.
   * Later changes stay and are listed; XP taken back by the act is returned. For moderators, within that limit unless
   * the act was theirs, and API tokens; acts of the operator for tokens alone.
   *
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND, INVALID_INPUT, RATE_LIMITED, CONFLICT for redactions and
   * blocks
   */
  async undo(id: number, options: UndoActOptions, actor: Actor): Promise<UndoneAct> {
    const { dryRun = false } = knownOptions(options, ['reason', 'before', 'dryRun'])
    const undoing = (occasion: Occasion) => undoAct(occasion, id, options)
    const page = await this.shared.contribute(actor, undoing, { dryRun })
    const by = userIdOf(actor)
    if (!dryRun) this.shared.report('act.undone', { act: id, by, entries: page.undone })
    return page
  }

  /** The result of `undo` that was made before, by the first and the last of `entries`, as it is now. @throws as `undo` */
  async undone(
    id: number,
    options: UndoActOptions,
    { actor, entries }: { readonly actor: Actor; readonly entries?: readonly [number, number] | undefined },
  ): Promise<UndoneAct> {
    const left = await this.undo(id, { ...options, dryRun: true }, actor)
    return undoneBefore(this.read, left, entries)
  }
}

function isSameRedaction(newer: ModerationAct, older: ModerationAct): boolean {
  const facts = ({ kind, timestamp, reason, user, person }: ModerationAct): string =>
    JSON.stringify([kind, timestamp, reason, user.id, person?.id])
  return newer.kind === 'redacted' && facts(newer) === facts(older)
}

async function subjectOf(
  read: Reads,
  kind: ActKind,
  { subject, subjectId, links }: StoredEntry,
): Promise<Pick<ModerationAct, 'waypoint' | 'into' | 'review' | 'photo'>> {
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
  const photo = subject === 'photo' ? await read.photos.last(id) : undefined
  if (photo !== undefined) return { photo: { id, waypoint: await named(photo.bubblerId) } }
  const review = subject === 'review' ? await read.moderation.review(id) : undefined
  return review === undefined ? {} : { review: { id, waypoint: await named(review.bubblerId) } }
}

async function personOf(read: Reads, kind: ActKind, entry: StoredEntry): Promise<NamedUser | undefined> {
  if (kind === 'blocked' || kind === 'unblocked') return namedUser(read, String(entry.subjectId))
  const undone = entryUndoneBy(kind, entry)
  const by = undone === undefined ? undefined : (await read.entries.get(undone))?.by
  const isNobody = by === undefined || by === apiUserId || by === observerUserId
  return isNobody ? undefined : namedUser(read, by)
}

/** An act of moderation in public words; undefined for other entries, such as the deletion of one's own review or photo. */
async function describeAct(read: Reads, { first, last }: ActEntries): Promise<ModerationAct | undefined> {
  // A redaction is preceded by an entry that clears values in force.
  const newest = last === first.id ? first : await read.entries.get(last)
  const entry = newest?.subject === 'entry' ? newest : first
  const kind = actKindOf(entry)
  if (kind === undefined) return undefined
  if (kind === 'deleted' && (first.subject === 'review' || first.subject === 'photo')) {
    const id = Number(first.subjectId)
    const own = first.subject === 'review' ? await read.moderation.review(id) : await read.photos.last(id)
    if (own?.userId === first.by) return undefined
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

/** A page that was undone before, by `first` to `last`, as it is now; `left` is what would be undone now. */
export async function undoneBefore(
  { entries }: Pick<Reads, 'entries'>,
  left: UndoneAct,
  [first, last]: readonly [number, number] = [1, 0],
): Promise<UndoneAct> {
  const [highest] = left.undone
  // Entries that can be undone now were not reached then, or were made since.
  const next = highest === undefined ? left.next : highest + 1
  const undone = new Set<number>()
  const conflicts = left.conflicts.filter(({ entry }) => next === undefined || entry >= next)
  for (let after = first - 1; after < last;) {
    const page = await entries.after(after, Math.min(500, last - after))
    if (page.length === 0) break
    for (const undoing of page) {
      const { reverts } = undoing.links
      if (reverts === undefined) continue
      undone.add(reverts)
      const entry = await entries.get(reverts)
      const kept = entry?.action === 'edited' ? ownFields(entry) : []
      const fields = kept.filter((field) => !(field in undoing.fields))
      if (fields.length > 0) conflicts.push({ entry: reverts, fields })
    }
    after = page.at(-1)?.id ?? last
  }
  const descending = (one: number, other: number): number => other - one
  return {
    undone: [...undone].toSorted(descending),
    conflicts: conflicts.toSorted((one, other) => descending(one.entry, other.entry)),
    next,
  }
}
