import type { KeyOf, LastIds, NounName, Nouns } from './nouns.ts'

/** A noun before and after a write; `before` is absent for a new one. */
export interface Replacement<State> {
  readonly before: State | undefined
  readonly after: State
}

/** The changes of a write by noun. */
export type Changes = { readonly [Noun in NounName]?: readonly Replacement<Nouns[Noun]>[] }

interface Cell<State> {
  readonly before: State | undefined
  after: State | undefined
}

/** Values of members that rows are looked up by, such as `{ sourceId: 3, ref: 'abc' }`. */
export type Where<Noun extends NounName> = Partial<Nouns[Noun]>

/** The key of rows with the same members; it is valid for one list of names. */
function lookupKey(row: object, names: readonly string[]): string {
  const members = row as Readonly<Record<string, unknown>>
  const [only] = names
  if (names.length === 1 && only !== undefined) return String(members[only])
  return names.map((name) => String(members[name])).join('\u0000')
}

/** The rows of one noun that a write has loaded or changed, and how they are looked up by other members than the id. */
class Rows<Noun extends NounName> {
  readonly cells = new Map<KeyOf<Noun>, Cell<Nouns[Noun]>>()
  /** By the names of the members. */
  readonly #lookups = new Map<string, Lookup<KeyOf<Noun>>>()

  /** Loads a stored row, unless it is loaded already. */
  load(key: KeyOf<Noun>, stored: Nouns[Noun] | undefined): void {
    if (this.cells.get(key)?.after !== undefined) return
    this.cells.set(key, { before: stored, after: stored })
    if (stored !== undefined) this.#list(key, stored)
  }

  put(key: KeyOf<Noun>, after: Nouns[Noun]): void {
    const cell = this.cells.get(key)
    if (cell === undefined) this.cells.set(key, { before: undefined, after })
    else cell.after = after
    this.#list(key, after)
  }

  /** The values of members for which all stored rows are here. */
  hasAsked(names: readonly string[], key: string): boolean {
    return this.#lookupOf(names).asked.has(key)
  }

  asked(names: readonly string[], key: string): void {
    this.#lookupOf(names).asked.add(key)
  }

  find(names: readonly string[], key: string): Nouns[Noun][] {
    const rows: Nouns[Noun][] = []
    for (const id of this.#lookupOf(names).ids.get(key) ?? []) {
      const row = this.cells.get(id)?.after
      // A row stays listed under the values that it had.
      if (row !== undefined && lookupKey(row, names) === key) rows.push(row)
    }
    return rows.length < 2 ? rows : rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  }

  /** The rows that were changed since they were loaded. */
  changed(): Replacement<Nouns[Noun]>[] {
    const replaced: Replacement<Nouns[Noun]>[] = []
    for (const { before, after } of this.cells.values())
      if (after !== undefined && after !== before) replaced.push({ before, after })
    return replaced
  }

  saved(): void {
    for (const [key, { before, after }] of this.cells)
      if (before !== after) this.cells.set(key, { before: after, after })
  }

  forget(): void {
    this.cells.clear()
    this.#lookups.clear()
  }

  #lookupOf(names: readonly string[]): Lookup<KeyOf<Noun>> {
    const name = names.join(' ')
    let lookup = this.#lookups.get(name)
    if (lookup === undefined) {
      lookup = { names, ids: new Map(), asked: new Set() }
      this.#lookups.set(name, lookup)
      for (const [key, { after }] of this.cells) if (after !== undefined) listIn(lookup, key, after)
    }
    return lookup
  }

  #list(key: KeyOf<Noun>, row: Nouns[Noun]): void {
    for (const lookup of this.#lookups.values()) listIn(lookup, key, row)
  }
}

/** How the rows of a noun are found by the values of some members. */
interface Lookup<Key> {
  readonly names: readonly string[]
  /** The ids of rows that have, or had, these values. */
  readonly ids: Map<string, Set<Key>>
  /** The values for which all stored rows were loaded. */
  readonly asked: Set<string>
}

function listIn<Key>({ names, ids }: Lookup<Key>, id: Key, row: object): void {
  const key = lookupKey(row, names)
  const known = ids.get(key)
  if (known === undefined) ids.set(key, new Set([id]))
  else known.add(id)
}

type AllRows = { readonly [Noun in NounName]: Rows<Noun> }

/** The current nouns of a write, before anything is saved; in the order of their references. */
export class WorkingSet {
  readonly #rows: AllRows = {
    user: new Rows(),
    profile: new Rows(),
    source: new Rows(),
    import: new Rows(),
    progress: new Rows(),
    waypoint: new Rows(),
    review: new Rows(),
    observation: new Rows(),
    area: new Rows(),
    record: new Rows(),
    base: new Rows(),
    entry: new Rows(),
    secret: new Rows(),
    report: new Rows(),
    distinction: new Rows(),
    observer: new Rows(),
    sighting: new Rows(),
    status: new Rows(),
  }
  #last: LastIds

  constructor(last: LastIds) {
    this.#last = last
  }

  /** The ids that were given last. */
  get last(): LastIds {
    return this.#last
  }

  #of<Noun extends NounName>(noun: Noun): Rows<Noun> {
    return this.#rows[noun]
  }

  /** Whether a row was loaded, even if there is none. */
  has<Noun extends NounName>(noun: Noun, key: KeyOf<Noun>): boolean {
    return this.#of(noun).cells.has(key)
  }

  /** Whether the rows with these members were loaded. */
  hasAsked<Noun extends NounName>(noun: Noun, where: Where<Noun>): boolean {
    const names = Object.keys(where)
    return this.#of(noun).hasAsked(names, lookupKey(where, names))
  }

  /** Loads a stored row; undefined when there is none. */
  load<Noun extends NounName>(noun: Noun, key: KeyOf<Noun>, stored: Nouns[Noun] | undefined): void {
    this.#of(noun).load(key, stored)
  }

  /** Loads all stored rows with these members. */
  loadAll<Noun extends NounName>(noun: Noun, where: Where<Noun>, stored: readonly Nouns[Noun][]): void {
    const rows = this.#of(noun)
    const names = Object.keys(where)
    rows.asked(names, lookupKey(where, names))
    for (const row of stored) rows.load(row.id, row)
  }

  /** A noun as it stands, or undefined when there is none. @throws Error when it was not loaded */
  get<Noun extends NounName>(noun: Noun, key: KeyOf<Noun>): Nouns[Noun] | undefined {
    const cell = this.#of(noun).cells.get(key)
    if (cell === undefined && !this.#isNew(noun, key)) throw new Error(`${noun} ${key} was not loaded`)
    return cell?.after
  }

  /** The nouns with these members as they stand, by id. @throws Error when they were not loaded */
  find<Noun extends NounName>(noun: Noun, where: Where<Noun>): Nouns[Noun][] {
    const rows = this.#of(noun)
    const names = Object.keys(where)
    const key = lookupKey(where, names)
    if (!rows.hasAsked(names, key)) throw new Error(`${noun} by ${names.join(', ')} was not loaded`)
    return rows.find(names, key)
  }

  put<Noun extends NounName>(noun: Noun, after: Nouns[Noun]): void {
    this.#of(noun).put(after.id as KeyOf<Noun>, after)
    if (noun in this.#last && typeof after.id === 'number') this.#raise(noun as keyof LastIds, after.id)
  }

  #raise(noun: keyof LastIds, id: number): void {
    if (id > this.#last[noun]) this.#last = { ...this.#last, [noun]: id }
  }

  /** Whether a noun was never stored: its id is greater than the last that was given. */
  #isNew(noun: NounName, key: number | string): boolean {
    return noun in this.#last && typeof key === 'number' && key > this.#last[noun as keyof LastIds]
  }

  /** The changes since loading. */
  changes(): Changes {
    const changes: { [Noun in NounName]?: readonly Replacement<unknown>[] } = {}
    for (const noun of Object.keys(this.#rows) as NounName[]) {
      const replaced = this.#rows[noun].changed()
      if (replaced.length > 0) changes[noun] = replaced
    }
    return changes as Changes
  }

  /** Takes everything as stored. */
  saved(): void {
    for (const rows of Object.values(this.#rows)) rows.saved()
  }

  /** Forgets everything but the ids that were given last; the changes are stored. */
  forget(): void {
    for (const rows of Object.values(this.#rows)) rows.forget()
  }
}
