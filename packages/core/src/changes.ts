import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { z } from 'zod'
import { anonymous, type Actor, userIdOf } from './decide/contributor.ts'
import { redactEntry } from './decide/redaction.ts'
import { revertEntry } from './decide/revert.ts'
import { scrubbed } from './erased.ts'
import { invalid, RegistryError, type Remains, required } from './errors.ts'
import { Action, loggedEntry, type Head, type LogEntry, type LoggedEntry } from './log/entry.ts'
import {
  consistencyProof,
  hasTile,
  inclusionProof,
  rootAt,
  type Tile,
  verifierText,
} from '@openfountain/tlog'
import type { LogProof } from './log/proof.ts'
import { logTile } from './log/tiles.ts'
import { verifyLog, type Verification } from './log/verification.ts'
import { pagesOf } from './paged.ts'
import { progressOf, type ProgressOptions } from './progress.ts'
import { mustModerate } from './reports.ts'
import { levelOf, limits, pages } from './rules.ts'
import { knownOptions, mustBeKnown, parse } from './schemas/parse.ts'
import { badgeOf, type PublicUser } from './schemas/user.ts'
import { paging } from './schemas/waypoint.ts'
import { Part } from './shared.ts'
import { mustNotBeAlongside } from './store/write-queue.ts'
import type { DescribedRow } from './store/answers.ts'
import { type HappenedEvent, isWatched, mayBeWatched, Watched } from './waypoint-events.ts'

export const LogQuery = paging(pages.logs).extend({
  bubblerId: z.int().positive().optional(),
  userId: z.string().max(limits.userId).optional(),
  action: Action.optional(),
  order: z.enum(['asc', 'desc']).default('desc'),
  after: z.int().min(0).default(0),
})
/** Which log entries a list returns, newest first unless `order` is `asc`; only ids greater than `after`. */
export type LogQuery = z.input<typeof LogQuery>

export const RecentQuery = paging(pages.recentLogs).omit({ offset: true })

/** A log entry with its user, who has no name after leaving, and its waypoint. */
export interface DescribedEntry extends LogEntry {
  readonly user: { readonly id: string; readonly name?: string; readonly level: number } & Pick<
    PublicUser,
    'badge'
  >
  readonly waypoint: {
    readonly id: number
    readonly name: string
    readonly nameIsMade?: true
    readonly latitude: number
    readonly longitude: number
  }
}

export interface RecentEntry extends LogEntry {
  /** Without a name for a person who has left. */
  readonly user: { readonly name?: string } & Pick<PublicUser, 'badge'>
  readonly waypoint: { readonly name: string; readonly nameIsMade?: true }
}

export interface Erasure {
  /** The entries that lost text, by id: the given one, and copies of it. */
  readonly entries: readonly number[]
  /** Places where the text remains until it disappears by itself; absent when there are none. A file has no remains. */
  readonly leftovers?: readonly Remains[]
}

const chunk = 1000

/** The log, one append-only sequence under a Merkle tree; `list`, `get` and `recent` return actions on waypoints alone. */
export class Changes extends Part {
  /** Actions on waypoints, newest first; limit is 50 by default and 100 at most. @throws RegistryError INVALID_INPUT */
  async list(
    query: LogQuery = {},
  ): Promise<{ logs: LogEntry[]; total: number; limit: number; offset: number }> {
    const given = parse(LogQuery, query)
    const { limit, offset } = given
    const { changes } = this.read
    const [logs, total] = await Promise.all([changes.list(given), changes.count(given)])
    return { logs, total, limit, offset }
  }

  /** One action with its user and waypoint; the waypoint may be a tombstone. @throws RegistryError NOT_FOUND */
  async get(id: number): Promise<DescribedEntry> {
    const found = required(await this.read.changes.get(id), 'log entry', id)
    const { entry, user, waypoint } = found
    const level = levelOf(user.xp, this.shared.rules.levels)
    return { ...entry, user: { id: user.id, ...named(user), level }, waypoint }
  }

  /** The newest actions with names; limit is 20 by default and 50 at most. @throws RegistryError INVALID_INPUT */
  async recent(query: { readonly limit?: number | undefined } = {}): Promise<RecentEntry[]> {
    const { limit } = parse(RecentQuery, query)
    const found = await this.read.changes.recent(limit)
    return found.map(({ entry, user, waypoint: { name, nameIsMade } }) => ({
      ...entry,
      user: named(user),
      waypoint: { name, ...(nameIsMade && { nameIsMade }) },
    }))
  }

  /**
   * The newest events of waypoints that match, at most 50 among the newest 5,000 entries; those of a user for them and
   * moderators.
   *
   * @throws RegistryError INVALID_INPUT, INVALID_COORDINATES, UNAUTHORIZED, FORBIDDEN
   */
  async events(watched: z.input<typeof Watched> = {}, actor: Actor = anonymous): Promise<HappenedEvent[]> {
    const given = parse(Watched, watched)
    const { userId } = given
    if (userId !== undefined && userIdOf(actor) !== userId) await mustModerate(this.shared, actor)
    const { entries, waypointEvents } = this.read
    const { events, searched, page } = pages.feeds
    const { id: newest } = await entries.head()
    const found: HappenedEvent[] = []
    const end = Math.max(0, newest - searched)
    for (let before = newest; before > end && found.length < events; before -= page) {
      const after = Math.max(end, before - page)
      const read = await entries.after(after, before - after)
      const happened = await waypointEvents.among(read.filter((entry) => mayBeWatched(given, entry)))
      found.push(...happened.filter((event) => isWatched(given, event)).toReversed())
      await yieldToEventLoop()
    }
    return found.slice(0, events)
  }

  /**
   * The newest entry's id and the root of the tree over all entries, or the first `size`. @throws RegistryError
   * INVALID_INPUT
   */
  async head(size?: number): Promise<Head> {
    const { entries } = this.read
    const head = await entries.head()
    if (size === undefined || size === head.id) return head
    mustBeSize('size', size, head.id)
    const [root, timestamp] = await Promise.all([rootAt(entries.tree, size), entries.timeOf(size)])
    return { id: size, hash: root, timestamp }
  }

  /** Which line of history this is: renewed when a backup without its newest entries is restored. Hexadecimal. */
  async origin(): Promise<string> {
    return this.read.entries.origin()
  }

  /**
   * The proof that an entry is among the first `size` (RFC 9162, 2.1.3), in hexadecimal. @throws RegistryError
   * NOT_FOUND, INVALID_INPUT
   */
  async inclusion(id: number, size?: number): Promise<{ leaf: string; head: Head; proof: string[] }> {
    const { entries } = this.read
    const head = await this.head(size)
    const entry = required(id <= head.id ? await entries.get(id) : undefined, 'log entry', id)
    const proof = await inclusionProof(entries.tree, id - 1, head.id)
    return { leaf: entry.leaf, head, proof }
  }

  /**
   * The proof that the first `size` continue the first `known` entries (RFC 9162, 2.1.4). @throws RegistryError
   * INVALID_INPUT
   */
  async consistency(known: number, size?: number): Promise<{ head: Head; proof: string[] }> {
    const head = await this.head(size)
    mustBeSize('known', known, head.id)
    const proof = await consistencyProof(this.read.entries.tree, known, head.id)
    return { head, proof }
  }

  /**
   * The checkpoint of the log, signed (C2SP tlog-checkpoint), with the name of the log and the keys that verify it.
   *
   * @param size an older number of entries. Default all, and of a log that is followed as far as it was signed
   * @throws RegistryError INVALID_INPUT; NOT_FOUND without a key, or with one of the history before a backup was restored
   */
  async checkpoint(size?: number) {
    const signer = await this.shared.signer?.()
    if (signer === undefined)
      throw new RegistryError('NOT_FOUND', 'The log has no key: it is signed by one that its operator makes')
    const { origin, history, keys } = signer
    if (history !== undefined && history !== (await this.origin()))
      throw new RegistryError(
        'NOT_FOUND',
        `The key of ${origin} signs the history before a backup was restored: make a key with another name`,
      )
    const { id } = await this.head()
    const head = await this.head(size ?? Math.min(id, signer.size ?? id))
    const note = await signer.checkpoint({ size: head.id, root: head.hash })
    if (note === undefined)
      throw new RegistryError(
        'NOT_FOUND',
        `The copy is not that of the last checkpoint of ${origin}: mirror it again`,
      )
    return { origin, keys: keys.map(verifierText), head, note, isFollowed: signer.size !== undefined }
  }

  /** Entries with what proves them offline, by the newest checkpoint. @throws RegistryError NOT_FOUND, also without a key */
  async prove(ids: readonly number[]): Promise<z.input<typeof LogProof>> {
    const { note, head } = await this.checkpoint()
    const entries = []
    for (const id of ids) {
      const { proof } = await this.inclusion(id, head.id)
      const [entry] = await this.entries(id - 1, 1)
      entries.push({ ...required(entry, 'log entry', id), proof })
    }
    return { format: 'openfountain-proof/1', checkpoint: note, entries }
  }

  /** The same of all entries about a waypoint: its own, and those of its reviews, observations, photos and records. */
  async proveWaypoint(id: number): Promise<z.input<typeof LogProof>> {
    const ids = await this.read.entries.aboutWaypoint(id)
    required(ids[0], 'waypoint', id)
    return this.prove(ids)
  }

  /** The keys that verify checkpoints, as C2SP signed-note writes them; undefined when there are none. */
  async keys(): Promise<string[] | undefined> {
    return (await this.shared.signer?.())?.keys.map(verifierText)
  }

  /** The bytes of a tile of the log (C2SP tlog-tiles). @throws RegistryError NOT_FOUND for one that there is not yet */
  async tile(tile: Tile): Promise<Uint8Array> {
    const { entries } = this.read
    if (!hasTile((await entries.head()).id, tile))
      throw new RegistryError('NOT_FOUND', 'The log has no such tile')
    return logTile(entries, tile)
  }

  /** Entries of all kinds after an id, oldest first, up to `limit`, 1,000 at most. @throws RegistryError INVALID_INPUT */
  async entries(after: number, limit: number = chunk): Promise<LoggedEntry[]> {
    if (!Number.isSafeInteger(after) || after < 0)
      throw invalid('after', 'must be a whole number of at least 0')
    if (!Number.isSafeInteger(limit) || limit < 1 || limit > chunk)
      throw invalid('limit', `must be 1 to ${chunk}`)
    return (await this.read.entries.after(after, limit)).map(loggedEntry)
  }

  /**
   * Every entry after an id, oldest first, up to the newest when the last page is read.
   *
   * @example
   * for await (const entry of registry.changes.since(0)) console.log(entry.id, entry.subject, entry.action)
   */
  async *since(after: number): AsyncGenerator<LoggedEntry> {
    for await (const page of pagesOf<LoggedEntry>(chunk, (last) => this.entries(last?.id ?? after))) {
      yield* page
      await yieldToEventLoop()
    }
  }

  /**
   * Verifies the log on a snapshot: every entry's commitments and leaf, the tree, that replaying it gives exactly the
   * stored nouns, and that the database has its protecting triggers.
   *
   * @param options `onProgress` counts entries, each of them twice
   */
  async verify(options: ProgressOptions = {}): Promise<Verification> {
    const onProgress = progressOf(options)
    const snapshot = await this.store.snapshot()
    try {
      const problems = (await this.store.schemaProblems()).map((problem) => `the database ${problem}`)
      const verification = await verifyLog(snapshot, onProgress)
      if (problems.length === 0) return verification
      return { ...verification, ok: false, problems: [...problems, ...verification.problems] }
    } finally {
      snapshot.close()
    }
  }

  /**
   * Removes text of an entry permanently, as the law may require, and of all entries about the same subject that have
   * the same value. For operators. The redaction is an entry of its own, and everything else can still be proven; text
   * in force is first cleared by an `edited` entry. The database's file has no trace of it.
   *
   * @param options `fields` are by default all with text; the position of a waypoint can be removed once it is deleted
   * @throws RegistryError NOT_FOUND, INVALID_INPUT for nothing to remove or no reason, STORAGE_NOT_ERASED `{ leftovers
   * }`
   */
  async redact(
    id: number,
    options: { readonly reason: string; readonly fields?: readonly string[] | undefined },
  ): Promise<Erasure> {
    mustBeKnown(options, ['reason', 'fields'])
    const { entries } = await this.store.write({ decide: () => redactEntry({ id, ...options }) })
    this.shared.report('text.redacted', { entries })
    const leftovers = await this.scrub()
    return { entries, ...(leftovers.length > 0 && { leftovers }) }
  }

  /**
   * Removes `fields` of several entries as `redact` does, and then every trace. @throws RegistryError; earlier removals
   * stay
   */
  async redactAll(
    texts: readonly { readonly id: number; readonly fields: readonly string[] }[],
    options: { readonly reason: string },
  ): Promise<Erasure> {
    mustNotBeAlongside()
    const { reason } = knownOptions(options, ['reason'])
    const redacted = new Set<number>()
    const leftovers: Remains[] = []
    try {
      for (const { id, fields } of texts) {
        const [now] = await this.entries(id - 1, 1)
        const left = fields.filter((name) => now?.fields[name] !== undefined)
        if (left.length === 0) continue
        const { entries } = await this.store.write({
          decide: () => redactEntry({ id, reason, fields: left }),
        })
        this.shared.report('text.redacted', { entries })
        for (const each of entries) redacted.add(each)
      }
    } finally {
      if (redacted.size > 0) leftovers.push(...(await this.scrub()))
    }
    const entries = [...redacted].toSorted((a, b) => a - b)
    return { entries, ...(leftovers.length > 0 && { leftovers }) }
  }

  /**
   * Removes every trace of redacted text from the database's file, and lists the redactions beside it for backups. Run
   * it again after a redaction failed.
   *
   * @returns places where traces remain until a database server overwrites them; none for a file
   * @throws RegistryError STORAGE_NOT_ERASED `{ leftovers: [{ place, remedy }] }`
   */
  async scrub(): Promise<NonNullable<Erasure['leftovers']>> {
    return scrubbed(this.shared)
  }

  /**
   * Undoes one action on a waypoint or a review by new entries; its XP is taken back. For moderators and API tokens.
   *
   * @returns their ids
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND, INVALID_INPUT, CONFLICT `{ fields }` that changed since
   */
  async revert(id: number, options: { readonly reason: string }, actor: Actor): Promise<readonly number[]> {
    mustBeKnown(options, ['reason'])
    return this.shared.contribute(actor, (occasion) => revertEntry(occasion, id, options))
  }
}

function mustBeSize(name: string, size: number, most: number): void {
  if (!Number.isSafeInteger(size) || size < 0 || size > most)
    throw invalid(name, `must be a whole number from 0 to ${most}, the number of entries`)
}

/** The public form of a user; a person who has left has no name. */
const named = ({ name, isModerator }: DescribedRow['user']) => ({
  ...(name !== '' && { name }),
  ...badgeOf({ isModerator }),
})
