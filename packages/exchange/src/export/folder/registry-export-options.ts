import type { ExportOptions } from '../export.ts'

export interface RegistryExportOptions extends ExportOptions {
  /**
   * The time of which states are, ISO 8601 with a zone, or a date; what became known later counts only as far as it is not of
   * a later day. Exports of the same registry as of the same time have the same bytes. Default the beginning
   * of today.
   */
  readonly asOf?: string | undefined
  /**
   * `daily` for downloads that take long to make (GeoJSON, CSV, GPX, KML, KMZ, GeoParquet, GeoPackage, SQLite) at most once a day: they are
   * those of `earlier` while that is of the same day (UTC), options, rules and program, the sources and their terms are the same,
   * and nothing was erased and nobody renamed since. The data package says of which moment they are. Default `always`: all files
   * are of now.
   */
  readonly downloads?: 'always' | 'daily' | undefined
  /** The folder of an earlier export, from which downloads are taken over with `downloads: 'daily'`. Default none. */
  readonly earlier?: string | undefined
  /** Stops the export; the previous one stays as it was. */
  readonly signal?: AbortSignal | undefined
}
