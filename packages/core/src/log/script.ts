import { RegistryError } from '../errors.ts'
import type {
  Deciding,
  Decision,
  Facts,
  Job,
  Mirrored,
  Need,
  Questions,
  Unlogged,
} from '../decide/deciding.ts'
import { canonicalJson } from './canonical-json.ts'
import { commit, digestOf, leafData, longestLeaf } from './commitments.ts'
import type { Draft, Entry, Hole, LoggedEntry, StoredEntry } from './entry.ts'
import { fold, FoldError } from './fold.ts'
import type { LastIds, NounName } from './nouns.ts'
import { Frontier, leafHash, type TileRoot } from './tree.ts'
import { WorkingSet, type Replacement } from './working-set.ts'

/**
 * The script of every write: load, decide, seal, fold, save. It is written once; an engine drives it inside a
 * transaction, by loading what it asks for and saving what it gives.
 */

/** The row that every write reads and changes: where the log ends, and what counts up. */
export interface LogState {
  /** The id of the newest entry; 0 when there is none. */
  readonly size: number
  /** The roots of the tree's perfect subtrees, as `Frontier` takes them. */
  readonly peaks: string
  /** The time of the newest entry; absent when there is none. */
  readonly headAt?: string | undefined
  readonly last: LastIds
}

/**
 * What an engine saves: the nouns in the order in which they refer to each other, then the entries, and the entries
 * that lost fields last, since a loss is only accepted once its redaction is stored.
 */
export interface Changeset {
  readonly entries: readonly SavedEntry[]
  readonly tiles: readonly TileRoot[]
  readonly nouns: readonly Replacement[]
  readonly state: LogState
  /** The time of the write, ISO 8601 in UTC. */
  readonly at: string
}

/** An entry with the canonical JSON of its fields. */
export interface SavedEntry extends StoredEntry {
  readonly text: string
}

/** What a script asks its engine for. */
export type Step =
  | { readonly step: 'load'; readonly needs: readonly Need[] }
  | { readonly step: 'save'; readonly changes: Changeset }

/** How a job ended: with its answer, or with what it threw. */
export type Outcome<Answer> =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly error: unknown }

export interface Circumstances {
  /** The current time of the clock. */
  readonly now: Date
  /** A new seed: 16 random bytes in lower-case hexadecimal. */
  readonly seed: () => string
  /** Writes although the clock is more than a day behind the newest entry. Default false. */
  readonly acceptClock?: boolean | undefined
}

/** How far the clock may be behind the newest entry, in milliseconds. */
const behindAtMost = 24 * 60 * 60 * 1000

/**
 * The time of a write: that of the clock, but never before the newest entry.
 *
 * @throws RegistryError CLOCK_BEHIND `{ now, newest }` when the clock is more than a day behind
 */
export function timeOfWrite({ now, acceptClock = false }: Circumstances, headAt: string | undefined): string {
  const at = now.toISOString()
  if (headAt === undefined || at >= headAt) return at
  if (!acceptClock && Date.parse(headAt) - now.getTime() > behindAtMost) {
    throw new RegistryError(
      'CLOCK_BEHIND',
      `The clock says ${at}, but the newest entry of the log is of ${headAt}: set the clock, or accept it as it is`,
      { now: at, newest: headAt },
    )
  }
  return headAt
}

type Running = Deciding<Decision<unknown>>

/** A job whose generator has run to its first need. */
interface Begun {
  readonly running: Running
  readonly first: IteratorResult<readonly Need[], Decision<unknown>>
}

const isQuestion = (need: Need): need is Extract<Need, { ask: unknown }> => 'ask' in need

/** Whether a need is about the log itself, which has to be saved before it is read. */
const isAboutLog = (need: Need): boolean => isQuestion(need) || need.noun === 'entry'

/** The facts of the running jobs: the nouns as they stand, and what was asked about the log. */
export class KnownFacts extends WorkingSet implements Facts {
  readonly #answers = new Map<string, readonly StoredEntry[]>()
  nextEntry: number

  constructor(state: LogState) {
    super(state.last)
    this.nextEntry = state.size + 1
  }

  answer<Q extends keyof Questions>(question: Q, of: Questions[Q], entries: readonly StoredEntry[]): void {
    this.#answers.set(`${question} ${JSON.stringify(of)}`, entries)
  }

  ask<Q extends keyof Questions>(question: Q, of: Questions[Q]): readonly StoredEntry[] {
    const found = this.#answers.get(`${question} ${JSON.stringify(of)}`)
    if (found === undefined) throw new Error(`${question} was not asked`)
    return found
  }
}

class Script {
  readonly facts: KnownFacts
  readonly #frontier: Frontier
  readonly #at: string
  readonly #seed: () => string
  #entries: SavedEntry[] = []
  #tiles: TileRoot[] = []
  #headAt: string | undefined

  constructor(state: LogState, circumstances: Circumstances) {
    this.facts = new KnownFacts(state)
    this.#frontier = new Frontier(state.size, state.peaks)
    this.#headAt = state.headAt
    this.#at = timeOfWrite(circumstances, state.headAt)
    this.#seed = circumstances.seed
  }

  /** Loads what is not loaded yet. What is asked of the log sees what earlier jobs wrote: they are saved first. */
  *need(needs: readonly Need[]): Generator<Step, void, void> {
    const missing = needs.filter((need) => isQuestion(need) || !this.#has(need))
    if (missing.length === 0) return
    if (missing.some(isAboutLog)) yield* this.save()
    yield { step: 'load', needs: missing }
  }

  #has(need: Exclude<Need, { ask: unknown }>): boolean {
    if ('where' in need) return this.facts.hasAsked(need.noun, need.where as never)
    if (!this.facts.has(need.noun, need.key as never)) return false
    // Entries do not pass through the nouns: one that was not there may have been written since.
    return need.noun !== 'entry' || this.facts.get('entry', need.key) !== undefined
  }

  /** Runs a job to its end over the nouns as they stand. */
  *run(job: Job<unknown>, { running, first }: Begun): Generator<Step, unknown, void> {
    let result = first
    while (result.done !== true) {
      yield* this.need(result.value)
      result = running.next(this.facts)
    }
    const { entries, unlogged = [], by, answer } = result.value
    if (job.dryRun === true) return answer
    for (const entry of entries) {
      if ('sealed' in entry) yield* this.#mirror(entry)
      else yield* this.#append(entry, by)
    }
    for (const each of unlogged) this.#keep(each)
    return answer
  }

  #keep({ noun, after }: Unlogged): void {
    this.facts.put(noun, after)
  }

  *#append(draft: Draft, by: string): Generator<Step, void, void> {
    const id = this.#frontier.size + 1
    const { subject, subjectId, action, fields, awards = [], links = {} } = draft
    const entry: Entry = { id, at: this.#at, by, subject, subjectId, action, fields, awards, links }
    const seed = this.#seed()
    const { text, digest } = commit(fields, seed)
    yield* this.#seal(entry, { seed, text, digest })
  }

  /** Takes over an entry that another registry sealed. */
  *#mirror({ sealed }: Mirrored): Generator<Step, void, void> {
    const { seed, salts, commitments, fields } = sealed
    const hole: Hole | undefined =
      seed === undefined ? { salts: salts ?? {}, commitments: commitments ?? {} } : undefined
    if (seed !== undefined && (salts !== undefined || commitments !== undefined))
      throw broken(sealed.id, 'it has both a seed and salts')
    if (this.#headAt !== undefined && sealed.at < this.#headAt)
      throw broken(sealed.id, 'it is older than the entry before it')
    const entry: Entry = { ...entryOf(sealed) }
    let digest: string
    try {
      digest = digestOf({ fields, seed, hole })
    } catch (error) {
      throw broken(sealed.id, error instanceof Error ? error.message : 'its fields cannot be proven')
    }
    const text = canonicalJson(fields)
    yield* this.#seal(entry, { seed: seed ?? null, text, digest, hole })
  }

  *#seal(
    entry: Entry,
    {
      seed,
      text,
      digest,
      hole,
    }: { seed: string | null; text: string; digest: string; hole?: Hole | undefined },
  ): Generator<Step, void, void> {
    const data = leafData(entry, digest)
    const bytes = Buffer.byteLength(data)
    if (bytes > longestLeaf) throw broken(entry.id, `it needs ${bytes} bytes, ${longestLeaf} are allowed`)
    yield* this.#loadTouched(entry)
    try {
      fold(entry, this.facts)
    } catch (error) {
      if (error instanceof FoldError) throw broken(entry.id, error.message)
      throw error
    }
    const leaf = leafHash(data)
    this.#frontier.append(leaf, (tile) => this.#tiles.push(tile))
    this.#entries.push({ ...entry, seed, leaf, text, ...(hole && { hole }) })
    this.#headAt = entry.at
    this.facts.nextEntry = entry.id + 1
  }

  /** Loads what the fold of an entry reads: its subject, whom it credits, and what these depend on. */
  *#loadTouched({ subject, subjectId, by, awards, fields }: Entry): Generator<Step, void, void> {
    const key = subject === 'user' ? String(subjectId) : Number(subjectId)
    const needs: Need[] = []
    if (!this.#isNew(subject, key) && !this.facts.has(subject, key as never))
      needs.push({ noun: subject, key } as Need)
    for (const userId of [by, ...awards.map(([awarded]) => awarded)])
      if (!this.facts.has('user', userId)) needs.push({ noun: 'user', key: userId })
    if (needs.length > 0) yield* this.need(needs)
    if (subject === 'record') {
      const record = this.#known('record', Number(subjectId))
      if (record) yield* this.need([{ noun: 'source', key: record.sourceId }])
    }
    if (subject === 'import') {
      const sourceId = this.#known('import', Number(subjectId))?.sourceId ?? Number(fields['source'])
      yield* this.need([{ noun: 'source', key: sourceId }])
    }
    if (subject === 'entry') {
      const target = this.#known('entry', Number(subjectId))
      if (target === undefined) return
      const key = Number(target.subjectId)
      if (target.subject === 'waypoint') yield* this.need([{ noun: 'waypoint', key }])
      if (target.subject === 'import') yield* this.need([{ noun: 'import', key }])
      if (target.subject === 'user') yield* this.need([{ noun: 'user', key: String(target.subjectId) }])
    }
  }

  /** Whether a noun cannot be stored, because its id is greater than the last that was given. */
  #isNew(noun: NounName, key: unknown): boolean {
    if (noun === 'record' || noun === 'entry') return Number(key) > this.#frontier.size
    const { last } = this.facts
    return noun in last && Number(key) > last[noun as keyof LastIds]
  }

  #known<Noun extends 'record' | 'import' | 'entry'>(noun: Noun, key: number) {
    return this.facts.has(noun, key) ? this.facts.get(noun, key) : undefined
  }

  /** Saves what changed since the last time, if anything did. */
  *save(): Generator<Step, void, void> {
    const nouns = [...this.facts.changes()]
    if (nouns.length === 0 && this.#entries.length === 0) return
    const { size, peaks } = this.#frontier
    const state = { size, peaks, headAt: this.#headAt, last: this.facts.last }
    const changes = { entries: this.#entries, tiles: this.#tiles, nouns, state, at: this.#at }
    this.#entries = []
    this.#tiles = []
    yield { step: 'save', changes }
    this.facts.saved()
  }

  get at(): string {
    return this.#at
  }
}

function entryOf({ id, at, by, subject, subjectId, action, fields, awards, links }: LoggedEntry): Entry {
  return { id, at, by, subject, subjectId, action: action as Entry['action'], fields, awards, links }
}

function broken(id: number, reason: string): RegistryError {
  return new RegistryError('CHAIN_BROKEN', `Entry ${id} does not continue the log here: ${reason}`, { id })
}

/** A script whose facts an engine fills. */
export interface RunningScript {
  readonly facts: KnownFacts
  readonly steps: Generator<Step, readonly Outcome<unknown>[], void>
}

/**
 * Begins the script of a batch of writes. A job that is refused touches nobody else; what is not a refusal is thrown,
 * so that the engine rolls everything back.
 *
 * @throws RegistryError CLOCK_BEHIND
 */
export function script(
  jobs: readonly Job<unknown>[],
  state: LogState,
  circumstances: Circumstances,
): RunningScript {
  const running = new Script(state, circumstances)
  return { facts: running.facts, steps: stepsOf(jobs, running) }
}

function* stepsOf(
  jobs: readonly Job<unknown>[],
  running: Script,
): Generator<Step, readonly Outcome<unknown>[], void> {
  const begun = jobs.map((job) => attempt(() => begin(job, running.at)))
  // What all jobs need first is loaded together; what they ask of the log has to wait for the jobs before them.
  const first = begun.flatMap((each) =>
    each.ok && each.answer.first.done !== true ? each.answer.first.value : [],
  )
  yield* running.need(first.filter((need) => !isAboutLog(need)))
  const outcomes: Outcome<unknown>[] = []
  for (const [index, job] of jobs.entries()) {
    const each = begun[index]
    if (each === undefined || !each.ok) {
      if (each) outcomes.push(each)
      continue
    }
    try {
      outcomes.push({ ok: true, answer: yield* running.run(job, each.answer) })
    } catch (error) {
      if (!(error instanceof RegistryError) || error.code === 'CHAIN_BROKEN') throw error
      outcomes.push({ ok: false, error })
    }
  }
  yield* running.save()
  return outcomes
}

function begin(job: Job<unknown>, at: string): Begun {
  const running = job.decide(at)
  return { running, first: running.next() }
}

function attempt<Answer>(work: () => Answer): Outcome<Answer> {
  try {
    return { ok: true, answer: work() }
  } catch (error) {
    if (error instanceof RegistryError) return { ok: false, error }
    throw error
  }
}
