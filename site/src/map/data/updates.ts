import type { Fountain } from './cell.ts'

/**
 * What happened to fountains since the files of the map were made. An id is in the files or new; one that changed is
 * returned by `get` as it is now, once `complete` was called with what the files have of it.
 */
export interface Updates {
  /** Whether the files are wrong about a fountain: it is gone, or `get` returns how it is now. */
  replaces(id: number): boolean
  /** Whether a change is known and the rest of the fountain is not. */
  needs(id: number): boolean
  /** Takes over what the files have of a fountain that changed. */
  complete(fountain: Fountain): void
  /** A new or changed fountain as it is now. */
  get(id: number): Fountain | undefined
  /** All new and changed fountains as they are now. */
  fountains(): Iterable<Fountain>
  /** The ids that the files are wrong about. */
  replaced(): readonly number[]
  /** A fountain with its reviews as they are now; as it was given where they cannot be read. */
  withReviews(fountain: Fountain): Promise<Fountain>
  /** The fountain into which one was merged. */
  mergedInto(id: number): number | undefined
}
