import { z } from 'zod'
import { apiUserId } from './actor.ts'
import { Action, type Head, type LogEntry, type SealedEntry } from './log/entry.ts'
import type { Writer, Transaction } from './writer.ts'
import { redactedFields, restate } from './decide/redaction.ts'
import { invalid, notFound } from './errors.ts'
import { paging } from './schemas/filter.ts'
import { parse } from './schemas/parse.ts'
import { levelOf, limits, pages } from './rules.ts'
import { changeReads, type ChangeReads } from './store/sqlite/nouns/changes.ts'
import { redactions } from './store/sqlite/nouns/redactions.ts'
import { verifyLog, type Verification } from './log/verification.ts'
import { yieldToEventLoop } from './event-loop.ts'

export const LogQuery = paging(pages.logs).extend({
  bubblerId: z.int().positive().optional(),
  userId: z.string().max(limits.userId).optional(),
  action: Action.optional(),
  order: z.enum(['asc', 'desc']).default('desc'),
  after: z.int().min(0).default(0),
})
/** Which log entries a list answers, newest first unless `order` is `asc`; only ids greater than `after`. */
export type LogQuery = z.input<typeof LogQuery>

const RecentQuery = paging(pages.recentLogs).omit({ offset: true })

/** A log entry with who did it and to what. */
export interface DescribedEntry extends LogEntry {
  readonly user: { readonly id: string; readonly name: string; readonly level: number }
  readonly waypoint: {
    readonly id: number
    readonly name: string
    readonly latitude: number
    readonly longitude: number
  }
}

/** A log entry as the recent feed tells it. */
export interface RecentEntry extends LogEntry {
  readonly user: { readonly name: string }
  readonly waypoint: { readonly name: string }
}

const chunk = 1000

/** The change log: every action on every waypoint, chained by hashes, appended to and never rewritten. */
export class Changes {
  readonly #writer: Writer
  readonly #reads: ChangeReads

  /** @internal Made by the registry. */
  constructor(writer: Writer) {
    this.#writer = writer
    this.#reads = changeReads(writer.statements)
  }

  /**
   * A page of the log, newest first; limit is 50 by default and 100 at most.
   *
   * @throws RegistryError INVALID_INPUT
   */
  async list(
    query: LogQuery = {},
  ): Promise<{ logs: LogEntry[]; total: number; limit: number; offset: number }> {
    const given = parse(LogQuery, query)
    const { limit, offset } = given
    return { logs: this.#reads.list(given), total: this.#reads.count(given), limit, offset }
  }

  /**
   * Whether `list` looks at a bounded number of entries, a thousand or so many as it answers, which takes a few
   * milliseconds at any size of the log. A server answers other queries beside the thread that serves.
   *
   * @throws RegistryError INVALID_INPUT
   */
  isBounded(query: LogQuery = {}): boolean {
    return this.#reads.isBounded(parse(LogQuery, query))
  }

  /** One entry with its user and waypoint, tombstones included. @throws RegistryError NOT_FOUND */
  async get(id: number): Promise<DescribedEntry> {
    const found = this.#reads.get(id)
    if (found === undefined) throw notFound('log entry', id)
    const { entry, user, waypoint } = found
    const { xp, ...who } = user
    return { ...entry, user: { ...who, level: levelOf(xp, this.#writer.rules.levels) }, waypoint }
  }

  /** The newest entries with names; limit is 20 by default and 50 at most. @throws RegistryError INVALID_INPUT */
  async recent(query: { readonly limit?: number | undefined } = {}): Promise<RecentEntry[]> {
    const { limit } = parse(RecentQuery, query)
    return this.#reads.recent(limit).map(({ entry, user, waypoint }) => ({
      ...entry,
      user: { name: user.name },
      waypoint: { name: waypoint.name },
    }))
  }

  /** The newest entry's id and hash; id 0 and a hash of zeros for an empty log. */
  head(): Head {
    return this.#reads.head()
  }

  /**
   * Entries after an id with their seals, oldest first, up to `limit` (a thousand at most).
   *
   * @throws RegistryError INVALID_INPUT
   */
  async sealed(after: number, limit: number = chunk): Promise<SealedEntry[]> {
    if (!Number.isSafeInteger(after) || after < 0)
      throw invalid('after', 'must be a whole number of at least 0')
    if (!Number.isSafeInteger(limit) || limit < 1 || limit > chunk)
      throw invalid('limit', `must be 1 to ${chunk}`)
    return this.#reads.sealed(after, limit)
  }

  /**
   * Every entry after an id with its seal, oldest first, up to the newest at the time of reading.
   *
   * @example
   * for await (const change of registry.changes.since(0)) console.log(change.id, change.action)
   */
  async *since(after: number): AsyncGenerator<SealedEntry> {
    for (let from = after; ;) {
      const entries = await this.sealed(from)
      yield* entries
      const last = entries.at(-1)
      if (last === undefined || entries.length < chunk) return
      from = last.id
      await yieldToEventLoop()
    }
  }

  /**
   * Proves the log on a view of this moment: every hash follows from the one before, replaying the log gives
   * exactly the waypoints, and every user's XP is the sum of the ledger.
   */
  async verify(onProgress?: (done: number, total: number) => void): Promise<Verification> {
    const snapshot = this.#writer.connection.snapshot()
    try {
      return await verifyLog(snapshot, onProgress)
    } finally {
      snapshot.close()
    }
  }

  /**
   * Removes the text of an entry for good, as the law may ask: an administrator's act, visible in the entry and
   * in the log. The chain still verifies. A text that is still in force is first cleared from the waypoint by
   * an ordinary `edited` entry.
   *
   * @param fields which fields of the entry lose their text; all its text fields when absent
   * @throws RegistryError NOT_FOUND, INVALID_INPUT when there is nothing to remove or no reason
   */
  async redact(
    id: number,
    options: { readonly reason: string; readonly fields?: readonly string[] },
  ): Promise<LogEntry> {
    const reason = options.reason.trim()
    if (reason === '' || reason.length > limits.description)
      throw invalid('reason', 'must say why, in 1 to 2000 characters')
    this.#writer.connection.withoutTrace(() =>
      this.#writer.transact((transaction) => this.#remove(id, reason, options.fields, transaction)),
    )
    const { user: _user, waypoint: _waypoint, ...redacted } = await this.get(id)
    return redacted
  }

  #remove(id: number, reason: string, asked: readonly string[] | undefined, transaction: Transaction): void {
    const { load, write, counters, at } = transaction
    const found = this.#reads.get(id)
    if (found === undefined) throw notFound('log entry', id)
    const { entry } = found
    const fields = redactedFields(entry, asked)
    const texts = redactions(this.#writer.statements)
    const waypoint = load.waypoint(entry.bubblerId)
    const later = texts.laterFields(entry)
    if (waypoint) write.apply(restate(waypoint, fields, later, { userId: apiUserId, at }), counters)
    texts.remove(entry, fields, reason, at)
    write.search.purge(
      fields.map((field) => String(entry.changes[field])),
      counters,
    )
  }
}
