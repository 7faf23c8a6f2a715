import { leavesOf, partsAmong, type Count, type Group, type Leaf, type KnownLocation } from './leaves.ts'
import type { Row } from './row.ts'
import type { Bounds, Dot, Region } from './region.ts'
import { elsewhere, giveSlugs } from './region-slugs.ts'
import { thinned, type Thinned } from './thinned.ts'

/** The regions of a registry, as a tree. */
export interface Directory {
  /** All parts, those with most waypoints first. */
  readonly regions: readonly Region[]
  /** The regions without a parent. */
  readonly roots: readonly Region[]
  /** The number of smallest parts that have a name. */
  readonly named: number
  /** Whether the part `elsewhere` is empty, since places give a region to waypoints that name none. */
  readonly isElsewherePlaced: boolean
  /** The smallest part of a waypoint. */
  regionOf(waypoint: Placed): Region | undefined
}

type Placed = Pick<
  Row,
  'country' | 'subdivision' | 'place' | 'region' | 'latitude' | 'longitude' | 'verified'
>

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

function whereOf({ country, subdivision, place, region }: Placed): KnownLocation {
  const isGiven = Boolean(region)
  return {
    country: country ?? '',
    subdivision: subdivision ?? '',
    name: (isGiven ? region : place) ?? '',
    isGiven,
  }
}

const keyOf = ({ country, subdivision, name, isGiven }: KnownLocation): string =>
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
