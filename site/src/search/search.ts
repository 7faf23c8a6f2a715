import { distanceMetres, type Place } from '@openfountain/core/geodesy'
import { namesOf } from '../naming.ts'
import { fold } from '@openfountain/core/letters'
import type { FountainEntry, RegionEntry, SearchIndex, SearchShard } from './shard.ts'
import { shardFile } from './shard.ts'
import { words } from './words.ts'
import type { LiveLayer } from '../live/layer.ts'
import { remembered } from '../remembered.ts'

/** Reads a file of the index by its name, as JSON. */
export type ReadFile = (name: string) => Promise<unknown>

/** The result of a search, best first. */
export interface SearchResult {
  readonly regions: readonly RegionEntry[]
  readonly fountains: readonly FountainEntry[]
}

const regionLimit = 5
const fountainLimit = 30
const filesPerSearch = 3
const none: NonNullable<FountainEntry[5]> = { amenities: [] }

/**
 * The search over the static index. Words may be in any order and incomplete; case and accents do not matter; every
 * word must be a prefix of a word of the name or the region, or (from three letters on) occur anywhere in the name.
 * When all words are very common, only the best entries are searched.
 */
export class Search {
  /** Changes newer than the index. */
  updates: LiveLayer | undefined
  readonly #read: ReadFile

  constructor(read: ReadFile) {
    this.#read = remembered(read)
  }

  /**
   * Finds regions and fountains; nothing for a query without a letter or digit.
   *
   * @param from equally good matches are ordered by their distance from here
   * @throws the errors of reading a file; a later search tries again.
   */
  async find(query: string, from?: Place): Promise<SearchResult> {
    const terms = [...new Set(words(query))]
    if (terms.length === 0) return { regions: [], fountains: [] }
    const files = (await this.#filesFor(terms)).map((prefix) => this.#read(shardFile(prefix)))
    const shards = (await Promise.all(files)) as SearchShard[]
    const regions = new Map(
      shards.flatMap((shard) => shard.regions.map((entry) => [keyOf(entry), entry] as const)),
    )
    const fountains = new Map(
      shards.flatMap((shard) => shard.fountains.map((entry) => [entry[0], entry] as const)),
    )
    const { updates } = this
    if (updates) {
      for (const id of fountains.keys()) if (updates.replaces(id)) fountains.delete(id)
      for (const entry of updates.entries()) fountains.set(entry[0], entry)
    }
    // Very many fountains have no name.
    const lastOf = ([, name, , latitude, longitude]: FountainEntry): number =>
      (name === '' ? 1e9 : 0) + (from ? distanceMetres(from, { latitude, longitude }) : 0)
    const textOf = ([, name, region, , , { street, town } = none]: FountainEntry) => ({
      name: name || street || '',
      region: [region, ...(town ? namesOf(town) : [])].join(' '),
    })
    return {
      regions: rankedRegions([...regions.values()], terms).slice(0, regionLimit),
      fountains: ranked([...fountains.values()], terms, textOf, lastOf).slice(0, fountainLimit),
    }
  }

  /** The prefixes to read: leaves before branches, long before short. */
  async #filesFor(terms: readonly string[]): Promise<string[]> {
    const index = (await this.#read('index.json')) as SearchIndex
    const leaves = new Set(index.leaves)
    const branches = new Set(index.branches)
    const ofLeaves: string[] = []
    const ofBranches: string[] = []
    for (const term of terms) {
      const letters = [...term]
      const leaf = letters
        .map((_, last) => letters.slice(0, last + 1).join(''))
        .find((one) => leaves.has(one))
      if (leaf !== undefined) ofLeaves.push(leaf)
      else if (branches.has(term)) ofBranches.push(term)
    }
    const longFirst = (prefixes: string[]) => prefixes.toSorted((a, b) => b.length - a.length)
    return [...new Set([...longFirst(ofLeaves), ...longFirst(ofBranches)])].slice(0, filesPerSearch)
  }
}

/** Two places may have the same name. */
const keyOf = ([name, , , , ...where]: RegionEntry): string => JSON.stringify([name, where])

/** Regions by the best match of their names in any language; ties by the number of fountains. */
function rankedRegions(regions: readonly RegionEntry[], terms: readonly string[]): RegionEntry[] {
  const named = regions.flatMap((entry) =>
    namesOf({ name: entry[0], names: entry[8]?.names }).map((name) => ({ entry, name })),
  )
  const found = ranked(
    named,
    terms,
    ({ name }) => ({ name, region: '' }),
    ({ entry: [, fountains] }) => -fountains,
  )
  return [...new Set(found.map(({ entry }) => entry))]
}

function ranked<Entry>(
  entries: readonly Entry[],
  terms: readonly string[],
  textOf: (entry: Entry) => { name: string; region: string },
  lastOf: (entry: Entry) => number = () => 0,
): Entry[] {
  const query = terms.join(' ')
  return entries
    .flatMap((entry) => {
      const { name, region } = textOf(entry)
      const rank = rankOf(fold(name), words(name), words(region), terms, query)
      return rank === undefined ? [] : [{ entry, rank, last: lastOf(entry) }]
    })
    .toSorted((a, b) => a.rank - b.rank || a.last - b.last)
    .map(({ entry }) => entry)
}

/**
 * The rank of a match: 0 for the name itself, 1 for names that start with the query, 2 for names that contain it, 3
 * where every word of the query is a prefix of a word of name or region, 4 for the rest.
 */
function rankOf(
  name: string,
  nameWords: readonly string[],
  regionWords: readonly string[],
  terms: readonly string[],
  query: string,
): number | undefined {
  const found = terms.every(
    (term) =>
      nameWords.some((word) => word.startsWith(term)) ||
      regionWords.some((word) => word.startsWith(term)) ||
      ([...term].length >= 3 && name.includes(term)) ||
      (/[^\p{ASCII}]/u.test(term) && name.includes(term)),
  )
  if (!found) return undefined
  const plain = nameWords.join(' ')
  if (plain === query) return 0
  if (plain.startsWith(query)) return 1
  if (plain.includes(query)) return 2
  const all = [...nameWords, ...regionWords]
  return terms.every((term) => all.some((word) => word.startsWith(term))) ? 3 : 4
}
