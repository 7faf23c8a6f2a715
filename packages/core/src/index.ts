// Imported first, so that it runs before the native module is loaded.
import './node-version.ts'
export { anonymous, token, user, userByToken, type Actor } from './decide/contributor.ts'
export { attributionLine, type Attribution } from './attribution.ts'
export { copyRegistry } from './copying.ts'
export type { ImportRow } from './decide/import.ts'
export { errorCatalogue, RegistryError, type ErrorCode } from './errors.ts'
export { Head, HistoryEntry, LogEntry, LoggedEntry } from './log/entry.ts'
export type { Verification } from './log/verification.ts'
export type { PropertiesDeclaration, PropertiesSchema } from './properties-declared.ts'
export { openRegistry, type Registry, type RegistryOptions } from './registry.ts'
export { defaultRules, type Rules } from './rules.ts'
export { BoundingBox } from './schemas/area.ts'
export { NearDuplicate } from './schemas/duplicate.ts'
export type { WaypointFilterInput } from './schemas/waypoint.ts'
export { ModerationAct, QueueItem } from './schemas/moderation.ts'
export { Observation, ObservationInput, Status } from './schemas/observation.ts'
export { WaypointPlace, type PlaceLookup } from './schemas/place.ts'
export { Report, ReportDecision, ReportInput } from './schemas/report.ts'
export { Photo, type PhotoInput, PhotoPatch } from './schemas/photo.ts'
export { RatingSummary, Review, ReviewInput, ReviewPatch } from './schemas/review.ts'
export { Source, SourceInput, WaypointSource } from './schemas/source.ts'
export { Statistics } from './schemas/statistics.ts'
export {
  FormerUser,
  LeaderboardEntry,
  OwnUser,
  Removal,
  PublicUser,
  UserInput,
  UserPatch,
} from './schemas/user.ts'
export { FoundWaypoint, Waypoint, WaypointInput, WaypointPatch } from './schemas/waypoint.ts'
export { securityEvents, type SecurityEvent } from './security-events.ts'
export type { Snapshot } from './snapshot.ts'
export type { HostStatements } from './store/host-statements.ts'
export { restoreDatabase } from './store/sqlite/connection/restore.ts'
