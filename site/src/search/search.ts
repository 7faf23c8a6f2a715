import { distanceMetres, type Place } from '@openfountain/core/geodesy'
import { namesOf } from '../naming.ts'
import { fold } from '@openfountain/core/letters'
import type { FountainEntry, RegionEntry, SearchIndex, SearchShard } from './shard.ts'
import { shardFile } from './shard.ts'
import { indexed, spellings, words } from './words.ts'
import type { LiveLayer } from '../live/layer.ts'
import { remembered } from '../remembered.ts'

export type ReadFile = (name: string) => Promise<unknown>

type SearchResult = { readonly regions: readonly RegionEntry[]; readonly fountains: readonly FountainEntry[] }

const regionLimit = 5
const fountainLimit = 30
const filesPerSearch = 3
const none: NonNullable<FountainEntry[5]> = { amenities: [] }

/**
 * The search over the static index. Words may be in any order and incomplete; case and accents do not matter, and ae, oe
 * and ue are ä, ö and ü; every word must be a prefix of a word of the name or the region, or (from three letters on) occur anywhere in the name.
 * When all words are very common, only the best entries are searched.
 */
export class Search {
  /** Changes newer than the index. */
  updates: LiveLayer | undefined
  readonly #read: ReadFile

  constructor(read: ReadFile) {
    this.#read = remembered(read)
  }

  /** Finds regions and fountains, equal ones by their distance `from` here. @throws the errors of reading a file; a later search tries again */
  async find(query: string, from?: Place): Promise<SearchResult> {
    const terms = [...new Set(words(query))]
    if (terms.length === 0) return { regions: [], fountains: [] }
    const files = (await this.#filesFor(terms.flatMap((term) => [term, indexed(term)]))).map((prefix) =>
      this.#read(shardFile(prefix)),
    )
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
    const namedRegions = [...regions.values()].map((entry) => {
      const [name, fountainCount, , , , , , , more] = entry
      return { entry, names: namesOf({ name, names: more?.names }), around: '', last: -fountainCount }
    })
    const namedFountains = [...fountains.values()].map((entry) => {
      const [, name, region, latitude, longitude, { street, town } = none] = entry
      const metres = from ? distanceMetres(from, { latitude, longitude }) : 0
      return {
        entry,
        names: [name || street || ''],
        around: [region, ...(town ? namesOf(town) : [])].join(' '),
        // Very many fountains have no name.
        last: (name === '' ? 1e9 : 0) + metres,
      }
    })
    return {
      regions: best(namedRegions, terms, regionLimit),
      fountains: best(namedFountains, terms, fountainLimit),
    }
  }

  /** The prefixes to read: leaves before branches, long before short. */
  async #filesFor(terms: readonly string[]): Promise<string[]> {
    const index = (await this.#read('index.json')) as SearchIndex
    const leaves = new Set(index.leaves)
    const branches = new Set(index.branches)
    const found = terms.flatMap((term) => {
      const letters = [...term]
      const leaf = letters
        .map((_, last) => letters.slice(0, last + 1).join(''))
        .find((one) => leaves.has(one))
      return leaf ?? (branches.has(term) ? term : [])
    })
    const leavesFirst = (a: string, b: string) => Number(leaves.has(b)) - Number(leaves.has(a))
    return [...new Set(found)]
      .toSorted((a, b) => leavesFirst(a, b) || b.length - a.length)
      .slice(0, filesPerSearch)
  }
}

/** Two places may have the same name. */
const keyOf = ([name, , , , ...where]: RegionEntry): string => JSON.stringify([name, where])

interface Candidate<Entry> {
  readonly entry: Entry
  readonly names: readonly string[]
  readonly around: string
  /** Orders equally good matches, ascending. */
  readonly last: number
}

function best<Entry>(
  candidates: readonly Candidate<Entry>[],
  terms: readonly string[],
  limit: number,
): Entry[] {
  return candidates
    .map(({ entry, names, around, last }) => {
      const places = spellings(around).join(' ')
      const rank = Math.min(...names.flatMap(spellings).map((name) => rankOf(name, places, terms)))
      return { entry, rank, last }
    })
    .filter(({ rank }) => rank < Infinity)
    .toSorted((a, b) => a.rank - b.rank || a.last - b.last)
    .slice(0, limit)
    .map(({ entry }) => entry)
}

/** The rank of a match: 0 the name, 1 names that start so, 2 that contain it, 3 prefixes of words of name or places, 4 the rest; else infinite. */
function rankOf(name: string, around: string, terms: readonly string[]): number {
  const [folded, own, query] = [fold(name), words(name), terms.join(' ')]
  const all = [...own, ...words(around)]
  const isPrefix = (term: string) => all.some((word) => word.startsWith(term))
  const isInside = (term: string) =>
    ([...term].length >= 3 || /[^\p{ASCII}]/u.test(term)) && folded.includes(term)
  if (!terms.every((term) => isPrefix(term) || isInside(term))) return Infinity
  const plain = own.join(' ')
  if (plain === query) return 0
  if (plain.startsWith(query)) return 1
  if (plain.includes(query)) return 2
  return terms.every(isPrefix) ? 3 : 4
}
