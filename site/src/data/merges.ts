import type { GivenEntry } from '@openfountain/core/internal'

/** Merged waypoints and their targets. Memory grows with the number of merges. */
export class Merges {
  readonly #into = new Map<number, number>()
  /** Merge targets, and whether they still exist. */
  readonly #isThere = new Map<number, boolean>()

  /** Takes an entry of any kind. */
  add({ subject, subjectId, action, links }: GivenEntry): void {
    if (subject !== 'waypoint' || typeof subjectId !== 'number') return
    if (action !== 'deleted' && links.restores === undefined) return
    const isThere = action !== 'deleted'
    if (this.#isThere.has(subjectId)) this.#isThere.set(subjectId, isThere)
    this.#into.delete(subjectId)
    if (isThere || links.mergedInto === undefined) return
    this.#into.set(subjectId, links.mergedInto)
    this.#isThere.set(links.mergedInto, true)
  }

  /** The final target of a merged waypoint; undefined when that was deleted since. */
  #leftOf(id: number): number | undefined {
    const passed = new Set<number>()
    let left = id
    for (let into = this.#into.get(left); into !== undefined; into = this.#into.get(left)) {
      if (passed.has(into)) return undefined
      passed.add(into)
      left = into
    }
    return this.#isThere.get(left) === true ? left : undefined
  }

  /** Merged waypoints with their remaining targets, the newest merges first. */
  newest(most: number): ReadonlyMap<number, number> {
    const found = new Map<number, number>()
    for (const id of [...this.#into.keys()].toReversed()) {
      if (found.size >= most) break
      const left = this.#leftOf(id)
      if (left !== undefined) found.set(id, left)
    }
    return found
  }
}
