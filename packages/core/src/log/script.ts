import {
  type Answers,
  type Deciding,
  type Decision,
  type Facts,
  type Job,
  type Mirrored,
  type Need,
  type Questions,
  decideOnce,
  Repeated,
} from '../decide/deciding.ts'
import { broken, RegistryError } from '../errors.ts'
import { sourceStates } from '../fields/source.ts'
import { condensed, nextChangeOf, statusOf } from '../status.ts'
import { type Draft, type Entry, type GivenEntry, type StoredEntry, type Subject } from './entry.ts'
import { type Hole, commit, digestOf, leafData, longestLeaf, canonicalJson } from './leaf.ts'
import { fold, keyOf } from './fold.ts'
import {
  type KeyOf,
  type LastIds,
  type NounName,
  type NounNeed,
  type Nouns,
  WorkingSet,
  type Changes,
} from './nouns.ts'
import { FoldError, statusFactsOf, touchedByChanges, totalsAfter, type Totals } from './states.ts'
import { Frontier, leafHash, type TileRoot } from '@openfountain/tlog/frontier'

/** The script of every write, for all engines: load, decide, seal, fold, save (`store/transaction.ts` loads and saves). */

/** The row that every write reads and changes: the end of the log, and the counters. */
export interface LogState {
  readonly size: number
  /** The roots of the tree's perfect subtrees, as `Frontier` takes them. */
  readonly peaks: string
  /** The time of the newest entry; absent when there is none. */
  readonly headAt?: string | undefined
  readonly last: LastIds
  readonly totals: Totals
}

/** The root of a full tile. For tiles of 256 entries also the number of entries about waypoints up to its end. */
interface SavedTile extends TileRoot {
  readonly actions?: number
}

/** The changes to save, in the order of references; entries that lost fields come last, after their redaction. */
export interface Changeset {
  readonly entries: readonly SavedEntry[]
  readonly tiles: readonly SavedTile[]
  readonly nouns: Changes
  readonly state: LogState
  /** The time of the write, ISO 8601 in UTC. */
  readonly at: string
}

export interface SavedEntry extends Pick<StoredEntry, 'seed' | 'leaf' | 'hole'> {
  readonly entry: Entry
  readonly text: string
}

type Sealing = Omit<SavedEntry, 'leaf'> & { readonly digest: string }

const noNeeds: readonly Need[] = []

export type Step =
  | { readonly step: 'load'; readonly needs: readonly Need[] }
  | { readonly step: 'save'; readonly changes: Changeset }

export type Outcome<Answer> =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly error: unknown }

/** The answer of a job. @throws the error of a refused one */
export function answerOf<Answer>(outcome: Outcome<Answer>): Answer {
  if (outcome.ok) return outcome.answer
  throw outcome.error
}

export interface Circumstances {
  readonly now: Date
  /** A new seed: 16 random bytes in lower-case hexadecimal. */
  readonly seed: () => string
  /** Writes although the clock is more than a day behind the last write. Default false. */
  readonly acceptClock?: boolean | undefined
  /** The time of the last write, ISO 8601 in UTC; default that of the newest entry. */
  readonly lastWrite?: string
  /** Jobs that are decided and saved together. Default 256, since garbage collections copy what lives longer. */
  readonly groupSize?: number | undefined
}

/** How far the clock may be behind the last write, in milliseconds. */
const behindAtMost = 24 * 60 * 60 * 1000

/** The time of a write, never before the last one. @throws RegistryError CLOCK_BEHIND `{ now, newest }` for more than a day */
export function timeOfWrite({
  now,
  acceptClock = false,
  lastWrite,
}: Pick<Circumstances, 'now' | 'acceptClock'> & { readonly lastWrite: string | undefined }): string {
  const at = now.toISOString()
  if (lastWrite === undefined || at >= lastWrite) return at
  if (!acceptClock && Date.parse(lastWrite) - now.getTime() > behindAtMost) {
    throw new RegistryError(
      'CLOCK_BEHIND',
      `The clock says ${at}, but the registry was last written at ${lastWrite}: set the clock, or accept it as it is`,
      { now: at, newest: lastWrite },
    )
  }
  return lastWrite
}

interface StartedJob {
  readonly job: Job<unknown>
  readonly running: Deciding<Decision<unknown>>
  readonly first: IteratorResult<readonly Need[], Decision<unknown>>
}

/** Whether a need reads the log or an index, so that earlier changes must be saved first. */
const needsSaving = (need: Need): boolean => 'ask' in need || need.noun === 'entry'

/** The facts of the running jobs: the current nouns, and answers about the log. */
export class LoadedFacts extends WorkingSet implements Facts {
  readonly #answers = new Map<string, Answers[keyof Questions]>()
  nextEntry: number

  constructor(state: LogState) {
    super(state.last)
    this.nextEntry = state.size + 1
  }

  answer<Q extends keyof Questions>(question: Q, of: Questions[Q], answer: Answers[Q]): void {
    this.#answers.set(`${question} ${JSON.stringify(of)}`, answer)
  }

  ask<Q extends keyof Questions>(question: Q, of: Questions[Q]): Answers[Q] {
    const found = this.#answers.get(`${question} ${JSON.stringify(of)}`)
    if (found === undefined) throw new Error(`${question} was not asked`)
    // The compiler cannot relate a key to its question.
    return found as Answers[Q]
  }
}

class Script {
  readonly facts: LoadedFacts
  readonly #frontier: Frontier
  readonly at: string
  readonly groupSize: number
  readonly #seed: () => string
  #entries: SavedEntry[] = []
  #tiles: TileRoot[] = []
  readonly #onTile = (tile: TileRoot): void => void this.#tiles.push(tile)
  #headAt: string | undefined
  #totals: Totals
  /** The first entry of the jobs that are parts of one act. */
  #act: number | undefined

  constructor(state: LogState, circumstances: Circumstances) {
    this.facts = new LoadedFacts(state)
    this.#frontier = new Frontier(state.size, state.peaks)
    this.#headAt = state.headAt
    this.#totals = state.totals
    this.at = timeOfWrite({ ...circumstances, lastWrite: circumstances.lastWrite ?? state.headAt })
    this.#seed = circumstances.seed
    this.groupSize = circumstances.groupSize ?? 256
  }

  #missing(needs: readonly Need[]): readonly Need[] {
    return needs.every((need) => this.#has(need)) ? noNeeds : needs.filter((need) => !this.#has(need))
  }

  #has(need: Need): boolean {
    if ('ask' in need) return false
    const rows = this.facts.of(need.noun)
    if ('where' in need) return rows.hasAsked(need.where as never)
    if (!rows.has(need.key as never)) return false
    // Entries do not pass through the nouns: one that was not there may have been written since.
    return need.noun !== 'entry' || rows.get(need.key as never) !== undefined
  }

  /** Loads missing facts. Questions about the log include the entries of earlier jobs, which are saved first. */
  *need(needs: readonly Need[]): Generator<Step, void, void> {
    const missing = this.#missing(needs)
    if (missing.length === 0) return
    if (missing.some(needsSaving)) yield* this.save()
    yield { step: 'load', needs: missing }
  }

  *run({ job, running, first }: StartedJob): Generator<Step, unknown, void> {
    let result = first
    while (result.done !== true) {
      // The first needs of all jobs were loaded together, except questions about the log.
      if (result !== first || result.value.some(needsSaving)) yield* this.need(result.value)
      result = running.next(this.facts)
    }
    const { entries, unlogged = [], by, answer } = result.value
    if (job.dryRun === true) return answer
    for (const each of entries) {
      const sealed = 'sealed' in each ? this.#mirrored(each) : this.#sealed(this.#partOf(job, each), by)
      // The fold of an entry may read more, depending on the loaded facts.
      for (let needs = this.#touched(sealed); needs.length > 0; needs = this.#touched(sealed))
        yield* this.need(needs)
      this.#append(sealed)
    }
    for (const { noun, after } of unlogged) this.facts.put(noun, after)
    return answer
  }

  #partOf({ isPart }: Job<unknown>, draft: Draft): Draft {
    if (isPart !== true) return draft
    this.#act ??= this.facts.nextEntry
    return { ...draft, links: { ...draft.links, act: this.#act } }
  }

  #sealed(draft: Draft, by: string): Sealing {
    const { subject, subjectId, action, fields, awards = [], links = {} } = draft
    const id = this.#frontier.size + 1
    const at = draft.isToTheDay === true ? this.#day : this.at
    const entry: Entry = { id, at, by, subject, subjectId, action, fields, awards, links }
    const seed = this.#seed()
    const { text, digest } = commit(fields, seed)
    return { entry, seed, text, digest, hole: undefined }
  }

  /** The beginning of the day of the write, or the time of the newest entry, before which none can be. */
  get #day(): string {
    const midnight = `${this.at.slice(0, 10)}T00:00:00.000Z`
    return this.#headAt !== undefined && this.#headAt > midnight ? this.#headAt : midnight
  }

  /** An entry that another registry sealed, whose proof was looked at when it was decided. */
  #mirrored({ sealed }: Mirrored): Sealing {
    const { seed, salts, commitments, fields } = sealed
    const hole: Hole | undefined =
      seed === undefined ? { salts: salts ?? {}, commitments: commitments ?? {} } : undefined
    if (this.#headAt !== undefined && sealed.at < this.#headAt)
      throw broken(sealed.id, 'it is older than the entry before it')
    const entry = entryOf(sealed)
    const digest = digestOf({ fields, seed, hole })
    return { entry, seed: seed ?? null, text: canonicalJson(fields), digest, hole }
  }

  #append({ entry, seed, text, digest, hole }: Sealing): void {
    const data = leafData(entry, digest)
    if (data.length * 4 > longestLeaf && Buffer.byteLength(data) > longestLeaf)
      throw broken(entry.id, `it needs ${Buffer.byteLength(data)} bytes, ${longestLeaf} are allowed`)
    try {
      fold(entry, this.facts)
    } catch (error) {
      if (error instanceof FoldError) throw broken(entry.id, error.message)
      throw error
    }
    const leaf = leafHash(data)
    this.#frontier.append(leaf, this.#onTile)
    this.#entries.push({ entry, seed, leaf, text, hole })
    this.#headAt = entry.at
    this.facts.nextEntry = entry.id + 1
  }

  /** What the fold of an entry reads and is not loaded: its subject, credited users, and their dependencies. */
  #touched({ entry }: Sealing): readonly Need[] {
    const { subject, by, awards, fields } = entry
    const { facts } = this
    const needs: Need[] = []
    const also = <Noun extends NounName>(noun: Noun, id: KeyOf<Noun>): void => {
      if (!this.#isNew(noun, id) && !facts.of(noun).has(id)) needs.push({ noun, key: id } as Need)
    }
    const known = <Noun extends Subject>(noun: Noun): Nouns[Noun] | undefined => {
      const key = keyOf(noun, entry)
      return subject === noun ? facts.of(noun).get(key) : undefined
    }
    also(subject, keyOf(subject, entry))
    also('user', by)
    for (const [userId] of awards) also('user', userId)
    const record = known('record')
    if (record) also('source', record.sourceId)
    if (subject === 'import') also('source', known('import')?.sourceId ?? Number(fields['source']))
    const lost = known('entry')
    if (lost?.subject === 'waypoint' || lost?.subject === 'import' || lost?.subject === 'user')
      also(lost.subject, keyOf(lost.subject, lost))
    return needs
  }

  /** Whether a noun cannot be stored, because its id is greater than the last that was given. */
  #isNew(noun: NounName, key: unknown): boolean {
    if (noun === 'record' || noun === 'observation' || noun === 'entry')
      return Number(key) > this.#frontier.size
    const { last } = this.facts
    return noun in last && Number(key) > last[noun as keyof LastIds]
  }

  *save(): Generator<Step, void, void> {
    const decided = this.facts.changes()
    const nouns = (yield* this.#computeStatuses(decided)) ? this.facts.changes() : decided
    if (Object.keys(nouns).length === 0 && this.#entries.length === 0) return
    const { size, peaks } = this.#frontier
    const entries = this.#entries
    const actions = new Map<number, number>()
    this.#totals = totalsAfter(this.#totals, { entries, nouns }, (place, n) => void actions.set(place, n))
    const tiles = this.#tiles.map((tile): SavedTile => {
      const n = tile.level === 0 ? actions.get(tile.index) : undefined
      return n === undefined ? tile : { ...tile, actions: n }
    })
    const { last } = this.facts
    const state = { size, peaks, headAt: this.#headAt, last, totals: this.#totals }
    const changes = { entries, tiles, nouns, state, at: this.at }
    this.#entries = []
    this.#tiles = []
    yield { step: 'save', changes }
    this.facts.saved()
  }

  /** Computes the statuses of waypoints with changed facts. @returns whether there were any */
  *#computeStatuses(changes: Changes): Generator<Step, boolean, void> {
    const touched = touchedByChanges(changes)
    const ids = new Set(touched.waypoints)
    for (const sourceId of touched.sources) {
      const all = sourceStates.map((state) => ({ sourceId, state }))
      yield* this.need(all.map((where) => ({ noun: 'record', where })))
      for (const where of all)
        for (const { waypointId } of this.facts.find('record', where)) ids.add(waypointId)
    }
    const all = [...ids]
    for (let from = 0; from < all.length; from += this.groupSize) {
      const page = all.slice(from, from + this.groupSize)
      yield* this.need(page.flatMap(needsOfStatus))
      for (const id of page) yield* this.#computeStatus(id)
    }
    return ids.size > 0
  }

  *#computeStatus(id: number): Generator<Step, void, void> {
    const { facts } = this
    const waypoint = facts.get('waypoint', id)
    if (waypoint === undefined) return
    const records = facts.find('record', { waypointId: id })
    const sources = new Set(records.map(({ sourceId }) => sourceId))
    yield* this.need([...sources].map((key) => ({ noun: 'source', key })))
    const today = this.at.slice(0, 10)
    const known = statusFactsOf(waypoint, {
      observations: facts.find('observation', { bubblerId: id }),
      sightings: facts.find('sighting', { bubblerId: id }),
      records,
      sourceOf: ({ sourceId }) => facts.get('source', sourceId),
    })
    const current = waypoint.deletedAt === undefined ? condensed(known) : undefined
    const before = facts.get('status', id)
    if (before === undefined && current === undefined) return
    const { state } = statusOf(current ?? {}, today)
    const changesOn = nextChangeOf(current ?? {}, today)
    const text = current && JSON.stringify(current)
    if (before?.state === state && before.changesOn === changesOn && before.facts === text) return
    facts.put('status', {
      id,
      state,
      changesOn,
      facts: text,
      logSize: this.#frontier.size - this.#entries.length,
    })
  }
}

const needsOfStatus = (id: number): readonly Need[] => [
  { noun: 'waypoint', key: id },
  { noun: 'observation', where: { bubblerId: id } },
  { noun: 'sighting', where: { bubblerId: id } },
  { noun: 'record', where: { waypointId: id } },
  { noun: 'status', key: id },
]

function entryOf({ id, at, by, subject, subjectId, action, fields, awards, links }: GivenEntry): Entry {
  return { id, at, by, subject, subjectId, action: action as Entry['action'], fields, awards, links }
}

/** Begins the script of a batch. A refused job affects no other; other errors undo all. @throws RegistryError CLOCK_BEHIND */
export function script(jobs: readonly Job<unknown>[], state: LogState, circumstances: Circumstances) {
  const running = new Script(state, circumstances)
  return { facts: running.facts, steps: stepsOf(jobs, running) }
}

/** A load of nothing, during which an engine with promises sends the group that was saved. */
const pause: Step = { step: 'load', needs: noNeeds }

function* stepsOf(
  jobs: readonly Job<unknown>[],
  running: Script,
): Generator<Step, readonly Outcome<unknown>[], void> {
  const outcomes: Outcome<unknown>[] = []
  const begun = (from: number) =>
    jobs.slice(from, from + running.groupSize).map((job) => attempt(() => start(job, running.at)))
  let group = begun(0)
  yield* running.need(firstNeeds(group))
  while (group.length > 0) {
    for (const each of group) {
      const outcome = yield* outcomeOf(each, running)
      const place = outcomes.push(outcome) - 1
      if (!outcome.ok && jobs[place]?.isPart === true) throw refusedPart(outcome.error, place)
    }
    group = begun(outcomes.length)
    const needs = firstNeeds(group)
    // Loaded before the group is saved, which an engine may do while the next one is decided.
    yield* running.need(needs)
    yield* running.save()
    // Objects that outlive their group are copied by each garbage collection.
    running.facts.keepOnly(needs)
    if (group.length > 0) yield pause
  }
  return outcomes
}

const refusedPart = (error: unknown, place: number): unknown =>
  error instanceof RegistryError
    ? new RegistryError(error.code, error.message, { ...error.details, write: place })
    : error

function firstNeeds(started: readonly Outcome<StartedJob>[]): NounNeed[] {
  return started.flatMap((each) =>
    each.ok && each.answer.first.done !== true
      ? each.answer.first.value.filter((need): need is NounNeed => !needsSaving(need))
      : [],
  )
}

function* outcomeOf(started: Outcome<StartedJob>, running: Script): Generator<Step, Outcome<unknown>, void> {
  if (!started.ok) return started
  try {
    return { ok: true, answer: yield* running.run(started.answer) }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { ok: false, error }
  }
}

function start(job: Job<unknown>, at: string): StartedJob {
  const { once } = job
  const running = once === undefined ? job.decide(at) : decideOnce(once, () => job.decide(at), at)
  return { job, running, first: running.next() }
}

function attempt<Answer>(work: () => Answer): Outcome<Answer> {
  try {
    return { ok: true, answer: work() }
  } catch (error) {
    if (isRefusal(error)) return { ok: false, error }
    throw error
  }
}

/** Whether an error refuses one job alone; errors of the log concern all of them. */
function isRefusal(error: unknown): boolean {
  return error instanceof Repeated || (error instanceof RegistryError && error.code !== 'CHAIN_BROKEN')
}
