/** The purpose of something without drinking water. */
export type OtherPurpose = keyof typeof purposes

/** Why a row cannot be imported: each code with its facts. Coordinates are in the file's own system. */
export interface RefusedFacts {
  NO_GEOMETRY: object
  EMPTY_GEOMETRY: { readonly type?: string }
  SEVERAL_POINTS: { readonly points: number }
  SEVERAL_GEOMETRIES: object
  UNKNOWN_GEOMETRY: { readonly type: string }
  NO_POSITION: object
  /** Cells of the file that are not coordinates. */
  UNREADABLE_COORDINATES: { readonly latitude: string; readonly longitude: string }
  UNREADABLE_GEOMETRY: { readonly value: string }
  UNREADABLE_POSITION: { readonly value: string }
  NOT_NUMBERS: object
  /** The coordinates 0, 0, which many programs write for unknown ones. */
  ZERO: object
  /** The place is on Earth only when latitude and longitude are swapped. */
  BEYOND_POLE: { readonly latitude: number }
  /** `possible`: coordinate systems in which the numbers are on Earth. */
  NOT_DEGREES: { readonly x: number; readonly y: number; readonly possible: readonly string[] }
  NOT_ON_EARTH: { readonly x: number; readonly y: number }
  /** Neither of the declared coordinate system nor degrees. */
  OUTSIDE_SYSTEM: { readonly x: number; readonly y: number; readonly crs: string }
  /** The registry refuses the values; `message` is its own. */
  INVALID: { readonly message: string }
}

/** Why a row is left out on purpose: each code with its facts. */
export interface LeftOutFacts {
  /** The map's `only` has other values for this column. */
  NOT_CHOSEN: { readonly column: string }
  /** The map's `leaveOut` names this value of a column. */
  UNWANTED: { readonly column: string; readonly value: string }
  /** An element of OpenStreetMap without tags, such as a node of a way. */
  NO_TAGS: object
  /** The water is not for drinking; `tag` when a tag of OpenStreetMap says so, such as `drinking_water=no`. */
  NOT_DRINKABLE: { readonly tag?: string }
  /** A tag of OpenStreetMap says that it is not public, such as `access=no`. */
  NOT_PUBLIC: { readonly tag: string }
  OTHER_PURPOSE: { readonly purpose: OtherPurpose; readonly tag?: string }
  DISUSED: object
  ABANDONED: object
  /** No longer there, or not yet; `status` is the source's word. */
  GONE: { readonly status: string }
  /** The review file says `skip`. */
  REVIEWED: object
}

export type RefusedCode = keyof RefusedFacts
export type LeftOutCode = keyof LeftOutFacts

export type RefusedReason<Code extends RefusedCode = RefusedCode> = {
  [One in Code]: { readonly code: One } & RefusedFacts[One]
}[Code]
export type LeftOutReason<Code extends LeftOutCode = LeftOutCode> = {
  [One in Code]: { readonly code: One } & LeftOutFacts[One]
}[Code]

const purposes = {
  mist: 'it sprays mist',
  'hand-washing': 'it is for washing hands',
  decoration: 'it is for decoration',
  play: 'it is for play',
  'fire-brigade': 'it is for the fire brigade',
  laundry: 'it is for washing clothes',
  animals: 'it is for animals',
  hygiene: 'it is a shower or a toilet',
  'open-water': 'it is open water',
} as const

const texts: {
  readonly [Code in RefusedCode]: (reason: RefusedReason<Code>) => string
} & { readonly [Code in LeftOutCode]: (reason: LeftOutReason<Code>) => string } = {
  NO_GEOMETRY: () => 'has no geometry',
  EMPTY_GEOMETRY: ({ type }) => (type === 'Point' ? 'the point is empty' : 'the geometry is empty'),
  SEVERAL_POINTS: ({ points }) => `the MultiPoint has ${points} points; one fountain has one`,
  SEVERAL_GEOMETRIES: () => 'the geometry is a collection of several',
  UNKNOWN_GEOMETRY: ({ type }) => `the geometry type ${type} is not known`,
  NO_POSITION: () => 'has no coordinates',
  UNREADABLE_COORDINATES: ({ latitude, longitude }) =>
    `the coordinates "${latitude}", "${longitude}" are not understood`,
  UNREADABLE_GEOMETRY: ({ value }) => `the geometry "${value}" is not understood`,
  UNREADABLE_POSITION: ({ value }) => `the position "${value}" is not understood`,
  NOT_NUMBERS: () => 'the coordinates are not numbers',
  ZERO: () => 'the coordinates are 0, 0, which stands for "unknown"',
  BEYOND_POLE: ({ latitude }) =>
    `latitude ${latitude} is beyond the pole; latitude and longitude may be swapped`,
  NOT_DEGREES: ({ x, y, possible }) =>
    `the coordinates ${x}, ${y} are not degrees` +
    (possible.length === 0 ? '' : ` (${possible.join(', ')} would be possible)`),
  NOT_ON_EARTH: ({ x, y }) => `the coordinates ${x}, ${y} are not on Earth`,
  OUTSIDE_SYSTEM: ({ x, y, crs }) => `the coordinates ${x}, ${y} are neither of ${crs} nor degrees`,
  INVALID: ({ message }) => message,
  NOT_CHOSEN: ({ column }) => `the map reads other rows only (${column})`,
  UNWANTED: ({ column, value }) => `${column} is ${value}`,
  NO_TAGS: () => 'it has no tags; it is a part of another element',
  NOT_DRINKABLE: ({ tag }) => tag ?? 'its water is not for drinking',
  NOT_PUBLIC: ({ tag }) => tag,
  OTHER_PURPOSE: ({ purpose, tag }) => purposes[purpose] + (tag === undefined ? '' : ` (${tag})`),
  DISUSED: () => 'it is disused',
  ABANDONED: () => 'it is abandoned',
  GONE: ({ status }) => `it is no longer there, or not yet (${status})`,
  REVIEWED: () => 'the review says so',
}

/** Why a row was refused or left out, for people: a part of a sentence, without a full stop. */
export function reasonText(reason: RefusedReason | LeftOutReason): string {
  const text = texts[reason.code] as (given: typeof reason) => string
  return text(reason)
}

/** Notes for the importer of a file: each code with its facts. They do not stop the import. */
export interface NoteFacts {
  /** The text is not UTF-8 and was read in this encoding. */
  NOT_UTF8: { readonly encoding: string }
  /** Single characters of the UTF-8 text are not UTF-8 and were read in this encoding. */
  MIXED_ENCODING: { readonly characters: number; readonly encoding: string }
  /** A table of a GeoPackage in another coordinate system than the first one; it was not read. */
  TABLE_NOT_READ: { readonly table: string; readonly crs: string }
  /** The sheet of a workbook that is read, and the others that are not. */
  SHEET_READ: { readonly sheet: string; readonly others: readonly string[] }
  /** Tagged elements of an extract of OpenStreetMap that are no fountains. */
  ELEMENTS_NOT_READ: { readonly elements: number }
  /** The file in an archive that is read. */
  ENTRY_READ: { readonly entry: string }
  /** Lines or rows above the headings, which are titles or comments. */
  LINES_SKIPPED: { readonly lines: number }
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
  /** Columns that the map names, and that the file lacks or has empty in every row. */
  COLUMNS_LACKING: { readonly columns: readonly string[] }
  /** Neither the caller (`published`) nor the file says on which day the source published it. */
  PUBLISHED_UNKNOWN: object
  /** The day of its publication, as the caller or the file says it, is still to come: it was left out. */
  PUBLISHED_AHEAD: { readonly published: string }
  /** Rows that were checked or updated on a day that is still to come: these days were left out. */
  DAYS_AHEAD: { readonly rows: number }
  /**
   * Custom fields, in the order of code units, that were left out of so many rows: the registry does not declare them, or a
   * column that a map names has values that they cannot have.
   */
  PROPERTIES_LEFT_OUT: { readonly fields: readonly { readonly name: string; readonly rows: number }[] }
  /** Rows are written to `folder`: `instead`, where the file is, is another user's, or nothing can be written there. */
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

export type ImportNote<Code extends NoteCode = NoteCode> = {
  [One in Code]: { readonly code: One } & NoteFacts[One]
}[Code]
