/** Notes for the importer of a file: each code with its facts. They do not stop the import. */
export interface NoteFacts {
  /** The text is not UTF-8 and was read in this encoding. */
  NOT_UTF8: { readonly encoding: string }
  /** Single characters of the UTF-8 text are not UTF-8 and were read in this encoding. */
  MIXED_ENCODING: { readonly characters: number; readonly encoding: string }
  /** A table of a GeoPackage in another coordinate system than the first one; it was not read. */
  TABLE_NOT_READ: { readonly table: string; readonly crs: string }
  /** Routes and tracks of a GPX file, which are not read. */
  WAYS_NOT_READ: { readonly ways: number }
  /** Links of a KML file to others, which are not followed. */
  LINKS_NOT_FOLLOWED: { readonly links: number }
  /**
   * An export of this project that names the sources of its rows, in the order of code units. An import records one
   * source for all rows; with a map's `only` each of these can be imported by itself.
   */
  SOURCES_NAMED: { readonly sources: readonly string[] }
  /**
   * No reference was recognised, and this column is filled and different in every row, `example` being its first value:
   * it may be the source's own. It is not read unless the caller names it (`reference`).
   */
  REFERENCE_PROPOSED: { readonly column: string; readonly example: string }
  /**
   * Custom fields in the order of code units that were left out of so many rows: the registry does not declare them, or a
   * column that a map names has values that they cannot have.
   */
  PROPERTIES_LEFT_OUT: { readonly fields: readonly { readonly name: string; readonly rows: number }[] }
  /**
   * Refused and doubtful rows are written to `folder`: the file is in `instead`, which is another user's, or in which nothing
   * can be written.
   */
  ROWS_ELSEWHERE: { readonly folder: string; readonly instead: string }
  /** A review file with decisions that this import was not given to read. It is left as it is. */
  DECISIONS_NOT_READ: { readonly file: string }
  /** The file declares a coordinate system that is not known. */
  CRS_UNKNOWN: { readonly crs: string }
  /** Rows that were read as degrees although the file or the caller declares metres. */
  DEGREES_BELIEVED: { readonly rows: number; readonly crs: string }
  /** Rows that were read as metres although degrees are declared. */
  METRES_BELIEVED: { readonly rows: number }
  /** Rows that were refused, and would be on Earth with latitude and longitude swapped. */
  BEYOND_POLE: { readonly rows: number }
}

export type NoteCode = keyof NoteFacts

/** A note: a code together with the facts that belong to it. */
export type ImportNote<Code extends NoteCode = NoteCode> = {
  [One in Code]: { readonly code: One } & NoteFacts[One]
}[Code]
