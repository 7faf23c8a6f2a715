export { neutraliseCell, restoreCell, joinList, splitList } from '@openfountain/core/published'
export { editionOf } from './export/edition.ts'
export type { Edition, EditionOptions } from './export/edition.ts'
export type { Publisher } from './export/publisher.ts'
export { exportSnapshot } from './export/export.ts'
export type { ExportContent, ExportOptions, ExportReport, RegistryExportOptions } from './export/export.ts'
export { waypointFields } from './export/fields.ts'
export type { Field, FieldType, WaypointRow } from './export/fields.ts'
export type { Format, TextFormat } from './export/format.ts'
export { formats } from './export/formats.ts'
export { contributionsTo } from './export/survey.ts'
export type { Progress } from './export/folder/publish.ts'
export type { LeftOutFile, OmissionCode } from './export/folder/selection.ts'
export { publishEdition } from './export/folder/publish.ts'
export { credited } from './export/survey.ts'
export { exportRegistry } from './export/folder/registry-export.ts'
export { exportState } from './export/folder/state.ts'
export { commonLicences, LicenceConflict, obstacles, unknownNames } from './licences/clearance.ts'
export type { Obstacle, Origin } from './licences/clearance.ts'
export { compatibilityTable, judge } from './licences/compatibility.ts'
export type { Judgement, Verdict } from './licences/compatibility.ts'
export { licenceOf, licences } from './licences/licence.ts'
export type { Licence, LicenceId } from './licences/licence.ts'
export {
  importFile,
  ImportRefused,
  MapFile,
  parseMap,
  readMapFile,
  readyMapFor,
  readyMaps,
  refusals,
  roles,
} from './import/index.ts'
export type {
  ColumnGuess,
  ImportCounts,
  ImportFileOptions,
  ImportNote,
  ImportProgress,
  ImportReport,
  LeftOutCode,
  LeftOutFacts,
  LeftOutReason,
  LeftOutRows,
  NoteCode,
  NoteFacts,
  OtherPurpose,
  Refusal,
  RefusalCode,
  RefusalFacts,
  RefusedCode,
  RefusedFacts,
  RefusedReason,
  RefusedRows,
  ReportedConflict,
  Role,
  SwapEvidence,
  Understanding,
} from './import/index.ts'
export { InstanceError, instanceErrors } from './mirror/instance-error.ts'
export type { InstanceErrorCode, InstanceErrorFacts, InstanceFailure } from './mirror/instance-error.ts'
export { mirrorRegistry } from './mirror/mirror.ts'
export { followTail } from './mirror/tail.ts'
export type { TailOptions, TailReport } from './mirror/tail.ts'
export type { KnownHead, MirrorOptions, MirrorProgress, MirrorReport } from './mirror/mirror.ts'
