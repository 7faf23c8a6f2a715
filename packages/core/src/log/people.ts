import { canonicalJson } from './canonical-json.ts'
import type { StoredEntry } from './entry.ts'
import { builtIn, foldArea, foldCredits, foldPerson, foldRun, foldSource, listedSource } from './fold.ts'
import type { AreaState, Person, RunState, SourceFacts } from './nouns.ts'

/** The stored nouns of which there are few: people, sources, areas and runs of imports. */
export interface FewNouns {
  people(report: (problem: string) => void): Iterable<Person>
  sources(): Iterable<SourceFacts>
  areas(report: (problem: string) => void): Iterable<AreaState>
  runs(report: (problem: string) => void): Iterable<RunState>
}

/** Replays the nouns of which there are few, all at once and in memory. */
export class People {
  readonly #people = new Map<string, Person>(builtIn.map((person) => [person.id, person]))
  readonly #sources = new Map<number, SourceFacts>()
  readonly #areas = new Map<number, AreaState>()
  readonly #runs = new Map<number, RunState>()
  /** By source: the entries that said that everything is listed, with their times. */
  readonly #listings = new Map<number, { readonly id: number; readonly at: string }[]>()
  readonly #report: (problem: string) => void

  constructor(report: (problem: string) => void) {
    this.#report = report
  }

  /** Folds the next entry. */
  add(entry: StoredEntry): void {
    try {
      this.#fold(entry)
      foldCredits(entry, {
        get: (id) => {
          const person = this.#people.get(id)
          if (person === undefined) throw new Error(`user ${id} is not in the log`)
          return person
        },
        put: (after) => void this.#people.set(after.id, after),
      })
    } catch (error) {
      this.#report(`entry ${entry.id}: ${error instanceof Error ? error.message : 'cannot be replayed'}`)
    }
  }

  #fold(entry: StoredEntry): void {
    const { subject, subjectId } = entry
    const id = Number(subjectId)
    if (subject === 'user')
      this.#people.set(String(subjectId), foldPerson(this.#people.get(String(subjectId)), entry))
    if (subject === 'source') this.#sources.set(id, foldSource(this.#sources.get(id), entry))
    if (subject === 'area') this.#areas.set(id, foldArea(this.#areas.get(id), entry))
    if (subject !== 'import') return
    const run = foldRun(this.#runs.get(id), entry)
    this.#runs.set(id, run)
    const source = this.#sources.get(run.sourceId)
    if (source === undefined) throw new Error(`source ${run.sourceId} is not in the log`)
    if (entry.action !== 'finished' || entry.fields['complete'] !== true) return
    this.#sources.set(run.sourceId, listedSource(source, entry))
    const listings = this.#listings.get(run.sourceId) ?? []
    listings.push({ id: entry.id, at: entry.at })
    this.#listings.set(run.sourceId, listings)
  }

  /** A source as it was before an entry, as far as its records depend on it. */
  sourceAt(sourceId: number | undefined, entryId: number): SourceFacts {
    const source = sourceId === undefined ? undefined : this.#sources.get(sourceId)
    if (source === undefined) throw new Error(`source ${sourceId} is not in the log`)
    const { listedAt: _newest, ...others } = source
    const listing = this.#listings.get(source.id)?.findLast(({ id }) => id < entryId)
    return { ...others, ...(listing && { listedAt: listing.at }) }
  }

  /** Compares what was replayed with what is stored. */
  compare(stored: FewNouns): void {
    this.#compareEach('user', this.#people, stored.people(this.#report))
    this.#compareEach('source', this.#sources, stored.sources())
    this.#compareEach('area', this.#areas, stored.areas(this.#report))
    this.#compareEach('import', this.#runs, stored.runs(this.#report))
  }

  #compareEach<Key, State extends { readonly id: Key }>(
    kind: string,
    replayed: ReadonlyMap<Key, State>,
    stored: Iterable<State>,
  ): void {
    let count = 0
    for (const state of stored) {
      count++
      const expected = replayed.get(state.id)
      if (expected === undefined) this.#report(`${kind} ${String(state.id)} is not in the log`)
      else if (canonicalJson(expected) !== canonicalJson(state)) {
        const left: Readonly<Record<string, unknown>> = { ...expected }
        const right: Readonly<Record<string, unknown>> = { ...state }
        const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].filter(
          (name) => canonicalJson([left[name]]) !== canonicalJson([right[name]]),
        )
        this.#report(`${kind} ${String(state.id)} differs from the log in: ${names.join(', ')}`)
      }
    }
    if (count < replayed.size) this.#report(`the log has ${replayed.size} of ${kind}, ${count} are stored`)
  }
}
