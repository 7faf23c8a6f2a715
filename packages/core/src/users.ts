import { randomUUID } from 'node:crypto'
import { apiUserId } from './actor.ts'
import type { Writer } from './writer.ts'
import { invalid, notFound } from './errors.ts'
import { paging } from './schemas/filter.ts'
import { parse } from './schemas/parse.ts'
import {
  UserInput,
  UserPatch,
  type LeaderboardEntry,
  type OwnUser,
  type PublicUser,
  type UserState,
} from './schemas/user.ts'
import { levelOf, pages } from './rules.ts'
import { few } from './store/sqlite/search/bounds.ts'
import { userReads, userWrites } from './store/sqlite/nouns/users.ts'

export interface Page {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

const UserPage = paging(pages.users)
const LeaderboardPage = paging(pages.leaderboard)

/** Contributors. Lists and counts do not include the built-in user of API tokens. */
export class Users {
  readonly #writer: Writer
  readonly #reads: ReturnType<typeof userReads>
  readonly #writes: ReturnType<typeof userWrites>
  readonly #nextId: () => string

  /** @internal Created by the registry. */
  constructor(writer: Writer, ids: () => string = randomUUID) {
    this.#writer = writer
    this.#reads = userReads(writer.statements)
    this.#writes = userWrites(writer.statements)
    this.#nextId = ids
  }

  /**
   * Adds a user. Only administrators may: like all methods without an actor it checks no permission. `xp` is recorded
   * in the ledger as a grant. Default `id`: a new one.
   *
   * @throws RegistryError INVALID_INPUT, also for an id or an e-mail address that is taken
   */
  async create(input: unknown): Promise<OwnUser> {
    const { name, email, id = this.#nextId(), isModerator = false, xp = 0 } = parse(UserInput, input)
    return this.#writer.transact(({ load, write, counters, at }) => {
      if (load.user(id) !== undefined) throw invalid('id', 'is taken by another user')
      this.#checkEmailIsFree(email, id)
      this.#writes.insert({ id, name, email: email ?? null, isModerator: isModerator ? 1 : 0, at })
      counters.users++
      if (xp > 0)
        write.award({ userId: id, event: 'grant', amount: xp, note: 'granted at the beginning', at })
      return this.#own(load.contributor(id))
    })
  }

  /**
   * Returns the user with this id, and adds it first if needed: for hosts with their own accounts.
   *
   * @throws RegistryError INVALID_INPUT
   */
  async ensure(input: {
    readonly id: string
    readonly name: string
    readonly email?: string
  }): Promise<OwnUser> {
    const existing = this.#writer.load.user(input.id)
    return existing ? this.#own(existing) : this.create(input)
  }

  /** The public fields of a user. @throws RegistryError NOT_FOUND */
  async get(id: string): Promise<PublicUser> {
    return this.#public(this.#existing(id))
  }

  /** A user as they see themselves, including the e-mail address. @throws RegistryError NOT_FOUND */
  async profile(id: string): Promise<OwnUser> {
    return this.#own(this.#existing(id))
  }

  /**
   * Changes a user's name or e-mail address; `null` removes the address.
   *
   * @throws RegistryError INVALID_INPUT, also for an address that is taken; NOT_FOUND
   */
  async update(id: string, input: unknown): Promise<OwnUser> {
    const patch = parse(UserPatch, input)
    return this.#writer.transact(({ load, at, noChange }) => {
      const before = this.#existing(id)
      const name = patch.name ?? before.name
      const email = patch.email === undefined ? before.email : (patch.email ?? undefined)
      if (name === before.name && email === before.email) {
        noChange()
        return this.#own(before)
      }
      this.#checkEmailIsFree(email, id)
      this.#writes.update({ id, name, email: email ?? null, at })
      return this.#own(load.contributor(id))
    })
  }

  /** Grants or revokes moderator rights. @throws RegistryError NOT_FOUND */
  async setModerator(id: string, isModerator: boolean): Promise<OwnUser> {
    return this.#writer.transact(({ load, at }) => {
      this.#checkIsPerson(id)
      this.#writes.setModerator({ id, isModerator: isModerator ? 1 : 0, at })
      return this.#own(load.contributor(id))
    })
  }

  /**
   * Gives a user XP as an administrator; a negative amount takes XP away. The reason is recorded in the ledger.
   *
   * @throws RegistryError NOT_FOUND, INVALID_INPUT
   */
  async grantXp(id: string, amount: number, reason: string): Promise<OwnUser> {
    if (!Number.isSafeInteger(amount) || amount === 0)
      throw invalid('amount', 'must be a whole number other than zero')
    if (reason.trim() === '') throw invalid('reason', 'must not be empty')
    return this.#writer.transact(({ load, write, at }) => {
      this.#checkIsPerson(id)
      write.award({ userId: id, event: 'grant', amount, note: reason, at })
      return this.#own(load.contributor(id))
    })
  }

  /**
   * Users, oldest first.
   *
   * @throws RegistryError INVALID_INPUT when limit (default 50, max 100) or offset is out of range
   */
  async list(
    page: Page = {},
  ): Promise<{ users: PublicUser[]; total: number; limit: number; offset: number }> {
    const { limit, offset } = parse(UserPage, page)
    const users = this.#reads.list({ limit, offset }).map((user) => this.#public(user))
    return { users, total: this.#reads.total(), limit, offset }
  }

  /**
   * Users by XP, highest first; among equals, oldest first.
   *
   * @throws RegistryError INVALID_INPUT when limit (default 10, max 100) or offset is out of range
   */
  async leaderboard(page: Page = {}): Promise<{ leaderboard: LeaderboardEntry[]; total: number }> {
    const { limit, offset } = parse(LeaderboardPage, page)
    const leaderboard = this.#reads.byXp({ limit, offset }).map((user): LeaderboardEntry => {
      const { createdAt: _since, ...entry } = this.#public(user)
      return entry
    })
    return { leaderboard, total: this.#reads.total() }
  }

  /**
   * Whether `list` and `leaderboard` skip at most a thousand users to reach this page. A server runs other pages on
   * another thread than the one that serves requests.
   */
  isBounded({ offset = 0 }: Page = {}): boolean {
    return offset <= few || this.#reads.total() <= few
  }

  #existing(id: string): UserState {
    const found = this.#writer.load.user(id)
    if (found === undefined) throw notFound('user', id)
    return found
  }

  #checkIsPerson(id: string): void {
    this.#existing(id)
    if (id === apiUserId)
      throw invalid('id', 'is that of the built-in user of API tokens, which cannot be changed')
  }

  #checkEmailIsFree(email: string | null | undefined, id: string): void {
    if (!email) return
    const owner = this.#reads.ownerOf(email)
    if (owner !== undefined && owner !== id) throw invalid('email', 'is taken by another user')
  }

  #public({ id, name, xp, stats, createdAt }: UserState): PublicUser {
    return { id, name, xp, level: levelOf(xp, this.#writer.rules.levels), createdAt, stats }
  }

  #own(state: UserState): OwnUser {
    const { email, isModerator, updatedAt } = state
    return { ...this.#public(state), ...(email !== undefined && { email }), isModerator, updatedAt }
  }
}
