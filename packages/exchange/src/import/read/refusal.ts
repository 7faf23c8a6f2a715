import type { RefusedReason } from '../reasons.ts'

/** Why a file is refused as a whole: each code with its facts. `row` and `line` count from 1. */
export interface RefusalFacts {
  /** The path is not that of a readable file; `folder` when it is that of a folder. */
  NOT_FOUND: { readonly file: string; readonly folder?: true }
  EMPTY: object
  BINARY: object
  /** `archive` such as `zip` that holds several files or none, or `7z`, which is not unpacked. */
  ARCHIVE: { readonly archive: string }
  HTML: object
  /** `root` is the root element of an XML file, `codec` the compression of a Parquet file. */
  UNKNOWN_FORMAT: { readonly root?: string; readonly codec?: string }
  TRUNCATED: { readonly row?: number; readonly line?: number | undefined }
  /** `memoryMiB` or `seconds` is the limit that reading a Parquet file or a GeoPackage exceeded. */
  MALFORMED: {
    readonly row?: number
    readonly line?: number | undefined
    readonly memoryMiB?: number
    readonly seconds?: number
  }
  TOO_LARGE: { readonly row?: number; readonly line?: number | undefined; readonly columns?: number }
  TOO_DEEP: { readonly row?: number }
  /** `most`: rows that are read of a workbook or a shapefile. */
  TOO_MANY_ROWS: { readonly most: number }
  /** `sheets`: names in the workbook; empty for other files. */
  SHEET_UNKNOWN: { readonly sheet: string; readonly sheets: readonly string[] }
  ENTITIES: object
  /** Bytes of the file, and bytes that were unpacked from it. */
  BOMB: { readonly bytes: number; readonly unpacked: number }
  NO_ROWS: object
  /** Rows that were examined, and why the first one has no position. */
  NO_COORDINATES: { readonly rows: number; readonly reason: RefusedReason }
  /** `declared`: by file, map or caller; `possible`: systems in which the coordinates are on Earth. */
  CRS_UNKNOWN:
    | { readonly crs: string }
    | (Readonly<Record<'row' | 'x' | 'y', number>> & {
        readonly declared?: string | undefined
        readonly possible: readonly string[]
      })
  SWAPPED: SwapEvidence
  ENCODING_UNKNOWN: { readonly encoding: string }
  /** `member` is the path of the first wrong member, such as `fields.name`, `issues` all problems. */
  MAP: { readonly file?: string; readonly member?: string; readonly issues?: readonly object[] }
  REVIEW: { readonly file?: string; readonly line?: number }
  STOPPED: { readonly rows?: number }
  NOTHING_TO_RESUME: object
  /** The files for refused and doubtful rows that cannot be written. */
  NOT_WRITABLE: { readonly files: readonly string[] }
}

/** Why latitude and longitude seem to be swapped. All numbers but `of` count rows among the `of` that were examined. */
export type SwapEvidence =
  | { readonly evidence: 'beyond-pole'; readonly rows: number; readonly of: number }
  /** `swapped` rows would be on land. */
  | { readonly evidence: 'in-sea'; readonly rows: number; readonly swapped: number; readonly of: number }
  /** No row is near a waypoint of the registry; `swapped` rows would be. */
  | { readonly evidence: 'far-from-known'; readonly swapped: number; readonly of: number }

const readable =
  'Give GeoJSON, CSV, Excel, OpenDocument, a zipped shapefile, GML, GPX, KML, OpenStreetMap data, GeoPackage or Parquet, or convert it with GDAL: ogr2ogr -f GeoJSON fountains.geojson FILE'

/** The meaning of each code and its remedy, worded for callers of the library. */
export const refusals = {
  NOT_FOUND: 'File not found, or it may not be read.',
  EMPTY: 'The file is empty.',
  BINARY: `This is not a data file that can be read. ${readable}.`,
  ARCHIVE:
    'Unpack the archive and give the data file inside: zip and gzip are unpacked here where they hold one file of data.',
  HTML: 'This is a web page, not data. The download link probably led to a page; download the file itself.',
  UNKNOWN_FORMAT: `The format is not read. ${readable}.`,
  TRUNCATED: 'The file ends in the middle of its data. Download it again.',
  MALFORMED:
    'The file is damaged and cannot be read to its end. Correct it at the place named, or download it again.',
  TOO_LARGE: 'One record is larger than any fountain needs. Check the delimiter and the quotes of the file.',
  TOO_DEEP: 'The data is nested deeper than fountain data can be.',
  TOO_MANY_ROWS:
    'So many rows of a workbook or a shapefile are not read. Convert it to a format that is read piece by piece: ogr2ogr -f GeoJSONSeq fountains.geojsonl FILE',
  SHEET_UNKNOWN: 'Name a sheet of the workbook.',
  ENTITIES: 'The XML declares entities of its own, which this reader never expands. Remove the DOCTYPE.',
  BOMB: 'The compressed file unpacks to far more than real data does. Unpack it yourself if you trust it.',
  NO_ROWS: 'The file holds no rows.',
  NO_COORDINATES: 'No coordinates were found. Name the columns that hold them with a map.',
  CRS_UNKNOWN: 'The coordinates are not degrees. Give their coordinate system, such as EPSG:25833.',
  SWAPPED:
    'Latitude and longitude seem to be swapped. Choose whether they are swapped back or taken as they are.',
  ENCODING_UNKNOWN: 'Give one such as utf-8, utf-16le or windows-1252.',
  MAP: 'The map is not valid.',
  REVIEW: 'The review file is not valid.',
  STOPPED: 'The import was stopped; what was not complete was not written. It can be resumed.',
  NOTHING_TO_RESUME: 'There is no interrupted import of this file to resume. Start anew.',
  NOT_WRITABLE: 'Name files for refused and doubtful rows that can be written. Nothing was imported.',
} as const satisfies Readonly<Record<keyof RefusalFacts, string>>

export type RefusalCode = keyof RefusalFacts

export type Refusal<Code extends RefusalCode = RefusalCode> = {
  [One in Code]: { readonly code: One } & RefusalFacts[One]
}[Code]

/** Text of a file, or of a parser about it, for a message: no control characters, and no more than 200 characters. */
export const quotable = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').slice(0, 200)

/**
 * An error for a file that is refused as a whole; nothing of it was written. `refusal` has the code and its facts, `found` the
 * findings in this file, as sentences for people; `message` is `found` and the general remedy.
 */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused'
  readonly refusal: Refusal
  /** Empty when the code says it all. */
  readonly found: string

  constructor(refusal: Refusal, found = '', options?: ErrorOptions) {
    const general = refusals[refusal.code]
    super(found === '' ? general : `${found} ${general}`, options)
    this.refusal = refusal
    this.found = found
  }

  get code(): RefusalCode {
    return this.refusal.code
  }

  get details(): Readonly<Record<string, unknown>> {
    const { code: _code, ...facts } = this.refusal
    return facts
  }
}
