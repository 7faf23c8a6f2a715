/**
 * The parts of core for an engine in its own package: the port, the script of writes, rows and columns, the rules of
 * search and places. It may change with every version: import `@openfountain/core` instead.
 */

// Imported first, so that it runs before the native module is loaded.
import './node-version.ts'
export type { Job } from './decide/deciding.ts'
export { type ErrorCode, RegistryError, invalidBecause } from './errors.ts'
export type { Replacement } from './log/nouns.ts'
export type { Outcome } from './log/script.ts'
export { FoundWaypoint, SearchQuery } from './schemas/waypoint.ts'
export { fold, hasCjk, wordsOf } from './search/letters.ts'
export { type Term, termsOf } from './search/rule.ts'
export { shownDatabase } from './store/address.ts'
export { mustBeOfTables, notOfHost } from './store/alongside.ts'
export type { SnapshotNeeds } from './store/answers.ts'
export type { CopySource, CopyTarget } from './store/copying/copy.ts'
export { linesOf, pagesOf, rowOf } from './store/copying/lines.ts'
export { type Counters, counterNames } from './store/counters.ts'
export { EngineStore, type WritingOptions } from './store/engine-store.ts'
export type { HostValue, PostgresTables } from './store/host-statements.ts'
export { entriesOfPeople, moderationEntries } from './store/kinds-of-entries.ts'
export { LoadedRows, loading } from './store/loading.ts'
export { nounReads } from './store/nouns/index.ts'
export type { AssignedPlace, BatchOptions, Leftover, SnapshotReads, Store } from './store/port.ts'
export { type Reads, readsWith } from './store/reads.ts'
export { type Columns, type PlacedWaypoint, foundWaypointOf, waypoints } from './store/rows.ts'
export { type RowWriter, assignPlaces, save, saveCounters } from './store/saving.ts'
export { seeds } from './store/seeds.ts'
export { manyAtFirst, mostCandidates, searchedTrigrams } from './store/sizes.ts'
export { type Compiled, compiledForPostgres } from './store/sql/dialects.ts'
export { Query, boundWith, build, query, text, tokens, whole } from './store/sql/query.ts'
export {
  type Askable,
  type Asked,
  type Promised,
  type QueryValues,
  type Reading,
  promisedBy,
  soon,
} from './store/sql/reading.ts'
export { copyForReading, copyToFile } from './store/sqlite/copying/whole-copies.ts'
export { type Column, type CopiedTable, type Kind, type Row, type TableName, tables } from './store/tables.ts'
export { type Ending, type RunningTransaction, transaction } from './store/transaction.ts'
export type { Value, Values } from './store/value.ts'
