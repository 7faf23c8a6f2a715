import type { ListedDays, Tags } from '../fields/source.ts'
import type { StoredPhoto } from '../schemas/photo.ts'
import type { BoundingBox } from '../schemas/area.ts'
import type { Observation } from '../schemas/observation.ts'
import type { Review } from '../schemas/review.ts'
import type { SourceInput, SourceState } from '../schemas/source.ts'
import type { Kept, UserStats } from '../schemas/user.ts'
import type { Waypoint } from '../schemas/waypoint.ts'
import type { Secret } from '../secrets.ts'
import type { MembersOf } from '../store/tables.ts'
import type { Watched, WaypointEvent } from '../waypoint-events.ts'
import type { Action, StoredEntry } from './entry.ts'

/** A waypoint with its internal fields: ever verified, whose word its maintainer is, end and merge, redacted fields in code unit order. */
export interface WaypointState extends Omit<Waypoint, 'nameIsMade'> {
  readonly verifiedOnce: boolean
  /** Whether its maintainer is the word of a source, a moderator or the operator, so that its keepers are those of that one. */
  readonly isAttested: boolean
  readonly version: number
  readonly deletedAt?: string | undefined
  readonly mergedInto?: number | undefined
  readonly redactedFields?: readonly string[] | undefined
  readonly placeName?: string | undefined
}

/** A waypoint without its internal fields; one without a name is called by its label. */
export function published(state: WaypointState, labelOf: (state: WaypointState) => string | null): Waypoint {
  const {
    verifiedOnce: _once,
    isAttested: _attested,
    version: _version,
    deletedAt: _deleted,
    mergedInto: _merged,
    redactedFields: _redacted,
    placeName: _place,
    ...waypoint
  } = state
  const label = labelOf(state)
  return label === null ? waypoint : { ...waypoint, name: label, nameIsMade: true }
}

interface Deletable {
  readonly deletedAt?: string | undefined
}

/** Deleted ones are tombstones without their texts. Ids of observations and photos are those of their entries. */
export type ReviewState = Review & Deletable
export type ObservationState = Observation & Deletable
export type PhotoFacts = StoredPhoto & Deletable
export type AreaState = BoundingBox & Deletable

export const isLive = <State extends Deletable>(state: State | undefined): state is State =>
  state !== undefined && state.deletedAt === undefined

export function publishedOf<State extends Deletable>(state: State): Omit<State, 'deletedAt'> {
  const { deletedAt: _deleted, ...noun } = state
  return noun
}

/** A person as the log has them: never a name or an address. */
export interface Person {
  readonly id: string
  readonly isModerator: boolean
  readonly xp: number
  readonly stats: UserStats
  /** How often the person did each action on waypoints; actions that never happened are left out. */
  readonly actions: Readonly<Partial<Record<Action, number>>>
  readonly createdAt: string
  readonly block?: Block | undefined
  readonly keeps?: readonly Kept[] | undefined
}

export interface Block {
  readonly reason: string
  /** ISO 8601 in UTC; absent when the block has no end. */
  readonly until?: string | undefined
}

/** A source of data. `listedAt` ends its newest complete import; `published` is the day of publication of its data. */
export interface SourceFacts extends SourceInput {
  readonly id: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly listedAt?: string | undefined
  readonly published?: string | undefined
}

export interface RunState {
  readonly id: number
  readonly sourceId: number
  readonly file?: { readonly name: string; readonly sha256: string; readonly bytes: number } | undefined
  readonly startedAt: string
  readonly finishedAt?: string | undefined
  readonly published?: string | undefined
}

/** The link between a waypoint and a source that lists it. Its id is that of the entry that made it. */
export interface RecordState extends ListedDays {
  readonly id: number
  readonly sourceId: number
  readonly waypointId: number
  /** The source's own id of the waypoint. */
  readonly ref?: string | undefined
  /** The state of the waypoint at the source, when it gives no water. */
  readonly state?: SourceState | undefined
  /** The tags of the object at OpenStreetMap, in the order of their keys. */
  readonly tags?: Tags | undefined
  readonly firstSeen: string
  /** When an entry last said that the source lists it. A complete import of the source says it of all its records. */
  readonly lastSeen: string
  readonly missingSince?: string | undefined
}

export interface VouchedNouns {
  waypoint: WaypointState
  review: ReviewState
  observation: ObservationState
  photo: PhotoFacts
  user: Person
  area: AreaState
  source: SourceFacts
  import: RunState
  record: RecordState
  entry: StoredEntry
}

interface Removable {
  readonly isGone?: true
}

interface Numbered {
  /** Public, and never used again; given by the engine when the noun is first saved. */
  readonly number?: number | undefined
}

/** A person's name and address. They can be removed, which nothing in the log can. */
export type Profile = MembersOf<'users', 'id' | 'name' | 'email' | 'updatedAt' | 'leftAt'>
/** The merge base of a record: the values at the last import, for merging the next one. */
export type MergeBase = MembersOf<'records', 'id' | 'values' | 'seenIn'>
export type Progress = MembersOf<'imports', 'id' | 'updatedAt' | 'checkpoint' | 'counts'>
export type StoredReport = MembersOf<'reports'> & Numbered
/** The name under a photo that is not that of an account: its author left and keeps the credit, or has no account. */
export type Credit = MembersOf<'photos', 'id' | 'credit'>
export type Distinction = MembersOf<'distinctions'>
/** The work of delivering, which one process does at a time, in this database alone. */
export type Worker = MembersOf<'workers'>
/** Who does a work now, since when, and until when nobody else may. */
export type Leased = Omit<Worker, 'id' | 'origin'>
export type StoredWebhook = Omit<MembersOf<'webhooks'>, 'what' | 'events' | 'kept'> &
  Removable & {
    readonly what: Omit<Watched, 'events'>
    readonly events?: readonly WaypointEvent[] | undefined
    /** The entries that were refused, for sending them again. */
    readonly kept: readonly number[]
  }
export type Schedule = Omit<MembersOf<'schedules'>, 'options'> &
  Removable & { readonly options: Readonly<Record<string, unknown>> }
export type StoredHarvest = MembersOf<'harvests'>
/** A row of an import that may be a waypoint which is here, for a person to decide. */
export type StoredDoubt = MembersOf<'doubts'> & Numbered & Removable
export type Observer = MembersOf<'observers'>
export type Sighting = MembersOf<'sightings'>
/** The last computed state of a waypoint with its facts, so that it is not computed from all its data. */
export type StoredStatus = MembersOf<'statuses'>

export const doubtId = (sourceId: number, ref: string): string => `${sourceId}:${ref}`

/** Nouns beside the log: private, or derived for speed. */
export interface UnloggedNouns {
  profile: Profile
  base: MergeBase
  progress: Progress
  secret: Secret
  report: StoredReport
  credit: Credit
  distinction: Distinction
  schedule: Schedule
  webhook: StoredWebhook
  worker: Worker
  harvest: StoredHarvest
  doubt: StoredDoubt
  observer: Observer
  sighting: Sighting
  status: StoredStatus
}

export interface Nouns extends VouchedNouns, UnloggedNouns {}
export type NounName = keyof Nouns
export type KeyOf<Noun extends NounName> = Nouns[Noun]['id']

/** The last ids given. Ids of records are those of their entries. */
export type LastIds = Readonly<Record<'waypoint' | 'review' | 'area' | 'source' | 'import', number>>

export interface Replacement<State> {
  readonly before: State | undefined
  readonly after: State
}

export type Changes = { readonly [Noun in NounName]?: readonly Replacement<Nouns[Noun]>[] }

/** Values of members that rows are looked up by, such as `{ sourceId: 3, ref: 'abc' }`. */
export type Where<Noun extends NounName> = Partial<Nouns[Noun]>

export type NounNeed =
  | { readonly [Noun in NounName]: { readonly noun: Noun; readonly key: KeyOf<Noun> } }[NounName]
  | { readonly [Noun in NounName]: { readonly noun: Noun; readonly where: Where<Noun> } }[NounName]

/** The ids of rows that have, or had, the same values of some members. */
class Group<Key> {
  /** Most have one, for which a set would take half of the time. */
  ids: Key | Set<Key> | undefined
  /** Whether all stored rows with these values were loaded. */
  isAsked = false
  /** The groups within it, by the value of the next member. */
  parts: Map<unknown, Group<Key>> | undefined
}

/** How the rows of a noun are found by the values of some members. */
class Lookup<Key extends number | string> {
  readonly names: readonly string[]
  readonly #all = new Group<Key>()

  constructor(names: readonly string[]) {
    this.names = names
  }

  groupOf(row: object): Group<Key> {
    let group = this.#all
    for (const name of this.names) {
      const value = (row as Readonly<Record<string, unknown>>)[name]
      const parts = (group.parts ??= new Map())
      group = parts.get(value) ?? new Group()
      parts.set(value, group)
    }
    return group
  }

  add(id: Key, row: object): void {
    const group = this.groupOf(row)
    const known = group.ids ?? id
    if (known instanceof Set) known.add(id)
    else group.ids = known === id ? id : new Set([known, id])
  }
}

/** The rows of one noun that a write has loaded or changed, and how they are looked up by other members than the id. */
class Rows<Noun extends NounName> {
  readonly #rows = new Map<KeyOf<Noun>, Nouns[Noun] | undefined>()
  /** The rows changed since the last save, as they were before. */
  readonly #before = new Map<KeyOf<Noun>, Nouns[Noun] | undefined>()
  readonly #lookups: Lookup<KeyOf<Noun>>[] = []

  /** Whether a row was loaded, even if there is none. */
  has(key: KeyOf<Noun>): boolean {
    return this.#rows.has(key)
  }

  get(key: KeyOf<Noun>): Nouns[Noun] | undefined {
    return this.#rows.get(key)
  }

  /** Loads a stored row, undefined when there is none, unless it is loaded already. */
  load(key: KeyOf<Noun>, stored: Nouns[Noun] | undefined): void {
    if (this.get(key) !== undefined) return
    this.#rows.set(key, stored)
    if (stored !== undefined) for (const lookup of this.#lookups) lookup.add(key, stored)
  }

  put(key: KeyOf<Noun>, after: Nouns[Noun]): void {
    if (!this.#before.has(key)) this.#before.set(key, this.get(key))
    this.#rows.set(key, after)
    for (const lookup of this.#lookups) lookup.add(key, after)
  }

  /** Whether all stored rows with these members are here. */
  hasAsked(where: Where<Noun>): boolean {
    return this.#lookupOf(where).groupOf(where).isAsked
  }

  loadAll(where: Where<Noun>, stored: readonly Nouns[Noun][]): void {
    this.#lookupOf(where).groupOf(where).isAsked = true
    for (const row of stored) this.load(row.id, row)
  }

  /** The rows with these members, by id; undefined when they were not loaded. */
  find(where: Where<Noun>): Nouns[Noun][] | undefined {
    const lookup = this.#lookupOf(where)
    const group = lookup.groupOf(where)
    const { ids, isAsked } = group
    if (!isAsked) return undefined
    const rows: Nouns[Noun][] = []
    for (const id of ids instanceof Set ? ids : ids === undefined ? [] : [ids]) {
      const row = this.get(id)
      // A row stays listed under the values that it had.
      if (row !== undefined && lookup.groupOf(row) === group) rows.push(row)
    }
    return rows.length < 2 ? rows : rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  }

  changed(): Replacement<Nouns[Noun]>[] {
    const replaced: Replacement<Nouns[Noun]>[] = []
    for (const [key, before] of this.#before) {
      const after = this.get(key)
      if (after !== undefined && after !== before) replaced.push({ before, after })
    }
    return replaced
  }

  saved(): void {
    this.#before.clear()
  }

  #lookupOf(where: Where<Noun>): Lookup<KeyOf<Noun>> {
    const given = Object.keys(where)
    const isOf = ({ names }: Lookup<KeyOf<Noun>>): boolean =>
      names.length === given.length && names.every((name, index) => name === given[index])
    let lookup = this.#lookups.find(isOf)
    if (lookup === undefined) {
      lookup = new Lookup(given)
      this.#lookups.push(lookup)
      for (const [key, row] of this.#rows) if (row !== undefined) lookup.add(key, row)
    }
    return lookup
  }
}

/** The current nouns of a write, before anything is saved. */
export class WorkingSet {
  readonly #rows = new Map<NounName, Rows<NounName>>()
  #last: LastIds

  constructor(last: LastIds) {
    this.#last = last
  }

  get last(): LastIds {
    return this.#last
  }

  of<Noun extends NounName>(noun: Noun): Rows<Noun> {
    let rows = this.#rows.get(noun) as Rows<Noun> | undefined
    if (rows === undefined) this.#rows.set(noun, (rows = new Rows<Noun>()) as never)
    return rows
  }

  /** A noun as it stands, or undefined when there is none. @throws Error when it was not loaded */
  get<Noun extends NounName>(noun: Noun, key: KeyOf<Noun>): Nouns[Noun] | undefined {
    const rows = this.of(noun)
    if (!rows.has(key) && !this.#isNew(noun, key)) throw new Error(`${noun} ${key} was not loaded`)
    return rows.get(key)
  }

  /** The nouns with these members as they stand, by id. @throws Error when they were not loaded */
  find<Noun extends NounName>(noun: Noun, where: Where<Noun>): Nouns[Noun][] {
    const found = this.of(noun).find(where)
    if (found === undefined) throw new Error(`${noun} by ${Object.keys(where).join(', ')} was not loaded`)
    return found
  }

  put<Noun extends NounName>(noun: Noun, after: Nouns[Noun]): void {
    this.of(noun).put(after.id as KeyOf<Noun>, after)
    if (noun in this.#last && typeof after.id === 'number') this.#raise(noun as keyof LastIds, after.id)
  }

  #raise(noun: keyof LastIds, id: number): void {
    if (id > this.#last[noun]) this.#last = { ...this.#last, [noun]: id }
  }

  /** Whether a noun was never stored: its id is greater than the last that was given. */
  #isNew(noun: NounName, key: number | string): boolean {
    return noun in this.#last && typeof key === 'number' && key > this.#last[noun as keyof LastIds]
  }

  changes(): Changes {
    const changes: { [Noun in NounName]?: readonly Replacement<unknown>[] } = {}
    for (const [noun, rows] of this.#rows) {
      const replaced = rows.changed()
      if (replaced.length > 0) changes[noun] = replaced
    }
    return changes as Changes
  }

  saved(): void {
    for (const rows of this.#rows.values()) rows.saved()
  }

  /** Forgets what is stored, except the answers to these needs: the rest is loaded again where it is needed. */
  keepOnly(needs: readonly NounNeed[]): void {
    const before = new Map(this.#rows)
    this.#rows.clear()
    for (const need of needs) {
      const [rows, kept] = [before.get(need.noun), this.of(need.noun)]
      // The compiler cannot relate a noun to its key.
      if ('key' in need) kept.load(need.key as never, rows?.get(need.key as never) as never)
      else kept.loadAll(need.where as never, (rows?.find(need.where as never) ?? []) as never)
    }
  }
}
