import { invalid, RegistryError, required } from '../errors.ts'
import { isLive, type StoredReport } from '../log/nouns.ts'
import { reporting } from '../rules.ts'
import { parse } from '../schemas/parse.ts'
import { ReportDecision, ReportInput } from '../schemas/report.ts'
import { minutesOf } from '../secrets.ts'
import {
  type Actor,
  endOfDay,
  tooOften,
  actorOf,
  contribution,
  keptOf,
  mustModerate,
  presentPerson,
  type Occasion,
} from './contributor.ts'
import { nounOf, nounsWhere, withoutEntries, type Deciding, type Unlogged, type Decided } from './deciding.ts'
import { hiddenByReports, reportablePhoto } from './photo.ts'
import { mustNotBeBuiltIn } from './user.ts'
import { namedWaypoint } from './waypoint.ts'

const kept = (after: StoredReport): Unlogged => ({ noun: 'report', after })

type Subject = Pick<StoredReport, 'bubblerId' | 'reviewId' | 'photoId' | 'userId'>

type Reporter = Pick<StoredReport, 'by' | 'network'>

const isAbout = (subject: Subject, report: StoredReport): boolean =>
  report.bubblerId === subject.bubblerId &&
  report.reviewId === subject.reviewId &&
  report.photoId === subject.photoId &&
  report.userId === subject.userId

/** @throws RegistryError INVALID_INPUT for none, several, or a missing subject */
function* mustBeThere({ bubblerId, reviewId, photoId, userId }: Subject): Deciding<void> {
  if ([bubblerId, reviewId, photoId, userId].filter((each) => each !== undefined).length !== 1)
    throw invalid('bubblerId', 'or reviewId, photoId or userId is required, and only one of them')
  if (bubblerId !== undefined) yield* namedWaypoint(bubblerId)
  if (reviewId !== undefined && !isLive(yield* nounOf('review', reviewId)))
    throw invalid('reviewId', 'names no review of this registry')
  if (photoId !== undefined) yield* reportablePhoto(photoId)
  if (userId !== undefined) {
    mustNotBeBuiltIn(userId)
    if ((yield* presentPerson(userId)) === undefined)
      throw invalid('userId', 'names no user of this registry')
  }
}

/** @throws RegistryError UNAUTHORIZED for API tokens, and for passers-by without a network; FORBIDDEN for the blocked */
function* reporterOf(occasion: Occasion, network: string | undefined): Deciding<Reporter> {
  if (actorOf(occasion.actor).kind === 'anonymous' && network !== undefined) return { network }
  const { who } = yield* contribution(occasion)
  if (who.kind === 'token')
    throw new RegistryError('UNAUTHORIZED', 'Reports are made by signed-in users, not by API tokens')
  return { by: who.userId }
}

/** @throws RegistryError RATE_LIMITED `{ limit, windowSeconds, retryAfterSeconds }` */
function mustBeFew(reports: readonly StoredReport[], { by }: Reporter, at: string): void {
  const limit = by === undefined ? reporting.perNetworkAndDay : reporting.openPerPerson
  if (reports.length < limit) return
  const message =
    by === undefined
      ? 'Too many reports came from this network today: sign in, or try again tomorrow'
      : 'Too many reports of yours are open: wait until moderators have seen them'
  throw tooOften(message, { limit, minutes: minutesOf.day, at, end: endOfDay(at) })
}

/** Reports something under `newId`; `network` is the keyed hash of a passer-by's network and the day. @returns the id */
export function* createReport(
  occasion: Occasion,
  input: unknown,
  { newId, network }: { readonly newId: string; readonly network?: string | undefined },
): Decided<string> {
  const reporter = yield* reporterOf(occasion, network)
  const { comment: given, reason, ...about } = parse(ReportInput, input)
  yield* mustBeThere(about)
  const { by } = reporter
  const own =
    by === undefined
      ? yield* nounsWhere('report', { network: reporter.network })
      : yield* nounsWhere('report', { by, state: 'open' })
  const comment = given === null || given === '' ? undefined : given
  const same = own.find((each) => each.state === 'open' && isAbout(about, each))
  if (same !== undefined)
    return { ...withoutEntries(same.id, [kept({ ...same, reason, comment })]), subject: same.id }
  mustBeFew(own, reporter, occasion.at)
  const { at: createdAt } = occasion
  const report: StoredReport = { id: newId, ...about, ...reporter, reason, comment, state: 'open', createdAt }
  const entries =
    about.photoId === undefined ? [] : yield* hiddenByReports(about.photoId, { by, at: createdAt })
  return { ...withoutEntries(newId, [kept(report)]), entries, subject: newId }
}

/** @throws RegistryError NOT_FOUND */
function* existing(id: string): Deciding<StoredReport> {
  return required(yield* nounOf('report', id), 'report', id)
}

export function* decideReport(occasion: Occasion, id: string, input: unknown): Decided<StoredReport> {
  const { who } = yield* contribution(occasion)
  mustModerate(who, 'Only moderators may decide reports')
  const { state, note: given } = parse(ReportDecision, input)
  const report = yield* existing(id)
  const note = given === null || given === '' ? undefined : given
  if (report.state !== 'open') {
    if (report.state !== state)
      throw new RegistryError('CONFLICT', `Another moderator decided otherwise: ${report.state}`, {
        state: report.state,
      })
    return withoutEntries(report)
  }
  const decided: StoredReport = { ...report, state, note, decidedAt: occasion.at }
  return withoutEntries(decided, [kept(decided)])
}

/** Opens a report again that was decided, as if nobody had. */
export function* reopenReport(occasion: Occasion, id: string): Decided<StoredReport> {
  const { who } = yield* contribution(occasion)
  mustModerate(who, 'Only moderators may decide reports')
  const report = yield* existing(id)
  if (report.state === 'open') return withoutEntries(report)
  const open: StoredReport = { ...report, state: 'open', note: undefined, decidedAt: undefined }
  return { ...withoutEntries(open, [kept(open)]), subject: id }
}

/** Removes the texts of a report: its comment, and the note of a moderator. @throws RegistryError NOT_FOUND */
export function* eraseReport(at: string, id: string): Decided<StoredReport> {
  const report = yield* existing(id)
  const { comment, note, erasedAt } = report
  if (erasedAt !== undefined && (comment ?? note) === undefined) return withoutEntries(report)
  const erased: StoredReport = { ...report, comment: undefined, note: undefined, erasedAt: at }
  return withoutEntries(erased, [kept(erased)])
}

/** The reports of a person who leaves, without author and texts. */
export function* forgottenReports(userId: string): Deciding<readonly Unlogged[]> {
  const reports = yield* nounsWhere('report', { by: userId })
  return reports.map((report) => kept({ ...report, by: undefined, comment: undefined }))
}

/** Checks that an actor may see the reports of a waypoint. @throws RegistryError UNAUTHORIZED, FORBIDDEN, INVALID_INPUT */
export function* maySeeReports(occasion: Occasion, bubblerId: number): Decided<undefined> {
  const { who } = yield* contribution(occasion)
  const waypoint = yield* namedWaypoint(bubblerId)
  if (!(yield* keptOf(who, [waypoint])).has(bubblerId))
    mustModerate(who, 'Only its keepers, moderators and API tokens may see this')
  return withoutEntries(undefined)
}

/** Checks that an actor may see reports. @throws RegistryError UNAUTHORIZED, FORBIDDEN */
export function* mayModerate(occasion: Occasion): Decided<Actor['kind']> {
  const { who } = yield* contribution(occasion)
  mustModerate(who, 'Only moderators and API tokens may see this')
  return withoutEntries(occasion.actor.kind)
}
