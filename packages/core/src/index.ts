// The first import, so that it comes before the native module.
import './node-version.ts'
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
export { BoundingBox, BoundingBoxInput } from './schemas/area.ts'
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
} from './log/entry.ts'
export { LogQuery, type Changes, type DescribedEntry, type RecentEntry } from './changes.ts'
export { sessionDays, type SessionInfo, type Sessions, type TokenInfo, type Tokens } from './credentials.ts'
export type { Conflict, ImportedValues } from './decide/import.ts'
export { redactedName } from './decide/redaction.ts'
export { errorCatalogue, invalid, RegistryError, sentence, type ErrorCode, type Issue } from './errors.ts'
export { Box, Near, paging, SearchQuery, WaypointFilter, type WaypointFilterInput } from './schemas/filter.ts'
export { boxAround, distanceMetres, earthRadiusMetres, type Place } from './places/geodesy.ts'
export type { ImportOutcome, ImportRow } from './import/row.ts'
export type { ImportFile, ImportOptions, MissingRow, MissingRows } from './import/options.ts'
export type { ImportRun } from './import/run.ts'
export type { ImportInfo, Imports } from './imports.ts'
export type { Instalment, Mirror, MirroredPerson, MirroredSources } from './mirror.ts'
export { LeaderboardEntry, OwnUser, PublicUser, UserInput, UserPatch, UserStats } from './schemas/user.ts'
export { openRegistry, type Registry, type RegistryOptions } from './registry.ts'
export { Review, ReviewInput } from './schemas/review.ts'
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
export { Source, SourceInput, SourceState, sourceStates, WaypointSource } from './schemas/source.ts'
export type { Sources } from './sources.ts'
export { Statistics } from './schemas/statistics.ts'
export { restoreDatabase, type RestoreOptions } from './store/sqlite/connection/restore.ts'
export { lengthOf, text } from './schemas/text.ts'
export { fold } from './search/letters.ts'
export type { Page, Users } from './users.ts'
export type { Verification } from './log/verification.ts'
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
export { FoundWaypoint, Waypoint, WaypointInput, WaypointPatch } from './schemas/waypoint.ts'
export { othersFirst, type Waypoints } from './waypoints.ts'
