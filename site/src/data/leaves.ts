import type { Bounds, Dot } from './region.ts'
import type { Thinned } from './thinned.ts'

/** The known location of a waypoint; unknown texts are empty. */
export interface KnownLocation {
  readonly country: string
  readonly subdivision: string
  readonly name: string
  /** Whether the waypoint names the region. */
  readonly isGiven: boolean
}

/** Waypoints with the same location. */
export interface Group extends KnownLocation {
  readonly key: string
  readonly count: Count
}

export interface Count {
  waypoints: number
  verified: number
  bounds: Bounds
  readonly dots: Thinned<Dot>
}

/** Groups that form one part of the directory. */
export interface Leaf {
  readonly key: string
  readonly name: string
  country: string
  subdivision: string
  readonly groups: Group[]
}

/** The share of a region's waypoints that puts it into a subdivision: borders are accurate to some hundred metres. */
const clearShare = 0.9
/** Regions that no waypoint names become parts of their own up to this total number of parts. */
const mostParts = 5000

/**
 * The regions: waypoints of a country that name the same region share one, and so do unnamed ones of the same place and
 * subdivision.
 */
export function leavesOf(groups: readonly Group[]): Leaf[] {
  const leaves = new Map<string, Leaf>()
  const leafOf = (key: string, { name, country, subdivision }: Group): Leaf => {
    const known = leaves.get(key)
    if (known) return known
    const made = { key, name, country, subdivision, groups: [] }
    leaves.set(key, made)
    return made
  }
  const givenKey = ({ country, name }: Group): string => `given\n${country}\n${name}`
  for (const group of groups) if (group.isGiven) leafOf(givenKey(group), group).groups.push(group)
  joinUnplaced(leaves)
  for (const leaf of leaves.values()) leaf.subdivision = clearSubdivision(leaf)
  for (const group of groups) {
    if (group.isGiven) continue
    const named = group.name === '' ? undefined : leaves.get(givenKey(group))
    const leaf = named ?? leafOf(`derived\n${group.country}\n${group.subdivision}\n${group.name}`, group)
    leaf.groups.push(group)
  }
  return [...leaves.values()]
}

/** Waypoints of unknown country join the largest leaf of the same region name. */
function joinUnplaced(leaves: Map<string, Leaf>): void {
  const largest = new Map<string, Leaf>()
  for (const leaf of leaves.values()) {
    const other = largest.get(leaf.name)
    if (leaf.country !== '' && (!other || sizeOf(leaf) > sizeOf(other))) largest.set(leaf.name, leaf)
  }
  for (const leaf of leaves.values()) {
    const home = leaf.country === '' ? largest.get(leaf.name) : undefined
    if (!home) continue
    home.groups.push(...leaf.groups)
    leaves.delete(leaf.key)
  }
}

const sizeOf = ({ groups }: Leaf): number => groups.reduce((sum, { count }) => sum + count.waypoints, 0)

/** The subdivision that holds nearly all of a region's waypoints with a known subdivision; empty when there is none. */
function clearSubdivision(leaf: Leaf): string {
  const shares = new Map<string, number>()
  let known = 0
  for (const { subdivision, count } of leaf.groups) {
    if (subdivision === '') continue
    known += count.waypoints
    shares.set(subdivision, (shares.get(subdivision) ?? 0) + count.waypoints)
  }
  const [subdivision, most] = [...shares].toSorted(([, a], [, b]) => b - a)[0] ?? ['', 0]
  return most >= known * clearShare ? subdivision : ''
}

/** Selects the leaves that are parts of their own; the waypoints of the others belong to the enclosing part. */
export function partsAmong(leaves: readonly Leaf[]): (leaf: Leaf) => boolean {
  const areas = new Set(leaves.flatMap(({ country, subdivision }) => [country, subdivision]))
  const isGiven = ({ groups }: Leaf): boolean => groups.some((group) => group.isGiven)
  const derived = leaves.filter((leaf) => leaf.name !== '' && !isGiven(leaf))
  const room = Math.max(0, mostParts - areas.size - leaves.filter(isGiven).length)
  const parts = new Set(
    derived.toSorted((a, b) => sizeOf(b) - sizeOf(a) || (a.key < b.key ? -1 : 1)).slice(0, room),
  )
  return (leaf) => isGiven(leaf) || parts.has(leaf)
}
