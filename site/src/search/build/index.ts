import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fold } from '@openfountain/core/letters'
import { madeName } from '@openfountain/core/names'
import { kindOf } from '@openfountain/core/vocabulary'
import type { SearchPlace } from '../../map/build/places.ts'
import type { RowColumns } from '../../map/build/rows.ts'
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
 * @returns the index that was written
 */
export async function writeSearchIndex(
  rows: RowColumns,
  regions: readonly SearchPlace[],
  outDir: string,
): Promise<SearchIndex> {
  const folder = join(outDir, 'search')
  await mkdir(folder, { recursive: true })
  const leaves: string[] = []
  const branches: string[] = []
  for (const shard of shards(collectWords(rows, regions), namedRows(rows, regions.length))) {
    const file = join(folder, shardFile(shard.prefix))
    await writeFile(file, JSON.stringify(shardOf(shard.entries, rows, regions)))
    ;(shard.complete ? leaves : branches).push(shard.prefix)
  }
  const index: SearchIndex = { leaves, branches }
  await writeFile(join(folder, 'index.json'), JSON.stringify(index))
  return index
}

function collectWords(rows: RowColumns, regions: readonly SearchPlace[]): Word[] {
  const found = new Map<string, number[]>()
  const note = (text: string, entry: number): void => {
    for (const word of entryWords(text)) {
      const entries = found.get(word)
      if (entries) entries.push(entry)
      else found.set(word, [entry])
    }
  }
  regions.forEach(({ name, names = {} }, place) => {
    for (const one of new Set([name, ...Object.values(names)])) note(one, -1 - place)
  })
  for (let row = 0; row < rows.length; row += 1) note(rows.names[row] ?? '', row)
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

/** What prefixes are looked for in. */
interface Named {
  readonly rows: RowColumns
  /** What names are compared as; undefined for one that was made for a fountain without a name. */
  readonly names: readonly (string | undefined)[]
  /** Entries of words, each once. */
  distinct(words: readonly Word[]): number[]
}

/** A name is compared with every prefix of its words: it is folded once. */
function namedRows(rows: RowColumns, regions: number): Named {
  const names = rows.names.map((name) => (madeName(name) === undefined ? fold(name) : undefined))
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
  return { rows, names, distinct }
}

function* shards(all: readonly Word[], named: Named): Generator<Shard> {
  for (const [prefix, group] of byPrefix(all, 1)) yield* shardsUnder(prefix, group, named)
}

function* shardsUnder(prefix: string, group: readonly Word[], named: Named): Generator<Shard> {
  const shard = shardFor(prefix, group, named)
  yield shard
  if (shard.complete) return
  const length = [...prefix].length
  for (const [longer, members] of byPrefix(group, length + 1)) yield* shardsUnder(longer, members, named)
}

/** Keeps only the entries that it writes: a common prefix has as many as there are rows. */
function shardFor(prefix: string, group: readonly Word[], named: Named): Shard {
  const entries = named.distinct(group)
  const complete = entries.length <= leafCapacity
  return { prefix, complete, entries: complete ? entries : best(prefix, group, entries, named) }
}

/** Words of at least the given length, by their prefix of that length. */
function byPrefix(sorted: readonly Word[], length: number): Map<string, Word[]> {
  const groups = new Map<string, Word[]>()
  for (const word of sorted) {
    const letters = [...word.text]
    if (letters.length < length) continue
    const prefix = letters.slice(0, length).join('')
    const group = groups.get(prefix)
    if (group) group.push(word)
    else groups.set(prefix, [word])
  }
  return groups
}

/** The best entries: regions, names that somebody gave and that start with the prefix, the word itself, verified, recently confirmed. */
function best(
  prefix: string,
  group: readonly Word[],
  entries: readonly number[],
  { rows, names }: Named,
): number[] {
  const exact = new Set(group.find(({ text }) => text === prefix)?.entries)
  const rank = (entry: number): number => {
    if (entry < 0) return 8
    const name = names[entry]
    if (name === undefined) return rows.verified[entry] === true ? 0 : -1
    return (
      (name.startsWith(prefix) ? 4 : 0) + (exact.has(entry) ? 2 : 0) + (rows.verified[entry] === true ? 1 : 0)
    )
  }
  const chosen: Candidate[] = []
  for (const entry of entries) {
    const candidate = { entry, rank: rank(entry), confirmed: rows.confirmed[entry] ?? '' }
    const last = chosen.length === branchEntries ? chosen.at(-1) : undefined
    if (last && bestFirst(candidate, last) > 0) continue
    let place = chosen.length
    for (; place > 0; place -= 1) {
      const before = chosen[place - 1]
      if (!before || bestFirst(before, candidate) < 0) break
    }
    chosen.splice(place, 0, candidate)
    if (chosen.length > branchEntries) chosen.pop()
  }
  return chosen.map(({ entry }) => entry)
}

interface Candidate {
  readonly entry: number
  readonly rank: number
  readonly confirmed: string
}

function bestFirst(a: Candidate, b: Candidate): number {
  return (
    b.rank - a.rank ||
    (a.confirmed < b.confirmed ? 1 : a.confirmed > b.confirmed ? -1 : 0) ||
    (a.entry < 0 || b.entry < 0 ? b.entry - a.entry : a.entry - b.entry)
  )
}

function shardOf(entries: readonly number[], rows: RowColumns, regions: readonly SearchPlace[]): SearchShard {
  const shard = { regions: [] as RegionEntry[], fountains: [] as FountainEntry[] }
  for (const entry of entries) {
    const region = entry < 0 ? regions[-1 - entry] : undefined
    if (region) {
      const { name, count, latitude, longitude, bounds, country, code, names } = region
      const found = [name, count, latitude, longitude, ...bounds] as const
      const more: RegionDetail = {
        ...(country !== undefined && { country }),
        ...(code?.length === 2 && { code }),
        ...(names !== undefined && { names }),
      }
      shard.regions.push(Object.keys(more).length === 0 ? found : [...found, more])
    } else {
      const name = rows.names[entry] ?? ''
      const kind = madeName(name) && kindOf(rows.amenitySets[entry] ?? [])
      const found = [
        rows.ids[entry] ?? 0,
        name,
        rows.regions[entry] ?? rows.places[entry] ?? '',
        round(rows.latitudes[entry] ?? 0),
        round(rows.longitudes[entry] ?? 0),
      ] as const
      shard.fountains.push(kind === undefined ? found : [...found, [kind]])
    }
  }
  return shard
}

const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5
