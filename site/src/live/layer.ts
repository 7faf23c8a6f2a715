import { madeName } from '@openfountain/core/names'
import type { Fountain } from '../map/data/cell.ts'
import type { Updates } from '../map/data/updates.ts'
import type { SearchUpdates } from '../search/search.ts'
import type { FountainEntry } from '../search/shard.ts'
import { getJson } from './asking.ts'
import { type LiveEntry, isId, record } from './entries.ts'
import { shownState, stageOn, today } from '../status/stage.ts'
import { type Change, changeTo, foldChange } from './fold.ts'
import { stageIn } from './status.ts'

/** The changes since the build, folded to one per fountain, and the visitor's own submissions. */
export class LiveLayer implements Updates, SearchUpdates {
  readonly #changes = new Map<number, Change>()
  /** Changed fountains as the files have them. */
  readonly #built = new Map<number, Fountain>()
  /** The visitor's unsent changes; `undefined` for a deletion. */
  readonly #waiting = new Map<number, Change | undefined>()
  /** Statuses from the server or from the visitor. */
  readonly #statuses = new Map<number, { readonly status: unknown; readonly isWaiting: boolean }>()
  /** Fountains with new observations whose status was not requested yet. */
  readonly #observed = new Set<number>()
  /** Fountains that the visitor changed: the whole fountain is known, except for fields that only the files have. */
  readonly #own = new Set<number>()
  /** Negative numbers by key, for fountains without an id yet. */
  readonly #numbers = new Map<string, number>()
  readonly #api: string
  /** Whether a review was added or changed since the build. */
  #hasReviews = false
  #cache: ReadonlyMap<number, Fountain> | undefined
  readonly #onCompleted: (id: number) => void

  /**
   * @param api address of the API without a slash at its end
   * @param onCompleted called after `complete`, when the shown fountain has changed
   */
  constructor(api: string, onCompleted: (id: number) => void) {
    this.#api = api
    this.#onCompleted = onCompleted
  }

  /** The number of changed fountains. */
  get size(): number {
    return this.#changes.size
  }

  /** Folds entries; returns the fountains that they are about. */
  fold(entries: readonly LiveEntry[]): ReadonlySet<number> {
    const ids = new Set<number>()
    for (const entry of entries) {
      const { subject, subjectId: id, at } = entry
      if (subject === 'review') {
        this.#hasReviews = true
        if (isId(entry.fields['waypoint'])) ids.add(entry.fields['waypoint'])
      }
      const { waypoint } = entry.fields
      if (subject === 'observation' && isId(waypoint)) this.#observed.add(waypoint)
      if (subject !== 'waypoint' || !isId(id)) continue
      if ('season' in entry.fields) this.#observed.add(id)
      const before = this.#changes.get(id)
      // The visitor's own change was shown before it appeared in the log.
      if (before && before.at > at) continue
      this.#changes.set(id, foldChange(before, entry))
      ids.add(id)
    }
    this.#cache = undefined
    return ids
  }

  /** Fountains whose status changed since the build; each is returned once. */
  takeObserved(most: number): readonly number[] {
    const ids = [...this.#observed].toReversed().slice(0, most)
    for (const id of ids) this.#observed.delete(id)
    return ids.filter((id) => !this.#changes.get(id)?.isGone)
  }

  /** Sets the status of a fountain from the server or the outbox; undefined restores the built one. */
  setStatus(id: number, status: unknown, isWaiting: boolean): void {
    this.#cache = undefined
    if (stageIn(status) === undefined) this.#statuses.delete(id)
    else this.#statuses.set(id, { status, isWaiting })
  }

  /** The changes of the log, to store for offline use. */
  changes(): readonly (readonly [id: number, change: Change])[] {
    return [...this.#changes]
  }

  /** Restores stored changes; returns the fountains that they are about. */
  restore(changes: readonly (readonly [id: number, change: Change])[]): ReadonlySet<number> {
    for (const [id, change] of changes) if (!this.#changes.has(id)) this.#changes.set(id, change)
    this.#cache = undefined
    return new Set(changes.map(([id]) => id))
  }

  /** Forgets the changes of the log. */
  forget(): ReadonlySet<number> {
    const ids = new Set(this.#changes.keys())
    this.#changes.clear()
    this.#cache = undefined
    return ids
  }

  /** Sets a fountain from the server or the outbox; returns its number, undefined when it is not valid. */
  set(key: unknown, waypoint: unknown, isWaiting: boolean, now: string): number | undefined {
    const id = this.#numberOf(key)
    if (id === undefined) return undefined
    this.#cache = undefined
    this.#own.add(id)
    const at = (waypoint as { readonly updatedAt?: unknown } | null | undefined)?.updatedAt
    const change = waypoint === undefined ? undefined : changeTo(waypoint, typeof at === 'string' ? at : now)
    if (waypoint !== undefined && change === undefined) return undefined
    if (isWaiting) {
      this.#waiting.set(id, change)
      return id
    }
    this.#waiting.delete(id)
    if (id < 0) return id
    const before = this.#changes.get(id)
    if (change && (!before || before.at <= change.at)) this.#changes.set(id, change)
    if (!change)
      this.#changes.set(id, {
        ...(before ?? { values: {}, isWhole: false }),
        isGone: true,
        at: before?.at ?? '',
      })
    return id
  }

  #numberOf(key: unknown): number | undefined {
    if (isId(key)) return key
    if (typeof key !== 'string' || key === '' || key.length > 64) return undefined
    const known = this.#numbers.get(key) ?? -1 - this.#numbers.size
    this.#numbers.set(key, known)
    return known
  }

  /** The changed fountains that still lack fields of the files, the last changed first. */
  incomplete(): number[] {
    const partial = [...this.#changes].flatMap(([id, { isWhole }]) => (isWhole ? [] : [id]))
    return [...new Set([...partial, ...this.#own, ...this.#statuses.keys()])]
      .filter((id) => this.needs(id))
      .toReversed()
  }

  replaces(id: number): boolean {
    return this.#changes.get(id)?.isGone === true || this.#fountains().has(id)
  }

  needs(id: number): boolean {
    if (id < 0 || this.#built.has(id)) return false
    return (
      this.#changes.get(id)?.isGone === false ||
      this.#waiting.has(id) ||
      (this.#statuses.has(id) && !this.#changes.has(id))
    )
  }

  complete(fountain: Fountain): void {
    this.#built.set(fountain.id, fountain)
    this.#cache = undefined
    this.#onCompleted(fountain.id)
  }

  get(id: number): Fountain | undefined {
    return this.#fountains().get(id)
  }

  fountains(): Iterable<Fountain> {
    return this.#fountains().values()
  }

  replaced(): readonly number[] {
    const gone = [...this.#changes].flatMap(([id, { isGone }]) => (isGone ? [id] : []))
    return [...new Set([...gone, ...this.#fountains().keys()])]
  }

  async withReviews(fountain: Fountain): Promise<Fountain> {
    if (!this.#hasReviews || fountain.id < 0) return fountain
    try {
      const { json } = await getJson(`${this.#api}/reviews?bubblerId=${fountain.id}`)
      const reviews = record(json)?.['reviews']
      if (!Array.isArray(reviews)) return fountain
      const ratings = reviews
        .map((one) => Number(record(one)?.['rating']))
        .filter((one) => one >= 1 && one <= 5)
      const { rating: built, ...others } = fountain
      if (ratings.length === 0) return fountain.reviews === 0 ? fountain : { ...others, reviews: 0 }
      const mean = ratings.reduce((sum, one) => sum + one, 0) / ratings.length
      const rating = Math.round(mean * 100) / 100
      const isSame = ratings.length === fountain.reviews && rating === built
      return isSame ? fountain : { ...others, reviews: ratings.length, rating }
    } catch {
      // The card keeps its content.
      return fountain
    }
  }

  mergedInto(id: number): number | undefined {
    return this.#changes.get(id)?.mergedInto
  }

  entries(): readonly FountainEntry[] {
    return [...this.#fountains().values()].map(
      ({ id, name, region, place, latitude, longitude, amenities }): FountainEntry => {
        const found = [id, name, region ?? place ?? '', latitude, longitude] as const
        return madeName(name) === undefined ? found : [...found, amenities]
      },
    )
  }

  #fountains(): ReadonlyMap<number, Fountain> {
    if (this.#cache) return this.#cache
    const found = new Map<number, Fountain>()
    for (const id of new Set([...this.#changes.keys(), ...this.#waiting.keys(), ...this.#statuses.keys()])) {
      const fountain = this.#now(id)
      if (fountain) found.set(id, fountain)
    }
    this.#cache = found
    return found
  }

  /** A current fountain; undefined when it is gone, or not completed from the files yet. */
  #now(id: number): Fountain | undefined {
    const change = this.#changes.get(id)
    if (change?.isGone) return undefined
    const built = this.#built.get(id)
    const waiting = this.#waiting.get(id)
    const isWhole = built !== undefined || change?.isWhole || waiting?.isWhole
    const now = { ...unknown, id, ...built, ...change?.values, ...waiting?.values }
    const { name, latitude, longitude, region } = now
    if (!isWhole || name === undefined || latitude === undefined || longitude === undefined) return undefined
    const known = this.#statuses.get(id)
    const stage = known && stageIn(known.status, now.season)
    const stages = stage ? [stage] : now.stages
    return {
      ...now,
      name,
      latitude,
      longitude,
      region: region === '' ? undefined : region,
      stages,
      state: shownState(stageOn(stages, today())),
      ...((this.#waiting.has(id) || known?.isWaiting) && { isWaiting: true }),
    }
  }
}

/** The fields of a fountain before anything is known of it. */
const unknown = {
  amenities: [],
  approved: false,
  verified: false,
  reviews: 0,
  page: false,
  stages: [],
} satisfies Partial<Fountain>
