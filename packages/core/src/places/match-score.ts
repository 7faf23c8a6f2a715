import { redactedName } from '../log/states.ts'
import { looksDescribed, nameSimilarity } from './names.ts'

/** From `certain` on, two entries are the same fountain; from `doubtful` on, a person decides; below, they are two. */
export const certain = 0.8
export const doubtful = 0.5

/** Metres beyond which nothing matches: where the score of equal names falls below `doubtful`. */
export const farthest = 94

export interface Comparable {
  readonly name: string
  readonly amenities: readonly string[]
  /** Whether the name is a label. */
  readonly nameIsMade?: boolean | undefined
}

/**
 * How certain it is that two entries are the same fountain, 0 to 1. With equal distinctive names they may be 30 m apart
 * and still be certain, since the positions of cities and mappers differ that much; with a nameless entry 3 m; with
 * different names the score is doubtful at best. It falls to four fifths with each such distance.
 */
export function matchScore(a: Comparable, b: Comparable, metres: number): number {
  const similarity = isNameless(a) || isNameless(b) ? undefined : nameSimilarity(a.name, b.name)
  const score = ceiling(similarity) * 0.8 ** (metres / reach(similarity))
  return differentKinds(a.amenities, b.amenities) ? score * 0.9 : score
}

/** A name that was generated from kind and place, or redacted, says no more than the position. */
function isNameless({ name, nameIsMade = false }: Comparable): boolean {
  return nameIsMade || name === redactedName || looksDescribed(name)
}

function reach(similarity: number | undefined): number {
  if (similarity === undefined) return 3
  if (similarity >= 0.85) return 30
  if (similarity >= 0.5) return 3 + (12 * (similarity - 0.5)) / 0.35
  return 1
}

function ceiling(similarity: number | undefined): number {
  return similarity !== undefined && similarity < 0.5 ? 0.75 : 1
}

const exclusive = ['spring', 'well', 'wallace', 'hand-pump']

function differentKinds(a: readonly string[], b: readonly string[]): boolean {
  const [first, second] = [a, b].map((list) => exclusive.filter((kind) => list.includes(kind)))
  if (first === undefined || second === undefined || first.length === 0 || second.length === 0) return false
  return !first.some((kind) => second.includes(kind))
}
