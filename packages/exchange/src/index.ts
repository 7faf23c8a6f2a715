export { neutraliseCell, restoreCell, joinList, splitList } from '@openfountain/core/published'
export { StreetExtract } from './basemap/extract.ts'
export type { ExtractOptions, ExtractPlan, ExtractProgress } from './basemap/extract.ts'
export { BasemapRefused, basemapRefusals, type BasemapRefusalCode } from './basemap/extract.ts'
export { fetchFile } from './fetching/fetched-file.ts'
export type { FetchedFile, FetchFileOptions } from './fetching/fetched-file.ts'
export { FetchRefused, namedAddress } from '@openfountain/core/internal'
export { harvestSource } from './harvest/harvest.ts'
export type { Harvested, HarvestRun } from './harvest/harvest.ts'
export { HarvestOptions, secretHeaders } from './harvest/options.ts'
export type { FetchRefusal, FetchRefusalCode, FetchRefusalFacts } from '@openfountain/core/internal'
export { editionOf } from './export/edition.ts'
export type { Edition, EditionOptions } from './export/edition.ts'
export type { Publisher } from './export/snapshot.ts'
export { exportSnapshot } from './export/export.ts'
export type { ExportContent, ExportOptions, ExportReport, RegistryExportOptions } from './export/export.ts'
export { waypointFields } from './export/fields.ts'
export type { Field, FieldType } from './export/fields.ts'
export type { Format, TextFormat } from './export/format.ts'
export { formats } from './export/formats.ts'
export { contributionsTo } from './export/credit.ts'
export type { Progress } from './export/folder/publish.ts'
export type { LeftOutFile, OmissionCode } from './export/folder/selection.ts'
export { publishEdition } from './export/folder/publish.ts'
export { credited } from './export/credit.ts'
export { exportRegistry } from './export/folder/registry-export.ts'
export { exportState } from './export/folder/registry-export.ts'
export { commonLicences, LicenceConflict, obstacles, unknownNames } from './licences/licences.ts'
export type { Obstacle, Origin } from './licences/licences.ts'
export { judge } from './licences/licences.ts'
export type { Judgement, Verdict } from './licences/licences.ts'
export { licenceOf, licences } from './licences/licences.ts'
export type { Licence, LicenceId } from './licences/licences.ts'
export { compareWithOsm } from './osm/compare.ts'
export type { NotProposed, OsmChange, OsmComparedRow, OsmComparison } from './osm/compare.ts'
export { isOfNode, mapRouletteText, osmChangeText } from './osm/change-files.ts'
export { importFile } from './import/import-file.ts'
export type { Attention, AttentionCode, AttentionFacts } from './import/report.ts'
export type { ImportNote, NoteCode, NoteFacts } from './import/reasons.ts'
export type { ImportFileOptions } from './import/options.ts'
export { ImportRefused, refusals } from './import/read/refusal.ts'
export type { Refusal, RefusalCode, RefusalFacts, SwapEvidence } from './import/read/refusal.ts'
export type {
  LeftOutCode,
  LeftOutFacts,
  LeftOutReason,
  OtherPurpose,
  RefusedCode,
  RefusedFacts,
  RefusedReason,
} from './import/reasons.ts'
export type { ImportProgress } from './import/report.ts'
export type {
  ImportCounts,
  ImportReport,
  LeftOutRows,
  RefusedRows,
  ReportedConflict,
  Understanding,
} from './import/report.ts'
export type { ColumnGuess } from './import/understand/columns.ts'
export { roles, type Role } from './import/understand/columns.ts'
export { MapFile, parseMap, readMapFile } from './import/understand/columns.ts'
export { readyMapFor, readyMaps } from './import/understand/ready-maps.ts'
export { InstanceError, instanceErrors } from './mirror/instance.ts'
export type { InstanceErrorCode, InstanceErrorFacts, InstanceFailure } from './mirror/instance.ts'
export { mirrorRegistry } from './mirror/mirror.ts'
export { followTail } from './mirror/tail.ts'
export type { TailOptions, TailReport } from './mirror/tail.ts'
export type { KnownHead, MirrorOptions, MirrorProgress, MirrorReport } from './mirror/mirror.ts'
