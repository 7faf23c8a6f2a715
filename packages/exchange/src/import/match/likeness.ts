import { redactedName } from '@openfountain/core/internal'
import { looksDescribed, nameLikeness } from '../understand/names.ts'

/** From this score on, two entries are one fountain; in between a person decides; below, they are two. */
export const certain = 0.8
export const doubtful = 0.5

/** Metres beyond which nothing is a match, however alike the names: where the score of equal names falls below `doubtful`. */
export const farthest = 94

/** What two entries are compared by. */
export interface Comparable {
  readonly name: string
  readonly amenities: readonly string[]
  /** There when the name was made up from the kind and the place. */
  readonly described?: string
}

/**
 * How surely two entries are one fountain, 0 to 1. Equal distinctive names may stand 30 m apart and still be
 * certain, since cities and mappers place the same fountain that differently; without a distinctive name on
 * either side 3 m; names that differ make it doubtful at best. The score falls to four fifths with each such reach.
 */
export function matchScore(a: Comparable, b: Comparable, metres: number): number {
  const likeness = isNameless(a) || isNameless(b) ? undefined : nameLikeness(a.name, b.name)
  const score = ceiling(likeness) * 0.8 ** (metres / reach(likeness))
  return differentKinds(a.amenities, b.amenities) ? score * 0.9 : score
}

/** A name made up from kind and place, or redacted, distinguishes a fountain from its neighbours no better than the place does. */
function isNameless({ name, described }: Comparable): boolean {
  return described !== undefined || name === redactedName || looksDescribed(name)
}

function reach(likeness: number | undefined): number {
  if (likeness === undefined) return 3
  if (likeness >= 0.85) return 30
  if (likeness >= 0.5) return 3 + (12 * (likeness - 0.5)) / 0.35
  return 1
}

function ceiling(likeness: number | undefined): number {
  return likeness !== undefined && likeness < 0.5 ? 0.75 : 1
}

const exclusive = ['spring', 'well', 'wallace', 'hand-pump']

function differentKinds(a: readonly string[], b: readonly string[]): boolean {
  const [first, second] = [a, b].map((list) => exclusive.filter((kind) => list.includes(kind)))
  if (first === undefined || second === undefined || first.length === 0 || second.length === 0) return false
  return !first.some((kind) => second.includes(kind))
}
