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

/** Water fountains. Anyone may read them; users with enough XP and API tokens may write them. */
export class Waypoints {
  readonly #writer: Writer
  readonly #reads: WaypointReads
  readonly #history: ReturnType<typeof changeReads>['history']
  readonly #historyText: ReturnType<typeof changeReads>['historyText']
  readonly #sources: ReturnType<typeof sourceReads>['ofWaypoint']
  readonly #near: ReturnType<typeof nearest>
  readonly #isBounded: ReturnType<typeof waypointBounds>
  readonly #search: ReturnType<typeof search>

  /** @internal Created by the registry. */
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
   * Creates a waypoint, which earns its creator XP. `approved`, `verified` and `addedByUserId` count only from
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
    let result: Waypoint | undefined
    this.#writer.contribute(actor, (occasion, { load }) => {
      const { kind, isModerator } = occasion.contributor
      if (!isModerator) passGate(occasion, 'editWaypoint')
      const patch = parse(WaypointPatch, input)
      const before = load.liveWaypoint(id)
      if (kind === 'token' && patch.addedByUserId !== before.addedByUserId)
        mustExist(load, patch.addedByUserId)
      const effects = updateWaypoint(occasion, before, patch)
      result = published(effects.waypoint?.after ?? before)
      return effects
    })
    if (result === undefined) throw notFound('waypoint', id)
    return result
  }

  /**
   * Turns a waypoint into a tombstone: lists no longer have it, its log and reviews are kept.
   *
   * @returns the waypoint as it was
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND
   */
  async delete(id: number, actor: Actor): Promise<Waypoint> {
    let result: Waypoint | undefined
    this.#writer.contribute(actor, (occasion, { load }) => {
      const before = load.liveWaypoint(id)
      result = published(before)
      return deleteWaypoint(occasion, before)
    })
    if (result === undefined) throw notFound('waypoint', id)
    return result
  }

  /** @throws RegistryError NOT_FOUND, for tombstones too */
  async get(id: number): Promise<Waypoint> {
    const found = this.#reads.get(id)
    if (found === undefined) throw notFound('waypoint', id)
    return found
  }

  /**
   * A waypoint as JSON text, built by the database; the fastest way to serve it.
   *
   * @throws RegistryError NOT_FOUND, for tombstones too
   */
  text(id: number): string {
    const found = this.#reads.text(id)
    if (found === undefined) throw notFound('waypoint', id)
    return found
  }

  /**
   * The results of `get`, `history` and `sources` as the JSON text of `{ waypoint, logs, sources }`, in one statement.
   *
   * @throws RegistryError NOT_FOUND, for tombstones too
   */
  dossierText(id: number): string {
    const found = this.#reads.dossierText(id)
    if (found === undefined) throw notFound('waypoint', id)
    return found
  }

  /** The log of a waypoint without the changes, oldest first; empty for an unknown waypoint. */
  async history(id: number): Promise<HistoryEntry[]> {
    return this.#history(id)
  }

  /** The result of `history` as the text of a JSON array. */
  historyText(id: number): string {
    return this.#historyText(id)
  }

  /** The sources of a waypoint, oldest first; empty when it was contributed here. */
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
   * The result of `list` one by one, yielding to the event loop between chunks. With `near` everything is found
   * first.
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
   * The result of `list` as JSON texts, in chunks of up to a thousand. Synchronous: yield to the event loop between
   * chunks.
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
   * The result of `list` as JSON texts joined by commas after an opening, in UTF-8, in pieces of up to a thousand: the
   * fastest way to serve a long list. Synchronous: yield to the event loop between pieces. Pieces share no memory.
   *
   * @param opening text before the first waypoint, also returned when there is none
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
   * Whether `list` reads a bounded number of waypoints: at most a thousand, or as many as it returns. It depends on
   * what the indexes contain now. A server runs other lists on another thread than the one that serves requests.
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
   * Waypoints whose text has every term of `q` (separated by white space; case and accents do not matter): anywhere
   * in the name for terms of three or more characters and for Chinese, Japanese and Korean of any length, or at the
   * beginning of a word in name, description or region. Names that begin with the query come first, then names that
   * contain it, then the rest; among equals by id. For very frequent words the newest thousand waypoints are searched.
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
