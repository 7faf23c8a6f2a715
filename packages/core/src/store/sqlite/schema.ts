import type { Flag, Tables } from '../tables.ts'

/** The tables as TypeScript knows them; a test compares them with the migrated database. */
export interface Schema extends Tables {
  /** FTS5 over folded words of live waypoints, without their text. */
  waypointWords: {
    rowid: number
    name: string
    description: string
    region: string
    waypointWords: string
  }
  /** FTS5 over every three characters of folded names of live waypoints, without their text. */
  waypointNames: {
    rowid: number
    name: string
    waypointNames: string
  }
  /** Waypoints whose current text is not yet in the indexes of words and names. */
  searchBacklog: {
    waypointId: number
    /** Whether an older text of the waypoint is in the indexes. */
    indexed: Flag
  }
  /** Every word of four or more characters that was ever in waypointWords, for completing prefixes. */
  searchWords: {
    word: string
  }
}
