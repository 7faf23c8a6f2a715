import { forgetPerson, mirrorEntry } from './decide/mirrored.ts'
import { rightsAsBefore, xpBeyondRules, type RightsNotTaken } from './decide/tail-rights.ts'
import { broken, invalid } from './errors.ts'
import { LoggedEntry, type GivenEntry, type Head, type StoredEntry } from './log/entry.ts'
import { isConsistent } from './log/tree.ts'
import { MirrorPreview } from './mirror-preview.ts'
import { pagesOf } from './paged.ts'
import { limits } from './rules.ts'
import { parseForeign } from './schemas/parse.ts'
import { text } from './schemas/text.ts'
import type { Shared } from './shared.ts'
import type { Store } from './store/port.ts'
import { openSqlite } from './store/sqlite/store.ts'

/** A person who joins in a mirrored log, with the name, which the log does not have. */
export interface MirroredPerson {
  readonly id: string
  readonly name: string
}

const Name = text({ min: 1, max: limits.userName, trim: true })

/** Entries that one transaction takes over at most. */
const most = 500

/** Follows the log of another registry, as long as it continues the log here. */
export class Mirror {
  readonly #shared: Shared
  readonly #store: Store

  /** @internal Created by the registry. */
  constructor(shared: Shared) {
    this.#shared = shared
    this.#store = shared.store
  }

  /**
   * Appends entries of another registry and folds them, in one transaction. Every entry must follow the one before it,
   * its commitments and its leaf must be right, and a local write could have made it.
   *
   * @param entries at most 500
   * @param people the names of people who join in these entries; a person without one has left there
   * @returns the new head
   * @throws RegistryError CHAIN_BROKEN `{ id }` with the first entry that does not fit, INVALID_INPUT when an entry is
   * malformed. Nothing is taken over then
   */
  async follow(entries: readonly unknown[], people: readonly MirroredPerson[] = []): Promise<Head> {
    if (entries.length > most) throw invalid('entries', `must have at most ${most} entries`)
    const given = entries.map((entry) => parseForeign(LoggedEntry, entry))
    const names = new Map(people.map(({ id, name }) => [id, parseForeign(Name, name)]))
    const now = this.#store.now().toISOString()
    const outcomes = await this.#store.writeBatch(
      given.map((entry) => ({ decide: () => mirrorEntry(entry, names, now) })),
    )
    for (const outcome of outcomes) if (!outcome.ok) throw outcome.error
    return this.#store.read.entries.head()
  }

  /** Checks entries before any of them is taken over, as far as it does not depend on how things stand by then. */
  async preview(): Promise<MirrorPreview> {
    const { entries, waypoints } = this.#store.read
    const [state, holes] = [await entries.state(), await entries.openHoles()]
    const isDeletedHere = async (id: number): Promise<boolean> =>
      id <= state.last.waypoint && (await waypoints.get(id)) === undefined
    return new MirrorPreview(state, holes, this.#store.now(), isDeletedHere)
  }

  /**
   * Tries whether pages of entries can be taken over, on a copy of the registry.
   *
   * @param file where the copy is written, which is not removed; only its owner may read it
   * @param pages entries in the order of the log, at most 500 in each page
   * @throws the same as `follow`
   */
  async rehearse(file: string, pages: AsyncIterable<readonly unknown[]>): Promise<void> {
    await this.#store.backup(
      file,
      async () => {},
      () => {},
    )
    const copy = await openSqlite(file, { durability: 'relaxed', clock: () => this.#store.now() })
    try {
      const mirror = new Mirror({ ...this.#shared, store: copy })
      for await (const page of pages) await mirror.follow(page)
    } finally {
      await copy.close()
    }
  }

  /**
   * Removes the names of people who have left there. `changes.scrub` removes every trace of them from the file.
   *
   * @returns how many had one
   */
  async forget(ids: readonly string[]): Promise<number> {
    let forgotten = 0
    for (let from = 0; from < ids.length; from += most) {
      const page = ids.slice(from, from + most)
      const jobs = page.map((id) => ({ decide: (at: string) => forgetPerson(id, at) }))
      for (const outcome of await this.#store.writeBatch(jobs, { acceptClock: true })) {
        if (!outcome.ok) throw outcome.error
        if (outcome.answer) forgotten++
      }
    }
    return forgotten
  }

  /**
   * Takes back the rights given by entries after an id: nobody becomes a moderator through them, blocks are as before,
   * and XP follows from the rules for contributions. The entries for it are acts of the operator.
   */
  async takeRightsBack(after: number): Promise<RightsNotTaken> {
    const affected = new Map<string, number>()
    const { entries } = this.#store.read
    for await (const page of pagesOf<StoredEntry>(most, (last) => entries.after(last?.id ?? after, most)))
      for (const entry of page) {
        const granted = xpBeyondRules(entry, this.#shared.rules)
        const ids = entry.subject === 'user' ? [[String(entry.subjectId), 0] as const] : []
        for (const [id, xp] of [...ids, ...granted]) affected.set(id, (affected.get(id) ?? 0) + xp)
      }
    const [moderators, blocks]: [string[], string[]] = [[], []]
    for (const [id, xp] of affected) {
      const answer = await this.#store.write({ decide: () => rightsAsBefore(id, after, xp) })
      if (answer.moderator) moderators.push(id)
      if (answer.block) blocks.push(id)
    }
    const xp = [...affected].filter(([, sum]) => sum !== 0).map(([userId, sum]) => ({ userId, xp: sum }))
    return { moderators, blocks, xp }
  }

  /** The ids of people who join in these entries. `follow` needs their names. */
  newPeople(entries: readonly GivenEntry[]): string[] {
    return entries
      .filter(({ subject, action }) => subject === 'user' && action === 'created')
      .map(({ subjectId }) => String(subjectId))
  }

  /**
   * Checks that another registry's log continues the one here.
   *
   * @param proof the proof of consistency from the number of entries here, as `changes.consistency` makes it
   * @throws RegistryError CHAIN_BROKEN `{ id }` with the newest entry here
   */
  async mustContinue(there: Head, proof: readonly string[]): Promise<void> {
    const here = await this.#store.read.entries.head()
    const known = { size: here.id, root: here.hash }
    const tree = { size: there.id, root: there.hash }
    if (isConsistent(known, tree, proof)) return
    throw broken(here.id, 'the log there does not contain the log here')
  }
}
