import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { fold as folded } from '../search/letters.ts'
import type { Connection } from '../store/sqlite/connection/connection.ts'
import { verificationReads, type EntryToVerify } from '../store/sqlite/nouns/verification.ts'
import { unvouched } from '../store/tables.ts'
import { entryFields, type Head, type StoredEntry } from './entry.ts'
import { isSameValue, canonicalJson, commit, digestOf, leafData } from './leaf.ts'

import { foldSubject, namesOf, foldCredits, isListing, keyOf } from './fold.ts'
import type { WaypointState, VouchedNouns, KeyOf, SourceFacts } from './nouns.ts'
import { newRecord, withRedacted, builtIn, listedSource } from './states.ts'
import { Frontier, leafHash } from '@openfountain/tlog/frontier'

export interface Verification {
  readonly ok: boolean
  readonly entries: number
  readonly waypoints: number
  /** The number of entries with redacted fields; their other fields are proven as in any entry. */
  readonly redacted: number
  readonly head: Head
  /** Messages of the first problems, at most a hundred. */
  readonly problems: readonly string[]
  readonly notCovered: readonly string[]
}

/** Facts that a log which verifies does not prove. */
export const notCovered: readonly string[] = [
  'names and e-mail addresses of people, credentials, and which requests were sent again',
  'who made observations, what passers-by saw, and which states follow from it on which day',
  'reports, and which waypoints moderators found not to be the same',
  'what importers remember of their last run, and rows of imports that a person decides',
  'indexes for search, which can be built again',
  `columns that do not follow from the log: ${unvouched.columns.join(', ')}`,
  `tables that are beside the log: ${unvouched.tables.join(', ')}`,
  'whether all of history was rewritten, which only a head kept elsewhere shows',
]

const most = 100

class Findings {
  readonly problems: string[] = []
  readonly #onProgress: (done: number) => void
  #done = 0

  constructor(onProgress: (done: number) => void) {
    this.#onProgress = onProgress
  }

  report(problem: string): void {
    if (this.problems.length < most) this.problems.push(problem)
  }

  /** Counts one step; yields to the event loop now and then. */
  async step(): Promise<void> {
    if (++this.#done % 1000 !== 0) return
    this.#onProgress(this.#done)
    await yieldToEventLoop()
  }
}

const message = (error: unknown): string => (error instanceof Error ? error.message : 'cannot be replayed')

function differing(one: object, other: object): string[] {
  const left = one as Readonly<Record<string, unknown>>
  const right = other as Readonly<Record<string, unknown>>
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...names].filter((name) => !isSameValue(left[name], right[name]))
}

/** Fields that redactions name, and fields that are missing, by the id of the entry. */
class Losses {
  readonly #said = new Map<number, Set<string>>()
  readonly #missing = new Map<number, readonly string[]>()

  add(entry: StoredEntry): void {
    if (entry.hole) this.#missing.set(entry.id, Object.keys(entry.hole.commitments))
    if (entry.subject !== 'entry') return
    const id = Number(entry.subjectId)
    const names = this.#said.get(id) ?? new Set()
    for (const name of namesOf(entry)) names.add(name)
    this.#said.set(id, names)
  }

  get count(): number {
    return this.#missing.size
  }

  check(report: (problem: string) => void): void {
    for (const [id, names] of this.#missing)
      for (const name of names)
        if (this.#said.get(id)?.has(name) !== true)
          report(`entry ${id} has no ${name}, and no later entry redacts it`)
    for (const [id, names] of this.#said)
      for (const name of names)
        if (this.#missing.get(id)?.includes(name) !== true)
          report(`entry ${id} still has ${name}, which a later entry redacts`)
  }
}

function contentOf(entry: StoredEntry): { readonly text: string; readonly digest: string } {
  const { fields, seed, hole } = entry
  if (hole === undefined && seed !== null) return commit(fields, seed)
  return { text: canonicalJson(fields), digest: digestOf(entry) }
}

/** Checks an entry against its commitments, its leaf and the entry before it. @internal */
export function checkEntry(
  entry: EntryToVerify,
  before: { readonly id: number; readonly at: string },
  report: (problem: string) => void,
): void {
  if (entry.id !== before.id + 1) report(`entry ${before.id + 1} is missing from the log`)
  if (entry.at < before.at) report(`entry ${entry.id} is older than entry ${before.id}`)
  try {
    const { text, digest } = contentOf(entry)
    if (leafHash(leafData(entry, digest)) !== entry.leaf)
      report(`entry ${entry.id}: its content does not match its leaf in the tree`)
    if (text !== entry.text) report(`entry ${entry.id} is not stored as it is written: fields`)
  } catch (error) {
    report(`entry ${entry.id}: ${message(error)}`)
  }
}

async function verifyChain(reads: ReturnType<typeof verificationReads>, findings: Findings) {
  const report = (problem: string) => findings.report(problem)
  const frontier = new Frontier()
  const losses = new Losses()
  const people = new People(report)
  const tiles = new Map(reads.tiles().map((tile) => [`${tile.level} ${tile.place}`, tile]))
  let before = { id: 0, at: '' }
  let records = 0
  let actions = 0
  for (const entry of reads.entries(report)) {
    if (entry.subject === 'waypoint') actions++
    checkEntry(entry, before, report)
    frontier.append(entry.leaf, ({ level, index, root }) => {
      const stored = tiles.get(`${level} ${index}`)
      if (stored?.root !== root)
        report(`the root of tile ${level}/${index} of the tree differs from its entries`)
      if (stored?.actions !== (level === 0 ? actions : null))
        report(`the number of actions up to tile ${level}/${index} of the tree differs from its entries`)
      tiles.delete(`${level} ${index}`)
    })
    losses.add(entry)
    people.add(entry)
    if (newRecord(entry) !== undefined) records++
    before = entry
    await findings.step()
  }
  for (const tile of tiles.keys()) report(`tile ${tile.replace(' ', '/')} of the tree has no entries`)
  const head = reads.head()
  const root = frontier.root()
  if (before.id !== head.id || root !== head.hash)
    report(`the log ends at entry ${before.id} with the root ${root}; stored are ${head.id} and ${head.hash}`)
  if (reads.peaks() !== frontier.peaks) report('the roots from which the tree grows differ from its entries')
  if ((before.id > 0 ? before.at : undefined) !== head.timestamp)
    report('the time of the newest entry differs')
  losses.check(report)
  return { entries: before.id, records, losses, people }
}

/** Compares the nouns of one kind with their entries; both come in the order of their ids. */
async function compareAll<Noun extends 'waypoint' | 'review' | 'observation' | 'photo' | 'record'>(
  kind: Noun,
  stored: Iterable<VouchedNouns[Noun]>,
  entries: Iterable<StoredEntry>,
  { findings, people }: { readonly findings: Findings; readonly people: People },
  {
    first = () => undefined,
    finished = (state) => state,
  }: {
    /** The noun as made by its own entry, where entries about it only change it. */
    readonly first?: (id: number) => VouchedNouns[Noun] | undefined
    readonly finished?: (replayed: VouchedNouns[Noun], about: readonly StoredEntry[]) => VouchedNouns[Noun]
  } = {},
): Promise<number> {
  const log = entries[Symbol.iterator]()
  let next = log.next()
  let count = 0
  const report = (problem: string) => findings.report(problem)
  const missing = (entry: StoredEntry) =>
    report(`entry ${entry.id} is about ${kind} ${entry.subjectId}, which does not exist`)
  for (const noun of stored) {
    count++
    const id = noun.id
    let state = first(id)
    const about: StoredEntry[] = []
    while (next.done !== true && Number(next.value.subjectId) <= id) {
      const entry = next.value
      if (Number(entry.subjectId) < id) missing(entry)
      else {
        about.push(entry)
        try {
          state = foldSubject(kind, state, entry, (sourceId) => people.sourceAt(sourceId, entry.id))
        } catch (error) {
          report(`entry ${entry.id}: ${message(error)}`)
        }
      }
      next = log.next()
      await findings.step()
    }
    if (state === undefined) {
      report(`${kind} ${id} is not in the log`)
      continue
    }
    const names = differing(finished(state, about), noun)
    if (names.length > 0) report(`${kind} ${id} differs from its log in: ${names.join(', ')}`)
  }
  for (; next.done !== true; next = log.next()) missing(next.value)
  return count
}

function afterLosses(state: WaypointState, about: readonly StoredEntry[]): WaypointState {
  const names = about
    .flatMap(({ hole }) => Object.keys(hole?.commitments ?? {}))
    .filter((name) => !entryFields.has(name))
  return names.length === 0 ? state : withRedacted(state, names)
}

/** Verifies the log of a connection, which must not change during the call. @internal */
export async function verifyLog(
  connection: Connection,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<Verification> {
  const reads = verificationReads(connection.statements)
  const head = reads.head()
  const total = head.id * 2
  const findings = new Findings((done) => onProgress(Math.min(done, total), total))
  const report = (problem: string) => findings.report(problem)
  const { entries, records, losses, people } = await verifyChain(reads, findings)
  const pass = { findings, people }
  const stored = reads.waypoints(report, folded)
  const waypoints = await compareAll('waypoint', stored, reads.about('waypoint'), pass, {
    finished: afterLosses,
  })
  for (const noun of ['review', 'observation', 'photo'] as const)
    await compareAll(noun, reads.nouns(noun, report), reads.about(noun), pass)
  const listed = reads.nouns('record', report)
  const found = await compareAll('record', listed, reads.aboutRecords(), pass, { first: reads.made() })
  if (found !== records) report(`the log has ${records} records of sources, ${found} are stored`)
  people.compare((noun) => reads.nouns(noun, report))
  for (const problem of reads.sums()) report(problem)
  onProgress(total, total)
  const { problems } = findings
  return {
    ok: problems.length === 0,
    entries,
    waypoints,
    redacted: losses.count,
    head,
    problems,
    notCovered,
  }
}

type SmallNoun = 'user' | 'source' | 'area' | 'import'

export class People {
  readonly #replayed: { readonly [Noun in SmallNoun]: Map<KeyOf<Noun>, VouchedNouns[Noun]> } = {
    user: new Map(builtIn.map((person) => [person.id, person])),
    source: new Map(),
    area: new Map(),
    import: new Map(),
  }
  /** By source: the entries that said that everything is listed, with their times. */
  readonly #listings = new Map<number, { readonly id: number; readonly at: string }[]>()
  readonly #report: (problem: string) => void

  constructor(report: (problem: string) => void) {
    this.#report = report
  }

  add(entry: StoredEntry): void {
    const { subject } = entry
    try {
      if (subject in this.#replayed) this.#fold(subject as SmallNoun, entry)
      if (subject === 'import') this.#list(entry)
      foldCredits(entry, {
        get: (id) => this.#get('user', id),
        put: (after) => void this.#replayed.user.set(after.id, after),
      })
    } catch (error) {
      this.#report(`entry ${entry.id}: ${message(error)}`)
    }
  }

  #fold<Noun extends SmallNoun>(noun: Noun, entry: StoredEntry): void {
    const key = keyOf(noun, entry)
    const states = this.#replayed[noun]
    states.set(key, foldSubject(noun, states.get(key), entry))
  }

  #get<Noun extends SmallNoun>(noun: Noun, key: KeyOf<Noun> | undefined): VouchedNouns[Noun] {
    const state = key === undefined ? undefined : this.#replayed[noun].get(key)
    if (state === undefined) throw new Error(`${noun} ${key} is not in the log`)
    return state
  }

  #list(entry: StoredEntry): void {
    const { sourceId } = this.#get('import', Number(entry.subjectId))
    const source = this.#get('source', sourceId)
    if (!isListing(entry)) return
    this.#replayed.source.set(sourceId, listedSource(source, entry))
    const listings = this.#listings.get(sourceId) ?? []
    listings.push({ id: entry.id, at: entry.at })
    this.#listings.set(sourceId, listings)
  }

  sourceAt(sourceId: number | undefined, entryId: number): SourceFacts {
    const { listedAt: _newest, ...source } = this.#get('source', sourceId)
    const listing = this.#listings.get(source.id)?.findLast(({ id }) => id < entryId)
    return { ...source, listedAt: listing?.at }
  }

  compare(stored: <Noun extends SmallNoun>(noun: Noun) => Iterable<VouchedNouns[Noun]>): void {
    for (const noun of ['user', 'source', 'area', 'import'] as const)
      this.#compareEach(noun, this.#replayed[noun], stored(noun))
  }

  #compareEach(
    kind: SmallNoun,
    replayed: ReadonlyMap<number | string, object>,
    stored: Iterable<{ readonly id: number | string }>,
  ): void {
    let count = 0
    for (const state of stored) {
      count++
      const expected = replayed.get(state.id)
      if (expected === undefined) this.#report(`${kind} ${state.id} is not in the log`)
      else {
        const names = differing(expected, state)
        if (names.length > 0) this.#report(`${kind} ${state.id} differs from the log in: ${names.join(', ')}`)
      }
    }
    if (count < replayed.size) this.#report(`the log has ${replayed.size} of ${kind}, ${count} are stored`)
  }
}
