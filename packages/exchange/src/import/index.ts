export type { ColumnGuess } from './understand/columns.ts'
export { roles, type Role } from './understand/headings.ts'
export type { ImportNote, NoteCode, NoteFacts } from './notes.ts'
export { importFile } from './import-file.ts'
export type { ImportFileOptions } from './options.ts'
export type { ImportProgress } from './report/progress.ts'
export { MapFile, parseMap, readMapFile } from './understand/map-file.ts'
export { readyMapFor, readyMaps, type ReadyMap } from './understand/ready-maps.ts'
export { ImportRefused, refusals } from './read/refusal.ts'
export type { Refusal, RefusalCode, RefusalFacts, SwapEvidence } from './read/refusal.ts'
export type {
  LeftOutCode,
  LeftOutFacts,
  LeftOutReason,
  OtherPurpose,
  RefusedCode,
  RefusedFacts,
  RefusedReason,
} from './reasons.ts'
export type {
  ImportCounts,
  ImportReport,
  LeftOutRows,
  RefusedRows,
  ReportedConflict,
  Understanding,
} from './report/report.ts'
