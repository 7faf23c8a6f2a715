import { sql } from 'kysely'
import type { Box, WaypointFilter } from '../../../schemas/filter.ts'
import { param, type Statements } from '../connection/statement.ts'
import { Codes, lengthened, roomFor } from '../../arrays.ts'
import type { Follower } from './following.ts'

/** What a filter asks of a waypoint, as columns of numbers with one place for each id. */

type Row = readonly [
  id: number,
  latitude: number,
  longitude: number,
  amenities: string,
  region: string | null,
  approved: 0 | 1,
  verified: 0 | 1,
  updatedAt: string,
  deletedAt: string | null,
]

/** Rows that are read in one step. */
const step = 2000

/** Waypoints whose share is taken for that of all. */
const samples = 1000

/** Ids that are looked at together, at first and later. */
const firstBlock = 512
const block = 65_536

const live = 1
const approvedFlag = 2
const verifiedFlag = 4

const columns = sql`id, latitude, longitude, amenities, coalesce(region, placeName), approved, verified, updatedAt, deletedAt`

/** What is asked of a waypoint, in the codes of its columns. */
interface Asked {
  /** The flags that are asked of, and what they must be. */
  readonly mask: number
  readonly flags: number
  /** 0 for any region. */
  readonly regionCode: number
  /** 1 at the code of each combination of amenities that is asked for. */
  readonly having: Uint8Array | undefined
  readonly bbox: Box | undefined
  readonly since: number | undefined
}

export class WaypointColumns implements Follower {
  readonly #loading
  readonly #changed
  #last = 0
  latitudes = new Float64Array()
  longitudes = new Float64Array()
  #updates = new Float64Array()
  #flags = new Uint8Array()
  #combinations = new Uint32Array()
  #regionCodes = new Uint32Array()
  readonly #regions = new Codes()
  /** The codes of JSON arrays of amenities, and of each amenity the arrays that contain it. */
  readonly #amenityTexts = new Codes()
  readonly #havingAmenity = new Map<string, number[]>()

  constructor(statements: Statements) {
    this.#loading = statements.columns<Row>(
      sql`select ${columns} from waypoints where id > ${param('after')} order by id limit ${sql.lit(step)}`,
    )
    // By the entries' ids: none of their indexes begins with them.
    this.#changed = statements.columns<Row>(
      sql`select ${columns} from waypoints where id in (
        select cast(subjectId as integer) from entries not indexed
        where id > ${param('after')} and id <= ${param('to')} and subject = 'waypoint')`,
    )
  }

  *load(): Generator<void> {
    for (let after = 0; ;) {
      const rows = this.#loading.all({ after })
      for (const row of rows) this.#put(row)
      const last = rows.at(-1)
      if (last === undefined) return
      ;[after] = last
      yield
    }
  }

  *follow(after: number, to: number): Generator<void> {
    for (let from = after; from < to; from += step) {
      for (const row of this.#changed.all({ after: from, to: Math.min(to, from + step) })) this.#put(row)
      yield
    }
  }

  #put([id, latitude, longitude, amenities, region, approved, verified, updatedAt, deletedAt]: Row): void {
    if (id >= this.#flags.length) this.#grow(roomFor(id))
    this.#last = Math.max(this.#last, id)
    this.latitudes[id] = latitude
    this.longitudes[id] = longitude
    this.#updates[id] = Date.parse(updatedAt)
    this.#flags[id] =
      deletedAt === null ? live | (approved ? approvedFlag : 0) | (verified ? verifiedFlag : 0) : 0
    this.#regionCodes[id] = region === null ? 0 : this.#regions.of(region)
    this.#combinations[id] = this.#amenityTexts.known(amenities) ?? this.#newCombination(amenities)
  }

  #grow(length: number): void {
    this.latitudes = lengthened(this.latitudes, length)
    this.longitudes = lengthened(this.longitudes, length)
    this.#updates = lengthened(this.#updates, length)
    this.#flags = lengthened(this.#flags, length)
    this.#combinations = lengthened(this.#combinations, length)
    this.#regionCodes = lengthened(this.#regionCodes, length)
  }

  #newCombination(text: string): number {
    const code = this.#amenityTexts.of(text)
    for (const amenity of new Set(JSON.parse(text) as string[])) {
      const having = this.#havingAmenity.get(amenity)
      if (having === undefined) this.#havingAmenity.set(amenity, [code])
      else having.push(code)
    }
    return code
  }

  /** Which combinations have all of some amenities: 1 at the code of each; undefined when none does. */
  #combinationsWith(amenities: readonly string[]): Uint8Array | undefined {
    const wanted = [...new Set(amenities)]
    const having = new Uint8Array(this.#amenityTexts.size + 1)
    let [some, ...others] = wanted.map((amenity) => this.#havingAmenity.get(amenity) ?? [])
    for (const other of others) {
      const among = new Set(other)
      some = some?.filter((code) => among.has(code))
    }
    if (some === undefined || some.length === 0) return undefined
    for (const code of some) having[code] = 1
    return having
  }

  /** What a filter asks, `near`, `after` and `limit` aside, in codes; undefined when no waypoint can have it. */
  #asked({ approved, verified, region, amenity, bbox, updatedSince }: WaypointFilter): Asked | undefined {
    const regionCode = region === undefined ? 0 : this.#regions.known(region)
    const isCombined = amenity !== undefined && amenity.length > 0
    const having = isCombined ? this.#combinationsWith(amenity) : undefined
    if (regionCode === undefined || (isCombined && having === undefined)) return undefined
    return {
      mask: live | (approved === undefined ? 0 : approvedFlag) | (verified === undefined ? 0 : verifiedFlag),
      flags: live | (approved === true ? approvedFlag : 0) | (verified === true ? verifiedFlag : 0),
      regionCode,
      having,
      bbox,
      since: updatedSince === undefined ? undefined : Date.parse(updatedSince),
    }
  }

  /**
   * The ids that a filter leaves, ascending, in blocks: each array holds until the next one. One condition after the
   * other goes over a block, which is faster than all of them for each waypoint.
   */
  *matching(filter: WaypointFilter): Generator<Uint32Array> {
    const asked = this.#asked(filter)
    if (asked === undefined) return
    const ids = new Uint32Array(Math.min(block, this.#last))
    const { after = 0 } = filter
    // The first blocks are short: most lists end in them.
    for (let first = after + 1, length = firstBlock; first <= this.#last; first += length) {
      length = Math.min(block, length * 2)
      const count = this.#inBlock(asked, ids, first, Math.min(this.#last, first + length - 1))
      if (count > 0) yield ids.subarray(0, count)
    }
  }

  /** Puts the ids of a range that match into an array, and returns their number. */
  #inBlock({ mask, flags, having, ...rest }: Asked, ids: Uint32Array, first: number, last: number): number {
    const [flagsOf, combinations] = [this.#flags, this.#combinations]
    let count = 0
    if (having === undefined) {
      for (let id = first; id <= last; id++) if (((flagsOf[id] ?? 0) & mask) === flags) ids[count++] = id
    } else {
      for (let id = first; id <= last; id++)
        if (having[combinations[id] ?? 0] === 1 && ((flagsOf[id] ?? 0) & mask) === flags) ids[count++] = id
    }
    return this.#narrowed(rest, ids, count)
  }

  /** Keeps the ids that match at the beginning of an array, and returns their number. */
  #narrowed(
    { regionCode, bbox, since }: Omit<Asked, 'mask' | 'flags' | 'having'>,
    ids: Uint32Array,
    given: number,
  ): number {
    let count = given
    const keep = (isKept: (id: number) => boolean): void => {
      const before = count
      count = 0
      for (let index = 0; index < before; index++) {
        const id = ids[index] ?? 0
        if (isKept(id)) ids[count++] = id
      }
    }
    const [regions, updates] = [this.#regionCodes, this.#updates]
    if (regionCode !== 0) keep((id) => regions[id] === regionCode)
    if (bbox !== undefined) keep(this.#insideOf(bbox))
    if (since !== undefined) keep((id) => (updates[id] ?? 0) >= since)
    return count
  }

  #insideOf([west, south, east, north]: Box): (id: number) => boolean {
    const { latitudes, longitudes } = this
    const isSplit = west > east
    return (id) => {
      const latitude = latitudes[id] ?? 0
      if (latitude < south || latitude > north) return false
      const longitude = longitudes[id] ?? 0
      return isSplit ? longitude >= west || longitude <= east : longitude >= west && longitude <= east
    }
  }

  /** The first ids that a filter leaves, ascending. */
  first(filter: WaypointFilter & { readonly limit: number }): number[] {
    const found: number[] = []
    for (const ids of this.matching(filter)) {
      found.push(...ids.subarray(0, filter.limit - found.length))
      if (found.length === filter.limit) break
    }
    return found
  }

  /** About which share of the ids a filter leaves: that of some, evenly spread. */
  share(filter: WaypointFilter): number {
    const asked = this.#asked(filter)
    if (asked === undefined) return 0
    const { mask, flags, having } = asked
    let count = 0
    const ids = new Uint32Array(samples)
    for (let sample = 1; sample <= samples; sample++) {
      const id = Math.ceil((sample / samples) * this.#last)
      const isCombined = having === undefined || having[this.#combinations[id] ?? 0] === 1
      if (isCombined && ((this.#flags[id] ?? 0) & mask) === flags) ids[count++] = id
    }
    return this.#narrowed(asked, ids, count) / samples
  }
}
