import type { LoggedEntry } from '@openfountain/core'
import { entryFields } from '@openfountain/core/internal'
import type { Entry, Removed } from './entry.ts'

const positions: ReadonlySet<string> = new Set(['latitude', 'longitude'])

/** The redacted fields by entry. Memory grows with the number of redactions. */
export class Redactions {
  readonly #names = new Map<number, Set<string>>()

  /** Takes an entry of any kind. */
  add({ subject, subjectId, fields }: LoggedEntry): void {
    const { names } = fields
    if (subject !== 'entry' || typeof subjectId !== 'number' || !Array.isArray(names)) return
    const known = this.#names.get(subjectId) ?? new Set()
    for (const name of names) if (typeof name === 'string' && !entryFields.has(name)) known.add(name)
    this.#names.set(subjectId, known)
  }

  /** An entry with all redactions applied: an edit still lists its changed fields. */
  over(entry: Entry): Entry {
    const names = [...(this.#names.get(entry.id) ?? [])]
    if (names.length === 0) return entry
    const removed: Removed[] = []
    if (names.some((name) => !positions.has(name))) removed.push('text')
    if (names.some((name) => positions.has(name))) removed.push('position')
    const fields = entry.effect === 'edited' ? [...new Set([...entry.fields, ...names])] : entry.fields
    return { ...entry, fields, removed }
  }
}
