import type { Bounds } from '../data/region.ts'
import type { Nameable, PlaceName } from '../naming.ts'

/**
 * The search index is a tree of word prefixes, of which a search reads one small file per word. A prefix with few entries
 * is a leaf: its file has them all. That of a branch has the best, for a query that ends there, and longer prefixes follow.
 */
export interface SearchIndex {
  readonly leaves: readonly string[]
  readonly branches: readonly string[]
}

export type FountainEntry = readonly [
  id: number,
  name: string,
  /** The region, or the place around it; empty when both are unknown. */
  region: string,
  latitude: number,
  longitude: number,
  more?: Pick<Nameable, 'amenities' | 'street' | 'town'>,
]

/** A region, another place around fountains, or a place of the operator without fountains; in the index. */
export type RegionEntry = readonly [...Extent, more?: RegionDetail]

export type Extent = readonly [
  name: string,
  fountains: number,
  latitude: number,
  longitude: number,
  ...bounds: Bounds,
]

export const extentOf = (entry: RegionEntry): Bounds => [entry[4], entry[5], entry[6], entry[7]]

export interface RegionDetail {
  readonly country?: string
  /** The code of a country (ISO 3166-1), whose name each language has. */
  readonly code?: string
  /** Names in other languages, by language tag. */
  readonly names?: PlaceName['names']
}

export interface SearchShard {
  readonly regions: readonly RegionEntry[]
  readonly fountains: readonly FountainEntry[]
}

/** Most entries of a leaf, except where more share a whole word. */
export const leafCapacity = 500

export const branchEntries = 150

/** The file of a prefix: safe on every file system, in every script. */
export function shardFile(prefix: string): string {
  if (/^[a-z0-9]+$/u.test(prefix)) return `a-${prefix}.json`
  return `u-${[...prefix].map((letter) => (letter.codePointAt(0) ?? 0).toString(16)).join('-')}.json`
}
