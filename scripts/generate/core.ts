/**
 * What the reference of core describes: its main entry, and the classes and types behind the members of a registry, which
 * programs name as `Registry['waypoints']`.
 */
export * from '../../packages/core/src/index.ts'
export type { Accounts } from '../../packages/core/src/accounts/accounts.ts'
export type { Sessions } from '../../packages/core/src/accounts/credentials.ts'
export type { SignInResult } from '../../packages/core/src/accounts/ways.ts'
export type { PersonalTokens, Tokens } from '../../packages/core/src/accounts/credentials.ts'
export type { TokenScope } from '../../packages/core/src/secrets.ts'
export type { Areas } from '../../packages/core/src/areas.ts'
export type { CreditedParty } from '../../packages/core/src/attribution.ts'
export type { Changes, DescribedEntry, Erasure, RecentEntry } from '../../packages/core/src/changes.ts'
export type { CopyRegistryOptions, CopyResult, CopyStep } from '../../packages/core/src/copying.ts'
export type { Registration } from '../../packages/core/src/decide/account.ts'
export type { ImportOutcome } from '../../packages/core/src/decide/import.ts'
export type { MadeObservation } from '../../packages/core/src/decide/observation.ts'
export type { WaypointCondition } from '../../packages/core/src/decide/waypoint.ts'
export type { Erasures, RepeatedErasures } from '../../packages/core/src/erased.ts'
export type { ErrorDetails, Issue, RegistryErrorOf } from '../../packages/core/src/errors.ts'
export type { FollowOptions } from '../../packages/core/src/following.ts'
export type { HostTables } from '../../packages/core/src/host-tables.ts'
export type { ImportOptions, MissingRows } from '../../packages/core/src/imports.ts'
export type { ImportRun } from '../../packages/core/src/imports.ts'
export type { KeptWaypoint, UndoOptions, UndoneImport } from '../../packages/core/src/import-undo.ts'
export type { ImportInfo, Imports } from '../../packages/core/src/imports.ts'
export type { Mirror } from '../../packages/core/src/mirror.ts'
export type { Moderation, QueuePage } from '../../packages/core/src/moderation.ts'
export type { Observations, StatusOfWaypoint } from '../../packages/core/src/observations.ts'
export type { ProgressOptions } from '../../packages/core/src/progress.ts'
export type { PropertySchema } from '../../packages/core/src/properties-declared.ts'
export type { Reports } from '../../packages/core/src/reports.ts'
export type { Repetition, RequestKey, Requests } from '../../packages/core/src/requests.ts'
export type { Reviews, ReviewsQuery } from '../../packages/core/src/reviews.ts'
export type { BoundingBoxInput } from '../../packages/core/src/schemas/area.ts'
export type {
  IdentityInfo,
  PasskeyInfo,
  PersonalTokenInfo,
  SessionInfo,
  SignInLink,
  TokenInfo,
} from '../../packages/core/src/schemas/credential.ts'
export type { CreateOptions } from '../../packages/core/src/schemas/duplicate.ts'
export type { ActsQuery, QueueQuery } from '../../packages/core/src/schemas/moderation.ts'
export type { EnsuredUser } from '../../packages/core/src/schemas/user.ts'
export type { KeptRequest } from '../../packages/core/src/secrets.ts'
export type { SecurityEventName } from '../../packages/core/src/security-events.ts'
export type { RecordFilter, WaypointRecord } from '../../packages/core/src/snapshot.ts'
export type { Sources } from '../../packages/core/src/sources.ts'
export type { DataVersion } from '../../packages/core/src/store/answers.ts'
export type {
  HostValue,
  PostgresTables,
  SqliteTables,
} from '../../packages/core/src/store/host-statements.ts'
export type {
  RestoreOptions,
  RestoreResult,
} from '../../packages/core/src/store/sqlite/connection/restore.ts'
export type { Users } from '../../packages/core/src/users.ts'
export type { AssignOptions, Assignment, Waypoints } from '../../packages/core/src/waypoints.ts'
