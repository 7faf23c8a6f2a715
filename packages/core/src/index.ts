// The first import, so that it comes before the native module.
import './nodeVersion.ts'
export {
  anonymous,
  apiUserId,
  token,
  user,
  userIdOf,
  type Actor,
  type Anonymous,
  type TokenActor,
  type UserActor,
} from './actor.ts'
export { BoundingBox, BoundingBoxInput } from './area.ts'
export type { Areas } from './areas.ts'
export {
  attributionLine,
  attributionsOf,
  creditOf,
  type Attribution,
  type Credited,
  type CreditedParty,
  type CreditedSource,
} from './attribution.ts'
export {
  Action,
  actions,
  canonicalJson,
  digestOf,
  genesis,
  hashOf,
  Head,
  HistoryEntry,
  LogEntry,
  Redaction,
  SealedEntry,
} from './change.ts'
export { LogQuery, type Changes, type DescribedEntry, type RecentEntry } from './changes.ts'
export { sessionDays, type SessionInfo, type Sessions, type TokenInfo, type Tokens } from './credentials.ts'
export type { Conflict, ImportedValues } from './decide/import.ts'
export { redactedName } from './decide/redaction.ts'
export { errorCatalogue, invalid, RegistryError, sentence, type ErrorCode, type Issue } from './errors.ts'
export { Box, Near, paging, SearchQuery, WaypointFilter, type WaypointFilterInput } from './filter.ts'
export { boxAround, distanceMetres, earthRadiusMetres, type Place } from './geodesy.ts'
export type { ImportOutcome, ImportRow } from './importRow.ts'
export type { ImportFile, ImportOptions, MissingRow, MissingRows } from './importOptions.ts'
export type { ImportRun } from './importRun.ts'
export type { ImportInfo, Imports } from './imports.ts'
export type { Instalment, Mirror, MirroredPerson, MirroredSources } from './mirror.ts'
export { LeaderboardEntry, OwnUser, PublicUser, UserInput, UserPatch, UserStats } from './person.ts'
export { openRegistry, type Registry, type RegistryOptions } from './registry.ts'
export { Review, ReviewInput } from './review.ts'
export { ReviewFilter, type Reviews } from './reviews.ts'
export { defaultRules, levelOf, limits, pages, type Rules } from './rules.ts'
export type {
  CellForm,
  PageField,
  PagePiece,
  PageTemplate,
  RecordFilter,
  RecordPage,
  RecordText,
  Snapshot,
  TextField,
  TextForm,
  TextPiece,
  TextTemplate,
  WaypointRecord,
} from './snapshot.ts'
export { Source, SourceInput, SourceState, sourceStates, WaypointSource } from './source.ts'
export type { Sources } from './sources.ts'
export { Statistics } from './statistics.ts'
export { restoreDatabase, type RestoreOptions } from './store/restore.ts'
export { fold, lengthOf, text } from './text.ts'
export type { Page, Users } from './users.ts'
export type { Verification } from './verification.ts'
export {
  amenityOf,
  kindOf,
  normaliseAmenity,
  osmBase,
  osmTagsOf,
  vocabulary,
  type Amenity,
  type KnownAmenity,
} from './vocabulary.ts'
export { FoundWaypoint, Waypoint, WaypointInput, WaypointPatch } from './waypoint.ts'
export { othersFirst, type Waypoints } from './waypoints.ts'
