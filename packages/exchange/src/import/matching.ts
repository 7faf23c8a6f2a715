import type { ImportRow } from '@openfountain/core'
import {
  shrinkConcerns,
  daysOf,
  type ImportConcern,
  distanceMetres,
  type ImportOutcome,
  type ImportRun,
  type KnownRow,
  type MissingRows,
  type Neighbour,
  certain,
  doubtful,
  matchScore,
} from '@openfountain/core/internal'
import { folded } from '@openfountain/core/letters'
import type { Interpreted } from './understand/interpretation.ts'
import { reasonText, type RefusedReason } from './reasons.ts'
import { Tally, reviewLine, type Candidate, type ReviewDecision, type SideFile } from './report.ts'
import type { ReadWaypoint } from './understand/waypoint-reading.ts'

interface SortingOptions extends Record<'rejected' | 'review', SideFile> {
  readonly run: ImportRun
  readonly decisions: ReadonlyMap<string, ReviewDecision>
  readonly dryRun: boolean
}

/** Sorts rows: left out, refused, seen before in this file, doubtful, or to be written. */
export class Matching {
  readonly tally = new Tally()
  readonly #options: SortingOptions
  readonly #run: ImportRun
  /** Waypoints that existed before and are matched: each with one row at most. */
  readonly #taken = new Set<number>()
  /** The first rows with references, and the cells in which they are. */
  readonly #refs = new Map<string, { readonly row: number; readonly cell: number }>()
  /** The first rows by place and name. */
  readonly #places = new Map<string, number>()
  /** References of rows that a person left out before. */
  #skipped: ReadonlySet<string> = new Set()
  readonly #lines = new Map<number, string>()
  /** Waypoints of rows that a dry run would have written. */
  readonly #keptWaypoints = new Set<number>()
  /** Rows with a reference of the source's own, and those that its last imports know. */
  readonly #references = { rows: 0, found: 0 }
  /** Rows that empty a field of their waypoint, by the field; 0 where another row fills it in. */
  readonly #emptied = new Map<string, number>()
  /** The last imports under the references of the current rows, and the waypoints around rows with new references. */
  #knownRows: ReadonlyMap<string, KnownRow | undefined> = new Map()
  #around: ReadonlyMap<ReadWaypoint, readonly Neighbour[]> = new Map()

  constructor(options: SortingOptions) {
    this.#options = options
    this.#run = options.run
  }

  /**
   * Rows as the registry takes them, one after the other; `accepted` is undefined for one that is not written. The
   * registry's data is looked up for all of them together.
   */
  async *sorted(
    reads: readonly Interpreted[],
  ): AsyncGenerator<{ readonly row: number; readonly accepted: ImportRow | undefined }> {
    const identified = reads.flatMap((read) =>
      read.kind === 'refused' || read.waypoint === undefined
        ? []
        : [{ ref: read.ref ?? this.#run.placeRef(spot(read.waypoint)), waypoint: read.waypoint }],
    )
    const known = await this.#run.known(identified.map(({ ref }) => ref))
    this.#knownRows = new Map(identified.map(({ ref }) => [ref, known.get(ref)]))
    const undecided = identified.filter(({ ref }) => !known.has(ref) && !this.#options.decisions.has(ref))
    this.#skipped = await this.#run.skipped(undecided.map(({ ref }) => ref))
    const open = undecided.filter(({ ref }) => !this.#skipped.has(ref))
    const near = await this.#run.near(open.map(({ waypoint }) => waypoint))
    this.#around = new Map(open.map(({ waypoint }, index) => [waypoint, near[index] ?? []]))
    for (const read of reads) yield { row: read.row, accepted: await this.#take(read) }
  }

  /** The source's row at its last import under a reference. No row of a run changes the results of others. */
  async #known(ref: string): Promise<KnownRow | undefined> {
    return this.#knownRows.has(ref) ? this.#knownRows.get(ref) : (await this.#run.known([ref])).get(ref)
  }

  async #take(read: Interpreted): Promise<ImportRow | undefined> {
    const { tally } = this
    tally.counts.rows += 1
    if (read.kind === 'refused') {
      await this.#refuse(read.row, read.reason, read.original)
      return undefined
    }
    const { row, waypoint } = read
    const isKnown = read.ref !== undefined && this.#knownRows.get(read.ref) !== undefined
    if (read.ref !== undefined) this.#references.rows += 1
    if (isKnown) this.#references.found += 1
    if (waypoint === undefined || (read.kind === 'left-out' && !isKnown)) {
      if (read.kind === 'left-out') tally.leaveOut(read.reason)
      return undefined
    }
    const place = placeKey(waypoint)
    const numbered = read.ref !== undefined
    const ref = read.ref === undefined ? this.#placeRef(waypoint) : this.#ownRef(read.ref, waypoint)
    const first = this.#refs.get(ref)
    if (first === undefined) this.#refs.set(ref, { row, cell: cellOf(waypoint) })
    const alike = this.#places.get(place)
    const earlier = first?.row ?? (numbered ? undefined : alike)
    if (earlier !== undefined) {
      tally.counts.duplicates += 1
      tally.list('duplicates', { row, of: earlier })
      return undefined
    }
    if (!numbered || this.#places.size < alikeRows) {
      if (alike === undefined) this.#places.set(place, row)
      else tally.list('alike', { row, of: alike })
    }
    tally.attention.look(row, waypoint)
    return this.#identified(row, ref, waypoint, numbered)
  }

  async settle(rows: readonly ImportRow[], outcomes: readonly ImportOutcome[]): Promise<void> {
    const { counts } = this.tally
    for (const [index, outcome] of outcomes.entries()) {
      const { row, kind, waypointId, conflicts, withheld, reason } = outcome
      if (kind === 'refused') {
        const message = reason ?? 'the registry refuses it'
        await this.#refuse(row, { code: 'INVALID', message }, JSON.stringify(rows[index]?.input))
        continue
      }
      if (kind === 'skipped') {
        this.tally.leaveOut({ code: 'REVIEWED' })
        continue
      }
      if (kind === 'doubtful') await this.#options.review.write(this.#lines.get(row) ?? '')
      counts[kind === 'linked' ? 'matched' : kind === 'conflict' ? 'conflicts' : kind] += 1
      if (withheld.length > 0) counts.withheld += 1
      this.#noteEmptied(outcome, rows[index]?.input as Record<string, unknown>)
      if (conflicts.length > 0 && waypointId !== undefined)
        this.tally.list('conflicts', { row, waypointId, conflicts })
      if (this.#options.dryRun && waypointId !== undefined) this.#keptWaypoints.add(waypointId)
    }
    this.#lines.clear()
  }

  /** How many waypoints would be marked and removed as no longer listed, if the rows so far were written. */
  async missing(mode: MissingRows): Promise<{ marked: number; removed: number; concerns: ImportConcern[] }> {
    const run = this.#run
    const { gone, ...found } = await run.missing(mode, this.#keptWaypoints)
    if (run.repeated) return { ...found, concerns: [] }
    const [{ listed }, { rows, found: ofThem }, emptied] = [run, this.#references, this.#emptied]
    if (mode === 'keep') return { ...found, concerns: shrinkConcerns({ listed, gone: 0, emptied }) }
    const isStrange = rows > 0 && ofThem === 0 && listed > 0 && (await run.hasReferences())
    const unknown = isStrange ? rows : 0
    return { ...found, concerns: shrinkConcerns({ listed, gone, unknown, emptied }) }
  }

  /** Counts the fields that a row empties, as long as no row of the file fills them in. */
  #noteEmptied({ kind, fields }: ImportOutcome, input: Readonly<Record<string, unknown>>): void {
    const isEmpty = (field: string) => [input[field] ?? []].flat().length === 0
    for (const field of Object.keys(input)) if (!isEmpty(field)) this.#emptied.set(field, 0)
    if (kind !== 'updated') return
    for (const field of fields.filter(isEmpty)) {
      const rows = this.#emptied.get(field)
      if (rows !== 0) this.#emptied.set(field, (rows ?? 0) + 1)
    }
  }

  async #identified(
    row: number,
    ref: string,
    waypoint: ReadWaypoint,
    numbered: boolean,
  ): Promise<ImportRow | undefined> {
    if ((await this.#known(ref)) !== undefined) return this.#again(row, ref, waypoint)
    const decided = this.#options.decisions.get(ref)
    if (decided?.kind === 'skip' || this.#skipped.has(ref))
      return { ...accepted(row, ref, waypoint), doubt: 'skip' }
    if (decided?.kind === 'new') return accepted(row, ref, waypoint)
    if (decided?.kind === 'same') {
      this.#taken.add(decided.waypointId)
      return { ...accepted(row, ref, waypoint), mergeInto: decided.waypointId }
    }
    const near = this.#around.get(waypoint) ?? (await this.#run.near([waypoint]))[0] ?? []
    const [best, second] = this.#candidates(waypoint, near, numbered)
    if (best === undefined) return accepted(row, ref, waypoint)
    const rivals = second !== undefined && best.score < clearScore && best.score - second.score < clearLead
    if (best.score >= certain && !rivals) {
      const { id: mergeInto, ref: ownRef } = best
      this.#taken.add(mergeInto)
      if (ownRef === undefined) return { ...accepted(row, ref, waypoint), mergeInto }
      if (!numbered && isReference(ownRef)) return this.#again(row, ownRef, waypoint)
      return { ...accepted(row, ref, await this.#asBefore(ownRef, waypoint)), mergeInto }
    }
    this.#lines.set(row, reviewLine(row, ref, waypoint, best))
    const { id: waypointId, metres, score } = best
    return { ...accepted(row, ref, waypoint), doubt: { waypointId, metres, score } }
  }

  /**
   * The waypoints that may be the fountain of a row, the best first.
   *
   * @param near the waypoints around the row, nearest first
   * @param numbered whether the source itself gives this row a reference: then another reference means another fountain
   */
  #candidates(row: ReadWaypoint, near: readonly Neighbour[], numbered: boolean): Candidate[] {
    const candidates = near.flatMap((neighbour) => {
      if (this.#taken.has(neighbour.id)) return []
      const score = matchScore(row, neighbour, neighbour.metres)
      return score >= doubtful && this.#mayBe(row, neighbour, numbered) ? [{ ...neighbour, score }] : []
    })
    return candidates.toSorted((a, b) => b.score - a.score)
  }

  #mayBe(row: ReadWaypoint, neighbour: Neighbour, numbered: boolean): boolean {
    const { ref, metres } = neighbour
    if (ref === undefined) return true
    if (this.#refs.has(ref)) return false
    // Two references of the source itself mean two fountains.
    if (isReference(ref)) return !numbered
    // Without references on either side only the name shows that a fountain's position was corrected.
    return numbered || matchScore(row, neighbour, metres + 3) >= certain
  }

  async #again(row: number, ref: string, waypoint: ReadWaypoint): Promise<ImportRow> {
    const known = await this.#known(ref)
    if (known !== undefined) this.#taken.add(known.waypointId)
    return accepted(row, ref, await this.#asBefore(ref, waypoint))
  }

  /** The row, with the earlier position where it says the same in another form: a rounded position is not a new one. */
  async #asBefore(ref: string, waypoint: ReadWaypoint): Promise<ReadWaypoint> {
    const before = (await this.#known(ref))?.values
    if (before === undefined) return waypoint
    const { latitude, longitude } = before
    if (latitude === undefined || longitude === undefined) return waypoint
    const stays = distanceMetres({ latitude, longitude }, waypoint) < sameSpot
    return stays ? { ...waypoint, latitude, longitude } : waypoint
  }

  async #refuse(row: number, reason: RefusedReason, original: string): Promise<void> {
    this.tally.refuse(row, reason)
    await this.#options.rejected.write(
      `${JSON.stringify({ row, code: reason.code, reason: reasonText(reason), original })}\n`,
    )
  }

  /** A reference used at two places kilometres apart names two fountains: an error of the source. */
  #ownRef(ref: string, waypoint: ReadWaypoint): string {
    const cell = this.#refs.get(ref)?.cell
    if (cell === undefined || areNear(cell, cellOf(waypoint))) return ref
    this.tally.counts.reusedReferences += 1
    const { latitude, longitude } = waypoint
    return `${ref}#${this.#run.placeRef(`${latitude.toFixed(3)},${longitude.toFixed(3)}`)}`
  }

  /** A row without a reference is known by its place; a second one there by its name or kind, too. */
  #placeRef(waypoint: ReadWaypoint): string {
    const place = this.#run.placeRef(spot(waypoint))
    if (!this.#refs.has(place)) return place
    return this.#run.placeRef(`${spot(waypoint)} ${folded(kindOrName(waypoint))}`)
  }
}

/** Rows among which duplicates with references of their own are reported; it is a hint, and takes memory. */
const alikeRows = 500_000

/** The cell of a hundredth of a degree, about a kilometre, in which a waypoint is. */
const cellOf = ({ latitude, longitude }: ReadWaypoint): number =>
  Math.floor((latitude + 90) * 100) * columns + Math.floor((longitude + 180) * 100)

const columns = 36_001

function areNear(a: number, b: number): boolean {
  const rows = Math.abs(Math.floor(a / columns) - Math.floor(b / columns))
  const across = Math.abs((a % columns) - (b % columns))
  return rows <= 1 && Math.min(across, 36_000 - across) <= 1
}

/** Metres within which a position is the same: other rounding and another datum change it by less. */
const sameSpot = 1

/** A place to within a metre. */
const spot = ({ latitude, longitude }: ReadWaypoint): string =>
  `${latitude.toFixed(5)},${longitude.toFixed(5)}`

function accepted(row: number, ref: string, waypoint: ReadWaypoint): ImportRow {
  const { state, tags, ...rest } = waypoint
  const { checked: _checked, updated: _updated, since: _since, until: _until, ...input } = rest
  const named = input.name === '' ? { ...input, nameIsMade: true } : input
  return { row, ref, input: named, state, tags, ...daysOf(waypoint) }
}

const kindOrName = ({ name, amenities }: ReadWaypoint): string => (name === '' ? amenities.join(' ') : name)

/** Equal for rows of one name, or one kind, within a metre or so. */
const placeKey = (waypoint: ReadWaypoint): string => `${spot(waypoint)} ${kindOrName(waypoint).toLowerCase()}`

/** Two candidates whose scores differ by less are left to a person, unless the best has at least `clearScore`. */
const clearLead = 0.05
const clearScore = 0.95

/** Whether a reference is the source's own, not one derived from the place. */
export const isReference = (ref: string): boolean => !/^place:[0-9a-f]{16}$/u.test(ref)
