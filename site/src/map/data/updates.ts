import type { Fountain } from './cell.ts'

/**
 * Changes of fountains since the files of the map were made. An id is in the files or new; `get` returns a changed
 * fountain once `complete` was called with the files' version of it.
 */
export interface Updates {
  /** Whether the files are wrong about a fountain: it is gone, or `get` returns its current version. */
  replaces(id: number): boolean
  /** Whether a fountain has a change, but its other fields are still missing. */
  needs(id: number): boolean
  /** Adds the files' version of a changed fountain. */
  complete(fountain: Fountain): void
  /** A new or changed fountain as it is now. */
  get(id: number): Fountain | undefined
  /** All new and changed fountains as they are now. */
  fountains(): Iterable<Fountain>
  /** The ids that the files are wrong about. */
  replaced(): readonly number[]
  /** A fountain with its current reviews; unchanged where they cannot be read. */
  withReviews(fountain: Fountain): Promise<Fountain>
  /** The merge target of a fountain. */
  mergedInto(id: number): number | undefined
}
