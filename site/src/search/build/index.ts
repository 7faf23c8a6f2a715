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

interface Entry {
  readonly region?: SearchPlace
  readonly row?: Row
  /** The folded name of a fountain, or its street: it is compared with every prefix of its words. */
  readonly name: string
}

/** A word and the places of its entries, which are in the order of their worth where all else is equal. */
interface Word {
  readonly text: string
  readonly places: readonly number[]
}

/** Writes the index of names and regions, `search/index.json` and a file for each prefix. @returns it */
export async function writeSearchIndex(
  rows: readonly Row[],
  regions: readonly SearchPlace[],
  outDir: string,
  cache = new BuildCache({ folder: outDir }),
): Promise<SearchIndex> {
  const folder = join(outDir, 'search')
  await mkdir(folder, { recursive: true })
  const news = new Map(rows.map((row) => [row, lastNews(row)]))
  const latestFirst = (a: Row, b: Row): number => {
    const [one = '', other = ''] = [news.get(a), news.get(b)]
    return one > other ? -1 : one < other ? 1 : 0
  }
  const entries: readonly Entry[] = [
    ...regions.map((region) => ({ region, name: '' })),
    ...rows.toSorted(latestFirst).map((row) => ({ row, name: fold(row.name || row.street || '') })),
  ]
  const leaves: string[] = []
  const branches: string[] = []
  for (const { prefix, isWhole, found } of shardsUnder(wordsOf(entries), 0, entries)) {
    const inputs = found.map(({ region, row }) => row?.digest ?? JSON.stringify(region))
    await cache.write(`search/${shardFile(prefix)}`, inputs.join('\n'), () => JSON.stringify(shardOf(found)))
    ;(isWhole ? leaves : branches).push(prefix)
  }
  const index: SearchIndex = { leaves, branches }
  await writeFile(join(folder, 'index.json'), JSON.stringify(index))
  return index
}

function wordsOf(entries: readonly Entry[]): Word[] {
  const found = new Map<string, number[]>()
  for (const [place, { region, name }] of entries.entries()) {
    const names = region ? namesOf(region).join(' ') : name
    for (const word of entryWords(names)) {
      const places = found.get(word)
      if (places) places.push(place)
      else found.set(word, [place])
    }
  }
  return [...found].map(([text, places]) => ({ text, places })).toSorted((a, b) => (a.text < b.text ? -1 : 1))
}

interface Shard {
  readonly prefix: string
  /** Whether it has all entries of the prefix. */
  readonly isWhole: boolean
  readonly found: readonly Entry[]
}

/** The shards of words in the order of their prefixes, which are longer than one of the given length. */
function* shardsUnder(words: readonly Word[], length: number, entries: readonly Entry[]): Generator<Shard> {
  for (const [prefix, group] of byPrefix(words, length + 1)) {
    const places = new Set(group.flatMap((word) => word.places))
    const found = [...Uint32Array.from(places).toSorted()].flatMap((place) => entries[place] ?? [])
    const isWhole = found.length <= leafCapacity
    if (isWhole) {
      yield { prefix, isWhole, found }
      continue
    }
    const exact = new Set(group.find(({ text }) => text === prefix)?.places.map((place) => entries[place]))
    yield { prefix, isWhole, found: best(prefix, found, exact) }
    yield* shardsUnder(group, length + 1, entries)
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

/** The best entries: regions, names that start with the prefix, the word itself, verified, with the latest news. */
function best(prefix: string, found: readonly Entry[], exact: ReadonlySet<Entry | undefined>): Entry[] {
  const byRank = Map.groupBy(found, (entry) => {
    if (entry.region) return 8
    const is = (holds: boolean | undefined, worth: number) => (holds ? worth : 0)
    return is(entry.name.startsWith(prefix), 4) + is(exact.has(entry), 2) + is(entry.row?.verified, 1)
  })
  const ranks = [...byRank.keys()].toSorted((a, b) => b - a)
  return ranks.flatMap((rank) => byRank.get(rank)?.slice(0, branchEntries) ?? []).slice(0, branchEntries)
}

const shardOf = (entries: readonly Entry[]): SearchShard => ({
  regions: entries.flatMap(({ region }) => (region ? [regionEntry(region)] : [])),
  fountains: entries.flatMap(({ row }) => (row ? [fountainEntry(row)] : [])),
})

function regionEntry({ name, count, latitude, longitude, bounds, ...place }: SearchPlace): RegionEntry {
  const { country, code, names } = place
  const more: RegionDetail = {
    ...(country !== undefined && { country }),
    ...(code?.length === 2 && { code }),
    ...(names !== undefined && { names }),
  }
  const found = [name, count, latitude, longitude, ...bounds] as const
  return Object.keys(more).length === 0 ? found : [...found, more]
}

function fountainEntry(row: Row): FountainEntry {
  const { id, name, region, place, latitude, longitude, town, street } = row
  const entry = [id, name, region || place || '', round(latitude), round(longitude)] as const
  if (name !== '' && !town) return entry
  const amenities = name === '' ? row.amenities : []
  return [...entry, { amenities, ...(street && { street }), ...(town && { town }) }]
}

const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5
