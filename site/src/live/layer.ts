import type { AnyEntry } from '../data/entry.ts'
import type { Fountain } from '../map/data/cell.ts'
import type { FountainEntry } from '../search/shard.ts'
import { shownState, stageOn, today } from '../status/stage.ts'
import { isId, record } from './asking.ts'
import type { StoredChanges } from './change-cache.ts'
import { type Change, type Changes, changeTo, foldInto, movedFrom } from './fold.ts'
import { photosIn, readFountain, stageIn } from './answers.ts'

/** The changes since the build, one per fountain, and the visitor's own. `get` needs the files' version first (`complete`). */
export class LiveLayer {
  readonly #changes: Changes = new Map()
  /** Changed fountains as the files have them. */
  readonly #built = new Map<number, Fountain>()
  readonly #waiting = new Map<number, Change | undefined>()
  /** Statuses from the server or from the visitor. */
  readonly #statuses = new Map<number, { readonly status: unknown; readonly isWaiting: boolean }>()
  readonly #observed = new Set<number>()
  /** Negative numbers by key, for fountains without an id yet. */
  readonly #numbers = new Map<string, number>()
  readonly #api: string
  #hasReviews = false
  #hasPhotos = false
  #cache: ReadonlyMap<number, Fountain> | undefined
  /** Called with the fountains that may be shown differently now. */
  onChange: (ids: Iterable<number>) => void = () => undefined

  /** @param api address of the API without a slash at its end */
  constructor(api: string) {
    this.#api = api
  }

  #changed(ids: Iterable<number>): void {
    this.#cache = undefined
    this.onChange(ids)
  }

  fold(entries: readonly AnyEntry[]): void {
    for (const { subject, subjectId, fields } of entries) {
      if (subject === 'review') this.#hasReviews = true
      if (subject === 'photo') this.#hasPhotos = true
      if (subject === 'observation') this.#observed.add(Number(fields['waypoint']))
      if (subject === 'waypoint' && 'season' in fields) this.#observed.add(Number(subjectId))
    }
    this.#changed(foldInto(this.#changes, entries))
  }

  /** Fountains whose status changed since the build; each is returned once. */
  takeObserved(most: number): readonly number[] {
    const ids = [...this.#observed].toReversed().slice(0, most)
    for (const id of ids) this.#observed.delete(id)
    return ids.filter((id) => isId(id) && !this.#changes.get(id)?.isGone)
  }

  /** The changes of the log, to store for offline use. */
  changes(): StoredChanges {
    return [...this.#changes]
  }

  restore(changes: StoredChanges): void {
    for (const [id, change] of changes) if (!this.#changes.has(id)) this.#changes.set(id, change)
    this.#changed(changes.map(([id]) => id))
  }

  forget(): void {
    const ids = [...this.#changes.keys()]
    this.#changes.clear()
    this.#changed(ids)
  }

  /** Takes the status of a fountain; without one the built one is shown. */
  takeStatus({
    id,
    status,
    isWaiting,
  }: {
    readonly id: number | undefined
    readonly status?: unknown
    readonly isWaiting?: boolean
  }): void {
    if (!isId(id)) return
    const now = stageIn(status) && { status, isWaiting: isWaiting === true }
    // Passers-by's statuses are told again with each of them.
    if (JSON.stringify(this.#statuses.get(id)) === JSON.stringify(now)) return
    if (now) this.#statuses.set(id, now)
    else this.#statuses.delete(id)
    this.#changed([id])
  }

  take({
    id: key,
    waypoint,
    isWaiting,
  }: {
    /** The key of its queued creation, where it has no id yet. */
    readonly id: number | string
    readonly waypoint?: unknown
    readonly isWaiting?: boolean
  }): void {
    const id = this.#numberOf(key)
    const { updatedAt } = record(waypoint) ?? {}
    const at = typeof updatedAt === 'string' ? updatedAt : new Date().toISOString()
    const change = waypoint === undefined ? undefined : changeTo(waypoint, at)
    if (waypoint !== undefined && change === undefined) return
    const before = this.#changes.get(id)
    if (isWaiting === true) this.#waiting.set(id, change)
    else this.#waiting.delete(id)
    if (isWaiting !== true && id > 0) {
      const gone = { values: {}, isWhole: false, at: '', ...before, isGone: true }
      if (!change || !before || before.at <= change.at) this.#changes.set(id, change ?? gone)
    }
    this.#changed([id])
  }

  #numberOf(key: number | string): number {
    if (typeof key === 'number') return key
    const known = this.#numbers.get(key) ?? -1 - this.#numbers.size
    this.#numbers.set(key, known)
    return known
  }

  #known(): readonly number[] {
    return [...new Set([...this.#changes.keys(), ...this.#waiting.keys(), ...this.#statuses.keys()])]
  }

  /** The changed fountains that still lack fields of the files, the last changed first. */
  incomplete(): readonly number[] {
    return this.#known()
      .filter((id) => this.needs(id))
      .toReversed()
  }

  /** Whether files and index are wrong about a fountain: it is gone, or `get` has its current version. */
  replaces(id: number): boolean {
    return this.#changes.get(id)?.isGone === true || this.#fountains().has(id)
  }

  /** Whether a fountain has a change, but its other fields are still missing. */
  needs(id: number): boolean {
    if (id < 0 || this.#built.has(id)) return false
    const change = this.#changes.get(id)
    return change?.isGone === false || this.#waiting.has(id) || (!change && this.#statuses.has(id))
  }

  complete(fountain: Fountain): void {
    this.#built.set(fountain.id, fountain)
    this.#changed([fountain.id])
  }

  get(id: number): Fountain | undefined {
    return this.#fountains().get(id)
  }

  fountains(): Iterable<Fountain> {
    return this.#fountains().values()
  }

  /** The ids that the files are wrong about. */
  replaced(): readonly number[] {
    const gone = [...this.#changes].flatMap(([id, { isGone }]) => (isGone ? [id] : []))
    return [...new Set([...gone, ...this.#fountains().keys()])]
  }

  async withNews(fountain: Fountain): Promise<Fountain> {
    const { id, photo, rating, review_count: count } = fountain
    if (id < 0) return fountain
    try {
      const found = this.#hasReviews || this.#hasPhotos ? await readFountain(this.#api, id) : {}
      const { average, count: reviews = count } = record(found['rating']) ?? {}
      const [first] = photosIn(this.#api, found)
      const now = {
        ...fountain,
        ...(this.#hasReviews && {
          review_count: Number(reviews),
          rating: typeof average === 'number' ? average : undefined,
        }),
        ...(this.#hasPhotos && first?.id !== photo?.id && { photo: first }),
      }
      return now.photo === photo && now.rating === rating && now.review_count === count ? fountain : now
    } catch {
      // The card keeps its content.
      return fountain
    }
  }

  mergedInto(id: number): number | undefined {
    return this.#changes.get(id)?.mergedInto
  }

  /** New and changed fountains as the search has them. */
  entries(): readonly FountainEntry[] {
    return [...this.#fountains().values()].map(
      ({ id, name, region, place, latitude, longitude, amenities, street, town }): FountainEntry => [
        id,
        name,
        region ?? place ?? '',
        latitude,
        longitude,
        { amenities: name === '' ? amenities : [], street, town },
      ],
    )
  }

  #fountains(): ReadonlyMap<number, Fountain> {
    if (this.#cache) return this.#cache
    const found = this.#known().flatMap((id) => this.#now(id) ?? [])
    this.#cache = new Map(found.map((fountain) => [fountain.id, fountain]))
    return this.#cache
  }

  /** A current fountain; undefined when it is gone, or not completed from the files yet. */
  #now(id: number): Fountain | undefined {
    const [change, waiting] = [this.#changes.get(id), this.#waiting.get(id)]
    const built = this.#built.get(id)
    if (change?.isGone || !(built || change?.isWhole || waiting?.isWhole)) return undefined
    const values = { ...change?.values, ...waiting?.values }
    const now = { ...unknown, id, ...built, ...values, ...(built && movedFrom(built, values)) }
    const { name, latitude, longitude } = now
    if (name === undefined || latitude === undefined || longitude === undefined) return undefined
    const known = this.#statuses.get(id)
    const stage = known && stageIn(known.status, now.season ?? undefined)
    const stages = stage ? [stage] : now.stages
    return {
      ...(now as Fountain),
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
  review_count: 0,
  page: false,
  stages: [],
} satisfies Partial<Fountain>
