import { fold } from '@openfountain/core/letters'
import type { Waypoint } from './records.ts'

/**
 * A part of the directory: a country, a subdivision of one, or a region, which is what waypoints name as theirs, else the place
 * around them. Each waypoint is in one part, and in those around it. The empty name is that of waypoints of which nothing is known.
 */
export interface Region {
  readonly kind: 'country' | 'subdivision' | 'region'
  /** That of a region; of a country or a subdivision its code (ISO 3166). */
  readonly name: string
  /** The region's part of an address; unique, lower case, without anything that needs escaping. */
  readonly slug: string
  readonly waypoints: number
  readonly verified: number
  /** Those of its waypoints that are in none of its parts. */
  readonly own: number
  /** Whether all of its waypoints are there because they name it. */
  readonly isGiven: boolean
  /** West, south, east, north in degrees. */
  readonly bounds: Bounds
  /** Every n-th of its waypoints, some hundreds at most, for a drawing. */
  readonly dots: readonly Dot[]
  /** What it lies in, the largest first. */
  readonly within: readonly Region[]
  /** Its parts, those with most waypoints first. */
  readonly parts: readonly Region[]
  /** What its own page shows, which is not all that its parts have. */
  toJSON(): unknown
}

/** Where a waypoint is, in degrees, and whether it is verified. */
export type Dot = readonly [longitude: number, latitude: number, verified: boolean]

export type Bounds = readonly [west: number, south: number, east: number, north: number]

/** The regions of a registry, as a tree. */
export interface Directory {
  /** All parts, those with most waypoints first. */
  readonly regions: readonly Region[]
  /** Those that lie in no other. */
  readonly roots: readonly Region[]
  /** How many of the smallest parts have a name. */
  readonly named: number
  /** Whether there is no part `elsewhere` any more, since the waypoints that name no region are known by their places. */
  readonly isElsewherePlaced: boolean
  /** The smallest part that a waypoint is in. */
  regionOf(waypoint: Placed): Region | undefined
}

type Placed = Pick<
  Waypoint,
  'country' | 'subdivision' | 'place' | 'region' | 'latitude' | 'longitude' | 'verified'
>

/** What is known of where a waypoint is; a text that is not known is empty. */
interface Where {
  readonly country: string
  readonly subdivision: string
  readonly name: string
  /** Whether the waypoint names it. */
  readonly isGiven: boolean
}

/** Waypoints of which the same is known. */
interface Group extends Where {
  readonly key: string
  readonly count: Count
}

interface Count {
  waypoints: number
  verified: number
  bounds: Bounds
  readonly dots: Thinned<Dot>
}

/** Groups that are a part of the directory together. */
interface Leaf {
  readonly key: string
  readonly name: string
  country: string
  subdivision: string
  readonly groups: Group[]
}

/** A part of the tree that is being made. */
interface Branch extends Region {
  slug: string
  waypoints: number
  verified: number
  own: number
  isGiven: boolean
  /** Whether some of its waypoints name it. */
  hasGiven: boolean
  bounds: Bounds
  readonly thinned: Thinned<Dot>
  readonly within: readonly Branch[]
  parts: Branch[]
}

/** Most waypoints in the drawing of a region. */
const mostDots = 1500
/** The share of its waypoints with which a region lies in a subdivision: borders are known to some hundred metres. */
const clearShare = 0.9
/** Regions that no waypoint names are parts of their own while there are no more parts than these. */
const mostParts = 5000

/** Collects the directory: pass each waypoint once to `add`, in any order, then call `result`. */
export function directoryCollector(): { add(waypoint: Placed): void; result(): Directory } {
  const groups = new Map<string, Group>()
  return {
    add(waypoint) {
      const where = whereOf(waypoint)
      const key = keyOf(where)
      let group = groups.get(key)
      if (!group) groups.set(key, (group = { ...where, key, count: emptyCount() }))
      const { longitude, latitude, verified } = waypoint
      group.count.waypoints += 1
      if (verified) group.count.verified += 1
      group.count.bounds = around(group.count.bounds, [longitude, latitude, longitude, latitude])
      group.count.dots.add([longitude, latitude, verified])
    },
    result: () => directoryOf([...groups.values()]),
  }
}

function whereOf({ country, subdivision, place, region }: Placed): Where {
  const isGiven = Boolean(region)
  return {
    country: country ?? '',
    subdivision: subdivision ?? '',
    name: (isGiven ? region : place) ?? '',
    isGiven,
  }
}

const keyOf = ({ country, subdivision, name, isGiven }: Where): string =>
  [country, subdivision, isGiven ? 'given' : 'derived', name].join('\n')

function directoryOf(groups: readonly Group[]): Directory {
  const leaves = leavesOf(groups)
  const isPart = partsAmong(leaves)
  const branches = new Map<string, Branch>()
  const branchOf = (kind: Region['kind'], key: string, name: string, area?: Branch): Branch => {
    const known = branches.get(key)
    if (known) return known
    const made = emptyBranch(kind, name, area ? [...area.within, area] : [])
    branches.set(key, made)
    area?.parts.push(made)
    return made
  }
  const areaOf = ({ country, subdivision }: Leaf): Branch | undefined => {
    if (country === '') return undefined
    const whole = branchOf('country', country, country)
    return subdivision === '' ? whole : branchOf('subdivision', subdivision, subdivision, whole)
  }
  const homes = new Map<string, Branch>()
  for (const leaf of leaves) {
    const area = areaOf(leaf)
    const branch = area && !isPart(leaf) ? area : branchOf('region', leaf.key, leaf.name, area)
    for (const group of leaf.groups) {
      for (const one of [...branch.within, branch]) include(one, group)
      branch.own += group.count.waypoints
      homes.set(group.key, branch)
    }
  }
  const regions = [...branches.values()].toSorted(largestFirst)
  giveSlugs(regions)
  for (const region of regions) region.parts = region.parts.toSorted(largestFirst)
  return {
    regions,
    roots: regions.filter(({ within }) => within.length === 0),
    named: regions.filter(({ name, parts }) => name !== '' && parts.length === 0).length,
    isElsewherePlaced:
      groups.some(({ isGiven }) => !isGiven) && !regions.some(({ slug }) => slug === elsewhere),
    regionOf: (waypoint) => homes.get(keyOf(whereOf(waypoint))),
  }
}

/** The regions: what waypoints of a country name alike is one, and so is a place that nobody names in one subdivision. */
function leavesOf(groups: readonly Group[]): Leaf[] {
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

/** Waypoints whose country is not known are where most of those are that name the same region. */
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

/** The subdivision in which nearly all of a region's waypoints are of which it is known; empty when there is none. */
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

/** Which leaves are parts of their own; the waypoints of the others are those of what they lie in. */
function partsAmong(leaves: readonly Leaf[]): (leaf: Leaf) => boolean {
  const areas = new Set(leaves.flatMap(({ country, subdivision }) => [country, subdivision]))
  const isGiven = ({ groups }: Leaf): boolean => groups.some((group) => group.isGiven)
  const derived = leaves.filter((leaf) => leaf.name !== '' && !isGiven(leaf))
  const room = Math.max(0, mostParts - areas.size - leaves.filter(isGiven).length)
  const parts = new Set(
    derived.toSorted((a, b) => sizeOf(b) - sizeOf(a) || (a.key < b.key ? -1 : 1)).slice(0, room),
  )
  return (leaf) => isGiven(leaf) || parts.has(leaf)
}

const nowhere: Bounds = [Infinity, Infinity, -Infinity, -Infinity]

const emptyCount = (): Count => ({ waypoints: 0, verified: 0, bounds: nowhere, dots: thinned(mostDots) })

function emptyBranch(kind: Region['kind'], name: string, within: readonly Branch[]): Branch {
  const dots = thinned<Dot>(mostDots)
  return {
    kind,
    name,
    within,
    slug: '',
    waypoints: 0,
    verified: 0,
    own: 0,
    isGiven: true,
    hasGiven: false,
    bounds: nowhere,
    thinned: dots,
    get dots() {
      return dots.result()
    },
    parts: [],
    toJSON() {
      const { thinned: _thinned, ...shown } = this
      const named = ({ kind, name: of, slug }: Region) => [kind, of, slug]
      const counted = (one: Region) => [...named(one), one.waypoints, one.verified]
      return { ...shown, toJSON: undefined, within: shown.within.map(named), parts: shown.parts.map(counted) }
    },
  }
}

function include(branch: Branch, { count, isGiven }: Group): void {
  branch.waypoints += count.waypoints
  branch.verified += count.verified
  branch.isGiven &&= isGiven
  branch.hasGiven ||= isGiven
  branch.bounds = around(branch.bounds, count.bounds)
  for (const dot of count.dots.result()) branch.thinned.add(dot)
}

const around = ([west, south, east, north]: Bounds, other: Bounds): Bounds => [
  Math.min(west, other[0]),
  Math.min(south, other[1]),
  Math.max(east, other[2]),
  Math.max(north, other[3]),
]

const largestFirst = (a: Branch, b: Branch): number =>
  b.waypoints - a.waypoints || b.within.length - a.within.length || (a.name < b.name ? -1 : 1)

/** The address of those of which nothing is known. */
export const elsewhere = 'elsewhere'

/** Regions that waypoints name have the addresses that they have without places, whatever lies around them. */
function giveSlugs(regions: readonly Branch[]): void {
  const taken = new Set<string>()
  const isNamed = ({ kind, hasGiven, name }: Branch): boolean =>
    kind === 'region' && (hasGiven || name === '')
  for (const region of regions.filter(isNamed)) region.slug = slugOf(region.name, taken)
  for (const region of regions) if (!isNamed(region)) region.slug = slugOf(region.name, taken)
}

/** An address part for a name: letters of any script stay when they need no escaping, else a number. */
function slugOf(name: string, taken: Set<string>): string {
  const plain = fold(name)
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
    .slice(0, 60)
  const base = name === '' ? elsewhere : plain === '' ? 'region' : plain
  let slug = base
  for (let n = 2; taken.has(slug); n += 1) slug = `${base}-${n}`
  taken.add(slug)
  return slug
}

export interface Thinned<Item> {
  add(item: Item): void
  result(): readonly Item[]
}

/** Keeps every n-th item, so that there are never more than `most`; n doubles as needed. */
export function thinned<Item>(most: number): Thinned<Item> {
  let items: Item[] = []
  let step = 1
  let seen = 0
  return {
    add(item) {
      if (seen % step === 0) items.push(item)
      seen += 1
      if (items.length <= most) return
      items = items.filter((_, index) => index % 2 === 0)
      step *= 2
    },
    result: () => items,
  }
}
