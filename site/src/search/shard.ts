/**
 * The search index is a tree of beginnings of words. A beginning under which few entries are found is a leaf: its
 * file has them all. One with more is a branch: its file has only the best, for those who have typed no further,
 * and longer beginnings follow. A search therefore reads one small file a word.
 */
export interface SearchIndex {
  readonly leaves: readonly string[]
  readonly branches: readonly string[]
}

/** A fountain in the index. */
export type FountainEntry = readonly [
  id: number,
  name: string,
  region: string,
  latitude: number,
  longitude: number,
]

/** A region in the index. */
export type RegionEntry = readonly [
  name: string,
  fountains: number,
  latitude: number,
  longitude: number,
  west: number,
  south: number,
  east: number,
  north: number,
]

/** What is found under one beginning. */
export interface SearchShard {
  readonly regions: readonly RegionEntry[]
  readonly fountains: readonly FountainEntry[]
}

/** Entries of a leaf at most, except where that many share a whole word. */
export const leafCapacity = 500

/** Entries that a branch's file names. */
export const branchEntries = 150

/** The file of a beginning: safe on every file system, whatever the script. */
export function shardFile(beginning: string): string {
  if (/^[a-z0-9]+$/u.test(beginning)) return `a-${beginning}.json`
  return `u-${[...beginning].map((letter) => (letter.codePointAt(0) ?? 0).toString(16)).join('-')}.json`
}
