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
/** Which log entries a list returns, newest first unless `order` is `asc`; only ids greater than `after`. */
export type LogQuery = z.input<typeof LogQuery>

const RecentQuery = paging(pages.recentLogs).omit({ offset: true })

/** A log entry with its user and its waypoint. */
export interface DescribedEntry extends LogEntry {
  readonly user: { readonly id: string; readonly name: string; readonly level: number }
  readonly waypoint: {
    readonly id: number
    readonly name: string
    readonly latitude: number
    readonly longitude: number
  }
}

/** A log entry of the recent feed. */
export interface RecentEntry extends LogEntry {
  readonly user: { readonly name: string }
  readonly waypoint: { readonly name: string }
}

const chunk = 1000

/** The change log: every action on every waypoint, chained by hashes and append-only. */
export class Changes {
  readonly #writer: Writer
  readonly #reads: ChangeReads

  /** @internal Created by the registry. */
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
   * Whether `list` reads a bounded number of entries: at most a thousand, or as many as it returns. A server runs
   * other queries on another thread than the one that serves requests.
   *
   * @throws RegistryError INVALID_INPUT
   */
  isBounded(query: LogQuery = {}): boolean {
    return this.#reads.isBounded(parse(LogQuery, query))
  }

  /** One entry with its user and waypoint; the waypoint may be a tombstone. @throws RegistryError NOT_FOUND */
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
   * Every entry after an id with its seal, oldest first, up to the newest when the last page is read.
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
   * Verifies the log on a snapshot: every hash follows from the previous one, replaying the log gives exactly the
   * stored waypoints, and every user's XP is the sum of the ledger.
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
   * Removes the text of an entry permanently, as the law may require. Only administrators may do this, and the
   * redaction is visible in the entry. The chain still verifies. Text that the waypoint still has is first cleared
   * by an ordinary `edited` entry.
   *
   * @param fields the fields of the entry whose text is removed. Default all its text fields
   * @throws RegistryError NOT_FOUND, INVALID_INPUT when there is nothing to remove or no reason
   */
  async redact(
    id: number,
    options: { readonly reason: string; readonly fields?: readonly string[] },
  ): Promise<LogEntry> {
    const reason = options.reason.trim()
    if (reason === '' || reason.length > limits.description)
      throw invalid('reason', 'must have 1 to 2000 characters')
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
    texts.remove(entry, fields, joined(entry.redacted?.reason, reason), at)
    write.search.purge(
      fields.map((field) => String(entry.changes[field])),
      counters,
    )
  }
}

/** The reasons of an entry that is redacted again, each once. */
function joined(before: string | undefined, reason: string): string {
  return before === undefined || before === reason ? reason : `${before}; ${reason}`
}
