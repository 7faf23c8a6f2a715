import type { Changes, KeyOf, NounName, Nouns, RecordState } from '@openfountain/core/engine'

/** The nouns that most groups of a batch read again, and of which a batch has few. */
const kept: ReadonlySet<NounName> = new Set(['user', 'profile', 'source', 'import', 'progress'])

type Found = ReadonlyMap<string, readonly RecordState[]>

/** What a running transaction knows without asking again: nobody else writes until it ends. */
export class KnownRows {
  readonly #rows = new Map<NounName, Map<unknown, unknown>>()
  /** Records that were asked for ahead, with the references whose records were saved after that. */
  readonly #ahead = new Map<number, { readonly found: Promise<Found>; readonly outdated: Set<string> }>()

  /** A row that was loaded or saved, or undefined in an array when there is none. */
  get<Noun extends NounName>(noun: Noun, key: KeyOf<Noun>): readonly [Nouns[Noun] | undefined] | undefined {
    const rows = this.#rows.get(noun)
    return rows?.has(key) === true ? [rows.get(key) as Nouns[Noun] | undefined] : undefined
  }

  load<Noun extends NounName>(noun: Noun, key: KeyOf<Noun>, row: Nouns[Noun] | undefined): void {
    if (!kept.has(noun)) return
    let rows = this.#rows.get(noun)
    if (rows === undefined) this.#rows.set(noun, (rows = new Map()))
    rows.set(key, row)
  }

  /** Notes what is saved. */
  save(changes: Changes): void {
    for (const noun of kept)
      for (const { after } of changes[noun] ?? []) this.load(noun, after.id as never, after as never)
    for (const { before, after } of changes.record ?? [])
      for (const each of [before, after])
        if (each?.ref !== undefined) this.#ahead.get(each.sourceId)?.outdated.add(each.ref)
  }

  /** Keeps what is being asked for: the records of a source by their references. */
  expect(sourceId: number, found: Promise<Found>): void {
    found.catch(() => undefined)
    this.#ahead.set(sourceId, { found, outdated: new Set() })
  }

  /** The records that were asked for ahead, as they still are, by their references; each is returned once. */
  async expected(sourceId: number): Promise<Found> {
    const ahead = this.#ahead.get(sourceId)
    if (ahead === undefined) return new Map()
    this.#ahead.delete(sourceId)
    const found = await ahead.found
    return new Map([...found].filter(([ref]) => !ahead.outdated.has(ref)))
  }
}
