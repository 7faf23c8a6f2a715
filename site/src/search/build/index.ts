import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fold } from '@openfountain/core/letters'
import { BuildCache } from '../../build/build-cache.ts'
import type { SearchPlace } from '../../map/build/places.ts'
import { namesOf } from '../../naming.ts'
import { lastNews } from '../../data/news.ts'
import type { Row } from '../../data/row.ts'
import {
  branchEntries,
  type FountainEntry,
  leafCapacity,
  type RegionDetail,
  type RegionEntry,
  type SearchIndex,
  type SearchShard,
  shardFile,
} from '../shard.ts'
import { entryWords } from '../words.ts'

/** Rows with a word; a region has the number −1 − its index. */
interface Word {
  readonly text: string
  readonly entries: readonly number[]
}

/**
 * Writes the index of names and regions: `search/index.json` with all prefixes, and a file for each.
 *
 * @param cache default none
 * @returns the index that was written
 */
export async function writeSearchIndex(
  rows: readonly Row[],
  regions: readonly SearchPlace[],
  outDir: string,
  cache = new BuildCache({ folder: outDir }),
): Promise<SearchIndex> {
  const folder = join(outDir, 'search')
  await mkdir(folder, { recursive: true })
  const leaves: string[] = []
  const branches: string[] = []
  for (const shard of shardsUnder(collectWords(rows, regions), 0, namedRows(rows, regions.length))) {
    const file = `search/${shardFile(shard.prefix)}`
    await cache.put([file], inputsOf(shard.entries, rows, regions), () => ({
      texts: [JSON.stringify(shardOf(shard.entries, rows, regions))],
      facts: true,
    }))
    ;(shard.complete ? leaves : branches).push(shard.prefix)
  }
  const index: SearchIndex = { leaves, branches }
  await writeFile(join(folder, 'index.json'), JSON.stringify(index))
  return index
}

function collectWords(rows: readonly Row[], regions: readonly SearchPlace[]): Word[] {
  const found = new Map<string, number[]>()
  const note = (text: string, entry: number): void => {
    for (const word of entryWords(text)) {
      const entries = found.get(word)
      if (entries) entries.push(entry)
      else found.set(word, [entry])
    }
  }
  regions.forEach((region, place) => {
    for (const one of new Set(namesOf(region))) note(one, -1 - place)
  })
  for (const [row, { name, street }] of rows.entries()) note(name || street || '', row)
  return [...found]
    .map(([text, entries]) => ({ text, entries }))
    .toSorted((a, b) => (a.text < b.text ? -1 : 1))
}

interface Shard {
  readonly prefix: string
  /** Whether it has all entries of the prefix. */
  readonly complete: boolean
  readonly entries: readonly number[]
}

/** The rows that prefixes are searched in. */
interface SearchRows {
  readonly rows: readonly Row[]
  /** The folded names, or streets. Fountains without both are in no word. */
  readonly names: readonly string[]
  /** Tie-break of rows with the same rank: higher comes first, less than 2 ** 44. */
  readonly earliness: Float64Array
  /** Upper bound of each row's rank under a prefix that is no word of its name. */
  readonly ceilings: Float64Array
  /** Entries of words, each once. */
  distinct(words: readonly Word[]): number[]
}

/** Each name is folded once, since it is compared with every prefix of its words. */
function namedRows(rows: readonly Row[], regions: number): SearchRows {
  const names = rows.map(({ name, street }) => fold(name || street || ''))
  // A common prefix has as many entries as there are rows, for which a set is slow.
  const seen = new Uint32Array(rows.length + regions)
  let call = 0
  const distinct = (words: readonly Word[]): number[] => {
    call += 1
    const found: number[] = []
    for (const { entries } of words) {
      for (const entry of entries) {
        const place = entry < 0 ? rows.length - 1 - entry : entry
        if (seen[place] === call) continue
        seen[place] = call
        found.push(entry)
      }
    }
    return found
  }
  const earliness = earlinessOf(rows)
  const ceilings = earliness.map((early, row) => {
    const isVerified = rows[row]?.verified === true
    return rankOf({ startsSo: true, isWord: false, isVerified }) * rankRoom + early
  })
  return { rows, names, earliness, ceilings, distinct }
}

/** Rows confirmed last come first; on the same day those with the lower number. */
function earlinessOf(rows: readonly Row[]): Float64Array {
  const confirmed = rows.map(lastNews)
  const days = new Map([...new Set(confirmed)].toSorted().map((day, place) => [day, place]))
  return Float64Array.from(confirmed, (day, row) => ((days.get(day) ?? 0) + 1) * rows.length - row)
}

/** The shards of words in the order of their prefixes, which are longer than one of the given length. */
function* shardsUnder(words: readonly Word[], length: number, named: SearchRows): Generator<Shard> {
  for (const [prefix, group] of byPrefix(words, length + 1)) {
    // Only the entries that are written are held: a common prefix has as many as there are rows.
    const entries = named.distinct(group)
    const complete = entries.length <= leafCapacity
    yield { prefix, complete, entries: complete ? entries : best(prefix, group, entries, named) }
    if (!complete) yield* shardsUnder(group, length + 1, named)
  }
}

/** Words of at least the given length, by their prefix of that length. */
function byPrefix(sorted: readonly Word[], length: number): ReadonlyMap<string, readonly Word[]> {
  const groups = Map.groupBy(sorted, ({ text }) => {
    const letters = [...text]
    return letters.length < length ? '' : letters.slice(0, length).join('')
  })
  groups.delete('')
  return groups
}

/** The best entries: regions, given names that start with the prefix, the word itself, verified, recently confirmed. */
function best(
  prefix: string,
  group: readonly Word[],
  entries: readonly number[],
  { rows, names, earliness, ceilings }: SearchRows,
): number[] {
  const exact = new Set(group.find(({ text }) => text === prefix)?.entries)
  const mostForWord = exact.size > 0 ? wordWorth * rankRoom : 0
  const worth = (entry: number): number => {
    const name = names[entry]
    const rank = rankOf({
      startsSo: name?.startsWith(prefix) === true,
      isWord: exact.has(entry),
      isVerified: rows[entry]?.verified === true,
    })
    return rank * rankRoom + (earliness[entry] ?? 0)
  }
  const chosen: { readonly entry: number; readonly worth: number }[] = []
  let least = -Infinity
  for (const entry of entries) {
    // Most rows of a common prefix rank below the chosen ones, whatever their names.
    if ((ceilings[entry] ?? Infinity) + mostForWord <= least) continue
    const value = entry < 0 ? regionRank * rankRoom + entry : worth(entry)
    if (value <= least) continue
    const place = chosen.findLastIndex((one) => one.worth > value) + 1
    chosen.splice(place, 0, { entry, worth: value })
    if (chosen.length > branchEntries) chosen.pop()
    if (chosen.length === branchEntries) least = chosen.at(-1)?.worth ?? least
  }
  return chosen.map(({ entry }) => entry)
}

/** The rank of a row under a prefix. */
function rankOf(row: {
  readonly startsSo: boolean
  readonly isWord: boolean
  readonly isVerified: boolean
}): number {
  const is = (holds: boolean, worth: number) => (holds ? worth : 0)
  return is(row.startsSo, 4) + is(row.isWord, wordWorth) + is(row.isVerified, 1)
}

/** The rank of a prefix that is a whole word of the name. */
const wordWorth = 2
/** Room for the tie-break within one rank, in one exact number. */
const rankRoom = 2 ** 44
/** Above the rank of any fountain, also after a region's number is subtracted. */
const regionRank = 10

/** Everything that a file follows from. */
const inputsOf = (
  entries: readonly number[],
  rows: readonly Row[],
  regions: readonly SearchPlace[],
): string =>
  entries.map((entry) => (entry < 0 ? JSON.stringify(regions[-1 - entry]) : rows[entry]?.digest)).join('\n')

function shardOf(
  entries: readonly number[],
  rows: readonly Row[],
  regions: readonly SearchPlace[],
): SearchShard {
  const shard = { regions: [] as RegionEntry[], fountains: [] as FountainEntry[] }
  for (const entry of entries) {
    const [region, row] = [regions[-1 - entry], rows[entry]]
    if (region) {
      const { name, count, latitude, longitude, bounds, country, code, names } = region
      const more: RegionDetail = {
        ...(country !== undefined && { country }),
        ...(code?.length === 2 && { code }),
        ...(names !== undefined && { names }),
      }
      const found = [name, count, latitude, longitude, ...bounds] as const
      shard.regions.push(Object.keys(more).length === 0 ? found : [...found, more])
    } else if (row) {
      const { id, name, region: own, place, latitude, longitude, town, street, amenities } = row
      const entry = [id, name, own || place || '', round(latitude), round(longitude)] as const
      const more = {
        amenities: name === '' ? amenities : [],
        ...(street && { street }),
        ...(town && { town }),
      }
      shard.fountains.push(name !== '' && !town ? entry : [...entry, more])
    }
  }
  return shard
}

const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5
