/**
 * The parts of core for an engine in its own package: the port, the script of writes, rows and columns, the rules of
 * search and places. It may change with every version: import `@openfountain/core` instead.
 */

// Imported first, so that it runs before the native module is loaded.
import './node-version.ts'
export type { Job } from './decide/deciding.ts'
export { invalidBecause, RegistryError, type ErrorCode } from './errors.ts'
export type { Replacement } from './log/nouns.ts'
export type { Outcome } from './log/script.ts'
export { FoundWaypoint, SearchQuery } from './schemas/waypoint.ts'
export { fold, hasCjk, wordsOf } from './search/letters.ts'
export { mostCandidates, searchedTrigrams, termsOf, type Term } from './search/rule.ts'
export { shownDatabase } from './store/address.ts'
export type { AssignedPlace, SnapshotNeeds } from './store/answers.ts'
export type { CopySource, CopyTarget } from './store/copying/copy.ts'
export { linesOf, pagesOf, rowOf } from './store/copying/lines.ts'
export { counterNames, type Counters } from './store/counters.ts'
export { mustBeOfTables, notOfHost, type HostValue, type PostgresTables } from './store/host-statements.ts'
export type { OpenOptions } from './store/sqlite/connection/database.ts'
export { codeOf } from './store/sqlite/connection/failure.ts'
export { epoch, knownVersion } from './store/schema-version.ts'
export { entriesOfPeople, moderationEntries } from './store/kinds-of-entries.ts'
export type { Leftover, Maintenance, SnapshotReads, Store } from './store/port.ts'
export { nounReads, readsWith, type Reads } from './store/reads.ts'
export { foundWaypointOf, waypoints, type Columns, type PlacedWaypoint } from './store/rows.ts'
export {
  build,
  compiledForPostgres,
  Placeholder,
  promisedBy,
  query,
  soon,
  text,
  tokens,
  whole,
  type Answered,
  type Askable,
  type Asked,
  type Compiled,
  type Query,
  type QueryValues,
  type Reading,
} from './store/sql/query.ts'
export { copyForReading, copyToFile } from './store/sqlite/copying/target.ts'
export {
  tables,
  type Column,
  type CopiedTable,
  type Kind,
  type Row,
  type TableName,
  type Value,
  type Values,
} from './store/tables.ts'
export { assignPlaces, saveCounters, transaction, type Ending, type RowWriter } from './store/transaction.ts'
export {
  EngineStore,
  manyAtFirst,
  seeds,
  type BatchOptions,
  type WritingOptions,
} from './store/write-queue.ts'
