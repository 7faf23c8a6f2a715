import { invalid, notFound, RegistryError } from '../errors.ts'
import { photoValuesOf } from '../fields/photo.ts'
import { apiUserId, type Award, changedFields, draftOf, type Draft } from '../log/entry.ts'
import { foldDraft } from '../log/fold.ts'
import { type Credit, isLive, type PhotoFacts, publishedOf } from '../log/nouns.ts'
import { photos, reporting } from '../rules.ts'
import { parse } from '../schemas/parse.ts'
import { PhotoInput, PhotoPatch, type StoredPhoto } from '../schemas/photo.ts'
import { minutesAfter, minutesOf } from '../secrets.ts'
import {
  type Contributor,
  contribution,
  earn,
  mayModerate,
  mustBeLess,
  mustModerate,
  newcomerOf,
  type Occasion,
} from './contributor.ts'
import {
  type Deciding,
  type Facts,
  nounOf,
  nounsWhere,
  type Unlogged,
  withoutEntries,
  type Decided,
} from './deciding.ts'
import { takeBacksLeft } from './take-backs.ts'
import { mustHaveReason } from './user.ts'
import { type DeletionReason, liveWaypoint } from './waypoint.ts'

/** The three files of a photo, by their hashes, and the size of the large one. */
export type PhotoFiles = Pick<StoredPhoto, 'sha256' | 'mediumSha256' | 'smallSha256' | 'width' | 'height'>

export function livePhoto(state: PhotoFacts | undefined, id: number): PhotoFacts {
  if (!isLive(state)) throw notFound('photo', id)
  return state
}

const isAuthor = (who: Contributor, { userId }: Pick<PhotoFacts, 'userId'>): boolean =>
  who.kind !== 'token' && who.userId === userId

export const maySee = (who: Contributor, photo: Pick<PhotoFacts, 'userId'>): boolean =>
  isAuthor(who, photo) || mayModerate(who)

/** @throws RegistryError NOT_FOUND also for a photo that somebody does not see */
function seenPhoto(who: Contributor, facts: Facts, id: number): PhotoFacts {
  const photo = livePhoto(facts.get('photo', id), id)
  return photo.state === 'shown' || maySee(who, photo) ? photo : livePhoto(undefined, id)
}

/** The XP of a photo: once a person, a waypoint and a week, when it is first shown. */
function* earned(occasion: Occasion, photo: Omit<StoredPhoto, 'state'>): Deciding<readonly Award[]> {
  const { id, userId, bubblerId, createdAt } = photo
  const awards = earn(occasion, userId, 'addPhoto')
  if (awards.length === 0) return awards
  const week = photos.earnedEveryDays * minutesOf.day
  const [since, until] = [minutesAfter(createdAt, -week), minutesAfter(createdAt, week)]
  const others = yield* nounsWhere('photo', { userId, bubblerId })
  const hasEarned = others.some(
    (each) => each.id !== id && each.state !== 'waiting' && each.createdAt > since && each.createdAt < until,
  )
  return hasEarned ? [] : awards
}

interface Terms {
  readonly who: Contributor
  readonly facts: Facts
  readonly given: ReturnType<(typeof PhotoInput)['parse']>
}

function* termsOf(occasion: Occasion, bubblerId: number, input: unknown): Deciding<Terms> {
  const { who, facts } = yield* contribution(occasion, [{ noun: 'waypoint', key: bubblerId }])
  const given = parse(PhotoInput, input)
  liveWaypoint(facts, bubblerId)
  const newcomer = yield* newcomerOf(occasion, who)
  if (newcomer !== undefined) {
    const before = yield* nounsWhere('photo', { userId: who.userId })
    mustBeLess('photos', before.length, { newcomer, at: occasion.at })
  }
  return { who, facts, given }
}

/** Checks that somebody may add a photo, before its picture is worked on. */
export function* mayAddPhoto(occasion: Occasion, bubblerId: number, input: unknown): Decided<undefined> {
  yield* termsOf(occasion, bubblerId, input)
  return withoutEntries(undefined)
}

/** Adds a photo, with the name `credit` of who has no account. The same picture again is the photo that is there. */
export function* createPhoto(
  occasion: Occasion,
  bubblerId: number,
  {
    input,
    files,
    credit,
  }: { readonly input: unknown; readonly files: PhotoFiles; readonly credit?: string | undefined },
): Decided<StoredPhoto> {
  const { who, facts, given } = yield* termsOf(occasion, bubblerId, input)
  const { userId: by } = who
  const own = yield* nounsWhere('photo', { bubblerId, userId: by })
  const same = own.find((each) => isLive(each) && each.sha256 === files.sha256)
  if (same !== undefined) return { entries: [], by, answer: publishedOf(same), subject: same.id }
  // Rules that a program was compiled with may be older than this one.
  const { photoWithoutReview = 20 }: Partial<Occasion['rules']['gates']> = occasion.rules.gates
  const isShown = who.kind === 'token' || mayModerate(who) || who.xp >= photoWithoutReview
  const { license } = given
  const state = isShown ? ('shown' as const) : ('waiting' as const)
  const id = facts.nextEntry
  const values = { ...photoValuesOf(given), license, ...files, state }
  const draft = draftOf('photo', id, 'created', { ...values, waypoint: bubblerId })
  const photo = publishedOf(foldDraft('photo', undefined, draft, { id, by, at: occasion.at }))
  const awards = isShown ? yield* earned(occasion, photo) : []
  const named: Unlogged[] = credit === undefined ? [] : [{ noun: 'credit', after: { id, credit } }]
  return { entries: [{ ...draft, awards }], unlogged: named, by, answer: photo }
}

function* decidedReports(
  photoId: number,
  state: 'done' | 'dismissed',
  decidedAt: string,
): Deciding<Unlogged[]> {
  const open = yield* nounsWhere('report', { photoId, state: 'open' })
  return open.map((report) => ({ noun: 'report', after: { ...report, state, decidedAt } }))
}

export function* updatePhoto(occasion: Occasion, id: number, input: unknown): Decided<StoredPhoto> {
  const { who, facts } = yield* contribution(occasion, [{ noun: 'photo', key: id }])
  const before = seenPhoto(who, facts, id)
  const { alt, state, reason } = parse(PhotoPatch, input)
  const entries: Draft[] = []
  const unlogged: Unlogged[] = []
  const by = who.userId
  if (alt !== undefined) {
    if (!isAuthor(who, before) && !(who.kind === 'token' && before.userId === apiUserId))
      throw new RegistryError('FORBIDDEN', 'Only its author may describe a photo')
    const fields = changedFields(['alt'], before, { alt })
    if (Object.keys(fields).length > 0) entries.push(draftOf('photo', id, 'edited', fields))
  }
  if (state !== undefined) {
    mustModerate(who, 'Only moderators and API tokens may show or hide a photo')
    if (state !== before.state) {
      if (state === 'hidden') yield* takeBacksLeft(occasion, who)
      const fields = reason === undefined ? {} : { reason: mustHaveReason(reason) }
      const awards = before.state === 'waiting' && state === 'shown' ? yield* earned(occasion, before) : []
      entries.push({ ...draftOf('photo', id, state, fields), awards })
    }
    unlogged.push(...(yield* decidedReports(id, state === 'hidden' ? 'done' : 'dismissed', occasion.at)))
  }
  const doer = { by, at: occasion.at }
  const after = entries.reduce((photo, draft) => foldDraft('photo', photo, draft, doer), before)
  return { entries, unlogged, by, answer: publishedOf(after), subject: id }
}

function deletionOf(id: number, fields: Draft['fields'] = {}): { entry: Draft; unlogged: Unlogged } {
  const gone: Credit = { id }
  return { entry: draftOf('photo', id, 'deleted', fields), unlogged: { noun: 'credit', after: gone } }
}

/** Turns a photo into a tombstone without its text, and returns its last state. */
export function* deletePhoto(
  occasion: Occasion,
  id: number,
  { reason }: DeletionReason = {},
): Decided<StoredPhoto> {
  const { who, facts } = yield* contribution(occasion, [{ noun: 'photo', key: id }])
  const before = seenPhoto(who, facts, id)
  if (!isAuthor(who, before))
    mustModerate(who, 'Only its author, moderators and API tokens may delete a photo')
  const by = who.userId
  const isAct = by !== before.userId
  if (isAct) yield* takeBacksLeft(occasion, who)
  const fields = reason === undefined || !isAct ? {} : { reason: mustHaveReason(reason) }
  const { entry, unlogged } = deletionOf(id, fields)
  const reports = yield* decidedReports(id, 'done', occasion.at)
  return { entries: [entry], unlogged: [unlogged, ...reports], by, answer: publishedOf(before) }
}

/** The photos of a person who leaves and erases what they wrote go; the operator is recorded for it. */
export function* erasePhotos(userId: string, reason: string): Decided<readonly StoredPhoto[]> {
  const own = (yield* nounsWhere('photo', { userId })).filter(isLive)
  const gone = own.map(({ id }) => deletionOf(id, { reason }))
  const { nextEntry: act } = yield []
  const links = gone.length > 1 ? { act } : {}
  return {
    entries: gone.map(({ entry }) => ({ ...entry, links })),
    unlogged: gone.map(({ unlogged }) => unlogged),
    by: apiUserId,
    answer: own.map(publishedOf),
  }
}

/** Deletes a photo again after the restore of a backup from before its deletion. @returns how many, 1 or 0 */
export function* deletePhotoAgain(id: number, reason: string): Decided<number> {
  const photo = yield* nounOf('photo', id)
  if (!isLive(photo)) return withoutEntries(0)
  const { entry, unlogged } = deletionOf(id, { reason })
  return { entries: [entry], unlogged: [unlogged], by: apiUserId, answer: 1 }
}

/** The credits of a person who leaves and keeps their name under their photos. */
export function* keptCredits(userId: string, credit: string): Deciding<Unlogged[]> {
  const own = yield* nounsWhere('photo', { userId })
  return own.filter(isLive).map(({ id }) => ({ noun: 'credit', after: { id, credit } }))
}

export function* creditAs(after: Credit): Decided<undefined> {
  const photo = yield* nounOf('photo', after.id)
  return withoutEntries(undefined, isLive(photo) ? [{ noun: 'credit', after }] : [])
}

/** The entry that hides a photo once enough people have reported it, until a moderator decides. */
export function* hiddenByReports(
  photoId: number,
  { by, at }: { readonly by: string | undefined; readonly at: string },
): Deciding<Draft[]> {
  const photo = yield* nounOf('photo', photoId)
  if (!isLive(photo) || photo.state !== 'shown' || by === undefined) return []
  const { reports, accountHours } = photos.hiddenBy
  const open = (yield* nounsWhere('report', { photoId, state: 'open' })).slice(0, reporting.shown)
  const people = [...new Set([by, ...open.flatMap((report) => report.by ?? [])])]
  const facts = yield people.map((key) => ({ noun: 'user', key }) as const)
  const old = minutesAfter(at, -accountHours * minutesOf.hour)
  const counted = people.filter((key) => (facts.get('user', key)?.createdAt ?? at) < old)
  if (counted.length < reports) return []
  return [draftOf('photo', photoId, 'hidden', { reason: `${reports} people have reported it` })]
}

/** @throws RegistryError INVALID_INPUT for none that they may report */
export function* reportablePhoto(photoId: number): Deciding<void> {
  const photo = yield* nounOf('photo', photoId)
  if (!isLive(photo) || photo.state !== 'shown') throw invalid('photoId', 'names no photo of this registry')
}
