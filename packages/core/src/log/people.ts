import { canonicalJson, type StoredEntry } from './entry.ts'
import { foldCredits, foldSubject, isListing, keyOf } from './fold.ts'
import type { KeyOf, SourceFacts, VouchedNouns } from './nouns.ts'
import { builtIn, listedSource } from './states.ts'

/** The nouns with few rows: people, sources, areas and runs of imports. */
type SmallNoun = 'user' | 'source' | 'area' | 'import'

/** Replays the nouns with few rows, all at once and in memory. */
export class People {
  readonly #replayed: { readonly [Noun in SmallNoun]: Map<KeyOf<Noun>, VouchedNouns[Noun]> } = {
    user: new Map(builtIn.map((person) => [person.id, person])),
    source: new Map(),
    area: new Map(),
    import: new Map(),
  }
  /** By source: the entries that said that everything is listed, with their times. */
  readonly #listings = new Map<number, { readonly id: number; readonly at: string }[]>()
  readonly #report: (problem: string) => void

  constructor(report: (problem: string) => void) {
    this.#report = report
  }

  /** Folds the next entry. */
  add(entry: StoredEntry): void {
    const { subject } = entry
    try {
      if (subject in this.#replayed) this.#fold(subject as SmallNoun, entry)
      if (subject === 'import') this.#list(entry)
      foldCredits(entry, {
        get: (id) => this.#get('user', id),
        put: (after) => void this.#replayed.user.set(after.id, after),
      })
    } catch (error) {
      this.#report(`entry ${entry.id}: ${error instanceof Error ? error.message : 'cannot be replayed'}`)
    }
  }

  #fold<Noun extends SmallNoun>(noun: Noun, entry: StoredEntry): void {
    const key = keyOf(noun, entry)
    const states = this.#replayed[noun]
    states.set(key, foldSubject(noun, states.get(key), entry))
  }

  #get<Noun extends SmallNoun>(noun: Noun, key: KeyOf<Noun> | undefined): VouchedNouns[Noun] {
    const state = key === undefined ? undefined : this.#replayed[noun].get(key)
    if (state === undefined) throw new Error(`${noun} ${key} is not in the log`)
    return state
  }

  #list(entry: StoredEntry): void {
    const { sourceId } = this.#get('import', Number(entry.subjectId))
    const source = this.#get('source', sourceId)
    if (!isListing(entry)) return
    this.#replayed.source.set(sourceId, listedSource(source, entry))
    const listings = this.#listings.get(sourceId) ?? []
    listings.push({ id: entry.id, at: entry.at })
    this.#listings.set(sourceId, listings)
  }

  /** The state of a source before an entry, limited to the facts for its records. */
  sourceAt(sourceId: number | undefined, entryId: number): SourceFacts {
    const { listedAt: _newest, ...source } = this.#get('source', sourceId)
    const listing = this.#listings.get(source.id)?.findLast(({ id }) => id < entryId)
    return { ...source, listedAt: listing?.at }
  }

  /** Compares the replayed nouns with the stored ones. */
  compare(stored: <Noun extends SmallNoun>(noun: Noun) => Iterable<VouchedNouns[Noun]>): void {
    for (const noun of ['user', 'source', 'area', 'import'] as const)
      this.#compareEach(noun, this.#replayed[noun], stored(noun))
  }

  #compareEach(
    kind: SmallNoun,
    replayed: ReadonlyMap<number | string, object>,
    stored: Iterable<{ readonly id: number | string }>,
  ): void {
    let count = 0
    for (const state of stored) {
      count++
      const expected = replayed.get(state.id)
      if (expected === undefined) this.#report(`${kind} ${state.id} is not in the log`)
      else if (canonicalJson(expected) !== canonicalJson(state)) {
        const left: Readonly<Record<string, unknown>> = { ...expected }
        const right: Readonly<Record<string, unknown>> = { ...state }
        const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].filter(
          (name) => canonicalJson([left[name]]) !== canonicalJson([right[name]]),
        )
        this.#report(`${kind} ${state.id} differs from the log in: ${names.join(', ')}`)
      }
    }
    if (count < replayed.size) this.#report(`the log has ${replayed.size} of ${kind}, ${count} are stored`)
  }
}
