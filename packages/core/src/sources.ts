import type { Writer } from './writer.ts'
import { notFound } from './errors.ts'
import { parse } from './schemas/parse.ts'
import { SourceInput, type Source } from './schemas/source.ts'
import { sourceReads } from './store/sqlite/nouns/sources.ts'
import { sourceRows } from './store/sqlite/nouns/source-records.ts'

/** The sources of imported data, with their licences. */
export class Sources {
  readonly #writer: Writer
  readonly #reads: ReturnType<typeof sourceReads>

  /** @internal Created by the registry. */
  constructor(writer: Writer) {
    this.#writer = writer
    this.#reads = sourceReads(writer.statements)
  }

  /** All sources by id. */
  async list(): Promise<Source[]> {
    return this.#reads.list()
  }

  /**
   * Whether `list` counts at most a thousand records. Otherwise a server runs it on another thread than the one that
   * serves requests.
   */
  isBounded(): boolean {
    return this.#reads.isBounded()
  }

  /** @throws RegistryError NOT_FOUND */
  async get(id: number): Promise<Source> {
    const found = this.#reads.byId(id)
    if (found === undefined) throw notFound('source', id)
    return found
  }

  /** The source with this name, or undefined. */
  async named(name: string): Promise<Source | undefined> {
    return this.#reads.byName(name)
  }

  /**
   * Adds a source, or updates the given fields of the one with this name.
   *
   * @throws RegistryError INVALID_INPUT
   */
  async ensure(input: SourceInput): Promise<Source> {
    const given = parse(SourceInput, input)
    return this.#writer.transact(({ at, noChange }) => {
      const id = sourceRows(this.#writer.statements).ensure(given, at, noChange)
      const source = this.#reads.byId(id)
      if (source === undefined) throw notFound('source', id)
      return source
    })
  }
}
