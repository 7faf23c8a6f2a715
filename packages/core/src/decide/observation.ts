import { invalid, RegistryError } from '../errors.ts'
import { observationValuesOf } from '../fields/observation.ts'
import { draftOf, type Draft, observerUserId } from '../log/entry.ts'
import { foldDraft } from '../log/fold.ts'
import {
  isLive,
  publishedOf,
  type StoredReport,
  type Observer,
  type Sighting,
  type WaypointState,
} from '../log/nouns.ts'
import { distanceMetres } from '../places/geodesy.ts'
import { freshness, observing } from '../rules.ts'
import { type Observation, type ObservationInput as Given, ObservationInput } from '../schemas/observation.ts'
import { parse } from '../schemas/parse.ts'
import { addDays } from '../season.ts'
import { isGood, minutesAfter, minutesOf, secretUnder } from '../secrets.ts'
import {
  endOfDay,
  tooOften,
  contribution,
  earn,
  hasScope,
  keptOf,
  mayModerate,
  operator,
  type Contributor,
  type Occasion,
  heldFor,
  mustBeLess,
  newcomerOf,
} from './contributor.ts'
import {
  nounOf,
  nounsWhere,
  withoutEntries,
  type Deciding,
  type Decision,
  type Unlogged,
  kept,
  secretOf,
  type Decided,
} from './deciding.ts'
import { namedWaypoint } from './waypoint.ts'

export type PseudonymOf = (userId: string, bubblerId: number) => string

/** Whose it was that somebody saw something on a day: a keyed hash of the day and a network or a person. */
type SeenBy = (day: string, who: string) => string

/** An observation that was made; one by a passer-by or against a waypoint by a new account is not in the log and has no id. */
export type MadeObservation = Omit<Observation, 'id' | 'observer'> &
  Partial<Pick<Observation, 'id' | 'observer'>>

/** The day of an observation; one ahead of UTC counts as today, since phones send their local day. @throws RegistryError INVALID_INPUT */
function dayOf({ observedAt }: Given, at: string): string {
  const today = at.slice(0, 10)
  if (observedAt === undefined) return today
  const isDay = observedAt.length === today.length
  const { aheadHours, aheadMinutes } = observing
  const latest = minutesAfter(at, aheadHours * minutesOf.hour + (isDay ? 0 : aheadMinutes))
  if (observedAt > latest)
    throw invalid(
      'observedAt',
      `must be at most ${isDay ? latest.slice(0, 10) : latest}, since it is not later anywhere: look at the clock and the time zone of the device`,
    )
  const day = observedAt.slice(0, 10)
  const oldest = isDay
    ? addDays(today, -observing.oldestDays)
    : minutesAfter(at, -observing.oldestDays * minutesOf.day)
  if (observedAt < oldest)
    throw invalid('observedAt', `must not be more than ${observing.oldestDays} days ago`)
  return day > today ? today : day
}

function isNear({ near }: Given, waypoint: WaypointState): boolean {
  if (near === undefined || near === null) return false
  const { nearMetres } = observing
  return (near.accuracy ?? 0) <= nearMetres && distanceMetres(near, waypoint) <= nearMetres
}

function* earned(occasion: Occasion, userId: string, bubblerId: number): Deciding<number> {
  const amount = earn(occasion, userId, 'postObservation').reduce((sum, [, , xp]) => sum + xp, 0)
  if (amount === 0) return 0
  const since = addDays(occasion.at.slice(0, 10), -observing.earnedEveryDays)
  const before = yield* nounsWhere('observer', { userId, bubblerId })
  return before.some(({ day, xp }) => xp > 0 && day > since) ? 0 : amount
}

function* authorityOf(who: Contributor, waypoint: WaypointState): Deciding<Observation['authority']> {
  if (mayModerate(who)) return hasScope(who, 'administer') ? 'operator' : 'moderator'
  return (yield* keptOf(who, [waypoint])).has(waypoint.id) ? 'keeper' : undefined
}

/** @throws RegistryError INVALID_INPUT, FORBIDDEN for people whose word is that of one */
function mustBeClosing({ kind, until }: Given, authority: Observation['authority'], at: string): void {
  if (kind === 'closed' && authority !== 'operator')
    throw new RegistryError('FORBIDDEN', 'Only the operator says that a city closed its request')
  if (until === undefined) return
  const today = at.slice(0, 10)
  if (kind !== 'dry') throw invalid('until', 'goes with dry alone')
  if (authority === undefined)
    throw new RegistryError(
      'FORBIDDEN',
      'Only its keepers and moderators may say until when a fountain is off',
    )
  if (until < today || until > addDays(today, observing.closedAtMostDays))
    throw invalid('until', `must be today or one of the next ${observing.closedAtMostDays} days`)
}

/** The report that asks the moderators whether a waypoint is gone, once enough people say so; it deletes nothing. */
function* askedWhetherGone(
  { kind, bubblerId, observer, authority }: Observation,
  { at, newId }: { readonly at: string; readonly newId: string },
): Deciding<Unlogged[]> {
  if (kind !== 'gone') return []
  const since = addDays(at.slice(0, 10), -freshness.gone)
  const others = (yield* nounsWhere('observation', { bubblerId })).filter(
    (each) => each.kind === 'gone' && isLive(each) && each.observedAt >= since,
  )
  const agreeing = new Set([observer, ...others.map((each) => each.observer)]).size
  if (agreeing < observing.agreeing && authority !== 'keeper') return []
  const open = yield* nounsWhere('report', { bubblerId, state: 'open' })
  if (open.some(({ reason, by, network }) => reason === 'gone' && (by ?? network) === undefined)) return []
  const report: StoredReport = { id: newId, bubblerId, reason: 'gone', state: 'open', createdAt: at }
  return [{ noun: 'report', after: report }]
}

const lastSaidKey = (observer: string): string => `observation ${observer}`

/** The observation that a person made of a waypoint last, where this one repeats it: a second tap. */
function* repeated(
  { kind, comment, until }: Given,
  { observer, observedAt, at }: { observer: string; observedAt: string; at: string },
): Deciding<Observation | undefined> {
  const last = yield* secretOf('request', lastSaidKey(observer))
  if (last === undefined || !isGood(last, at)) return undefined
  const before = yield* nounOf('observation', Number(last.value.subject))
  if (!isLive(before)) return undefined
  const isSame =
    before.kind === kind &&
    before.observedAt === observedAt &&
    before.until === until &&
    (comment === undefined || before.comment === comment)
  return isSame ? publishedOf(before) : undefined
}

function* lastSaid({ id: subject, observer }: Observation, at: string): Deciding<Unlogged> {
  const key = lastSaidKey(observer)
  const before = yield* secretOf('request', key)
  const expiresAt = minutesAfter(at, observing.repeatMinutes)
  const after = { number: before?.number, createdAt: at, expiresAt }
  return kept(secretUnder('request', key, { request: observer, subject }, after))
}

/** The entry has the day and a pseudonym, the observer stays outside the log. The authority of keepers is decided now. */
export function* createObservation(
  occasion: Occasion,
  input: unknown,
  {
    pseudonymOf,
    seenBy,
    newId,
  }: { readonly pseudonymOf: PseudonymOf; readonly seenBy: SeenBy; readonly newId: string },
): Decided<MadeObservation> {
  const { who, facts } = yield* contribution(occasion)
  const { at } = occasion
  const given = parse(ObservationInput, input)
  const { bubblerId, kind, comment, until } = given
  const waypoint = yield* namedWaypoint(bubblerId)
  const observedAt = dayOf(given, at)
  const authority = yield* authorityOf(who, waypoint)
  mustBeClosing(given, authority, at)
  const observer = pseudonymOf(who.userId, bubblerId)
  const before = yield* repeated(given, { observer, observedAt, at })
  if (before !== undefined) return { entries: [], by: observerUserId, answer: before, subject: before.id }
  const newcomer = authority === undefined ? yield* newcomerOf(occasion, who) : undefined
  if (newcomer !== undefined) {
    const sightings = yield* sightingsBy(seenBy(at.slice(0, 10), `user ${who.userId}`))
    const logged = yield* nounsWhere('observer', { userId: who.userId })
    mustBeLess('observations', logged.length + sightings.own.length, { newcomer, at })
    if (kind !== 'works') return sighted(given, { ...sightings, observedAt, at, newId })
  }
  const near = isNear(given, waypoint)
  const values = observationValuesOf({ authority, comment, until })
  const id = facts.nextEntry
  const draft: Draft<'observation'> = {
    ...draftOf('observation', id, 'created', {
      waypoint: bubblerId,
      kind,
      observedAt,
      near,
      observer,
      ...values,
    }),
    isToTheDay: true,
  }
  const as = { id, by: observerUserId, at }
  const observation = publishedOf(foldDraft('observation', undefined, draft, as))
  const xp = yield* earned(occasion, who.userId, bubblerId)
  const { userId } = who
  const author: Observer = { id, userId, bubblerId, day: at.slice(0, 10), xp, isOwed: xp > 0 }
  const asked = yield* askedWhetherGone(observation, { at, newId })
  const isConfirmed = kind === 'works' && newcomer === undefined
  const held = isConfirmed ? yield* heldFor(bubblerId, who.userId) : undefined
  return {
    entries: [{ ...draft, ...(held !== undefined && { awards: held.awards }) }],
    unlogged: [
      { noun: 'observer', after: author },
      yield* lastSaid(observation, at),
      ...asked,
      ...(held?.unlogged ?? []),
    ],
    by: observerUserId,
    answer: observation,
  }
}

interface SightingsBy {
  readonly network: string
  readonly own: readonly Sighting[]
}

function* sightingsBy(network: string): Deciding<SightingsBy> {
  return { network, own: yield* nounsWhere('sighting', { network }) }
}

/** Records the sighting of a passer-by outside the log, without text and position. @throws RegistryError RATE_LIMITED */
export function* createSighting(
  at: string,
  input: unknown,
  { network, seenBy, newId }: { readonly network: string; readonly seenBy: SeenBy; readonly newId: string },
): Decided<MadeObservation> {
  const given = parse(ObservationInput, input)
  yield* namedWaypoint(given.bubblerId)
  mustBeClosing(given, undefined, at)
  const observedAt = dayOf(given, at)
  const sightings = yield* sightingsBy(seenBy(at.slice(0, 10), network))
  const { own } = sightings
  const isNew = own.every(({ bubblerId }) => bubblerId !== given.bubblerId)
  if (isNew && own.length >= observing.perNetworkAndDay)
    throw tooOften('Too many observations came from this network today: sign in, or try again tomorrow', {
      limit: observing.perNetworkAndDay,
      minutes: minutesOf.day,
      at,
      end: endOfDay(at),
    })
  return sighted(given, { ...sightings, observedAt, at, newId })
}

/** Stores a sighting outside the log, replacing one by the same passer-by earlier in the day. */
function sighted(
  { bubblerId, kind }: Given,
  {
    network,
    own,
    observedAt,
    at,
    newId,
  }: SightingsBy & { readonly observedAt: string; readonly at: string; readonly newId: string },
): Decision<MadeObservation> {
  const id = own.find((each) => each.bubblerId === bubblerId)?.id ?? newId
  const after: Sighting = { id, bubblerId, kind, observedAt, network, day: at.slice(0, 10) }
  return { ...withoutEntries(publishedSighting(after), [{ noun: 'sighting', after }]), subject: id }
}

export const publishedSighting = ({ bubblerId, kind, observedAt }: Sighting): MadeObservation => ({
  bubblerId,
  kind,
  observedAt,
  near: false,
})

/** Awards the XP of earlier days as one sum a person, so that the log does not tell which observations were theirs. */
export function* grantOwed(at: string, ids: readonly number[]): Decided<undefined> {
  const facts = yield ids.map((id) => ({ noun: 'observer', key: id }) as const)
  const today = at.slice(0, 10)
  const owed = ids
    .flatMap((id) => facts.get('observer', id) ?? [])
    .filter(({ day, isOwed, userId }) => isOwed && userId !== undefined && day < today)
  const sums = new Map<string, number>()
  for (const { userId = '', xp } of owed) sums.set(userId, (sums.get(userId) ?? 0) + xp)
  return {
    entries: [...sums]
      .filter(([, sum]) => sum !== 0)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([userId, sum]): Draft => ({
        ...draftOf('user', userId, 'granted', { reason: 'observations' }),
        awards: [[userId, 'postObservation', sum]],
        isToTheDay: true,
      })),
    unlogged: owed.map((each) => ({ noun: 'observer', after: { ...each, isOwed: false } })),
    by: operator,
    answer: undefined,
  }
}

/** The opposite XP of an observation that is undone (`sign` 1) or comes back (-1): dropped while owed, else owed next. */
export function* turnedAround(id: number, sign: 1 | -1, at: string): Deciding<Unlogged[]> {
  const observer = yield* nounOf('observer', id)
  if (observer === undefined || Math.sign(observer.xp) !== sign) return []
  const { xp, isOwed, day } = observer
  const after = { ...observer, xp: -xp, isOwed: !isOwed, day: isOwed ? day : at.slice(0, 10) }
  return [{ noun: 'observer', after }]
}

/** The observations of a person who leaves, without whose they are. */
export function* forgottenObservations(userId: string): Deciding<readonly Unlogged[]> {
  const observers = yield* nounsWhere('observer', { userId })
  return observers.map((each) => ({
    noun: 'observer',
    after: { ...each, userId: undefined, isOwed: false },
  }))
}

/** Computes the states of waypoints again, since the date may have changed them. */
export function* ageStatuses(ids: readonly number[]): Decided<undefined> {
  const facts = yield ids.map((id) => ({ noun: 'status', key: id }) as const)
  const known = ids.flatMap((id) => facts.get('status', id) ?? [])
  // A status that is put is computed when it is saved.
  return withoutEntries(
    undefined,
    known.map((status) => ({ noun: 'status', after: { ...status } })),
  )
}
