// Imported first, so that it runs before the native module is loaded.
import './node-version.ts'
export type { Accounts } from './accounts/accounts.ts'
export type { KeptRequest } from './secrets.ts'
export type { Sessions } from './accounts/sessions.ts'
export type { SignInResult } from './accounts/sign-ins.ts'
export type { PersonalTokens, Tokens } from './accounts/tokens.ts'
export { anonymous, token, user, userByToken, type Actor, type TokenScope } from './actor.ts'
export type { Areas } from './areas.ts'
export { attributionLine, type Attribution, type CreditedParty } from './attribution.ts'
export { LogQuery, type Changes, type DescribedEntry, type Erasure, type RecentEntry } from './changes.ts'
export { copyRegistry, type CopyRegistryOptions, type CopyResult, type CopyStep } from './copying.ts'
export type { Erasures, RepeatedErasures } from './erased.ts'
export {
  errorCatalogue,
  RegistryError,
  type ErrorCode,
  type ErrorDetails,
  type Issue,
  type RegistryErrorOf,
} from './errors.ts'
export type { Registration } from './decide/account.ts'
export { NearDuplicate, type CreateOptions } from './schemas/duplicate.ts'
export type { FollowOptions } from './following.ts'
export type { HostTables } from './host-tables.ts'
export type { ImportOptions, MissingRows } from './import/options.ts'
export type { ImportOutcome, ImportRow } from './decide/import.ts'
export type { WaypointCondition } from './decide/waypoint.ts'
export type { ImportRun } from './import/run.ts'
export type { KeptWaypoint, UndoneImport, UndoOptions } from './import/undone.ts'
export type { ImportInfo, Imports } from './imports.ts'
export { Action, Head, HistoryEntry, LogEntry, LoggedEntry } from './log/entry.ts'
export type { Verification } from './log/verification.ts'
export type { Mirror } from './mirror.ts'
export type { Moderation, QueuePage } from './moderation.ts'
export { ModerationAct, QueueItem, QueueKind, type ActsQuery, type QueueQuery } from './schemas/moderation.ts'
export { NamedUser, Report, ReportDecision, ReportInput, ReportReason } from './schemas/report.ts'
export type { Observations, StatusOfWaypoint } from './observations.ts'
export { Observation, ObservationInput, Status } from './schemas/observation.ts'
export type { MadeObservation } from './decide/observation.ts'
export type { Reports } from './reports.ts'
export type { ProgressOptions } from './progress.ts'
export type { PropertiesDeclaration, PropertiesSchema, PropertySchema } from './properties-declared.ts'
export { openRegistry, type Registry, type RegistryOptions } from './registry.ts'
export type { Repetition, RequestKey, Requests } from './requests.ts'
export { ReviewFilter, type Reviews, ReviewsQuery } from './reviews.ts'
export { defaultRules, type Rules } from './rules.ts'
export { securityEvents, type SecurityEvent, type SecurityEventName } from './security-events.ts'
export { BoundingBox, BoundingBoxInput } from './schemas/area.ts'
export type {
  IdentityInfo,
  PasskeyInfo,
  PersonalTokenInfo,
  SessionInfo,
  SignInLink,
  TokenInfo,
} from './schemas/credential.ts'
export type { WaypointFilterInput } from './schemas/filter.ts'
export { WaypointPlace, type PlaceLookup } from './schemas/place.ts'
export { RatingSummary, Review, ReviewInput, ReviewPatch } from './schemas/review.ts'
export { Source, SourceInput, SourceState, WaypointSource } from './schemas/source.ts'
export { Statistics } from './schemas/statistics.ts'
export {
  FormerUser,
  LeaderboardEntry,
  OwnUser,
  PublicUser,
  type EnsuredUser,
  UserInput,
  UserPatch,
} from './schemas/user.ts'
export { FoundWaypoint, Waypoint, WaypointInput, WaypointPatch } from './schemas/waypoint.ts'
export type { RecordFilter, Snapshot, WaypointRecord } from './snapshot.ts'
export type { Sources } from './sources.ts'
export {
  restoreDatabase,
  type RestoreOptions,
  type RestoreResult,
} from './store/sqlite/connection/restore.ts'
export type { HostStatements, HostValue, PostgresTables, SqliteTables } from './store/host-statements.ts'
export type { DataVersion, Dossier } from './store/answers.ts'
export type { Users } from './users.ts'
export type { AssignOptions, Assignment, Waypoints } from './waypoints.ts'
