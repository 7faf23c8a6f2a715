import type { GivenEntry } from '@openfountain/core/internal'
import { redacted, type Entry } from './entry.ts'

/** The redacted fields by entry. Memory grows with the number of redactions. */
export class Redactions {
  readonly #names = new Map<number, Set<string>>()

  /** Takes an entry of any kind. */
  add({ subject, subjectId, fields }: GivenEntry): void {
    const { names } = fields
    if (subject !== 'entry' || typeof subjectId !== 'number' || !Array.isArray(names)) return
    const known = this.#names.get(subjectId) ?? new Set()
    for (const name of names) if (typeof name === 'string') known.add(name)
    this.#names.set(subjectId, known)
  }

  /** An entry with all redactions applied. */
  over(entry: Entry): Entry {
    return redacted(entry, this.#names.get(entry.id) ?? [])
  }
}
