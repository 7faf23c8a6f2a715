export { neutraliseCell, restoreCell, joinList, splitList } from '@openfountain/core/published'
export { FetchRefused, namedAddress } from '@openfountain/core/internal'
export type { FetchRefusal, FetchRefusalCode, FetchRefusalFacts } from '@openfountain/core/internal'
export { BasemapRefused, basemapRefusals, StreetExtract } from './basemap/extract.ts'
export type { BasemapRefusalCode, ExtractOptions, ExtractPlan, ExtractProgress } from './basemap/extract.ts'
export { fetchFile, type FetchedFile, type FetchFileOptions } from './fetching/fetched-file.ts'
export { harvestSource, type Harvested, type HarvestRun } from './harvest/harvest.ts'
export { HarvestOptions, secretHeaders } from './harvest/options.ts'
export { editionOf, type Edition, type EditionOptions } from './export/edition.ts'
export type { Publisher } from './export/snapshot.ts'
export { exportSnapshot } from './export/export.ts'
export type { ExportContent, ExportOptions, ExportReport, RegistryExportOptions } from './export/export.ts'
export { waypointFields, type Field, type FieldType } from './export/fields.ts'
export type { Format, TextFormat } from './export/format.ts'
export { formats } from './export/formats.ts'
export { contributionsTo, credited } from './export/credit.ts'
export { publishEdition, type Progress } from './export/folder/publish.ts'
export type { LeftOutFile, OmissionCode } from './export/folder/selection.ts'
export { exportRegistry, exportState } from './export/folder/registry-export.ts'
export { commonLicences, LicenceConflict, obstacles, unknownNames } from './licences/licences.ts'
export { judge, licenceOf, licences } from './licences/licences.ts'
export type { Judgement, Licence, LicenceId, Obstacle, Origin, Verdict } from './licences/licences.ts'
export { compareWithOsm } from './osm/compare.ts'
export type { NotProposed, OsmChange, OsmComparedRow, OsmComparison } from './osm/compare.ts'
export { isOfNode, mapRouletteText, osmChangeText } from './osm/change-files.ts'
export { importFile } from './import/import-file.ts'
export type { ImportFileOptions } from './import/options.ts'
export { ImportRefused, refusals } from './import/read/refusal.ts'
export type { Refusal, RefusalCode, RefusalFacts, SwapEvidence } from './import/read/refusal.ts'
export type { ImportNote, LeftOutCode, LeftOutFacts, LeftOutReason, NoteCode } from './import/reasons.ts'
export type { NoteFacts, OtherPurpose, RefusedCode, RefusedFacts, RefusedReason } from './import/reasons.ts'
export type {
  Attention,
  AttentionCode,
  AttentionFacts,
  ImportCounts,
  ImportProgress,
} from './import/report.ts'
export type {
  ImportReport,
  LeftOutRows,
  RefusedRows,
  ReportedConflict,
  Understanding,
} from './import/report.ts'
export { MapFile, parseMap, readMapFile, roles } from './import/understand/columns.ts'
export type { ColumnGuess, Role } from './import/understand/columns.ts'
export { readyMapFor, readyMaps } from './import/understand/ready-maps.ts'
export { InstanceError, instanceErrors } from './mirror/instance.ts'
export type { InstanceErrorCode, InstanceErrorFacts, InstanceFailure } from './mirror/instance.ts'
export { mirrorRegistry } from './mirror/mirror.ts'
export type { KnownHead, MirrorOptions, MirrorProgress, MirrorReport } from './mirror/mirror.ts'
export { followTail, type TailOptions, type TailReport } from './mirror/tail.ts'
