import { cacheNames } from '../offline/caches.ts'
import type { Change } from './fold.ts'

export type StoredChanges = readonly (readonly [id: number, change: Change])[]

/** Larger sets are not stored: offline the map then shows the built fountains. */
const mostKept = 20_000

/** Stores changes beside the visitor's saved part of the map, if there is one. */
export class ChangeCache {
  readonly #name: string
  readonly #address: string

  /** @param version of the data: changes apply to the files that they were folded over */
  constructor({ base, version }: { readonly base: string; readonly version: string }) {
    this.#name = cacheNames(base).kept
    this.#address = `${base}live-changes?v=${encodeURIComponent(version)}`
  }

  async read(): Promise<StoredChanges> {
    const found = await (await this.#cache())?.match(this.#address)
    return found ? ((await found.json()) as StoredChanges) : []
  }

  async write(changes: StoredChanges): Promise<void> {
    const cache = await this.#cache()
    await cache?.delete(this.#address, { ignoreSearch: true })
    if (changes.length <= mostKept) await cache?.put(this.#address, Response.json(changes))
  }

  async #cache(): Promise<Cache | undefined> {
    return (await caches.has(this.#name)) ? caches.open(this.#name) : undefined
  }
}
