import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { Actor, Occasion } from './decide/contributor.ts'
import type { Decided } from './decide/deciding.ts'
import * as decisions from './decide/report.ts'
import { scrubbed } from './erased.ts'
import { reportErasureOf } from './erasures.ts'
import { required } from './errors.ts'
import type { StoredReport } from './log/nouns.ts'
import { hashesFor } from './pseudonyms.ts'
import { pages } from './rules.ts'
import { knownOptions, parse } from './schemas/parse.ts'
import {
  ReportState,
  type KeptReport,
  type Report,
  type ReportDecision,
  type ReportInput,
  type NamedUser,
} from './schemas/report.ts'
import { pagingById } from './schemas/waypoint.ts'
import { Part, type Shared } from './shared.ts'
import type { Reads } from './store/reads.ts'

export const ReportsQuery = pagingById(pages.queue).extend({ state: ReportState.default('open') })

/** Somebody by id, and by name unless they have left. @internal */
export async function namedUser({ users }: Pick<Reads, 'users'>, id: string): Promise<NamedUser> {
  const name = (await users.get(id))?.name ?? ''
  return name === '' ? { id } : { id, name }
}

/** A report as its reader may see it: who made it is for moderators alone. @internal */
export async function reportFor(
  actor: Actor,
  read: Pick<Reads, 'users'>,
  kept: StoredReport,
): Promise<Report> {
  const { id: _id, number = 0, by: userId, network: _network, erasedAt: _erasedAt, ...report } = kept
  const by = userId === undefined || actor.kind === 'token' ? undefined : await namedUser(read, userId)
  return { ...report, id: number, ...(by && { by }) }
}

/** @internal @throws RegistryError UNAUTHORIZED, FORBIDDEN for everybody but moderators and API tokens */
export async function mustModerate(shared: Shared, actor: Actor): Promise<void> {
  await shared.contribute(actor, decisions.mayModerate, { dryRun: true })
}

/** Reports to the moderators about waypoints, reviews, photos and people. Not in the log, and in no export. */
export class Reports extends Part {
  /**
   * Reports a waypoint, a review, a photo or a person. A repetition, while the report is open, replaces its reason and
   * comment. Enough reports hide a photo.
   *
   * @param options `network` is that of a passer-by, such as `192.0.2.0/24`, of which a keyed hash is kept until the end
   * of the day. Default: signed-in people only
   * @returns the id
   * @throws RegistryError UNAUTHORIZED, also for API tokens, FORBIDDEN, INVALID_INPUT, RATE_LIMITED `{ limit,
   * windowSeconds, retryAfterSeconds }`
   */
  async create(
    input: ReportInput,
    actor: Actor,
    options: { readonly network?: string | undefined } = {},
  ): Promise<number> {
    const { network } = knownOptions(options, ['network'])
    const hashOf = network === undefined ? undefined : await hashesFor('report', this.store)
    const newId = randomUUID()
    const id = await this.shared.contribute(actor, (occasion) =>
      decisions.createReport(occasion, input, {
        newId,
        network: hashOf?.(`${occasion.at.slice(0, 10)} ${network}`),
      }),
    )
    return (await this.#existing(id)).number ?? 0
  }

  /**
   * Closes a report: `done`, or `dismissed` because nothing was to be done. Moderators and the operator may.
   *
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND, INVALID_INPUT, CONFLICT `{ state }` for another decision
   */
  async decide(id: number, input: ReportDecision, actor: Actor): Promise<Report> {
    return this.#decided(id, actor, (occasion, report) => decisions.decideReport(occasion, report, input))
  }

  /**
   * Opens a decided report again, without its note. For moderators. @throws RegistryError UNAUTHORIZED, FORBIDDEN,
   * NOT_FOUND
   */
  async reopen(id: number, actor: Actor): Promise<Report> {
    return this.#decided(id, actor, decisions.reopenReport)
  }

  async #decided(
    id: number,
    actor: Actor,
    decide: (occasion: Occasion, id: string) => Decided<StoredReport>,
  ): Promise<Report> {
    // Who may not decide it does not learn whether there is one.
    await mustModerate(this.shared, actor)
    const found = await this.#existing(id)
    const after = await this.shared.contribute(actor, (occasion) => decide(occasion, found.id))
    return reportFor(actor, this.read, { ...after, number: id })
  }

  /**
   * Removes the comment of a report and the note of its decision permanently, with every trace, also from backups that
   * are restored. For operators. Repeated, it finishes an incomplete erasure.
   *
   * @throws RegistryError NOT_FOUND, STORAGE_NOT_ERASED `{ leftovers }` when the texts are removed but traces remain
   */
  async erase(id: number): Promise<Report> {
    const erased = await this.#eraseOne(id)
    await scrubbed(this.shared)
    return erased
  }

  /** Removes the texts of several reports, in order. @throws RegistryError as `erase`; earlier removals stay */
  async eraseAll(ids: readonly number[]): Promise<Report[]> {
    const reports: Report[] = []
    try {
      for (const id of ids) reports.push(await this.#eraseOne(id))
    } finally {
      if (reports.length > 0) await scrubbed(this.shared)
    }
    return reports
  }

  /** Reports by id, by default open ones, 50, at most 100. @throws RegistryError UNAUTHORIZED, FORBIDDEN, INVALID_INPUT */
  async list(query: z.input<typeof ReportsQuery>, actor: Actor): Promise<Report[]> {
    const { state, after, limit } = parse(ReportsQuery, query)
    await mustModerate(this.shared, actor)
    const kept = await this.read.reports.list(state, { after, limit })
    return Promise.all(kept.map((each) => reportFor(actor, this.read, each)))
  }

  /**
   * The open reports of a waypoint, the oldest hundred, without who made them, for its keepers and moderators.
   *
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, INVALID_INPUT
   */
  async of(bubblerId: number, actor: Actor): Promise<KeptReport[]> {
    await this.shared.contribute(actor, (occasion) => decisions.maySeeReports(occasion, bubblerId), {
      dryRun: true,
    })
    const subject = { bubblerId, reviewId: null, photoId: null, userId: null }
    const open = await this.read.reports.openAbout(subject, pages.queue.max)
    return open.map(({ number = 0, reason, comment, createdAt }) => ({
      id: number,
      reason,
      comment,
      createdAt,
    }))
  }

  /** One report. Moderators and API tokens may see it. @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND */
  async get(id: number, actor: Actor): Promise<Report> {
    await mustModerate(this.shared, actor)
    return reportFor(actor, this.read, await this.#existing(id))
  }

  /** The id of a report that `create` returned, for a request that is repeated. @throws RegistryError NOT_FOUND */
  async numberOf(subject: string): Promise<number> {
    return (await this.#existing(subject)).number ?? 0
  }

  async #eraseOne(id: number): Promise<Report> {
    const { report, erasures } = this.shared
    const found = await this.#existing(id)
    // Listed first: a restored backup is erased even if this call is interrupted.
    await erasures?.addAll([reportErasureOf(found.id)])
    const erased = await this.store.write({ decide: (at) => decisions.eraseReport(at, found.id) })
    report('report.erased', { report: id })
    return reportFor({ kind: 'token' }, this.read, { ...erased, number: id })
  }

  async #existing(id: number | string): Promise<StoredReport> {
    return required(await this.read.reports.get(id), 'report', id)
  }
}
