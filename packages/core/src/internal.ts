/**
 * Names for the other packages of openfountain that are not public. They may change with every version: import
 * `@openfountain/core` instead.
 */

// Imported first, so that it runs before the native module is loaded.
import './node-version.ts'
export { type AccessChange, reportedWith } from './security-events.ts'
export type { MadePhoto, PhotoFile, PhotoKeeping, PhotoStorage, StoredFile } from './photo-files.ts'
export { authorOf, photoPath } from './photos.ts'
export { type CurrentSession, PersonalTokenInput } from './accounts/credentials.ts'
export { type SignInResult, WayName } from './accounts/ways.ts'
export type {
  Ceremony,
  CodeSignIn,
  JsonObject,
  PasskeyCeremony,
  PasskeySignIn,
  ProviderSignIn,
  WaysToSignIn,
} from './accounts/ways-to-sign-in.ts'
export { type Allowance, type Left, type Taken, takeFrom } from './allowance.ts'
export { attributionsOf, consenting, creditOf, openStreetMap, partyText } from './attribution.ts'
export { type DescribedEntry, type Erasure, LogQuery } from './changes.ts'
export type { CopyStep } from './copying.ts'
export type { Registration } from './decide/account.ts'
export { writtenVersion, type WaypointCondition } from './decide/waypoint.ts'
export { type TokenActor, actorOf, userIdOf } from './decide/contributor.ts'
export type { Conflict, ImportOutcome } from './decide/import.ts'
export type { HarvestResult } from './decide/harvest.ts'
export { redactableFields } from './decide/redaction.ts'
export type { RightsNotTaken } from './decide/tail-rights.ts'
export { type Issue, invalid, invalidBecause, sentence } from './errors.ts'
export type { ListedDays } from './fields/source.ts'
export { giveFolder, linkOrCopy } from './files.ts'
export {
  bytesOf,
  FetchRefused,
  type FetchOptions,
  type FetchRefusal,
  type FetchRefusalCode,
  type FetchRefusalFacts,
  guardedFetch,
  guardedResponse,
  isNamedPrivate,
  namedAddress,
} from './guarded-fetch.ts'
export { guardedCommand } from './guarded-process.ts'
export {
  type Acceptance,
  acceptances,
  type ConcernCode,
  type ConcernFacts,
  type ImportConcern,
  shrinkConcerns,
} from './import-concerns.ts'
export type { UndoneImport } from './import-undo.ts'
export { ImportRun, mustBeAccepted, type KnownRow, type MissingRows } from './imports.ts'
export type { Schedule, StoredHarvest, StoredWebhook } from './log/nouns.ts'
export { actKindOf, entryUndoneBy } from './log/fold.ts'
export {
  Action,
  type GivenEntry,
  actions,
  apiUserId,
  daysOf,
  observerUserId,
  subjectActions,
} from './log/entry.ts'
export { canonicalJson, commitmentsOf, digestOf } from './log/leaf.ts'
export { redactedName } from './log/states.ts'
export { notCovered } from './log/verification.ts'
export { removeDatabase } from './store/sqlite/connection/private-file.ts'
export { upgradeRegistry, type UpgradeOptions } from './upgrading.ts'
export { isLoopback } from './loopback.ts'
export { MirrorPreview, type MirroredPerson } from './mirror.ts'
export { changedTags, fieldsInTags, recordTags } from './osm-tags.ts'
export { packageDigest } from './package-digest.ts'
export { boxAround, distanceMetres } from './places/geodesy.ts'
export { certain, doubtful, matchScore } from './places/match-score.ts'
export { kindNames, languages } from './places/labels.ts'
export { isKindAlone, nameSimilarity } from './places/names.ts'
export { routeIn } from './places/route.ts'
export { passedText } from './published/along.ts'
export type { PropertySchema } from './properties-declared.ts'
export {
  featureCollection,
  featureText,
  jsonText,
  waypointColumns,
  waypointText,
} from './published/waypoint-columns.ts'
export { atomFeed, type Feed, feedId, jsonFeed } from './published/feed.ts'
export { idsIn, recordsInOrder } from './published/ids.ts'
export { type OriginCounts, countOrigins, mayHaveContributions } from './published/origins.ts'
export { type RowTerms, type SourceTerms, otherTermsOf, sourceTermsOf } from './published/source-terms.ts'
export { osmTagsIn } from './published/osm-object.ts'
export { xmlElement, xmlText } from './published/xml.ts'
export { ReviewsQuery } from './reviews.ts'
export { BoundingBoxInput } from './schemas/area.ts'
export type { PasskeyInfo, SessionInfo, SignInLink, TokenInfo } from './schemas/credential.ts'
export { CreateOptions } from './schemas/duplicate.ts'
export { DecidedRow, DoubtfulRow, type KeptDoubtfulRow, RowDecision, RowDecisions } from './schemas/doubt.ts'
export { ManyChanged, ManyInput, SeasonInput } from './schemas/many.ts'
export { type ActKind, PersonWork, QueueKind, QueueQuery, type Work, WorkKind } from './schemas/moderation.ts'
export { parse, parseForeign, withoutUnknown } from './schemas/parse.ts'
export { Harvesting } from './schemas/harvest.ts'
export { SourceState } from './schemas/source.ts'
export { Box, filterNames, WaypointFilter, placeCodes } from './schemas/waypoint.ts'
export { KeptReport, Report } from './schemas/report.ts'
export { seasonInTag, seasonPattern } from './season.ts'
export { keyedHashes, type KeptRequest, type TokenScope, tokenScopes } from './secrets.ts'
export type { RecordFilter, WaypointRecord } from './snapshot.ts'
export { hasPassword, isOnServer, shownDatabase } from './store/address.ts'
export type { DataVersion } from './store/answers.ts'
export type { HostValue, PostgresTables } from './store/host-statements.ts'
export type { Neighbour } from './store/nouns/imports.ts'
export { type HeldFile, holdFile } from './store/sqlite/connection/held-file.ts'
export { createPrivate } from './store/sqlite/connection/private-file.ts'
export { type RestoreOptions, type RestoreResult, isErasureKnown } from './store/sqlite/connection/restore.ts'
export { served } from './served.ts'
export { when } from './store/sql/query.ts'
export { type City, CityInput, type CityRequest, WebhookInput, WebhookPatch } from './schemas/webhook.ts'
export { type Delivery, type DeliveryState, messageId } from './webhooks.ts'
export {
  type DecidedReport,
  type Digest,
  FollowInput,
  type Follow,
  type Push,
  PushDevice,
  type MailsOf,
  type Notification,
  ReadUpTo,
  type Teller,
} from './schemas/follow.ts'
export { type HappenedWords, happenedWords, happenedWordsIn } from './happened-words.ts'
export { type HappenedEvent, type Watched, waypointEvents } from './waypoint-events.ts'
export { verifyProof } from './log/proof.ts'
