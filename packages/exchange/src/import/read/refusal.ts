/** Why a file is refused as a whole, each with what the person can do about it. */
export const refusals = {
  NOT_FOUND: 'There is no such file, or it may not be read.',
  EMPTY: 'The file is empty.',
  BINARY:
    'This is not a data file that can be read. Give GeoJSON, CSV, Overpass JSON, GPX, KML, GeoPackage or Parquet.',
  ARCHIVE: 'This is an archive. Unpack it and give the data file inside; only gzip is unpacked here.',
  HTML: 'This is a web page, not data. The download link probably led to a page; download the file itself.',
  UNKNOWN_FORMAT:
    'The format was not recognised. Give GeoJSON, CSV, Overpass JSON, GPX, KML, GeoPackage or Parquet.',
  TRUNCATED: 'The file ends in the middle of its data. Download it again.',
  MALFORMED:
    'The file is damaged and cannot be read to its end. Correct it at the place named, or download it again.',
  TOO_LARGE: 'One record is larger than any fountain needs. Check the delimiter and the quotes of the file.',
  TOO_DEEP: 'The data is nested deeper than fountain data can be.',
  ENTITIES: 'The XML declares entities of its own, which this reader never expands. Remove the DOCTYPE.',
  BOMB: 'The compressed file unpacks to far more than real data does. Unpack it yourself if you trust it.',
  NO_ROWS: 'The file holds no rows.',
  NO_COORDINATES: 'No coordinates were found. Name the columns that hold them with a map file.',
  CRS_UNKNOWN: 'The coordinates are not degrees. Say their coordinate system, such as --crs EPSG:25833.',
  SWAPPED:
    'Latitude and longitude seem to be swapped. Say --swap to swap them or --no-swap to take them as they are.',
  MAP: 'The map file is not valid.',
  REVIEW: 'The review file is not valid.',
  STOPPED: 'The import was stopped; what was not complete was not written. Continue with --resume.',
  CHANGED: 'The file is not the one of the interrupted import. Start anew without --resume.',
  NOTHING_TO_RESUME: 'There is no interrupted import of this file. Start anew without --resume.',
} as const

export type RefusalCode = keyof typeof refusals

/**
 * A file that is refused as a whole; nothing of it was written.
 *
 * `code` tells the kind, `message` what was found and what to do, `details` the facts (`row`, `line`, `bytes`).
 */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused'
  readonly code: RefusalCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: RefusalCode, found = '', details: Record<string, unknown> = {}, options?: ErrorOptions) {
    super(found === '' ? refusals[code] : `${found} ${refusals[code]}`, options)
    this.code = code
    this.details = details
  }
}
