import type { Actor } from './actor.ts'
import type { HistoryEntry } from './log/entry.ts'
import type { Writer } from './writer.ts'
import { passGate } from './decide/contributor.ts'
import { createWaypoint, deleteWaypoint, updateWaypoint } from './decide/waypoint.ts'
import { invalid, notFound } from './errors.ts'
import { yieldToEventLoop } from './event-loop.ts'
import { SearchQuery, WaypointFilter, type WaypointFilterInput } from './schemas/filter.ts'
import { parse } from './schemas/parse.ts'
import type { WaypointSource } from './schemas/source.ts'
import { waypointBounds } from './store/sqlite/search/bounds.ts'
import { changeReads } from './store/sqlite/nouns/changes.ts'
import { nearest } from './store/sqlite/search/nearest.ts'
import { search } from './store/sqlite/search/search.ts'
import { sourceReads } from './store/sqlite/nouns/sources.ts'
import { waypointReads, type WaypointReads } from './store/sqlite/nouns/waypoints.ts'
import {
  published,
  WaypointInput,
  WaypointPatch,
  type FoundWaypoint,
  type Waypoint,
} from './schemas/waypoint.ts'

/** Water fountains: everybody reads them, users with enough XP and API tokens write them. */
export class Waypoints {
  readonly #writer: Writer
  readonly #reads: WaypointReads
  readonly #history: ReturnType<typeof changeReads>['history']
  readonly #historyText: ReturnType<typeof changeReads>['historyText']
  readonly #sources: ReturnType<typeof sourceReads>['ofWaypoint']
  readonly #near: ReturnType<typeof nearest>
  readonly #isBounded: ReturnType<typeof waypointBounds>
  readonly #search: ReturnType<typeof search>

  /** @internal Made by the registry. */
  constructor(writer: Writer) {
    this.#writer = writer
    this.#reads = waypointReads(writer.statements)
    const changes = changeReads(writer.statements)
    this.#history = changes.history
    this.#historyText = changes.historyText
    this.#sources = sourceReads(writer.statements).ofWaypoint
    this.#near = nearest(writer.statements, this.#reads)
    this.#isBounded = waypointBounds(writer.statements)
    this.#search = search(writer.statements)
  }

  /**
   * Creates a waypoint and earns its creator XP. `approved`, `verified` and `addedByUserId` count only from
   * API tokens; unknown members are ignored.
   *
   * @throws RegistryError UNAUTHORIZED, INSUFFICIENT_XP, INVALID_INPUT, INVALID_COORDINATES
   * @example
   * await registry.waypoints.create({ name: 'Market square', latitude: 55.7029, longitude: 13.1929 }, token())
   */
  async create(input: unknown, actor: Actor): Promise<Waypoint> {
    const { waypoint } = this.#writer.contribute(actor, (occasion, { counters, load }) => {
      const given = () => {
        const parsed = parse(WaypointInput, input)
        if (occasion.contributor.kind === 'token') mustExist(load, parsed.addedByUserId)
        return parsed
      }
      return createWaypoint(occasion, counters.lastWaypointId + 1, given)
    })
    return published(waypoint.after)
  }

  /**
   * Changes the given fields of a waypoint; `null` clears an optional one. Nothing is written, logged or earned
   * when nothing changes.
   *
   * @throws RegistryError UNAUTHORIZED, INSUFFICIENT_XP, INVALID_INPUT, INVALID_COORDINATES, NOT_FOUND
   */
  async update(id: number, input: unknown, actor: Actor): Promise<Waypoint> {
    let answer: Waypoint | undefined
    this.#writer.contribute(actor, (occasion, { load }) => {
      const { kind, isModerator } = occasion.contributor
      if (!isModerator) passGate(occasion, 'editWaypoint')
      const patch = parse(WaypointPatch, input)
      const before = load.liveWaypoint(id)
      if (kind === 'token' && patch.addedByUserId !== before.addedByUserId)
        mustExist(load, patch.addedByUserId)
      const effects = updateWaypoint(occasion, before, patch)
      answer = published(effects.waypoint?.after ?? before)
      return effects
    })
    if (answer === undefined) throw notFound('waypoint', id)
    return answer
  }

  /**
   * Turns a waypoint into a tombstone: it leaves every list, its log and reviews stay.
   *
   * @returns the waypoint as it was
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND
   */
  async delete(id: number, actor: Actor): Promise<Waypoint> {
    let answer: Waypoint | undefined
    this.#writer.contribute(actor, (occasion, { load }) => {
      const before = load.liveWaypoint(id)
      answer = published(before)
      return deleteWaypoint(occasion, before)
    })
    if (answer === undefined) throw notFound('waypoint', id)
    return answer
  }

  /** @throws RegistryError NOT_FOUND, for tombstones too */
  async get(id: number): Promise<Waypoint> {
    const found = this.#reads.get(id)
    if (found === undefined) throw notFound('waypoint', id)
    return found
  }

  /**
   * A waypoint as JSON text, built by the database; the quickest way to answer it.
   *
   * @throws RegistryError NOT_FOUND, for tombstones too
   */
  text(id: number): string {
    const found = this.#reads.text(id)
    if (found === undefined) throw notFound('waypoint', id)
    return found
  }

  /**
   * The text of `{ waypoint, logs, sources }`: what `get`, `history` and `sources` answer, in one statement.
   *
   * @throws RegistryError NOT_FOUND, for tombstones too
   */
  dossierText(id: number): string {
    const found = this.#reads.dossierText(id)
    if (found === undefined) throw notFound('waypoint', id)
    return found
  }

  /** The log of a waypoint without what changed, oldest first; empty for an unknown one. */
  async history(id: number): Promise<HistoryEntry[]> {
    return this.#history(id)
  }

  /** What `history` answers, as the text of a JSON array. */
  historyText(id: number): string {
    return this.#historyText(id)
  }

  /** Where a waypoint came from, first source first; empty when it was contributed here. */
  async sources(id: number): Promise<WaypointSource[]> {
    return this.#sources(id)
  }

  /**
   * Live waypoints by id, or by distance with `near`.
   *
   * @throws RegistryError INVALID_INPUT, INVALID_COORDINATES
   * @example
   * await registry.waypoints.list({ near: { latitude: 47.37, longitude: 8.54 }, limit: 10 })
   */
  async list(filter: WaypointFilterInput = {}): Promise<Waypoint[]> {
    const given = parse(WaypointFilter, filter)
    return given.near ? this.#nearby({ ...given, near: given.near }) : [...this.#reads.chunks(given)].flat()
  }

  /**
   * The same as `list` one after another, letting other work run between chunks. With `near` everything is
   * found first.
   *
   * @throws RegistryError INVALID_INPUT, INVALID_COORDINATES
   */
  async *each(filter: WaypointFilterInput = {}): AsyncGenerator<Waypoint> {
    const given = parse(WaypointFilter, filter)
    if (given.near) return yield* this.#nearby({ ...given, near: given.near })
    for (const chunk of this.#reads.chunks(given)) {
      yield* chunk
      await yieldToEventLoop()
    }
  }

  /**
   * What `list` answers as JSON texts, in chunks of up to a thousand; the caller lets others run in between.
   *
   * @throws RegistryError INVALID_INPUT, INVALID_COORDINATES
   */
  *texts(filter: WaypointFilterInput = {}): Generator<string[]> {
    const given = parse(WaypointFilter, filter)
    if (!given.near) return yield* this.#reads.textChunks(given)
    const found = this.#near({ ...given, near: given.near })
    for (let start = 0; start < found.length; start += 1000) {
      yield found.slice(start, start + 1000).flatMap(({ id }) => this.#reads.text(id) ?? [])
    }
  }

  /**
   * What `list` answers as JSON texts joined by commas after an opening, in UTF-8, in pieces of up to a thousand; the
   * caller lets others run in between. The quickest way to answer a long list. Each piece has memory of its own.
   *
   * @param opening what comes before the first one, also when there is none
   * @throws RegistryError INVALID_INPUT, INVALID_COORDINATES
   */
  *pages(filter: WaypointFilterInput = {}, opening = ''): Generator<Uint8Array<ArrayBuffer>> {
    const given = parse(WaypointFilter, filter)
    const pieces = given.near ? this.#nearbyPages(filter, opening) : this.#reads.pages(given, opening)
    let empty = true
    for (const piece of pieces) {
      yield piece
      empty = false
    }
    if (empty) yield new TextEncoder().encode(opening)
  }

  /**
   * Whether `list` looks at a bounded number of waypoints, a thousand or so many as it answers, which takes a few
   * milliseconds at any size of the registry. It is told from what indexes hold at the moment. A server answers other
   * lists beside the thread that serves.
   *
   * @throws RegistryError INVALID_INPUT, INVALID_COORDINATES
   */
  isBounded(filter: WaypointFilterInput = {}): boolean {
    return this.#isBounded(parse(WaypointFilter, filter))
  }

  *#nearbyPages(filter: WaypointFilterInput, opening: string): Generator<Uint8Array<ArrayBuffer>> {
    let start = opening
    for (const texts of this.texts(filter)) {
      yield new TextEncoder().encode(start + texts.join(','))
      start = ','
    }
  }

  #nearby(filter: WaypointFilter & { near: NonNullable<WaypointFilter['near']> }): Waypoint[] {
    return this.#near(filter).flatMap(({ id }) => this.#reads.get(id) ?? [])
  }

  /**
   * Waypoints whose text has every term of `q` (terms stand apart by white space; case and accents do not
   * matter): anywhere in the name for terms of three or more characters and for Chinese, Japanese and Korean
   * of any length, or at the beginning of a word in name, description or region. Names that begin with the
   * query come first, then names that contain it, then the rest; by id among equals. Of words that stand in
   * very many waypoints the newest thousand are looked at.
   *
   * @throws RegistryError INVALID_INPUT when `q` is missing or blank, or a limit is out of range
   */
  async search(query: {
    readonly q: string
    readonly limit?: number
    readonly offset?: number
  }): Promise<FoundWaypoint[]> {
    return this.#search(parse(SearchQuery, query))
  }
}

function mustExist(load: Writer['load'], userId: string | undefined): void {
  if (userId !== undefined && load.user(userId) === undefined) {
    throw invalid('addedByUserId', 'names no user of this registry')
  }
}
