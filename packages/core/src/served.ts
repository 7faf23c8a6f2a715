import { otherTermsOf } from './published/source-terms.ts'
import { ReviewsQuery } from './reviews.ts'
import { parse } from './schemas/parse.ts'
import type { Box, WaypointFilter, WaypointFilterInput } from './schemas/waypoint.ts'
import type { Shared } from './shared.ts'
import { statusOf, type StatusFacts } from './status.ts'
import type { Dossier } from './store/answers.ts'
import { type MaybePromise, when } from './store/sql/query.ts'
import { chosen, missing, nearest, type Waypoints } from './waypoints.ts'

const unknownStatus = JSON.stringify(statusOf({}, ''))
const dayMilliseconds = 24 * 60 * 60 * 1000
const utf8 = new TextEncoder()
/** Keyed by `registry.waypoints`: a host may pass `{ ...registry }` or a proxy, which has the same. */
const registries = new WeakMap<object, Served>()

const idIn = (text: string): number => Number.parseInt(text.slice('{"id":'.length), 10)

/** JSON texts of answers, made by the database. */
export class Served {
  readonly #shared: Shared
  readonly #waypoints: Waypoints
  #day = { number: Number.NaN, text: '' }
  #status = { facts: '', day: '', text: '' }

  /** @internal Created by `serve`. */
  constructor(shared: Shared, waypoints: Waypoints) {
    this.#shared = shared
    this.#waypoints = waypoints
  }

  get #read() {
    return this.#shared.store.read.waypoints
  }

  /**
   * `waypoints.get`, `sources`, the newest hundred of `history`, and the status on the `day` in UTC. @throws
   * RegistryError NOT_FOUND
   */
  dossier(id: number): MaybePromise<Dossier> {
    return when(this.#read.dossier(id), (found) => {
      if (found === undefined) return missing(this.#read, id)
      const { facts, lastWrite } = found
      const today = this.#today()
      const day = today > lastWrite ? today : lastWrite.slice(0, today.length)
      const status = facts === null ? unknownStatus : this.#statusOf(facts, day)
      return { ...found, status, day }
    })
  }

  #statusOf(facts: string, day: string): string {
    if (facts !== this.#status.facts || day !== this.#status.day)
      this.#status = { facts, day, text: JSON.stringify(statusOf(JSON.parse(facts) as StatusFacts, day)) }
    return this.#status.text
  }

  /** The day in UTC: its text is made once a day. */
  #today(): string {
    const now = this.#shared.store.now()
    const number = Math.floor(now.getTime() / dayMilliseconds)
    if (this.#day.number !== number) this.#day = { number, text: now.toISOString().slice(0, 10) }
    return this.#day.text
  }

  /**
   * All of `waypoints.list`, in chunks of up to a thousand, with other licences. @throws RegistryError INVALID_INPUT,
   * INVALID_COORDINATES
   */
  async *waypoints(filter: WaypointFilterInput = {}): AsyncGenerator<string[]> {
    yield* this.#texts(await chosen(this.#shared, filter))
  }

  async *#texts(given: WaypointFilter): AsyncGenerator<string[]> {
    const { near } = given
    const chunks = near
      ? nearest(
          this.#read,
          { ...given, near },
          (ids) => this.#read.texts(ids),
          (text, metres) => `${text.slice(0, -1)},"metres":${metres.get(idIn(text))}}`,
        )
      : this.#read.textChunks(given)
    for await (const texts of chunks) yield await this.#withTerms(texts)
  }

  /** A filter with what it names: the maintainers and sources of a keeper. @throws RegistryError INVALID_INPUT */
  chosen(filter: WaypointFilterInput): Promise<WaypointFilter> {
    return chosen(this.#shared, filter)
  }

  /** A box with all waypoints, as `extent` of places has it; undefined without any. */
  async extent(): Promise<Box | undefined> {
    return this.#read.extent()
  }

  async #withTerms(texts: string[]): Promise<string[]> {
    const { license, store } = this.#shared
    const licenses = await store.read.sources.licenses()
    if (licenses.every((each) => each === license)) return texts
    const terms = await this.#waypoints.otherTerms(texts.map(idIn), license)
    // Waypoints of the same sources share one object.
    const ends = new Map(Array.from(new Set(terms.values()), (each) => [each, JSON.stringify(each).slice(1)]))
    return texts.map((text) => {
      const own = terms.get(idIn(text))
      return own === undefined ? text : `${text.slice(0, -1)},${ends.get(own)}`
    })
  }

  /**
   * The same after an `opening`, in UTF-8, in pieces that share no memory. @throws RegistryError INVALID_INPUT,
   * INVALID_COORDINATES
   */
  async *waypointPages(
    filter: WaypointFilterInput = {},
    opening = '',
  ): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const given = await chosen(this.#shared, filter)
    yield utf8.encode(opening)
    let isFirst = true
    const pieces = given.near ? this.#encoded(given) : this.#read.joinedChunks(given, await this.#terms())
    for await (const piece of pieces) {
      yield isFirst ? Uint8Array.from(piece.subarray(1)) : (piece as Uint8Array<ArrayBuffer>)
      isFirst = false
    }
  }

  /** Members of the terms that are not the registry's, by the combination of sources, as JSON text; undefined for none. */
  async #terms(): Promise<string | undefined> {
    const members = [...(await this.#read.combinedOrigins())].flatMap(([ids, sources]) => {
      const terms = otherTermsOf(sources, this.#shared.license)
      return terms === undefined ? [] : [[ids, `,${JSON.stringify(terms).slice(1, -1)}`] as const]
    })
    return members.length === 0 ? undefined : JSON.stringify(Object.fromEntries(members))
  }

  async *#encoded(given: WaypointFilter): AsyncGenerator<Uint8Array> {
    for await (const texts of this.#texts(given))
      if (texts.length > 0) yield utf8.encode(`,${texts.join(',')}`)
  }

  /** `reviews.list`, all of them without a `limit`, in chunks of up to `size`. @throws RegistryError INVALID_INPUT */
  async *reviews(query: ReviewsQuery = {}, size = 1000): AsyncGenerator<string[]> {
    const { limit = Infinity, ...page } = parse(ReviewsQuery, query)
    yield* this.#shared.store.read.reviews.textChunks({ ...page, limit }, size)
  }
}

/** Serves a registry. @internal */
export function serve(registry: { readonly waypoints: Waypoints }, shared: Shared): void {
  registries.set(registry.waypoints, new Served(shared, registry.waypoints))
}

/** The texts of a registry. @throws TypeError for one that this copy of the library did not open */
export function served(registry: { readonly waypoints: object }): Served {
  const found = registries.get(registry.waypoints)
  if (found === undefined)
    throw new TypeError(
      'this is no registry that openRegistry opened: are there two copies of @openfountain/core?',
    )
  return found
}
