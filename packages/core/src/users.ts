import { z } from 'zod'
import {
  userIdOf,
  type Actor,
  isInForce,
  type Occasion,
  type PersonWithProfile,
} from './decide/contributor.ts'
import { revertPerson, type Reverted, type RevertOptions } from './decide/revert.ts'
import * as decisions from './decide/user.ts'
import { invalid, notFound, required } from './errors.ts'
import { undoneBefore } from './moderation.ts'
import { limits, pages } from './rules.ts'
import { knownOptions, mustBeKnown, parse } from './schemas/parse.ts'
import {
  Keeping,
  publicOrFormer,
  publicUser,
  type EnsuredUser,
  type FormerUser,
  type LeaderboardEntry,
  type OwnUser,
  type PublicUser,
  type Removal,
  type UserInput,
  type UserPatch,
  type UserState,
} from './schemas/user.ts'
import { text } from './schemas/text.ts'
import { paging } from './schemas/waypoint.ts'
import { Part } from './shared.ts'

export interface Page {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

export const UserPage = paging(pages.users)
export const RemovalsPage = paging(pages.removals)
export const LeaderboardPage = paging(pages.leaderboard).extend({
  since: z.literal('week').optional(),
  region: text({ min: 1, max: limits.region }).optional(),
})

export interface LeaderboardQuery extends Page {
  /** `week`: XP earned since Monday, 0:00 UTC. Default the whole time. */
  readonly since?: 'week' | undefined
  /** The region, or the name of the place, of the waypoints at which it was earned. Default all. */
  readonly region?: string | undefined
}

function weekOf(at: string): string {
  const day = new Date(`${at.slice(0, 10)}T00:00:00.000Z`)
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7))
  return day.toISOString()
}

/** Contributors. Lists and counts do not include the built-in user of API tokens. */
export class Users extends Part {
  /**
   * Adds a user, without asking for rights; `xp` is granted in the log. @throws RegistryError INVALID_INPUT, also for a
   * taken id
   */
  async create(input: UserInput): Promise<OwnUser> {
    const made = await this.#own(
      await this.store.write({ decide: (at) => decisions.createUser(at, input, this.shared.newId) }),
    )
    if (made.isModerator) this.shared.report('moderator.appointed', { user: made.id })
    if (made.xp !== 0) this.shared.report('xp.granted', { user: made.id, xp: made.xp })
    return made
  }

  /**
   * The user whom a host with accounts of its own knows by `externalId`, added first if needed under another id, since
   * ids stay in the log for ever; else with the given name, address and rights. @throws RegistryError INVALID_INPUT
   */
  async ensure(input: EnsuredUser): Promise<OwnUser> {
    const ensured = await this.store.write({
      decide: (at) => decisions.ensureUser(at, input, this.shared.newId),
    })
    const { rights, person } = ensured
    if (rights !== undefined) this.shared.report(`moderator.${rights}`, { user: person.id })
    return this.#own(ensured)
  }

  /** The public fields of a user; without a name for somebody who has left. @throws RegistryError NOT_FOUND */
  async get(id: string): Promise<PublicUser | FormerUser> {
    return publicOrFormer(await this.#existing(id), this.shared.rules)
  }

  /** A user as they see themselves, with the address that they gave, else verified. @throws RegistryError NOT_FOUND */
  async profile(id: string): Promise<OwnUser> {
    const found = await this.#existing(id)
    if (found.leftAt !== undefined) throw notFound('user', id)
    return this.#ownOf(found)
  }

  /**
   * Changes a name or an address; `null` removes the address. Others may have given the same one.
   *
   * @param options `isOwn`: the user does it, who must not be blocked; default false, for the operator
   * @throws RegistryError INVALID_INPUT, NOT_FOUND, FORBIDDEN
   */
  async update(
    id: string,
    input: UserPatch,
    options: { readonly isOwn?: boolean | undefined } = {},
  ): Promise<OwnUser> {
    const known = knownOptions(options, ['isOwn'])
    return this.#own(await this.store.write({ decide: (at) => decisions.updateUser(at, id, input, known) }))
  }

  /**
   * Makes a user the keeper of the fountains of a maintainer, or of those that a source lists, or ends that. A maintainer counts
   * by the word of a source, a moderator, the operator or a token that moderates.
   *
   * @param keeping the maintainer, or the source by name
   * @throws RegistryError NOT_FOUND, INVALID_INPUT
   * @example
   * const { id } = await registry.users.create({ name: 'Ada' })
   * await registry.users.setKeeper(id, { maintainer: 'City of Lund' }, true)
   */
  async setKeeper(id: string, keeping: Keeping, isKeeper: boolean): Promise<OwnUser> {
    const { maintainer, source = '' } = parse(Keeping, keeping)
    const kept = maintainer === undefined ? { source: await this.#sourceId(source) } : { maintainer }
    const changed = await this.store.write({ decide: () => decisions.setKeeper(id, kept, isKeeper) })
    this.shared.report(isKeeper ? 'keeper.entrusted' : 'keeper.relieved', { user: id })
    return this.#own(changed)
  }

  async #sourceId(name: string): Promise<number> {
    const found = (await this.read.sources.list()).find((each) => each.name === name)
    if (found === undefined) throw invalid('source', 'names no source of this registry')
    return found.id
  }

  async #named(keeps: NonNullable<UserState['keeps']>): Promise<Keeping[]> {
    const sources = keeps.some((each) => 'source' in each) ? await this.read.sources.list() : []
    return keeps.map((each) =>
      'source' in each ? { source: sources.find(({ id }) => id === each.source)?.name ?? '' } : each,
    )
  }

  /** Grants or revokes moderator rights. @throws RegistryError NOT_FOUND */
  async setModerator(id: string, isModerator: boolean): Promise<OwnUser> {
    const changed = await this.store.write({ decide: (at) => decisions.setModerator(at, id, isModerator) })
    this.shared.report(isModerator ? 'moderator.appointed' : 'moderator.dismissed', { user: id })
    return this.#own(changed)
  }

  /** Gives a user XP, or takes a negative amount, for a reason in the log. @throws RegistryError NOT_FOUND, INVALID_INPUT */
  async grantXp(id: string, amount: number, reason: string): Promise<OwnUser> {
    const granted = await this.store.write({ decide: () => decisions.grantXp(id, amount, reason) })
    this.shared.report('xp.granted', { user: id, xp: amount })
    return this.#own(granted)
  }

  /**
   * Keeps a person, but no moderator, from writing, until a time in ISO 8601 or without an end. The reason is public.
   * For moderators and API tokens. @returns the block in force
   *
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND, INVALID_INPUT
   */
  async block(
    id: string,
    options: { readonly reason: string; readonly until?: string | undefined },
    actor: Actor,
  ): Promise<{ readonly reason: string; readonly until?: string | undefined }> {
    mustBeKnown(options, ['reason', 'until'])
    const { person } = await this.shared.contribute(actor, (occasion) =>
      decisions.blockUser(occasion, id, options),
    )
    const { reason, until } = { ...options, ...person.block }
    this.shared.report('user.blocked', { user: id, by: userIdOf(actor), until })
    return { reason, until }
  }

  /** The block of a user. @throws RegistryError NOT_FOUND for one who is not blocked */
  async blockOf(id: string): Promise<{ readonly reason: string; readonly until?: string | undefined }> {
    const person = await this.asItIs('user', id)
    if (person?.block === undefined) throw notFound('block', id)
    return person.block
  }

  /** Ends a block. @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND */
  async unblock(id: string, actor: Actor): Promise<void> {
    await this.shared.contribute(actor, (occasion) => decisions.unblockUser(occasion, id))
    this.shared.report('user.unblocked', { user: id, by: userIdOf(actor) })
  }

  /**
   * Undoes a person's changes at or after a time, the newest first, at most 500 entries in one act; `next` is the start
   * of the following page. Later changes by others stay and are listed. XP earned is taken back. For moderators, within
   * their hourly limit, and API tokens.
   *
   * @param options `evenBuiltIn`: also of imports, programs or observers, for a token with all rights alone. Default
   * false
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND, INVALID_INPUT, RATE_LIMITED
   */
  async revert(id: string, options: RevertOptions, actor: Actor): Promise<Reverted> {
    const { dryRun = false } = knownOptions(options, ['since', 'reason', 'before', 'dryRun', 'evenBuiltIn'])
    const reverting = (occasion: Occasion) => revertPerson(occasion, id, options)
    const page = await this.shared.contribute(actor, reverting, { dryRun })
    const by = userIdOf(actor)
    if (!dryRun) this.shared.report('user.reverted', { user: id, by, entries: page.reverted })
    return page
  }

  /** The result of `revert` that was made before, by the first and last of `entries`, as it is now. @throws as `revert` */
  async reverted(
    id: string,
    options: RevertOptions,
    { actor, entries }: { readonly actor: Actor; readonly entries?: readonly [number, number] | undefined },
  ): Promise<Reverted> {
    const left = await this.revert(id, { ...options, dryRun: true }, actor)
    const page = await undoneBefore(this.read, { ...left, undone: left.reverted }, entries)
    const { undone: reverted, conflicts, next } = page
    return { reverted, conflicts, next }
  }

  /** Users, oldest first. @throws RegistryError INVALID_INPUT when limit (default 50, max 100) or offset is out of range */
  async list(
    page: Page = {},
  ): Promise<{ users: PublicUser[]; total: number; limit: number; offset: number }> {
    const { limit, offset } = parse(UserPage, page)
    const [users, total] = await Promise.all([
      this.read.users.list({ limit, offset }),
      this.read.users.total(),
    ])
    return { users: users.map((user) => this.#public(user)), total, limit, offset }
  }

  /**
   * Users by XP, highest first; among equals, oldest first. With `since` or `region` by what they earned then and there,
   * if anything; a region knows nothing of observations, whose XP is one sum a day.
   *
   * @returns `since` is the time from which the XP counts, with `since`
   * @throws RegistryError INVALID_INPUT when limit (default 10, max 100) or offset is out of range
   */
  async leaderboard(
    query: LeaderboardQuery = {},
  ): Promise<{ leaderboard: LeaderboardEntry[]; total: number; since?: string }> {
    const { limit, offset, since, region } = parse(LeaderboardPage, query)
    if (since === undefined && region === undefined) {
      const [users, total] = await Promise.all([
        this.read.users.byXp({ limit, offset }),
        this.read.users.total(),
      ])
      return { leaderboard: users.map((user) => this.#leader(user)), total }
    }
    const start = since && weekOf(await this.store.time())
    const after = start === undefined ? 0 : await this.read.entries.idBefore(start)
    const { people, total } = await this.read.users.leading({ limit, offset, after, region })
    const leaderboard = people.map(({ earned, ...user }) => ({ ...this.#leader(user), earned }))
    return { leaderboard, total, ...(start !== undefined && { since: start }) }
  }

  /**
   * A user's waypoints and reviews that others removed, newest first, with the reason and the waypoint's name then.
   *
   * @throws RegistryError INVALID_INPUT when limit (default 50, max 100) or offset is out of range
   */
  async removals(userId: string, page: Page = {}): Promise<Removal[]> {
    return this.read.users.removals({ userId, ...parse(RemovalsPage, page) })
  }

  #leader(state: UserState): LeaderboardEntry {
    const { createdAt: _since, badge: _badge, ...entry } = this.#public(state)
    return entry
  }

  async #existing(id: string): Promise<UserState> {
    return required(await this.read.users.get(id), 'user', id)
  }

  #public(state: UserState): PublicUser {
    return publicUser(state, this.shared.rules)
  }

  async #ownOf(state: UserState): Promise<OwnUser> {
    const { isModerator, updatedAt, block, keeps = [] } = state
    const email = state.email ?? (await this.#verifiedAddress(state.id))
    const isBlocked = block !== undefined && isInForce(block, await this.store.time())
    return {
      ...this.#public(state),
      email,
      isModerator,
      updatedAt,
      ...(keeps.length > 0 && { keeps: await this.#named(keeps) }),
      ...(isBlocked && { blocked: block }),
    }
  }

  async #verifiedAddress(userId: string): Promise<string | undefined> {
    const identities = await this.read.secrets.list('identity', userId)
    return identities.find(({ value }) => value.provider === 'email')?.value.label
  }

  #own({ person, profile }: PersonWithProfile): Promise<OwnUser> {
    return this.#ownOf({ ...person, ...profile })
  }
}
