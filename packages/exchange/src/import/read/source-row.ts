import type { ImportNote } from '../reasons.ts'
import type { Geometry } from './geometry.ts'

export interface SourceRow {
  /** The record's number in its file, from 1; a heading line does not count. */
  readonly row: number
  /** Columns, properties or tags by their heading; empty cells are left out. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The geometry that the format itself gives, in the file's coordinate system; null when the file gives an empty one. */
  readonly geometry?: Geometry | null
  /** The identity that the format itself gives, such as a feature's id or `node/123`. */
  readonly id?: string
  /** The record's text, for the file of refused rows. */
  original(): string
}

/** A row as sent by the reading process: values are those of JSON. */
export type SentRow = Pick<SourceRow, 'row' | 'fields' | 'geometry' | 'id'>

/** A reader's facts about a file besides its rows; complete after the last row. */
export interface FileFacts {
  /** The coordinate system that the file declares, such as `EPSG:25833`. */
  crs?: string
  /** Licence or copyright as the file states it. */
  copyright?: string
  /** The day on which the data was published, or taken from where it is published, `YYYY-MM-DD`. */
  published?: string
  /** Present when it says that it is a part of more, with how many rows there are where it says so. */
  partial?: { readonly total?: number }
  /** Whether this project wrote the file. */
  own?: boolean
  readonly notes: ImportNote[]
}

/** Rows come in batches, some of them empty, which spares an asynchronous step for each. */
export type RowBatches = AsyncIterable<SourceRow[]>

/** The formats that a process of its own reads, as messages call a file. */
export const titles = {
  parquet: 'Parquet file',
  geopackage: 'GeoPackage',
  xlsx: 'Excel workbook',
  ods: 'OpenDocument spreadsheet',
  shapefile: 'zipped shapefile',
  'osm-pbf': 'OpenStreetMap extract',
} as const

/** Limits far above any file of real fountains; they bound memory. */
export const readingLimits = {
  /** Characters of one record: a CSV line, a feature, an XML element. */
  record: 4_000_000,
  columns: 5_000,
  /** Levels of nesting. */
  depth: 64,
} as const
