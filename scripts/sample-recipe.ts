// Over 300 lines: the history is one function, and every step depends on earlier random numbers.

import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { defaultRules, type BoundingBoxInput } from '@openfountain/core'
import { comments, details, people, regions, towns, words, type Town } from './sample-places.ts'

/** An event of the sample's history. Waypoints are numbered from 1 in order of creation. */
export type Act =
  | {
      readonly at: string
      readonly act: 'join'
      readonly id: string
      readonly name: string
      readonly moderator?: true
    }
  | {
      readonly at: string
      readonly act: 'grant'
      readonly id: string
      readonly xp: number
      readonly reason: string
    }
  | {
      readonly at: string
      readonly act: 'import'
      readonly rows: readonly { readonly ref: string; readonly input: Fountain }[]
    }
  | { readonly at: string; readonly act: 'create'; readonly by: string; readonly input: Fountain }
  | {
      readonly at: string
      readonly act: 'edit'
      readonly by: string
      readonly waypoint: number
      readonly change: Readonly<Record<string, unknown>>
    }
  | {
      readonly at: string
      readonly act: 'review'
      readonly by: string
      readonly waypoint: number
      readonly rating: number
      readonly comment?: string
    }
  | { readonly at: string; readonly act: 'delete'; readonly by: string; readonly waypoint: number }
  | { readonly at: string; readonly act: 'area'; readonly input: BoundingBoxInput }

export interface Fountain {
  readonly name: string
  readonly latitude: number
  readonly longitude: number
  readonly description?: string
  readonly amenities: readonly string[]
  readonly maintainer?: string
  readonly region: string
}

/** A seeded generator of numbers from 0 up to 1 (mulberry32, public domain). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const day = 86_400_000
const begin = Date.UTC(2024, 9, 1, 6)
const days = 730
const { xp: earns, gates } = defaultRules

export class Dice {
  readonly next: () => number

  constructor(seed: number) {
    this.next = seeded(seed)
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  of<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new RangeError('there is nothing to choose from')
    return item
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  /** Normally distributed with deviation 1, by the sum of twelve (Irwin–Hall). */
  normal(): number {
    let sum = -6
    for (let count = 0; count < 12; count++) sum += this.next()
    return sum
  }
}

const round = (degrees: number): number => Math.round(degrees * 1e5) / 1e5

const features = [
  'wheelchair',
  'dog-bowl',
  'low-spout',
  'seasonal',
  'all-year',
  'lit',
  'bench',
  'covered',
  'always-open',
  'chilled',
  'filtered',
  'tested',
] as const

function fountainIn(town: Town, dice: Dice): Fountain {
  const { spots, names, country, maintainer } = words[town.language]
  const isOutside = dice.chance(0.08)
  const kilometres = isOutside ? town.spread * 2.5 : town.spread
  const latitude = round(town.latitude + (dice.normal() * kilometres * 0.5) / 111.2)
  const longitude = round(
    town.longitude + (dice.normal() * kilometres * 0.5) / (111.2 * Math.cos((town.latitude * Math.PI) / 180)),
  )
  const spot = dice.of(spots)
  const [pattern, ...kinds] = dice.of(isOutside ? country : names)
  const name = pattern.replace('{}', spot)
  const kind = dice.of(kinds)
  const offered = features.filter(() => dice.chance(0.17))
  return {
    name,
    latitude,
    longitude,
    ...(dice.chance(0.7) && { description: `${town.name}. ${dice.of(details)} Fictional.` }),
    amenities: [kind, ...offered],
    ...(dice.chance(0.6) && { maintainer: `${maintainer} ${town.name} (fictional)` }),
    region: town.region,
  }
}

/** Who has joined, and their XP so far. */
class Members {
  readonly #xp = new Map<string, number>()
  readonly moderators = new Set<string>()

  join(id: string): void {
    this.#xp.set(id, 0)
  }

  earn(id: string, amount: number): void {
    const before = this.#xp.get(id)
    if (before !== undefined) this.#xp.set(id, before + amount)
  }

  able(needed: number): string[] {
    return [...this.#xp].filter(([, xp]) => xp >= needed).map(([id]) => id)
  }
}

/** Writes the history of two years, always the same. */
export function sampleRecipe(): Act[] {
  const dice = new Dice(20_241_001)
  const acts: Act[] = []
  const members = new Members()
  const creators = new Map<number, string>()
  const kinds: string[] = []
  const verified = new Set<number>()
  const gone = new Set<number>()
  const fountains = towns.flatMap((town) =>
    Array.from({ length: town.fountains }, () => fountainIn(town, dice)),
  )
  const imported = fountains.filter(() => dice.chance(0.38))
  const waiting = fountains.filter((fountain) => !imported.includes(fountain))
  for (let index = waiting.length - 1; index > 0; index--) {
    const other = dice.below(index + 1)
    const [a, b] = [waiting[index], waiting[other]]
    if (a && b) [waiting[index], waiting[other]] = [b, a]
  }
  let count = 0
  let now = begin
  const at = (): string => new Date(now).toISOString()

  acts.push({
    at: at(),
    act: 'import',
    rows: imported.map((input, index) => ({ ref: `S-${index + 1}`, input })),
  })
  count += imported.length
  for (const { amenities } of imported) kinds.push(amenities[0] ?? 'tap')
  for (const input of areas) {
    now += 60_000
    acts.push({ at: at(), act: 'area', input })
  }

  const liveWaypoint = (): number => {
    for (;;) {
      const waypoint = dice.below(count) + 1
      if (!gone.has(waypoint)) return waypoint
    }
  }
  const verify = (by: string, waypoint: number): void => {
    acts.push({ at: at(), act: 'edit', by, waypoint, change: { approved: true, verified: true } })
    const creator = creators.get(waypoint)
    if (creator !== undefined) members.earn(creator, earns.waypointVerified)
    verified.add(waypoint)
  }

  const joins = people.map(([id, name], index) => ({
    id,
    name,
    day: index < 3 ? 1 : Math.floor((index * days * 0.8) / people.length),
  }))
  for (let today = 1; today < days; today++) {
    now = begin + today * day + dice.below(3_600_000)
    const step = (): void => void (now += 60_000 + dice.below(2_400_000))
    for (const { id, name } of joins.filter((join) => join.day === today)) {
      const moderator = id === 'ada' || id === 'minamo'
      acts.push({ at: at(), act: 'join', id, name, ...(moderator && { moderator }) })
      members.join(id)
      if (moderator) members.moderators.add(id)
      step()
      if (id === 'ada') {
        acts.push({
          at: at(),
          act: 'grant',
          id,
          xp: gates.createWaypoint,
          reason: 'Began the sample registry (fictional)',
        })
        members.earn(id, gates.createWaypoint)
      }
    }
    const summer = 1 + Math.sin(((today - 200) / 365) * 2 * Math.PI)
    for (let visits = dice.below(2 + Math.round(summer)); visits > 0; visits--) {
      step()
      const by = dice.of(members.able(gates.postReview))
      const [rating, comment] = dice.of(comments)
      acts.push({
        at: at(),
        act: 'review',
        by,
        waypoint: liveWaypoint(),
        rating,
        ...(comment !== undefined && { comment }),
      })
      members.earn(by, earns.postReview)
    }
    const makers = members.able(gates.createWaypoint)
    if (waiting.length > 0 && makers.length > 0 && dice.chance(waiting.length / (days - today + 1) + 0.02)) {
      step()
      const by = dice.of(makers)
      const input = waiting.pop()
      if (input) {
        acts.push({ at: at(), act: 'create', by, input })
        creators.set(++count, by)
        kinds.push(input.amenities[0] ?? 'tap')
        members.earn(by, earns.createWaypoint)
      }
    }
    const editors = members.able(gates.editWaypoint)
    if (editors.length > 0 && dice.chance(0.22)) {
      step()
      const by = dice.of(editors)
      const waypoint = liveWaypoint()
      const kind = kinds[waypoint - 1] ?? 'tap'
      const change = dice.chance(0.6)
        ? { description: `${dice.of(details)} Looked at on ${at().slice(0, 10)}. Fictional.` }
        : { amenities: [kind, ...features.filter(() => dice.chance(0.25))] }
      acts.push({ at: at(), act: 'edit', by, waypoint, change })
      members.earn(by, earns.editWaypoint)
    }
    if (dice.chance(0.3) && members.moderators.size > 0) {
      step()
      const waypoint = liveWaypoint()
      if (!verified.has(waypoint)) verify(dice.of([...members.moderators]), waypoint)
    }
    if (today === 400 || today === 620) {
      step()
      acts.push({
        at: at(),
        act: 'edit',
        by: 'ada',
        waypoint: dice.of([...verified].filter((id) => !gone.has(id))),
        change: { verified: false },
      })
    }
    if (today === 500) {
      step()
      const waypoint = liveWaypoint()
      gone.add(waypoint)
      acts.push({ at: at(), act: 'delete', by: 'ada', waypoint })
    }
  }
  return acts
}

function box(
  name: string,
  description: string,
  color: string,
  [west, south, east, north]: readonly [number, number, number, number],
) {
  return {
    name,
    description,
    color,
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  }
}

const areas = [
  box(
    `${regions.brim}: survey`,
    'The town is being surveyed this year. Fictional.',
    '#2f80c1',
    [9.44, 40.885, 9.51, 40.925],
  ),
  box(
    `${regions.gota}: dry season`,
    'Some taps are off from June to September. Fictional.',
    '#d9822b',
    [9.05, 39.265, 9.15, 39.335],
  ),
]

/** The recipe in the format of its file in data/: one act a line. */
export function recipeText(acts: readonly Act[]): string {
  return `${acts.map((act) => JSON.stringify(act)).join('\n')}\n`
}

if (import.meta.main) {
  const file = fileURLToPath(new URL('../data/sample.ndjson', import.meta.url))
  await writeFile(file, recipeText(sampleRecipe()))
}
