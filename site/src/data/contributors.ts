import { createHash } from 'node:crypto'
import type { Contributor } from './records.ts'

export function leaders(people: Iterable<Contributor>, limit: number): Contributor[] {
  return [...people]
    .toSorted((a, b) => b.xp - a.xp || compare(a.name, b.name) || compare(a.id, b.id))
    .slice(0, limit)
}

/** Contributors by the time they joined, newest first. */
export function newest(people: Iterable<Contributor>): Contributor[] {
  return [...people].toSorted((a, b) => compare(b.created_at, a.created_at) || compare(a.id, b.id))
}

/** The contributor's part of an address: the id where it is a plain word, else a digest of it. */
export function contributorSlug(id: string): string {
  if (/^[\w-]{1,64}$/u.test(id)) return id
  return `~${createHash('sha256').update(id).digest('hex').slice(0, 24)}`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
