/**
 * The parts of core for an engine in its own package: the port, the script of writes, rows and columns, the rules of
 * search and places. It may change with every version: import `@openfountain/core` instead.
 */

// Imported first, so that it runs before the native module is loaded.
import './node-version.ts'
export { apiUserId, observerUserId } from './actor.ts'
export type { Answers, Job, Need, Questions } from './decide/deciding.ts'
export { errorCatalogue, invalid, invalidBecause, RegistryError, type ErrorCode } from './errors.ts'
export { yieldToEventLoop } from './event-loop.ts'
export * from './fields/index.ts'
export { canonicalJson } from './log/canonical-json.ts'
export * from './log/entry.ts'
export type * from './log/nouns.ts'
export type { Changeset, LoadedFacts, LogState, Outcome, SavedEntry, Step } from './log/script.ts'
export * from './log/tree.ts'
export { listedFact } from './log/status-facts.ts'
export type { Changes, Replacement, Where } from './log/working-set.ts'
export type { Loss } from './erasures.ts'
export * from './places/geodesy.ts'
export * from './places/nearest.ts'
export * from './places/z-order.ts'
export type { Box, Near, SearchQuery, WaypointFilter } from './schemas/filter.ts'
export type { PlaceLookup, WaypointPlace } from './schemas/place.ts'
export type { BoundingBox } from './schemas/area.ts'
export type { Review } from './schemas/review.ts'
export type { ReportState } from './schemas/report.ts'
export type { Source, WaypointSource } from './schemas/source.ts'
export type { Statistics } from './schemas/statistics.ts'
export type { UserState } from './schemas/user.ts'
export type { FoundWaypoint, Waypoint, WaypointState } from './schemas/waypoint.ts'
export * from './search/letters.ts'
export * from './search/rule.ts'
export * from './secrets.ts'
export { mustBeOfTables, notOfHost } from './store/alongside.ts'
export { EngineStore, type WritingOptions } from './store/engine-store.ts'
export { isOnServer, shownDatabase } from './store/address.ts'
export type { ChangeFilter, DescribedRow } from './store/changes.ts'
export * from './store/counters.ts'
export { quickRows, manyAtFirst, mostCandidates, searchedTrigrams } from './store/sizes.ts'
export { entriesOfPeople, moderationEntries } from './store/kinds-of-entries.ts'
export { LoadedRows, loading } from './store/loading.ts'
export { nounReads } from './store/nouns/index.ts'
export { nounText } from './store/nouns/noun-text.ts'
export { compiledForPostgres, type Compiled } from './store/sql/dialects.ts'
export { isAmong } from './store/sql/expressions.ts'
export { boundWith, build, query, text, tokens, whole, type Query } from './store/sql/query.ts'
export {
  promisedBy,
  soon,
  type Askable,
  type Asked,
  type Built,
  type Promised,
  type QueryValues,
  type Reading,
} from './store/sql/reading.ts'
export type { HostValue, PostgresTables } from './store/host-statements.ts'
export { assignPlaces, save, saveCounters, type RowWriter } from './store/saving.ts'
export { describedRowOf, logEntryOf } from './store/logged.ts'
export type * from './store/port.ts'
export type * from './store/answers.ts'
export * from './store/reads.ts'
export * from './store/rows.ts'
export { seeds, type Random } from './store/seeds.ts'
export {
  tables,
  type Column,
  type CopiedTable,
  type Flag,
  type Kind,
  type TableName,
  type Tables,
} from './store/tables.ts'
export { transaction, type Ending, type RunningTransaction } from './store/transaction.ts'
export type { Value, Values } from './store/value.ts'
export type { CopySource, CopyTarget, OnProgress } from './store/copying/copy.ts'
export { linesOf, pagesOf, rowOf } from './store/copying/lines.ts'
export { copyForReading, copyToFile } from './store/sqlite/copying/whole-copies.ts'
