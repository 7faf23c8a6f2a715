import { forgetPerson, mirrorEntry, mustBeWellMade } from './decide/mirrored.ts'
import { creditAs } from './decide/photo.ts'
import { rightsAsBefore, xpBeyondRules, type RightsNotTaken } from './decide/tail-rights.ts'
import { broken, invalid, RegistryError } from './errors.ts'
import { photoTexts } from './fields/photo.ts'
import { reviewTexts } from './fields/review.ts'
import { isOfPosition } from './fields/waypoint.ts'
import {
  LoggedEntry,
  type GivenEntry,
  type Head,
  type StoredEntry,
  entryFields,
  type Entry,
  type Subject,
} from './log/entry.ts'
import { digestOf, leafData, longestLeaf } from './log/leaf.ts'
import { namesOf } from './log/fold.ts'
import { answerOf, type LogState } from './log/script.ts'
import { Frontier, leafHash } from '@openfountain/tlog/frontier'
import { pagesOf } from './paged.ts'
import { shownPhoto } from './photos.ts'
import { limits } from './rules.ts'
import { parseForeign } from './schemas/parse.ts'
import { text } from './schemas/text.ts'
import { Part } from './shared.ts'
import type { OpenHole } from './store/answers.ts'
import { openSqlite } from './store/sqlite/store.ts'

export interface MirroredPerson {
  readonly id: string
  readonly name: string
}

const Name = text({ min: 1, max: limits.userName, trim: true })

/** Entries that one transaction takes over at most. */
const most = 500

/** Follows the log of another registry, as long as it continues the log here. */
export class Mirror extends Part {
  /**
   * Appends entries of another registry and folds them, in one transaction. Every entry must follow the one before it,
   * with right commitments and leaf, and a local write could have made it.
   *
   * @param entries at most 500
   * @param people the names of people who join in these entries; a person without one has left there
   * @throws RegistryError CHAIN_BROKEN `{ id }` with the first entry that does not fit, INVALID_INPUT for a malformed
   * one
   */
  async follow(entries: readonly unknown[], people: readonly MirroredPerson[] = []): Promise<Head> {
    if (entries.length > most) throw invalid('entries', `must have at most ${most} entries`)
    const given = entries.map((entry) => parseForeign(LoggedEntry, entry))
    const names = new Map(people.map(({ id, name }) => [id, parseForeign(Name, name)]))
    const now = this.store.now().toISOString()
    const outcomes = await this.store.writeBatch(
      given.map((entry) => ({ decide: () => mirrorEntry(entry, names, now) })),
    )
    for (const outcome of outcomes) answerOf(outcome)
    return this.read.entries.head()
  }

  /** Checks entries before any of them is taken over, as far as it does not depend on how things stand by then. */
  async preview(): Promise<MirrorPreview> {
    const { entries, waypoints } = this.read
    const [state, holes] = [await entries.state(), await entries.openHoles()]
    const isDeletedHere = async (id: number): Promise<boolean> =>
      id <= state.last.waypoint && (await waypoints.get(id)) === undefined
    return new MirrorPreview(state, holes, this.store.now(), isDeletedHere)
  }

  /** Tries pages of entries, of at most 500, on a copy of the registry, which stays. @throws the same as `follow` */
  async rehearse(file: string, pages: AsyncIterable<readonly unknown[]>): Promise<void> {
    await this.store.backup(
      file,
      async () => {},
      () => {},
    )
    const copy = await openSqlite(file, { durability: 'relaxed', clock: () => this.store.now() })
    try {
      const mirror = new Mirror({ ...this.shared, store: copy })
      for await (const page of pages) await mirror.follow(page)
    } finally {
      await copy.close()
    }
  }

  /** Takes over the names under photos. @returns how many were replaced: `changes.scrub` removes every trace of them */
  async credit(authors: readonly { readonly id: number; readonly author: string }[]): Promise<number> {
    const known = this.read.photos
    let replaced = 0
    for (const { id, author: given } of authors) {
      const credit = parseForeign(Name, given)
      const photo = await known.get(id)
      if (photo === undefined || (await shownPhoto(this.shared, photo)).author === credit) continue
      await this.store.write({ decide: () => creditAs({ id, credit }) })
      if (photo.credit !== undefined) replaced++
    }
    return replaced
  }

  /** Removes the names of people who have left there. @returns how many: `changes.scrub` removes every trace of them */
  async forget(ids: readonly string[]): Promise<number> {
    let forgotten = 0
    for (let from = 0; from < ids.length; from += most) {
      const page = ids.slice(from, from + most)
      const jobs = page.map((id) => ({ decide: (at: string) => forgetPerson(id, at) }))
      for (const outcome of await this.store.writeBatch(jobs, { acceptClock: true }))
        if (answerOf(outcome)) forgotten++
    }
    return forgotten
  }

  /**
   * Takes back the rights given by entries after an id: moderators, keepers and blocks are as before, and XP follows
   * from the rules. The entries for it are acts of the operator.
   */
  async takeRightsBack(after: number): Promise<RightsNotTaken> {
    const affected = new Map<string, number>()
    const { entries } = this.read
    for await (const page of pagesOf<StoredEntry>(most, (last) => entries.after(last?.id ?? after, most)))
      for (const entry of page) {
        const granted = xpBeyondRules(entry, this.shared.rules)
        const ids = entry.subject === 'user' ? [[String(entry.subjectId), 0] as const] : []
        for (const [id, xp] of [...ids, ...granted]) affected.set(id, (affected.get(id) ?? 0) + xp)
      }
    const [moderators, keepers, blocks]: [string[], string[], string[]] = [[], [], []]
    for (const [id, xp] of affected) {
      const answer = await this.store.write({ decide: () => rightsAsBefore(id, after, xp) })
      if (answer.moderator) moderators.push(id)
      if (answer.keeper) keepers.push(id)
      if (answer.block) blocks.push(id)
    }
    const xp = [...affected].filter(([, sum]) => sum !== 0).map(([userId, sum]) => ({ userId, xp: sum }))
    return { moderators, keepers, blocks, xp }
  }

  /** The ids of people who join in these entries. `follow` needs their names. */
  newPeople(entries: readonly GivenEntry[]): string[] {
    return entries
      .filter(({ subject, action }) => subject === 'user' && action === 'created')
      .map(({ subjectId }) => String(subjectId))
  }
}

const place = (subject: Subject, subjectId: number | string, field: string): string =>
  `${subject} ${subjectId} ${field}`

/** Whether the text of a field is in the state of its subject until a later entry replaces it. */
function isKept(subject: Subject, field: string): boolean {
  return ['waypoint', 'review', 'photo', 'area'].includes(subject) && !entryFields.has(field)
}

/** Checks the entries of another registry before any is taken over, but for what depends on the state before an entry. */
export class MirrorPreview {
  readonly #now: number
  readonly #isDeletedHere: (waypointId: number) => Promise<boolean>
  readonly #frontier: Frontier
  #at: string
  /** Which waypoints are deleted, among those that these entries delete or restore. */
  readonly #deleted = new Map<number, boolean>()
  readonly #open = new Map<number, Set<string>>()
  /** The newest entries that lost texts which no later entry replaced. */
  readonly #inForce = new Map<string, { readonly id: number; readonly field: string }>()

  /** @internal Created by `registry.mirror.preview()`. */
  constructor(
    state: Omit<LogState, 'totals'>,
    holes: readonly OpenHole[],
    now: Date,
    isDeletedHere: (waypointId: number) => Promise<boolean>,
  ) {
    this.#now = now.getTime()
    this.#isDeletedHere = isDeletedHere
    this.#frontier = new Frontier(state.size, state.peaks)
    this.#at = state.headAt ?? ''
    for (const { id, subject, subjectId, field, isLast } of holes) {
      this.#lose({ id, subject, subjectId }, field)
      if (!isLast) this.#inForce.delete(place(subject, subjectId, field))
    }
  }

  /** The head of the entries here and the added ones. */
  get head(): Head {
    return { id: this.#frontier.size, hash: this.#frontier.root() }
  }

  /** Whether something is missing that no redaction names so far. */
  get isOpen(): boolean {
    return this.#open.size > 0
  }

  /** Checks the next entry. @throws RegistryError CHAIN_BROKEN `{ id }` */
  add(given: unknown): GivenEntry {
    const entry = wellFormed(given, this.#frontier.size + 1)
    const { id, at, fields, seed, salts, commitments } = entry
    mustBeWellMade(entry, { next: this.#frontier.size + 1, now: this.#now })
    if (at < this.#at) throw broken(id, 'it is older than the entry before it')
    const hole = salts && commitments && { salts, commitments }
    const data = leafData(entry as Entry, digestOf({ fields, seed, hole }))
    if (Buffer.byteLength(data) > longestLeaf) throw broken(id, `it needs more than ${longestLeaf} bytes`)
    this.#frontier.append(leafHash(data))
    this.#at = at
    this.#note(entry)
    return entry
  }

  /** All entries lead to the head, and lost fields were redacted and are not in force. @throws RegistryError CHAIN_BROKEN */
  async end(head: Head): Promise<void> {
    const { id: size, hash } = this.head
    if (size !== head.id || hash !== head.hash)
      throw broken(head.id, `the entries lead to ${size}:${hash}, not to the head ${head.id}:${head.hash}`)
    for (const [id, fields] of this.#open)
      throw broken(id, `it has no ${[...fields].join(', ')}, and no later entry redacts it`)
    for (const [where, { id, field }] of this.#inForce) {
      const isGone = isOfPosition(field) && (await this.#isDeleted(Number(where.split(' ')[1])))
      if (!isGone) throw broken(id, `its ${field} was redacted while it is still in force`)
    }
  }

  async #isDeleted(waypointId: number): Promise<boolean> {
    return this.#deleted.get(waypointId) ?? this.#isDeletedHere(waypointId)
  }

  #note(entry: GivenEntry): void {
    const { subject, subjectId, action, fields, commitments = {}, links } = entry
    if (subject === 'entry') this.#cover(Number(subjectId), namesOf(entry as Entry))
    if (this.#inForce.size > 0)
      for (const name of Object.keys(fields)) this.#inForce.delete(place(subject, subjectId, name))
    for (const name of Object.keys(commitments)) this.#lose(entry, name)
    if ((subject === 'review' || subject === 'photo') && action === 'deleted')
      for (const name of [...reviewTexts, ...photoTexts])
        this.#inForce.delete(place(subject, subjectId, name))
    const isRestored = action === 'created' && links.restores !== undefined
    if (subject === 'waypoint' && (action === 'deleted' || isRestored))
      this.#deleted.set(Number(subjectId), !isRestored)
  }

  #cover(target: number, names: readonly string[]): void {
    const open = this.#open.get(target)
    if (open === undefined) return
    for (const name of names) open.delete(name)
    if (open.size === 0) this.#open.delete(target)
  }

  #lose({ id, subject, subjectId }: Pick<GivenEntry, 'id' | 'subject' | 'subjectId'>, field: string): void {
    const open = this.#open.get(id) ?? new Set()
    this.#open.set(id, open.add(field))
    if (isKept(subject, field)) this.#inForce.set(place(subject, subjectId, field), { id, field })
  }
}

/** @throws RegistryError CHAIN_BROKEN `{ id }` */
function wellFormed(given: unknown, next: number): GivenEntry {
  try {
    return parseForeign(LoggedEntry, given)
  } catch (error) {
    if (error instanceof RegistryError) throw broken(next, error.message)
    throw error
  }
}
