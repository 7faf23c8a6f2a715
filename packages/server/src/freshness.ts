import type { Registry } from '@openfountain/core'

/** What identifies the data of a registry at one moment, for entity tags. */
export interface DataVersion {
  /** Which line of history the revision counts. */
  readonly origin: string
  readonly revision: number
}

/**
 * Reads how fresh the data is. The revision alone is not enough: after an older backup was restored, the same revisions
 * come again with other data.
 */
export class Freshness {
  readonly #registry: Registry
  #known: DataVersion | undefined

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /** The version of the data now. The origin is only read again when the revision changed. */
  async read(): Promise<DataVersion> {
    const revision = await this.#registry.revision()
    if (this.#known?.revision !== revision) {
      this.#known = { revision, origin: await this.#registry.changes.origin() }
    }
    return this.#known
  }
}
