import type { Actor } from './decide/contributor.ts'
import { changeMany, isOfKeepers } from './decide/many.ts'
import { mergeWaypoints, restoreWaypoint } from './decide/merge.ts'
import { shown, type DeletionReason, type WaypointCondition } from './decide/waypoint.ts'
import { invalid, notFound, required } from './errors.ts'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Properties } from './fields/field.ts'
import type { HistoryEntry } from './log/entry.ts'
import { aged } from './observations.ts'
import { pagesOf } from './paged.ts'
import { around, nearDuplicates } from './places/duplicates.ts'
import { pseudonyms } from './pseudonyms.ts'
import { otherTermsOf, type RowTerms } from './published/source-terms.ts'
import { ratingSummary } from './reviews.ts'
import { mustModerate } from './reports.ts'
import { alongLeg, legsOf, routeIn } from './places/route.ts'
import { duplicates, moderation, pages, routes } from './rules.ts'
import { DuplicateQuery, type CreateOptions, type NearDuplicate } from './schemas/duplicate.ts'
import { knownOptions, parse } from './schemas/parse.ts'
import type { PlaceLookup, WaypointPlace } from './schemas/place.ts'
import type { RatingSummary } from './schemas/review.ts'
import type { WaypointSource } from './schemas/source.ts'
import {
  SearchQuery,
  WaypointFilter,
  type WaypointFilterInput,
  type FoundWaypoint,
  type Near,
  type Waypoint,
  type WaypointInput,
  type WaypointPatch,
} from './schemas/waypoint.ts'
import { Part, type Shared } from './shared.ts'
import { ManyInput, type ManyChanged } from './schemas/many.ts'
import type { AssignedPlace, PositionedPlace } from './store/answers.ts'
import type { Reads } from './store/reads.ts'
import type { MaybePromise, Pieces } from './store/sql/query.ts'
import { decisions } from './writes.ts'

export interface AssignOptions {
  /** Finds what would change, and changes nothing. Default false. */
  readonly dryRun?: boolean | undefined
  /** Called after each page of waypoints with how many were looked at. Default: nothing. */
  readonly onProgress?: ((waypoints: number) => void) | undefined
  /** Ends it after the page that is being assigned; the rest stays as it is. */
  readonly signal?: AbortSignal | undefined
}

export interface Assignment {
  /** How many waypoints were looked at. */
  readonly waypoints: number
  /** How many have a place. */
  readonly placed: number
  /** How many had another place, or none. */
  readonly changed: number
}

/** Waypoints whose places are found at a time: a transaction on SQLite holds up other writes for some 30 ms. */
const placesAtATime = 5000

const isSamePlace = (one: WaypointPlace | undefined, other: WaypointPlace | undefined): boolean =>
  one?.country === other?.country && one?.subdivision === other?.subdivision && one?.name === other?.name

/** The filter of a list; states are those of today. @internal */
export async function chosen(
  { store, license }: Shared,
  filter: WaypointFilterInput,
): Promise<WaypointFilter> {
  const given = parse(WaypointFilter, filter)
  if (given.status !== undefined || given.usable !== undefined) await aged(store)
  const ofLicense = given.license === license ? { ...given, isOwnLicense: true } : given
  if (given.keeper === undefined) return ofLicense
  const { keeps = [] } = (await store.read.users.get(given.keeper)) ?? {}
  const keptNames = keeps.flatMap((each) => ('maintainer' in each ? [each.maintainer] : []))
  const keptSources = keeps.flatMap((each) => ('source' in each ? [each.source] : []))
  return { ...ofLicense, keptNames, keptSources }
}

/** Refuses a waypoint that is gone, or never was. @internal @throws RegistryError NOT_FOUND */
export async function missing(read: Reads['waypoints'], id: number): Promise<never> {
  const mergedInto = await read.mergedInto(id)
  throw notFound('waypoint', id, mergedInto === undefined ? {} : { mergedInto })
}

/** Parts of waypoints by distance, up to a thousand at a time, each told its metres to a tenth. @internal */
export async function* nearest<Part>(
  places: Reads['waypoints'],
  filter: WaypointFilter & { readonly near: Near },
  read: (ids: readonly number[]) => MaybePromise<Part[]>,
  told: (part: Part, metres: ReadonlyMap<number, number>) => Part,
): AsyncGenerator<Part[]> {
  const metres = new Map(
    (await places.near(filter)).map((each) => [each.id, Math.round(each.metres * 10) / 10]),
  )
  const found = [...metres.keys()]
  for (let start = 0; start < found.length; start += 1000)
    yield (await read(found.slice(start, start + 1000))).map((part) => told(part, metres))
}

/** Water fountains. Anyone may read them; users with enough XP and API tokens may write them. */
export class Waypoints<Custom extends Properties = Properties> extends Part {
  /** A contribution that returns a waypoint, which has the fields that the registry declares. */
  #contributed(actor: Actor, decide: Parameters<Shared['contribute']>[1]): Promise<Waypoint<Custom>> {
    return this.shared.contribute(actor, decide) as Promise<Waypoint<Custom>>
  }

  /**
   * Creates a waypoint, which earns its creator XP. `approved`, `verified` and `addedByUserId` count only from
   * API tokens.
   *
   * @param options with `unlessNear`, metres above 0 and at most 1,000, it is refused when another one is that near
   * @throws RegistryError UNAUTHORIZED, INSUFFICIENT_XP, INVALID_INPUT, INVALID_COORDINATES, DUPLICATE `{ candidates }`
   * as `nearDuplicates` returns them, RATE_LIMITED `{ limit, windowSeconds, retryAfterSeconds }` for a new account
   * @example
   * await registry.waypoints.create({ name: 'Market square', latitude: 55.7029, longitude: 13.1929 }, token())
   */
  async create(
    input: WaypointInput<Custom>,
    actor: Actor,
    options: CreateOptions = {},
  ): Promise<Waypoint<Custom>> {
    return this.#contributed(actor, decisions['waypoints.create'](input, options))
  }

  /**
   * Waypoints within 30 m that may be the same fountain, at most the nearest twenty, the likeliest first. `score` is that
   * of imports: 1 at no distance, and four fifths of that with each 30 m between equal names, each 3 m when one of them
   * has no name of its own, and each metre, from 0.75, between different names. `metres` has a tenth of a metre.
   *
   * @throws RegistryError INVALID_INPUT, INVALID_COORDINATES
   * @example
   * await registry.waypoints.nearDuplicates({ latitude: 55.7029, longitude: 13.1929, name: 'Market square' })
   */
  async nearDuplicates(query: {
    readonly latitude: number
    readonly longitude: number
    readonly name?: string | undefined
  }): Promise<NearDuplicate[]> {
    const given = parse(DuplicateQuery, query)
    const { metres, limit, ...place } = around(given, duplicates.nearMetres)
    const found = await this.read.waypoints.near({ near: { ...place, radius: metres }, limit })
    return nearDuplicates(given, await this.read.waypoints.some(found.map(({ id }) => id)))
  }

  /**
   * Changes the given fields of a waypoint; `null` clears an optional one. Nothing is written, logged or earned when
   * nothing changes. Another maintainer of a waypoint that has keepers by its maintainer is reported to the moderators
   * instead, unless a moderator or a token that moderates gives it; keepers may not.
   *
   * @param condition with `ifVersion`, nothing changes when somebody else changed the waypoint since it was read; two
   * writes with the same version cannot both succeed, even in different processes
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, INSUFFICIENT_XP, INVALID_INPUT, INVALID_COORDINATES, NOT_FOUND,
   * PRECONDITION_FAILED `{ waypoint }` as it is now, RATE_LIMITED
   * @example
   * const { version } = await registry.waypoints.version(1)
   * await registry.waypoints.update(1, { name: 'Old market' }, token(), { ifVersion: version })
   */
  async update(
    id: number,
    input: WaypointPatch<Custom>,
    actor: Actor,
    condition: WaypointCondition = {},
  ): Promise<Waypoint<Custom>> {
    return this.#contributed(actor, decisions['waypoints.update'](id, input, condition))
  }

  /**
   * Turns a waypoint into a tombstone: lists no longer have it, its log and reviews are kept. @returns it as it was
   *
   * @param options `ifVersion` as for `update`; `reason` is public, in the log and among the acts of moderators
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND, INVALID_INPUT, PRECONDITION_FAILED `{ waypoint }`
   */
  async delete(
    id: number,
    actor: Actor,
    options: WaypointCondition & DeletionReason = {},
  ): Promise<Waypoint<Custom>> {
    return this.#contributed(actor, decisions['waypoints.delete'](id, options))
  }

  /** A waypoint as it is, or as it was when it was deleted. @throws RegistryError NOT_FOUND */
  async getEvenDeleted(id: number): Promise<Waypoint<Custom>> {
    const found = required(await this.asItIs('waypoint', id), 'waypoint', id)
    return shown(this.shared, found) as Waypoint<Custom>
  }

  /**
   * Brings a deleted waypoint back under its id, as it was. Only moderators and API tokens may.
   *
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND for anything but a tombstone, INVALID_INPUT without a
   * reason, CONFLICT when its position was redacted
   */
  async restore(id: number, options: { readonly reason: string }, actor: Actor): Promise<Waypoint<Custom>> {
    const known = knownOptions(options, ['reason'])
    return this.#contributed(actor, (occasion) => restoreWaypoint(occasion, id, known))
  }

  /**
   * Merges a waypoint into another that is the same fountain and gains its reviews, observations and sources; restoring
   * it moves them back. Only moderators and API tokens may. @returns the other
   *
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND, INVALID_INPUT
   */
  async merge(
    id: number,
    options: { readonly into: number; readonly reason: string },
    actor: Actor,
  ): Promise<Waypoint<Custom>> {
    const known = knownOptions(options, ['into', 'reason'])
    const pseudonymOf = await pseudonyms(this.store)
    return this.#contributed(actor, (occasion) => mergeWaypoints(occasion, id, known, pseudonymOf))
  }

  /**
   * A waypoint by its id; with `include: 'rating'` it has the `reviews.summary` of its reviews as one more member.
   *
   * @throws RegistryError NOT_FOUND, for tombstones too; `{ mergedInto }` names the waypoint that it was merged into
   */
  async get(id: number, options?: { readonly include?: undefined }): Promise<Waypoint<Custom>>
  async get(
    id: number,
    options: { readonly include: 'rating' },
  ): Promise<Waypoint<Custom> & { readonly rating: RatingSummary }>
  async get(
    id: number,
    options: { readonly include?: 'rating' | undefined } = {},
  ): Promise<Waypoint<Custom>> {
    const { include } = knownOptions(options, ['include'])
    const found = await this.read.waypoints.get(id)
    if (found === undefined) return missing(this.read.waypoints, id)
    if (include === undefined) return found as Waypoint<Custom>
    return { ...found, rating: await ratingSummary(this.read.reviews, id) } as Waypoint<Custom>
  }

  /** The place around a waypoint, or undefined when none is known or there is no such waypoint. */
  async place(id: number): Promise<WaypointPlace | undefined> {
    return this.read.waypoints.place(id)
  }

  /**
   * Finds the places of all live waypoints anew, such as after the boundaries changed. No entry of the log says so, nobody
   * did it, and no waypoint has another version: places follow from positions. Others may read and write meanwhile.
   *
   * @param places waypoints that it knows no place for have none afterwards
   * @throws RegistryError STORAGE_BUSY, STORAGE_FULL, STORAGE_READ_ONLY; what was assigned until then stays
   * @example
   * await registry.waypoints.assignPlaces(() => ({ country: 'SE', name: 'Lund' }))
   */
  async assignPlaces(places: PlaceLookup, options: AssignOptions = {}): Promise<Assignment> {
    const { dryRun = false, onProgress, signal } = knownOptions(options, ['dryRun', 'onProgress', 'signal'])
    const done = { waypoints: 0, placed: 0, changed: 0 }
    const pages = pagesOf<PositionedPlace>(placesAtATime, (last) =>
      this.read.waypoints.positions(last?.id ?? 0, placesAtATime),
    )
    const isOver = () => signal?.aborted === true
    if (isOver()) return done
    for await (const page of pages) {
      const changed: AssignedPlace[] = []
      for (const { id, latitude, longitude, place: stored, ...named } of page) {
        const place = places({ latitude, longitude })
        if (place !== undefined) done.placed++
        const label = this.shared.labelling(named, place?.name)
        if (!isSamePlace(place, stored) || label !== named.label)
          changed.push({ id, latitude, longitude, place: place ?? null, label })
      }
      if (changed.length > 0 && !dryRun) await this.store.assignPlaces(changed)
      done.waypoints += page.length
      done.changed += changed.length
      onProgress?.(done.waypoints)
      await yieldToEventLoop()
      if (isOver()) break
    }
    return done
  }

  /**
   * The version of a waypoint as it is now, for `update` and `delete`, within the line of history `origin`. Read it before
   * the waypoint: one that was changed between is then refused.
   *
   * @throws RegistryError NOT_FOUND, as `get`
   * @example
   * const { version } = await registry.waypoints.version(1)
   */
  async version(id: number): Promise<{ readonly version: number; readonly origin: string }> {
    const version = await this.read.waypoints.version(id)
    if (version === undefined) return missing(this.read.waypoints, id)
    return { version, origin: await this.read.entries.origin() }
  }

  /** The whole log of a waypoint without the changes, oldest first; empty for an unknown waypoint. */
  async history(id: number): Promise<HistoryEntry[]> {
    return this.read.waypoints.history(id)
  }

  /** The sources of a waypoint, oldest first; empty when it was contributed here. */
  async sources(id: number): Promise<WaypointSource[]> {
    return this.read.waypoints.sources(id)
  }

  /**
   * The licence of each of these waypoints that is not `license`, and whom to name, by id and as exports have them.
   *
   * @example
   * await registry.waypoints.otherTerms([1, 2], registry.license)
   */
  async otherTerms(ids: readonly number[], license: string): Promise<ReadonlyMap<number, RowTerms>> {
    const byId = Map.groupBy(await this.read.waypoints.origins(ids), ({ waypointId }) => waypointId)
    const bySources = new Map<string, RowTerms | undefined>()
    const found = new Map<number, RowTerms>()
    for (const [id, origins] of byId) {
      const sources = origins.map(({ source }) => source)
      const key = sources.map((source) => source.id).join(' ')
      if (!bySources.has(key)) bySources.set(key, otherTermsOf(sources, license))
      const terms = bySources.get(key)
      if (terms !== undefined) found.set(id, terms)
    }
    return found
  }

  /**
   * Live waypoints by id, or by distance with `near`, each with its `metres`: the first 1,000, or `limit`, 100,000 at
   * most, `after` an id.
   *
   * @throws RegistryError INVALID_INPUT, INVALID_COORDINATES
   * @example
   * await registry.waypoints.list({ near: { latitude: 47.37, longitude: 8.54 }, limit: 10 })
   */
  async list(
    filter: WaypointFilterInput = {},
  ): Promise<(Waypoint<Custom> & { readonly metres?: number | undefined })[]> {
    const narrowed = await chosen(this.shared, filter)
    const given = { ...narrowed, limit: narrowed.limit ?? pages.waypoints.default }
    return this.#list(given)
  }

  /**
   * Waypoints within 200 m of a route, or `within` metres, each once where the route passes it nearest, in the order of the
   * route: `along` is metres from its start, `off` metres beside it, to a tenth. Other members filter as in `list`. At most
   * 20,000 points and 5,000 km, and 5,000 waypoints.
   *
   * @param route longitudes and latitudes in degrees
   * @throws RegistryError INVALID_INPUT
   * @example
   * await registry.waypoints.along([[13.19, 55.7], [13.2, 55.71]], { within: 500, usable: true })
   */
  async along(
    route: readonly (readonly [longitude: number, latitude: number])[],
    options: Omit<WaypointFilterInput, 'bbox' | 'near' | 'limit' | 'after'> & {
      readonly within?: number | undefined
    } = {},
  ): Promise<{ readonly waypoint: Waypoint<Custom>; readonly along: number; readonly off: number }[]> {
    const { within = routes.withinMetres.default, ...filter } = options
    const { max } = routes.withinMetres
    if (!(within > 0 && within <= max)) throw invalid('within', `must be above 0 and at most ${max} metres`)
    const given = await chosen(this.shared, filter)
    const found = new Map<number, { waypoint: Waypoint<Custom>; along: number; off: number }>()
    for (const leg of legsOf(routeIn({ type: 'LineString', coordinates: route }), within)) {
      for await (const chunk of this.#chunks({ ...given, bbox: [...leg.box] }))
        for (const waypoint of chunk) {
          const { along, off } = alongLeg(leg, waypoint)
          if (off <= within && off < (found.get(waypoint.id)?.off ?? Number.POSITIVE_INFINITY))
            found.set(waypoint.id, { waypoint: waypoint as Waypoint<Custom>, along, off })
        }
      if (found.size > routes.found)
        throw invalid('within', `leaves more than ${routes.found} waypoints: choose fewer metres`)
      await yieldToEventLoop()
    }
    const tenth = (metres: number): number => Math.round(metres * 10) / 10
    return [...found.values()]
      .toSorted((one, other) => one.along - other.along || one.waypoint.id - other.waypoint.id)
      .map(({ waypoint, along, off }) => ({ waypoint, along: tenth(along), off: tenth(off) }))
  }

  /**
   * All that `list` would return, one by one, yielding to the event loop; with `near` everything is found first.
   * `signal` ends it: the next step throws its reason.
   *
   * @throws RegistryError INVALID_INPUT, INVALID_COORDINATES
   */
  async *each(
    filter: WaypointFilterInput = {},
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<Waypoint<Custom> & { readonly metres?: number | undefined }> {
    const { signal } = knownOptions(options, ['signal'])
    signal?.throwIfAborted()
    const given = await chosen(this.shared, filter)
    for await (const chunk of this.#chunks(given)) {
      for (const waypoint of chunk) {
        signal?.throwIfAborted()
        yield waypoint as Waypoint<Custom>
      }
      await yieldToEventLoop()
    }
  }

  /**
   * How many waypoints `each` would go through, without reading them.
   *
   * @throws RegistryError INVALID_INPUT, INVALID_COORDINATES
   * @example
   * await registry.waypoints.count({ region: 'Lund', usable: true })
   */
  async count(filter: Omit<WaypointFilterInput, 'limit' | 'after'> = {}): Promise<number> {
    const given = await chosen(this.shared, filter)
    const { near } = given
    return near === undefined
      ? this.read.waypoints.count(given)
      : (await this.read.waypoints.near({ ...given, near })).length
  }

  /**
   * Changes or deletes all waypoints that match, at most 5,000, as one act: `registry.moderation.undo` takes it back. For
   * moderators, API tokens that moderate, and keepers for the season of theirs; who does it earns nothing. With `dryRun` nothing is written, and `matched` says how
   * many match.
   *
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, INSUFFICIENT_XP, INVALID_INPUT, also where more match, RATE_LIMITED where
   * a moderator would delete more than an hour allows
   * @example
   * const where = { source: 'City of Lund' }
   * const { act, changed } = await registry.waypoints.updateMany({ where, set: { season: '04-15/10-31' } }, token())
   */
  async updateMany(input: ManyInput, actor: Actor): Promise<ManyChanged> {
    const { where, dryRun = false, ...change } = parse(ManyInput, input)
    const keeper = await this.#keeperOf(actor, change)
    const { ids: named, ...given } = where
    const isByIds = Object.values(given).every((value) => value === undefined)
    const filter = isByIds ? {} : { ...given, ...(keeper !== undefined && { keeper }) }
    const most = moderation.changedAtOnce
    const ids = named === undefined ? new Set<number>() : new Set(named)
    const isFiltered = Object.values(filter).some((value) => value !== undefined)
    const matching: number[] = []
    if (isFiltered)
      for await (const { id } of this.each(filter)) {
        if (named === undefined || ids.has(id)) matching.push(id)
        if (matching.length > most)
          throw invalid('where', `matches more than ${most} waypoints: choose fewer`)
      }
    const chosenIds = (isFiltered ? matching : [...ids]).toSorted((one, other) => one - other)
    const { matched, ...done } = await this.shared.contribute(
      actor,
      (occasion) => changeMany(occasion, chosenIds, change),
      { dryRun },
    )
    return dryRun ? { changed: done.changed, matched } : done
  }

  /** The keeper who makes a change that keepers may make; undefined for moderators and tokens. @throws as `mustModerate` */
  async #keeperOf(actor: Actor, change: Parameters<typeof isOfKeepers>[0]): Promise<string | undefined> {
    if (actor.kind === 'user' && isOfKeepers(change)) {
      const found = await this.read.users.get(actor.userId)
      const isModerator = found?.isModerator === true && actor.through !== 'token'
      if (found?.keeps !== undefined && !isModerator) return found.id
    }
    await mustModerate(this.shared, actor)
    return undefined
  }

  /** The result of `updateMany` for a request that was made before: `entries` are the first and the last that it made. */
  async updatedMany([first, last]: readonly [number, number] = [1, 0]): Promise<ManyChanged> {
    const { entries } = this.read
    const made = last < first ? [] : await entries.after(first - 1, last - first + 1)
    const changed = [...new Set(made.map(({ subjectId }) => Number(subjectId)))]
    return changed.length === 0 ? { changed } : { act: first, changed }
  }

  async #list(filter: WaypointFilter): Promise<Waypoint<Custom>[]> {
    const found: Waypoint[] = []
    for await (const chunk of this.#chunks(filter)) found.push(...chunk)
    return found as Waypoint<Custom>[]
  }

  /** By id, or by distance, up to a thousand at a time. */
  #chunks(filter: WaypointFilter): Pieces<Waypoint[]> {
    const { near } = filter
    return near
      ? nearest(
          this.read.waypoints,
          { ...filter, near },
          (ids) => this.read.waypoints.some(ids),
          (waypoint, metres) => ({ ...waypoint, metres: metres.get(waypoint.id) }),
        )
      : this.read.waypoints.chunks(filter)
  }

  /**
   * Waypoints with every term of `q` (white space separates; case and accents do not matter): anywhere in the name for
   * terms of three or more characters and for Chinese, Japanese and Korean, or at the beginning of a word in name,
   * description or region. Names that begin with the query come first, then names that contain it, then the rest; among
   * equals by id. For very frequent words the newest thousand waypoints are searched.
   *
   * @throws RegistryError INVALID_INPUT when `q` is missing or blank, or a limit is out of range
   */
  async search(query: {
    readonly q: string
    readonly limit?: number | undefined
    readonly offset?: number | undefined
  }): Promise<FoundWaypoint[]> {
    return this.read.waypoints.search(parse(SearchQuery, query))
  }
}
