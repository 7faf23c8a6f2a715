import type { Waypoint } from './records.ts'
import type { Region } from './region.ts'
import { namesOf, type Town } from '../naming.ts'
import { giveSlugs } from './region-slugs.ts'
import { tallyOf, type Tally } from './tally.ts'

export interface Directory {
  /** All parts, those with most waypoints first. */
  readonly regions: readonly Region[]
  readonly roots: readonly Region[]
  readonly named: number
  regionOf(waypoint: Placed): Region | undefined
}

type Placed = Pick<
  Waypoint,
  'country' | 'subdivision' | 'town' | 'place' | 'region' | 'latitude' | 'longitude' | 'verified'
>

/** Waypoints with the same country, subdivision, town and name of a region; unknown texts are empty. */
interface Group {
  readonly country: string
  readonly subdivision: string
  readonly town: Town | undefined
  readonly name: string
  /** Whether the waypoints name the region. */
  readonly isGiven: boolean
  readonly key: string
  readonly rows: readonly Placed[]
}

/** Groups that form one part of the directory, or belong to the one around them. */
interface Leaf {
  readonly key: string
  readonly name: string
  readonly country: string
  subdivision: string
  town?: Town | undefined
  readonly groups: Group[]
}

const mostDots = 1500
/** The share of a region's waypoints that puts it into a subdivision or a town: borders are accurate to some hundred metres. */
const clearShare = 0.9
const mostParts = 5000

/** A part of the tree that is being made. */
class Part implements Region {
  declare readonly waypoints: number
  declare readonly verified: number
  declare readonly bounds: Tally['bounds']
  declare readonly dots: Tally['dots']
  readonly #rows: Placed[] = []
  readonly kind: Region['kind']
  readonly name: string
  readonly within: readonly Part[]
  slug = ''
  own = 0
  isGiven = true
  declare given?: string
  hasGiven = false
  parts: Part[] = []

  readonly town?: Town

  constructor(kind: Region['kind'], name: string, around: Part | undefined, town?: Town) {
    if (town) this.town = town
    this.kind = kind
    this.name = name
    this.within = around ? [...around.within, around] : []
    around?.parts.push(this)
  }

  include({ rows, isGiven }: Group): void {
    for (const row of rows) this.#rows.push(row)
    this.isGiven &&= isGiven
    this.hasGiven ||= isGiven
  }

  count(): void {
    Object.assign(this, tallyOf(this.#rows, mostDots))
  }

  toJSON(): unknown {
    const named = ({ kind, name, slug }: Region) => [kind, name, slug]
    const { within, parts } = this
    return {
      ...this,
      within: within.map(named),
      parts: parts.map((part) => [...named(part), part.waypoints, part.verified]),
    }
  }
}

function placeOf({ country, subdivision, place, region, town }: Placed): Omit<Group, 'rows'> {
  const isGiven = Boolean(region)
  const found = {
    country: country ?? '',
    subdivision: subdivision ?? '',
    name: (isGiven ? region : place) ?? '',
    isGiven,
  }
  return { ...found, town: town ?? undefined, key: [...Object.values(found), town?.id].join('\n') }
}

export function directoryOf(all: readonly Placed[]): Directory {
  const groups = [...Map.groupBy(all, (row) => placeOf(row).key).values()].flatMap((rows) =>
    rows[0] ? [{ ...placeOf(rows[0]), rows }] : [],
  )
  const leaves = leavesOf(groups)
  const isPart = partsAmong(leaves)
  const parts = new Map<string, Part>()
  const partOf = (kind: Region['kind'], key: string, name: string, around?: Part, town?: Town): Part => {
    const part = parts.get(key) ?? new Part(kind, name, around, town)
    parts.set(key, part)
    return part
  }
  const areaOf = ({ country, subdivision }: Leaf, town?: Town): Part | undefined => {
    if (country === '') return undefined
    const whole = partOf('country', country, country)
    const area = subdivision === '' ? whole : partOf('subdivision', subdivision, subdivision, whole)
    return town ? partOf('town', `town\n${town.id}`, town.name, area, town) : area
  }
  const homes = new Map<string, Part>()
  for (const leaf of leaves) {
    const { town, name } = leaf
    const area = areaOf(leaf, isPart(leaf) ? town : undefined)
    const isArea = !isPart(leaf) || (town && (name === '' || namesOf(town).includes(name)))
    const home = area && isArea ? area : partOf('region', leaf.key, name, area)
    if (home.town && name !== '') home.given = name
    for (const group of leaf.groups) {
      for (const part of [...home.within, home]) part.include(group)
      home.own += group.rows.length
      homes.set(group.key, home)
    }
  }
  for (const part of parts.values()) part.count()
  const regions = [...parts.values()].toSorted(largestFirst)
  giveSlugs(regions)
  for (const region of regions) region.parts = region.parts.toSorted(largestFirst)
  return {
    regions,
    roots: regions.filter(({ within }) => within.length === 0),
    named: regions.filter(({ name, parts }) => name !== '' && parts.length === 0).length,
    regionOf: (waypoint) => homes.get(placeOf(waypoint).key),
  }
}

const largestFirst = (a: Part, b: Part): number =>
  b.waypoints - a.waypoints || b.within.length - a.within.length || (a.name < b.name ? -1 : 1)

const sizeOf = ({ groups }: Pick<Leaf, 'groups'>): number =>
  groups.reduce((sum, { rows }) => sum + rows.length, 0)

/** The regions: waypoints of a country that name the same one share it, and so do unnamed ones of a place and subdivision. */
function leavesOf(groups: readonly Group[]): Leaf[] {
  const leaves = new Map<string, Leaf>()
  const join = (key: string, group: Group): void => {
    const { name, country, subdivision } = group
    const leaf = leaves.get(key) ?? { key, name, country, subdivision, groups: [] }
    leaves.set(key, leaf)
    leaf.groups.push(group)
  }
  const givenKey = ({ country, name }: Group): string => `given\n${country}\n${name}`
  for (const group of groups) if (group.isGiven) join(givenKey(group), group)
  joinUnplaced(leaves)
  for (const leaf of leaves.values()) leaf.subdivision = clearly(leaf.groups, 'subdivision') ?? ''
  for (const group of groups) {
    if (group.isGiven) continue
    const { country, subdivision, name, town } = group
    const isNamed = name !== '' && leaves.has(givenKey(group))
    const own = name === '' && town ? `town\n${town.id}` : `derived\n${country}\n${subdivision}\n${name}`
    join(isNamed ? givenKey(group) : own, group)
  }
  const ofTowns = Map.groupBy(groups, ({ town }) => town)
  for (const leaf of leaves.values()) {
    const town = clearly(leaf.groups, 'town')
    if (leaf.country === '' || town === undefined) continue
    leaf.town = town
    leaf.subdivision = clearly(ofTowns.get(town) ?? [], 'subdivision') ?? ''
  }
  return [...leaves.values()]
}

/** Waypoints of unknown country join the largest leaf of the same region name. */
function joinUnplaced(leaves: Map<string, Leaf>): void {
  const bySize = [...leaves.values()].toSorted((a, b) => sizeOf(b) - sizeOf(a))
  for (const leaf of bySize) {
    if (leaf.country !== '') continue
    const home = bySize.find(({ country, name }) => country !== '' && name === leaf.name)
    if (!home) continue
    home.groups.push(...leaf.groups)
    leaves.delete(leaf.key)
  }
}

/** The town of nearly all waypoints, or the subdivision of nearly all that have one; else undefined. */
function clearly<Kind extends 'subdivision' | 'town'>(groups: readonly Group[], kind: Kind) {
  const shares = new Map<NonNullable<Group[Kind]>, number>()
  for (const { [kind]: part, rows } of groups)
    if (part) shares.set(part, (shares.get(part) ?? 0) + rows.length)
  const known = groups.filter(({ [kind]: part }) => part || kind === 'town')
  const all = sizeOf({ groups: known })
  return [...shares].find(([, share]) => share >= all * clearShare)?.[0]
}

/** Selects the leaves that are parts of their own; the waypoints of the others belong to the enclosing part. */
function partsAmong(leaves: readonly Leaf[]): (leaf: Leaf) => boolean {
  const areas = new Set(
    leaves.flatMap(({ country, subdivision, town, name }) => [country, subdivision, name && town]),
  )
  const isGiven = ({ groups }: Leaf): boolean => groups.some((group) => group.isGiven)
  const derived = leaves.filter((leaf) => (leaf.name !== '' || leaf.town) && !isGiven(leaf))
  const room = Math.max(0, mostParts - areas.size - leaves.filter(isGiven).length)
  const parts = new Set(
    derived.toSorted((a, b) => sizeOf(b) - sizeOf(a) || (a.key < b.key ? -1 : 1)).slice(0, room),
  )
  return (leaf) => isGiven(leaf) || parts.has(leaf)
}
